//! Messages against the protocol's schema.

#[cfg(feature = "json-schema")]
pub(crate) mod describe;
mod distilled;
#[cfg(feature = "json-schema")]
pub(crate) mod representation;
pub(crate) mod words;

pub use distilled::{Distilled, Violation};
