//! wymcp
