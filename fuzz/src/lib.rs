//! The laws of the fuzz targets, which stand beside the tests that share them.
#![allow(dead_code, reason = "the tests use the rest")]

#[path = "../../crates/wymcp-core/tests/laws/dual.rs"]
mod dual;
#[path = "../../crates/wymcp-core/tests/laws/fuzzed/mod.rs"]
mod fuzzed;
#[path = "../../crates/wymcp-everything/tests/fuzzed"]
mod hosts {
    mod adapters;
    mod stdio_lines;
    pub(crate) mod targets;
    mod told;
}
#[path = "../../crates/wymcp-core/tests/laws/naive.rs"]
mod naive;
#[path = "../../crates/wymcp-testkit/src/official.rs"]
mod official;
#[path = "../../crates/wymcp-core/tests/laws/oracle.rs"]
mod oracle;
#[path = "../../crates/wymcp-core/tests/laws/requests.rs"]
mod requests;

/// Holds the law of a target.
///
/// # Panics
///
/// When the law is broken, or the target has none.
pub fn hold(target: &str, bytes: &[u8]) {
    let mut targets = fuzzed::TARGETS.iter().chain(hosts::targets::TARGETS);
    let found = targets.find(|(name, _)| *name == target);
    let (_, law) = found.unwrap_or_else(|| panic!("{target} has no law"));
    law(bytes);
}
