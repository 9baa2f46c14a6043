//! The legacy lane: sessions of the revisions that open with `initialize`, beside the modern messages on the same endpoint.

mod version;
mod projection;

pub use version::LegacyVersion;
