//! A server: the protocol's side and the application's code, together.

use std::{
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Once, OnceLock},
    time::Duration,
};

#[cfg(feature = "editing")]
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "editing")]
use wymcp_core::ConfigError;
use wymcp_core::{Call, Event, Limits, Reply, RequestMeta, Server as Protocol, drop_contained};

#[cfg(feature = "editing")]
use crate::Edit;

use crate::{
    Changes, ServerBuilder,
    authenticate::AnyAuthenticator,
    legacy::Sessions,
    live::Live,
    render::TARGET,
    signal::{Signal, Wait},
    span,
};

/// An MCP server, ready to be mounted by an adapter.
///
/// Cheap to clone; clones are the same server. No request waits for another one, nor for an edit.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Server, tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Sum { a: i64, b: i64 }
///
/// let server = Server::builder("calculator", "1.0.0")
///     .instructions("Adds numbers.")
///     .tool(tool("sum").describe("Adds two numbers").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)))
///     .build()?;
/// # let _ = server;
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Server(pub(crate) Arc<Inner>);

/// What all clones of a server share.
pub(crate) struct Inner {
    pub(crate) live: Live,
    pub(crate) limits: Limits,
    /// Held by whoever edits, so that no edit is lost. No request takes it.
    #[cfg(feature = "editing")]
    pub(crate) editing: Mutex<()>,
    pub(crate) authenticator: Option<Arc<dyn AnyAuthenticator>>,
    pub(crate) on_event: Arc<dyn Fn(&Event) + Send + Sync>,
    /// Given when the server is to come to its end.
    pub(crate) shutdown: Arc<Signal>,
    /// How long calls in flight may go on then.
    pub(crate) grace: OnceLock<Duration>,
    pub(crate) state_use: Option<StateUse>,
    pub(crate) changes: Option<Changes>,
    pub(crate) sessions: Option<Sessions>,
    pub(crate) on_span: Option<OnSpan>,
    /// Done when somebody was told that the keys are the server's own; `None` when they are not.
    pub(crate) own_keys: Option<Once>,
}

/// Takes the span of a call before its handler runs.
pub(crate) type OnSpan = Arc<dyn Fn(&tracing::Span, &RequestMeta<'_>) + Send + Sync>;

/// Asks the host whether it sees a state for the first time.
pub(crate) type StateUse =
    Arc<dyn Fn([u8; 24]) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync>;

impl Server {
    /// Starts the definition of a server of this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }

    /// The protocol's side as it is now: what every message gets back, as pure functions, for a driver and for tests. A later
    /// edit does not change it.
    ///
    /// # Examples
    ///
    /// ```
    /// let server = wymcp::Server::builder("empty", "1.0.0").build()?;
    /// assert_eq!(server.protocol().limits().depth, 100);
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn protocol(&self) -> Arc<Protocol> {
        self.0.live.now()
    }

    /// Adds and removes tools, resources and prompts while the server runs, and tells the clients that listen what has
    /// changed ([`ServerBuilder::changes`]).
    ///
    /// No request waits for it: those in flight end on what they began on, and the next ones find what is new. It takes as
    /// long as compiling what is added, and laying out the lists anew: with thousands of tools, some hundredths of a second,
    /// so give many changes in one edit. Replicas that are to answer alike need the same edits in the same order.
    ///
    /// # Errors
    ///
    /// The first fault of a definition, with its place and what to write there. Then the server is as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Changes, Context, Edit, NoArguments, Server, tool};
    ///
    /// let server = Server::builder("plugins", "1.0.0").changes(Changes::new()).declare_tools().build()?;
    /// let greet = || tool("greet").run(async |_: NoArguments, _: Context| Ok("Hello!"));
    /// server.edit(Edit::new().tool(greet()))?;
    /// assert!(server.edit(Edit::new().tool(greet())).is_err());
    /// server.edit(Edit::new().remove_tool("greet").tool(greet()))?;
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    #[cfg(feature = "editing")]
    pub fn edit(&self, edit: Edit) -> Result<(), ConfigError> {
        // Code of the application's that is let go runs behind the lock, since it may edit too.
        let kept = edit.protocol.clone();
        let editing = self.0.editing.lock();
        let editing = editing.unwrap_or_else(PoisonError::into_inner);
        let before = self.protocol();
        let after = before.edited(edit.protocol);
        let changes = after.map(|after| {
            let changes = after.changes_since(&before);
            self.0.live.replace(after);
            changes
        });
        drop(editing);
        drop((before, kept));
        let changes = changes?;
        if let Some(told) = self.changes() {
            for change in &changes {
                told.tell(change);
            }
        }
        Ok(())
    }

    /// Hands over the events of a reply that is to be sent.
    pub(crate) fn emit_all(&self, mut reply: Reply) -> Reply {
        for event in reply.events.drain(..) {
            self.emit(&event);
        }
        reply
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Brings every open stream and every call in flight to its end: a call that does not end by itself within `grace`
    /// is a fault, and its client gets an answer. New calls are answered meanwhile, as long as the host takes them.
    ///
    /// Call it when the host stops to accept connections. The first call sets the time.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wymcp::Server;
    ///
    /// # fn serve_until_shutdown(_: Server) {}
    /// let server = Server::builder("empty", "1.0.0").build()?;
    /// serve_until_shutdown(server.clone());
    /// server.shutdown(Duration::from_secs(5));
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn shutdown(&self, grace: Duration) {
        let _ = self.0.grace.set(grace);
        self.0.shutdown.give();
    }

    pub(crate) fn shutdown_begun(&self) -> Wait<Arc<Signal>> {
        Wait::new(Arc::clone(&self.0.shutdown))
    }

    pub(crate) fn shutdown_grace(&self) -> Duration {
        self.0.grace.get().copied().unwrap_or_default()
    }

    /// The handle that tells of changes, on a server that lets clients listen.
    pub(crate) fn changes(&self) -> Option<&Changes> {
        self.0.changes.as_ref()
    }

    /// The sessions of older clients, on a server that speaks to them.
    pub(crate) fn sessions(&self) -> Option<&Sessions> {
        self.0.sessions.as_ref()
    }

    pub(crate) fn state_use(&self) -> Option<&StateUse> {
        self.0.state_use.as_ref()
    }

    /// The span in which a call's handler runs, as the host has it.
    pub(crate) fn span(&self, call: &Call<'_>) -> tracing::Span {
        let span = span::of(call);
        if let Some(take) = &self.0.on_span {
            take(&span, call.meta());
        }
        span
    }

    /// A handler has asked: the operator has to know by whose keys.
    pub(crate) fn asked(&self) {
        if let Some(told) = &self.0.own_keys {
            told.call_once(|| self.emit(&Event::SealedWithOwnKey));
        }
    }

    pub(crate) fn authenticator(&self) -> Option<&Arc<dyn AnyAuthenticator>> {
        self.0.authenticator.as_ref()
    }

    /// Hands an event to whoever takes them. What goes wrong there must not reach the peer.
    pub(crate) fn emit(&self, event: &Event) {
        let taken = catch_unwind(AssertUnwindSafe(|| (self.0.on_event)(event)));
        if let Err(payload) = taken {
            drop_contained(payload);
            tracing::error!(target: TARGET, "the function that takes events panicked");
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("protocol", &self.protocol())
            .finish_non_exhaustive()
    }
}
