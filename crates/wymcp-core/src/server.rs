//! A server's side of the protocol.

use serde_json::value::RawValue;

use crate::{
    authentication::Challenge,
    builder::ServerBuilder,
    cache::CacheHint,
    catalog::Catalog,
    exchange::Keyring,
    limits::Limits,
    validate::ProtocolSchema,
    wire::{Hosts, Origins},
};

/// A server's side of the protocol: everything that decides about a message, and nothing that does anything.
///
/// Immutable and shared freely. A driver walks the stages with it ([`Server::admit`](crate::Server::admit) and what
/// follows), or runs them all at once ([`Server::receive`](crate::Server::receive)).
///
/// # Examples
///
/// ```
/// use wymcp_core::Server;
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let depth = std::thread::scope(|threads| threads.spawn(|| server.limits().depth).join().unwrap());
/// assert_eq!(depth, 100);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct Server {
    pub(crate) settings: Settings,
    pub(crate) catalog: Catalog,
    pub(crate) schema: ProtocolSchema,
    pub(crate) info: Box<RawValue>,
    pub(crate) discovery: Box<RawValue>,
}

/// What the stages look up.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) hosts: Hosts,
    pub(crate) origins: Origins,
    pub(crate) limits: Limits,
    pub(crate) challenge: Option<Challenge>,
    pub(crate) page_size: Option<usize>,
    pub(crate) cache: CacheHint,
    /// Whether handlers may send log records.
    pub(crate) logging: bool,
    /// Whether clients can listen for changes.
    pub(crate) changes: bool,
    /// What seals `requestState`; without one nothing is sealed and nothing opens.
    pub(crate) keyring: Option<Keyring>,
}

impl Server {
    /// Starts the definition of a server of this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }

    /// The bounds that this server keeps.
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// The name and the version as every result carries them.
    pub(crate) fn info(&self) -> &RawValue {
        &self.info
    }

    /// The result of `server/discover`.
    pub(crate) fn discovery(&self) -> &RawValue {
        &self.discovery
    }
}
