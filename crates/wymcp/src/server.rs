//! A server: the protocol's side and the application's code, together.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use wymcp_core::{
    CacheHint, Challenge, ConfigError, Event, Icon, Limits, Server as Protocol, drop_contained,
};

use crate::{
    authenticate::{AnyAuthenticator, Authenticate},
    handler::Handler,
    render::{TARGET, render},
    tool::RunnableTool,
};

/// An MCP server, ready to be mounted by an adapter.
///
/// Cheap to clone; clones are the same server. Nothing on the way of a request takes a lock.
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
pub struct Server(Arc<Inner>);

struct Inner {
    protocol: Protocol,
    /// In the order of the tools' positions.
    handlers: Vec<Arc<dyn Handler>>,
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    on_event: Arc<dyn Fn(&Event) + Send + Sync>,
}

impl Server {
    /// Starts the definition of a server of this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder {
            protocol: Protocol::builder(name, version),
            handlers: Vec::new(),
            authenticator: None,
            on_event: Arc::new(render),
        }
    }

    /// The protocol's side: what every message gets back, as pure functions, for a driver and for tests.
    ///
    /// # Examples
    ///
    /// ```
    /// let server = wymcp::Server::builder("empty", "1.0.0").build()?;
    /// assert_eq!(server.protocol().limits().depth, 100);
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn protocol(&self) -> &Protocol {
        &self.0.protocol
    }

    pub(crate) fn handler(&self, index: usize) -> Option<&Arc<dyn Handler>> {
        self.0.handlers.get(index)
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
            .field("tools", &self.0.handlers.len())
            .finish_non_exhaustive()
    }
}

/// Defines a server.
///
/// # Examples
///
/// ```
/// use std::{sync::{Arc, atomic::{AtomicU64, Ordering}}, time::Duration};
///
/// use wymcp::{BearerTokens, Challenge, Event, Limits, Server, render};
///
/// let mut limits = Limits::default();
/// limits.call_deadline = Some(Duration::from_secs(20));
///
/// let faults = Arc::new(AtomicU64::new(0));
/// let counted = Arc::clone(&faults);
///
/// let server = Server::builder("office", "1.0.0")
///     .instructions("Keeps the calendar of the office.")
///     .allow_hosts(["mcp.example.com"])
///     .allow_origins(["https://app.example.com"])
///     .limits(limits)
///     .authenticate(BearerTokens::new([("s3cr3t-of-alice", "alice")])?, Challenge::bearer())
///     .on_event(move |event| {
///         if matches!(event, Event::ToolFaulted { .. }) {
///             counted.fetch_add(1, Ordering::Relaxed);
///         }
///         render(event);
///     })
///     .build()?;
/// # let _ = (server, faults);
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[must_use = "a server exists once it is built"]
pub struct ServerBuilder {
    protocol: wymcp_core::ServerBuilder,
    handlers: Vec<Arc<dyn Handler>>,
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    on_event: Arc<dyn Fn(&Event) + Send + Sync>,
}

/// The settings of the protocol's side, which pass through.
macro_rules! pass_through {
    ($($(#[$doc:meta])* $method:ident($($name:ident: $type:ty),*);)*) => {
        $($(#[$doc])*
        pub fn $method(mut self, $($name: $type),*) -> Self {
            self.protocol = self.protocol.$method($($name),*);
            self
        })*
    };
}

impl ServerBuilder {
    pass_through! {
        /// What a human is shown in the place of the name.
        title(title: impl Into<String>);
        /// What the server is, for whoever chooses among servers.
        description(description: impl Into<String>);
        /// The server's home page.
        website(url: impl Into<String>);
        /// Adds a picture of the server.
        icon(icon: Icon);
        /// How to use the server well, for the model.
        instructions(instructions: impl Into<String>);
        /// The hosts that `Host` may name, in the place of loopback; see
        /// [`allow_hosts`](wymcp_core::ServerBuilder::allow_hosts).
        allow_hosts(hosts: impl IntoIterator<Item = impl Into<String>>);
        /// Lets `Host` name any host; see [`allow_any_host`](wymcp_core::ServerBuilder::allow_any_host) for when that
        /// is safe.
        allow_any_host();
        /// The origins that `Origin` may name, in the place of loopback; see
        /// [`allow_origins`](wymcp_core::ServerBuilder::allow_origins).
        allow_origins(origins: impl IntoIterator<Item = impl Into<String>>);
        /// Lets any web page send requests; see [`allow_any_origin`](wymcp_core::ServerBuilder::allow_any_origin) for
        /// when that is safe.
        allow_any_origin();
        /// The bounds that a peer meets.
        limits(limits: Limits);
        /// The most items in one page of a list. Without one, a list is one page.
        page_size(items: usize);
        /// How long, and for whom, clients may keep lists and the discovery; see
        /// [`cache`](wymcp_core::ServerBuilder::cache).
        cache(hint: CacheHint);
        /// Leaves the help tool out.
        without_help();
    }

    /// Adds a tool. `tools/list` keeps the order.
    pub fn tool(mut self, tool: impl Into<RunnableTool>) -> Self {
        let tool = tool.into();
        self.protocol = self.protocol.tool(tool.definition);
        self.handlers.push(tool.handler);
        self
    }

    /// Lets only those in whom the authenticator knows; the challenge is what everybody else is told.
    pub fn authenticate(mut self, authenticator: impl Authenticate, challenge: Challenge) -> Self {
        self.protocol = self.protocol.challenge(challenge);
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Takes every event, in the place of [`render`], which makes records of `tracing` of them.
    ///
    /// Called on the way of the request: count or queue, do not wait. A panic in it is contained, and loses the event.
    pub fn on_event(mut self, take: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.on_event = Arc::new(take);
        self
    }

    /// Checks and compiles everything.
    ///
    /// # Errors
    ///
    /// The first fault of the definition, with its place and what to write there.
    pub fn build(self) -> Result<Server, ConfigError> {
        let Self {
            protocol,
            handlers,
            authenticator,
            on_event,
        } = self;
        Ok(Server(Arc::new(Inner {
            protocol: protocol.build()?,
            handlers,
            authenticator,
            on_event,
        })))
    }
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder")
            .field("protocol", &self.protocol)
            .finish_non_exhaustive()
    }
}
