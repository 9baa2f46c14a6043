//! wymcp-axum
