//! wymcp-testkit
