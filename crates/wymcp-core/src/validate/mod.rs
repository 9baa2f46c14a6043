//! Messages against the protocol's schema.

mod distilled;

pub use distilled::{Distilled, Violation};
