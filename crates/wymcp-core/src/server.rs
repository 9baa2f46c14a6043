//! A server's side of the protocol.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::{
    authentication::Challenge,
    builder::ServerBuilder,
    cache::Caching,
    catalog::{Catalog, Edit},
    config::ConfigError,
    exchange::{Change, Keyring},
    extensions::Extensions,
    info::{EncodedInfo, Info},
    legacy::LegacySessions,
    limits::Limits,
    method::discovery,
    validate::ProtocolSchema,
    wire::{Hosts, Origins, Verbs},
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
    pub(crate) settings: Arc<Settings>,
    pub(crate) catalog: Catalog,
    pub(crate) schema: Arc<ProtocolSchema>,
    info: Arc<EncodedInfo>,
    discovery: Box<RawValue>,
}

/// What the stages look up.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) hosts: Hosts,
    pub(crate) origins: Origins,
    pub(crate) limits: Limits,
    pub(crate) challenge: Option<Challenge>,
    pub(crate) page_size: Option<usize>,
    pub(crate) caching: Caching,
    pub(crate) instructions: Option<String>,
    pub(crate) extensions: Extensions,
    /// Whether a help tool explains the others.
    pub(crate) help: bool,
    /// Whether handlers may send log records.
    pub(crate) logging: bool,
    /// Whether clients can listen for changes.
    pub(crate) changes: bool,
    /// Whether the legacy revisions are spoken, and where their sessions are.
    pub(crate) legacy: Option<LegacySessions>,
    /// What seals `requestState`; without one nothing is sealed and nothing opens.
    pub(crate) keyring: Option<Keyring>,
}

impl Settings {
    /// Whether there is a place for what a client of a session sets, is sent and is asked.
    pub(crate) fn keeps_sessions(&self) -> bool {
        self.legacy == Some(LegacySessions::Kept)
    }

    /// The HTTP methods that are served.
    pub(crate) fn verbs(&self) -> Verbs {
        if self.keeps_sessions() {
            Verbs::WithSessions
        } else {
            Verbs::PostAlone
        }
    }
}

impl Server {
    /// Starts the definition of a server of this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }

    /// A server of these settings, which were checked.
    ///
    /// # Errors
    ///
    /// The first fault of what it is to offer.
    pub(crate) fn new(settings: Settings, info: &Info, offer: Edit) -> Result<Self, ConfigError> {
        let catalog = Catalog::default().edited(offer, settings.help)?;
        Ok(Self::with(
            Arc::new(settings),
            catalog,
            Arc::new(ProtocolSchema::compiled()),
            Arc::new(info.encode()),
        ))
    }

    fn with(
        settings: Arc<Settings>,
        catalog: Catalog,
        schema: Arc<ProtocolSchema>,
        info: Arc<EncodedInfo>,
    ) -> Self {
        Self {
            discovery: discovery(&catalog, &settings, &info),
            settings,
            catalog,
            schema,
            info,
        }
    }

    /// The server that this one becomes by an edit, with the same settings. This one stays as it is.
    ///
    /// What both offer is shared, so that an edit compiles only what it adds. Cursors of this server mean the same places
    /// in the lists of the other. What was declared once stays declared: a list of which the last item went is empty.
    ///
    /// # Errors
    ///
    /// The first fault of a definition, with its place and what to write there.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Change, Edit, Server, Tool};
    ///
    /// let before = Server::builder("plugins", "1.0.0").tool(Tool::new("translate")).build()?;
    /// assert!(before.edited(Edit::new().tool(Tool::new("translate"))).is_err());
    /// let after = before.edited(Edit::new().remove_tool("translate"))?;
    /// assert_eq!(after.changes_since(&before), [Change::Tools]);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn edited(&self, edit: Edit) -> Result<Self, ConfigError> {
        let catalog = self.catalog.edited(edit, self.settings.help)?;
        Ok(Self::with(
            Arc::clone(&self.settings),
            catalog,
            Arc::clone(&self.schema),
            Arc::clone(&self.info),
        ))
    }

    /// What clients are to be told of that knew the other server, which this one was made of by edits, or that was made of the
    /// same one: which of the lists differ; see [`Server::edited`] for an
    /// example.
    pub fn changes_since(&self, before: &Self) -> Vec<Change> {
        self.catalog.changes_since(&before.catalog)
    }

    /// The bounds that this server keeps.
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// The name and the version as every result carries them.
    pub(crate) fn info(&self) -> &EncodedInfo {
        &self.info
    }

    /// The result of `server/discover`.
    pub(crate) fn discovery(&self) -> &RawValue {
        &self.discovery
    }
}
