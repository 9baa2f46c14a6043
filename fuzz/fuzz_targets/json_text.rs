//! Any bytes: read as the naive reference reads them, or refused for a reason that is there.
#![no_main]

#[allow(dead_code, reason = "shared with the other target and with the laws")]
#[path = "../../crates/wymcp-core/tests/laws/naive.rs"]
mod naive;
#[path = "../../crates/wymcp-testkit/src/official.rs"]
mod official;
#[allow(dead_code, reason = "shared with the other target and with the laws")]
#[path = "../../crates/wymcp-core/tests/laws/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut limits = wymcp_core::Limits::default();
    (limits.depth, limits.values) = (8, 64);
    let _ = oracle::json_text(bytes, &limits);
    let _ = oracle::json_text(bytes, &wymcp_core::Limits::default());
});
