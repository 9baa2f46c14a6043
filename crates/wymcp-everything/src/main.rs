//! wymcp-everything
fn main() {}
