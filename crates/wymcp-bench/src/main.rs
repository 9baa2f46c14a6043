//! wymcp-bench
fn main() {}
