//! Any request, in the text form of HTTP/1: one answer, a row of the table, with the id that it may carry.
#![no_main]

#[allow(dead_code, reason = "shared with the other target and with the laws")]
#[path = "../../crates/wymcp-core/tests/laws/naive.rs"]
mod naive;
#[path = "../../crates/wymcp-testkit/src/official.rs"]
mod official;
#[allow(dead_code, reason = "shared with the other target and with the laws")]
#[path = "../../crates/wymcp-core/tests/laws/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oracle::receive(bytes));
