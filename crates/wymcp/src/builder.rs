//! The definition of a server: what it offers, and its settings.

use std::{
    fmt,
    future::Future,
    sync::{Arc, Once, OnceLock},
};

#[cfg(feature = "editing")]
use std::sync::Mutex;

use tracing::Span;
use wymcp_core::{
    CacheHint, Challenge, ConfigError, Event, Icon, Limits, Method, RequestMeta, Server as Protocol,
};

use crate::{
    Changes, Server,
    authenticate::{AnyAuthenticator, Authenticate},
    legacy::Legacy,
    live::Live,
    prompt::RunnablePrompt,
    render::render,
    resource::{RunnableResource, RunnableResourceTemplate},
    sealing,
    server::{Inner, OnSpan, StateUse},
    tool::RunnableTool,
};

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
/// #     let protocol = server.protocol();
/// #     let turn = protocol.receive(&head, body.as_bytes(), wymcp::Decision::anonymous());
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
    keys: Option<Vec<[u8; 32]>>,
    state_use: Option<StateUse>,
    changes: Option<Changes>,
    on_span: Option<OnSpan>,
    pub(crate) legacy: Option<Legacy>,
}

impl ServerBuilder {
    pub(crate) fn new(name: String, version: String) -> Self {
        Self {
            protocol: Protocol::builder(name, version),
            authenticator: None,
            on_event: Arc::new(render),
            keys: None,
            state_use: None,
            changes: None,
            on_span: None,
            legacy: Some(Legacy::InMemory),
        }
    }
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
        /// How long, and for whom, clients may keep the answers of one method; see
        /// [`cache_of`](wymcp_core::ServerBuilder::cache_of).
        cache_of(method: Method, hint: CacheHint);
        /// Declares an extension of the protocol, with its settings; see
        /// [`extension`](wymcp_core::ServerBuilder::extension).
        extension(identifier: impl Into<String>, settings: impl Into<serde_json::Value>);
        /// Declares tools even if there are none yet, because an edit will add some: clients ask once whether there are any.
        declare_tools();
        /// Declares resources even if there are none yet.
        declare_resources();
        /// Declares prompts even if there are none yet.
        declare_prompts();
        /// Lets handlers send log records to clients that ask for them; see
        /// [`Context::log`](crate::Context::log).
        logging();
        /// Leaves the help tool out.
        without_help();
    }

    /// Adds a tool. `tools/list` keeps the order.
    pub fn tool(mut self, tool: impl Into<RunnableTool>) -> Self {
        self.protocol = self.protocol.tool(tool.into().definition);
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
    /// resources. How many may listen is a matter of [`Limits::listeners`] and [`Limits::listeners_each`]; servers that share
    /// a handle share the places, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Changes, Context, NoArguments, Server, tool};
    ///
    /// let changes = Changes::new();
    /// let greet = tool("greet").run(async |_: NoArguments, _: Context| Ok("Hello!"));
    /// let server = Server::builder("lively", "1.0.0").changes(changes.clone()).tool(greet).build()?;
    /// // Whenever the tools are others than they were:
    /// changes.tools_changed();
    /// # let _ = server;
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn changes(mut self, changes: Changes) -> Self {
        self.protocol = self.protocol.changes();
        self.changes = Some(changes);
        self
    }

    /// Takes the `tracing` span of each call before its handler runs in it: where a host's OpenTelemetry layer gives it the
    /// client's own span as its parent.
    ///
    /// The span is at debug, so the layer's filter has to let `wymcp=debug` in. It has the names of OpenTelemetry's semantic
    /// conventions for MCP, and the client's own span in the field `traceparent`; the rest of what the client says of its
    /// trace is in [`RequestMeta::trace_context`](crate::RequestMeta::trace_context). A panic in the function is a fault of the call.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::Server;
    ///
    /// let server = Server::builder("traced", "1.0.0").on_span(|span, meta| {
    ///     if let Some(traceparent) = meta.trace_context().traceparent {
    ///         // With the crate tracing-opentelemetry: span.set_parent(..) of a context that a propagator extracts.
    ///         tracing::trace!(parent: span, traceparent, "goes on with the client's trace");
    ///     }
    /// });
    /// assert!(server.build().is_ok());
    /// ```
    pub fn on_span(
        mut self,
        take: impl Fn(&Span, &RequestMeta<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.on_span = Some(Arc::new(take));
        self
    }

    /// The keys that seal what clients carry from one round of questions to the next ([`Context::ask`]): the first one
    /// seals, each of them opens.
    ///
    /// Give the same ones to all replicas of a server, so that each can take up what another one asked. To rotate them, add
    /// the new key last everywhere, then put it first everywhere, and take the old one out after [`Limits::state_ttl`]. Keep them like passwords. Without this a
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
    /// # #[cfg(feature = "sealing")]
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
    /// It refuses a repeated state, not a repeated call: a client may send all answers with a first call, without a state.
    /// What must not happen twice needs a key of its own among the arguments.
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
            keys,
            state_use,
            changes,
            on_span,
            legacy,
        } = self;
        let own_keys = (keys.is_none() && cfg!(feature = "sealing")).then(Once::new);
        let keyring = sealing::keyring(keys)?;
        let protocol = keyring
            .into_iter()
            .fold(protocol, wymcp_core::ServerBuilder::sealed_with);
        let spoken = legacy.as_ref().map(Legacy::sessions);
        let protocol = spoken
            .into_iter()
            .fold(protocol, wymcp_core::ServerBuilder::legacy);
        let protocol = protocol.build()?;
        let sessions = legacy.map(|legacy| legacy.build(protocol.limits()));
        Ok(Server(Arc::new(Inner {
            limits: protocol.limits().clone(),
            live: Live::new(protocol),
            #[cfg(feature = "editing")]
            editing: Mutex::default(),
            authenticator,
            on_event,
            state_use,
            changes,
            sessions,
            on_span,
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
