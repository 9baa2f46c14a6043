//! A server: the protocol's side and the application's code, together.

use std::{
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Once, OnceLock},
    time::Duration,
};

use wymcp_core::{
    CacheHint, Challenge, ConfigError, Event, Icon, Keyring, Limits, Server as Protocol,
    drop_contained,
};

use crate::{
    Changes,
    authenticate::{AnyAuthenticator, Authenticate},
    prompt::RunnablePrompt,
    render::{TARGET, render},
    resource::{RunnableResource, RunnableResourceTemplate},
    sealing,
    signal::{Signal, Wait},
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
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    on_event: Arc<dyn Fn(&Event) + Send + Sync>,
    /// Given when the server is to come to its end.
    shutdown: Arc<Signal>,
    /// How long calls in flight may go on then.
    grace: OnceLock<Duration>,
    state_use: Option<StateUse>,
    changes: Option<Changes>,
    /// Done when somebody was told that the keys are the server's own; `None` when they are not.
    own_keys: Option<Once>,
}

/// Asks the host whether it sees a state for the first time.
pub(crate) type StateUse =
    Arc<dyn Fn([u8; 24]) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync>;

impl Server {
    /// Starts the definition of a server of this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder {
            protocol: Protocol::builder(name, version),
            authenticator: None,
            on_event: Arc::new(render),
            fault: None,
            keys: None,
            state_use: None,
            changes: None,
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

    pub(crate) fn state_use(&self) -> Option<&StateUse> {
        self.0.state_use.as_ref()
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
            .field("protocol", &self.0.protocol)
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
///
/// What a client learns of its settings:
///
/// ```
/// # use serde_json::json;
/// use wymcp::{CacheHint, Context, Icon, NoArguments, Server, ServerBuilder, tool};
///
/// /// What all servers of the office have in common.
/// fn of_the_office(server: ServerBuilder) -> ServerBuilder {
///     server.website("https://office.example.com").icon(Icon::new("https://office.example.com/icon.png"))
/// }
///
/// let server = of_the_office(Server::builder("desk", "1.0.0"))
///     .title("Front desk")
///     .description("Knows who is in")
///     .cache(CacheHint::public(60_000))
///     .tool(tool("open").run(async |_: NoArguments, _: Context| Ok(true)))
///     .tool(tool("visitors").run(async |_: NoArguments, _: Context| Ok(0)))
///     .page_size(1)
///     .without_help()
///     .build()?;
/// # let ask = |server: &Server, method: &str| -> serde_json::Value {
/// #     let lines = [("host", "localhost"), ("content-type", "application/json"), ("mcp-method", method)];
/// #     let headers = [&lines[..], &[("mcp-protocol-version", "2026-07-28")]].concat();
/// #     let head = wymcp::Head::new("POST", &headers);
/// #     let version = "io.modelcontextprotocol/protocolVersion";
/// #     let meta = json!({version: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
/// #     let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}}).to_string();
/// #     let turn = server.protocol().receive(&head, body.as_bytes(), wymcp::Decision::anonymous());
/// #     let wymcp_core::Turn::Reply(reply) = turn else { unreachable!("the core answers") };
/// #     let mut body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
/// #     body["result"].take()
/// # };
/// let discovery = ask(&server, "server/discover");
/// let info = &discovery["_meta"]["io.modelcontextprotocol/serverInfo"];
/// assert_eq!(info["title"], "Front desk");
/// assert_eq!(info["description"], "Knows who is in");
/// assert_eq!(info["websiteUrl"], "https://office.example.com");
/// assert_eq!(info["icons"][0]["src"], "https://office.example.com/icon.png");
/// assert_eq!(discovery["ttlMs"], 60_000);
/// assert_eq!(discovery["cacheScope"], "public");
///
/// let page = ask(&server, "tools/list");
/// assert_eq!(page["tools"].as_array().map(Vec::len), Some(1));
/// assert!(page["nextCursor"].is_string());
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
///
/// Behind a proxy that checks `Host`, and lets no request pass without a token:
///
/// ```
/// use wymcp::{Head, Server};
///
/// let (host, origin) = (("host", "mcp.example.com"), ("origin", "https://app.example.com"));
/// let headers = [host, origin, ("content-type", "application/json")];
/// let head = Head::new("POST", &headers);
/// let careful = Server::builder("desk", "1.0.0").build()?;
/// assert_eq!(careful.protocol().admit(&head).unwrap_err().status, 403);
/// let open = Server::builder("desk", "1.0.0").allow_any_host().allow_any_origin().build()?;
/// assert!(open.protocol().admit(&head).is_ok());
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[must_use = "a server exists once it is built"]
pub struct ServerBuilder {
    protocol: wymcp_core::ServerBuilder,
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    on_event: Arc<dyn Fn(&Event) + Send + Sync>,
    fault: Option<ConfigError>,
    keys: Option<Vec<[u8; 32]>>,
    state_use: Option<StateUse>,
    changes: Option<Changes>,
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
        /// Lets handlers send log records to clients that ask for them; see
        /// [`Context::log`](crate::Context::log).
        logging();
        /// Leaves the help tool out.
        without_help();
    }

    /// Adds a tool. `tools/list` keeps the order.
    pub fn tool(mut self, tool: impl Into<RunnableTool>) -> Self {
        let tool = tool.into();
        self.protocol = self.protocol.tool(tool.definition);
        self.fault = self.fault.or(tool.fault);
        self
    }

    /// Adds a resource. `resources/list` keeps the order.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, NoArguments, Server, prompt, resource, resource_template};
    ///
    /// let builder = || Server::builder("docs", "1.0.0").resource(resource("docs://manual", "manual").text("# Manual"));
    /// let pages = resource_template("docs://pages/{number}", "pages").read(async |_: NoArguments, _: Context| Ok("A page"));
    /// let summary = prompt("summary").run(async |_: NoArguments, _: Context| Ok("Summarize docs://manual."));
    /// assert!(builder().resource_template(pages).prompt(summary).build().is_ok());
    /// let twice = builder().resource(resource("docs://manual", "the same").text(""));
    /// assert!(twice.build().is_err());
    /// ```
    pub fn resource(mut self, resource: RunnableResource) -> Self {
        self.protocol = self.protocol.resource(resource.definition);
        self
    }

    /// Adds a family of resources. `resources/templates/list` keeps the order, and of several that an address fits the
    /// first answers.
    pub fn resource_template(mut self, template: RunnableResourceTemplate) -> Self {
        self.protocol = self.protocol.resource_template(template.definition);
        self
    }

    /// Adds a prompt. `prompts/list` keeps the order.
    pub fn prompt(mut self, prompt: RunnablePrompt) -> Self {
        self.protocol = self.protocol.prompt(prompt.definition);
        self
    }

    /// Lets only those in whom the authenticator knows; the challenge is what everybody else is told.
    pub fn authenticate(mut self, authenticator: impl Authenticate, challenge: Challenge) -> Self {
        self.protocol = self.protocol.challenge(challenge);
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Lets clients listen for the changes that this handle tells of: of the lists that the server has, and of its
    /// resources. How many may listen is a matter of [`Limits::listeners`] and [`Limits::listeners_each`].
    pub fn changes(mut self, changes: Changes) -> Self {
        self.protocol = self.protocol.changes();
        self.changes = Some(changes);
        self
    }

    /// The keys that seal what clients carry from one round of questions to the next ([`Context::ask`]): the first one
    /// seals, each of them opens.
    ///
    /// Give the same ones to all replicas of a server, so that each can take up what another one asked; to rotate them, put
    /// the new key first, and take the old one out after [`Limits::state_ttl`]. Keep them like passwords. Without this a
    /// server draws a key when it is built: then a question that was open at a restart, or that comes back to another
    /// replica, has to be asked again, and [`Event::SealedWithOwnKey`] says so once.
    ///
    /// [`Context::ask`]: crate::Context::ask
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::Server;
    ///
    /// # let (new, old) = ([7; 32], [3; 32]);
    /// // `new` and `old` are 32 random bytes each, out of the place where secrets are kept.
    /// assert!(Server::builder("one-of-three", "1.0.0").sealing_keys([new, old]).build().is_ok());
    /// assert!(Server::builder("one-of-three", "1.0.0").sealing_keys([]).build().is_err());
    /// ```
    pub fn sealing_keys(mut self, keys: impl IntoIterator<Item = [u8; 32]>) -> Self {
        self.keys = Some(keys.into_iter().collect());
        self
    }

    /// Lets each sealed state be used once, if the function says whether it sees an id for the first time. What it refuses,
    /// or what it panics on, is refused like a state that does not open.
    ///
    /// Without this a client can send the same answers again until [`Limits::state_ttl`] is over, as it can send every call
    /// again. The ids are 24 random bytes; replicas need a common store of them, which can forget each after that time.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::{collections::HashSet, sync::{Arc, Mutex}};
    ///
    /// use wymcp::Server;
    ///
    /// let used = Arc::new(Mutex::new(HashSet::new()));
    /// let server = Server::builder("careful", "1.0.0").states_used_once(move |id| {
    ///     let used = Arc::clone(&used);
    ///     async move { used.lock().is_ok_and(|mut used| used.insert(id)) }
    /// });
    /// assert!(server.build().is_ok());
    /// ```
    pub fn states_used_once<Fut>(
        mut self,
        is_first: impl Fn([u8; 24]) -> Fut + Send + Sync + 'static,
    ) -> Self
    where
        Fut: Future<Output = bool> + Send + 'static,
    {
        self.state_use = Some(Arc::new(move |id| Box::pin(is_first(id))));
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
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{ConfigError, Context, NoArguments, Server, tool};
    ///
    /// let ping = || tool("ping").run(async |_: NoArguments, _: Context| Ok("pong"));
    /// assert!(Server::builder("pinged", "1.0.0").tool(ping()).build().is_ok());
    ///
    /// let twice = Server::builder("pinged", "1.0.0").tool(ping()).tool(ping()).build();
    /// assert!(matches!(twice, Err(ConfigError::Tool { tool, field, .. }) if tool == "ping" && field == "name"));
    /// let unsized_pages = Server::builder("pinged", "1.0.0").page_size(0).build();
    /// assert!(matches!(unsized_pages, Err(ConfigError::Setting { setting: "page_size", .. })));
    /// ```
    pub fn build(self) -> Result<Server, ConfigError> {
        let Self {
            protocol,
            authenticator,
            on_event,
            fault,
            keys,
            state_use,
            changes,
        } = self;
        let setting = "sealing_keys";
        let own_keys = (keys.is_none() && cfg!(feature = "sealing")).then(Once::new);
        let keyring = match keys {
            None => {
                sealing::own_keyring().map_err(|fault| ConfigError::Setting { setting, fault })?
            }
            Some(keys) => {
                let fault = "is empty; give it a key, or leave it out".to_owned();
                Some(Keyring::new(keys).ok_or(ConfigError::Setting { setting, fault })?)
            }
        };
        let protocol = keyring
            .into_iter()
            .fold(protocol, wymcp_core::ServerBuilder::sealed_with);
        let protocol = protocol.build()?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        Ok(Server(Arc::new(Inner {
            protocol,
            authenticator,
            on_event,
            state_use,
            changes,
            own_keys,
            shutdown: Arc::default(),
            grace: OnceLock::new(),
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
