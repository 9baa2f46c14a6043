//! The legacy lane: sessions of the revisions that open with `initialize`, beside the modern messages on the same endpoint.

mod version;
mod definition;
mod known_results;
mod known_questions;
#[allow(dead_code, reason = "sessions call it")]
mod projection;
#[allow(dead_code, reason = "sessions call it")]
mod question;
mod choices;

pub use version::LegacyVersion;

#[cfg(test)]
mod tests;
