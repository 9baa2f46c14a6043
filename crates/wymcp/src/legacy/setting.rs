//! Whether a server speaks to older clients, and where their sessions are.

use wymcp_core::{LegacySessions, Limits};

use super::{
    sessions::Sessions,
    store::{MemorySessions, SessionStore},
};
use crate::ServerBuilder;

/// Where the sessions of the legacy revisions are.
pub(crate) enum Legacy {
    InMemory,
    Sealed,
    Stored(Box<dyn FnOnce(&Limits) -> Sessions>),
}

impl Legacy {
    /// What the core has to know.
    pub(crate) fn sessions(&self) -> LegacySessions {
        match self {
            Self::Sealed => LegacySessions::Sealed,
            Self::InMemory | Self::Stored(_) => LegacySessions::Kept,
        }
    }

    pub(crate) fn build(self, limits: &Limits) -> Sessions {
        match self {
            Self::InMemory => Sessions::kept(MemorySessions::new(limits), limits),
            Self::Stored(stored) => stored(limits),
            Self::Sealed => Sessions::sealed(),
        }
    }
}

impl ServerBuilder {
    /// Speaks the modern revisions alone. Without this, older clients are served too, in sessions: on the same endpoint, by the
    /// same handlers.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::Server;
    ///
    /// let server = Server::builder("new", "1.0.0").without_legacy().build();
    /// # let _ = server;
    /// ```
    pub fn without_legacy(mut self) -> Self {
        self.legacy = None;
        self
    }

    /// Keeps the sessions of older clients elsewhere than in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Limits, MemorySessions, Server};
    ///
    /// let mut limits = Limits::default();
    /// limits.sessions = 100;
    /// // Fewer than the server itself would keep.
    /// let server = Server::builder("small", "1.0.0").session_store(MemorySessions::new(&limits)).build()?;
    /// # let _ = server;
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn session_store(mut self, store: impl SessionStore) -> Self {
        let stored = |limits: &Limits| Sessions::kept(store, limits);
        self.legacy = Some(Legacy::Stored(Box::new(stored)));
        self
    }

    /// Keeps no sessions of older clients: the id of each is the session itself, under the server's sealing key, so that any
    /// replica that has the key can go on with it.
    ///
    /// What a client says after the handshake has no place to stay, and is not offered: log levels, subscriptions, a stream of
    /// the session's own (`GET`), its end (`DELETE`), coming back for an answer, and questions. A call ends when its client goes
    /// away. A session ends when [`Limits::session_idle`] has passed since it was opened. Needs the feature `sealing`.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::Server;
    ///
    /// # if !cfg!(feature = "sealing") { return Ok(()); }
    /// let replica = Server::builder("replica", "1.0.0").sealing_keys([[7; 32]]).sealed_sessions().build()?;
    /// # let _ = replica;
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn sealed_sessions(mut self) -> Self {
        self.legacy = Some(Legacy::Sealed);
        self
    }
}
