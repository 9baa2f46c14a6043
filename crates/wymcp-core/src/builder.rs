//! A server's definition: what the builder takes, and what is rendered from it once.

use serde_json::Value;

use crate::{
    authentication::Challenge,
    cache::{CacheHint, Caching},
    catalog::{Edit, Prompt, Resource, ResourceTemplate, Tool},
    config::ConfigError,
    exchange::{Icon, Keyring},
    extensions::Extensions,
    info::Info,
    legacy::LegacySessions,
    limits::Limits,
    method::Method,
    server::{Server, Settings},
    wire::{Hosts, Origins},
};

/// Defines a server.
///
/// # Examples
///
/// ```
/// use serde_json::{Value, json};
/// use wymcp_core::{CacheHint, Icon, Server, ServerBuilder, Tool};
/// # use wymcp_core::{Decision, Head, Turn, jsonrpc};
/// # fn ask(server: &Server, method: &str, mut params: Value) -> Value {
/// #     params["_meta"] = json!({
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {},
/// #     });
/// #     let body = jsonrpc::encode_request(1, method, Some(&params));
/// #     let headers = [("host", "localhost"), ("content-type", "application/json"), ("mcp-method", method)];
/// #     let headers = [&headers[..], &[("mcp-protocol-version", "2026-07-28")]].concat();
/// #     match server.receive(&Head::new("POST", &headers), body.as_bytes(), Decision::anonymous()) {
/// #         Turn::Reply(reply) => serde_json::from_slice::<Value>(&reply.body).unwrap()["result"].take(),
/// #         _ => unreachable!("no tool is called"),
/// #     }
/// # }
///
/// /// What all servers of ours have in common.
/// fn ours(builder: ServerBuilder) -> ServerBuilder {
///     builder.website("https://example.com").icon(Icon::new("https://example.com/icon.png"))
/// }
///
/// let server = ours(Server::builder("calculator", "1.0.0"))
///     .title("Calculator")
///     .description("Arithmetic")
///     .instructions("Adds numbers.")
///     .tool(Tool::new("sum").describe("Adds two numbers"))
///     .page_size(1)
///     .cache(CacheHint::public(60_000))
///     .build()?;
/// let discovery = ask(&server, "server/discover", json!({}));
/// assert_eq!(discovery["instructions"], "Adds numbers.");
/// let info = &discovery["_meta"]["io.modelcontextprotocol/serverInfo"];
/// assert_eq!((&info["title"], &info["websiteUrl"]), (&json!("Calculator"), &json!("https://example.com")));
/// let page = ask(&server, "tools/list", json!({}));
/// assert_eq!((&page["tools"][0]["name"], &page["ttlMs"]), (&json!("sum"), &json!(60_000)));
/// let page = ask(&server, "tools/list", json!({"cursor": page["nextCursor"]}));
/// assert_eq!((&page["tools"][0]["name"], &page["nextCursor"]), (&json!("help"), &Value::Null));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct ServerBuilder {
    info: Info,
    instructions: Option<String>,
    hosts: Result<Hosts, ConfigError>,
    origins: Result<Origins, ConfigError>,
    limits: Limits,
    challenge: Option<Challenge>,
    page_size: Option<usize>,
    cache: Option<CacheHint>,
    help: bool,
    logging: bool,
    changes: bool,
    keyring: Option<Keyring>,
    pub(crate) legacy: Option<LegacySessions>,
    caches: Vec<(Method, CacheHint)>,
    extensions: Extensions,
    edit: Edit,
}

impl ServerBuilder {
    pub(crate) fn new(name: String, version: String) -> Self {
        Self {
            info: Info {
                name,
                version,
                ..Info::default()
            },
            instructions: None,
            hosts: Ok(Hosts::Loopback),
            origins: Ok(Origins::Loopback),
            limits: Limits::default(),
            challenge: None,
            page_size: None,
            cache: None,
            help: true,
            logging: false,
            changes: false,
            keyring: None,
            legacy: None,
            caches: Vec::new(),
            extensions: Extensions::default(),
            edit: Edit::new(),
        }
    }

    /// What a human is shown in the place of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the server is, for whoever chooses among servers.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.info.description = Some(description.into());
        self
    }

    /// The server's home page.
    #[must_use]
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.info.website_url = Some(url.into());
        self
    }

    /// Adds a picture of the server.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.info.icons.push(icon);
        self
    }

    /// How to use the server well, for the model.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// The hosts that `Host` may name, in the place of loopback: `example.com` on any port, `example.com:8080` on
    /// that one. An empty list denies all.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Head, Server};
    ///
    /// let server = Server::builder("empty", "1.0.0").allow_hosts(["example.com"]).build()?;
    /// let headers = |host| [("host", host), ("content-type", "application/json")];
    /// assert!(server.admit(&Head::new("POST", &headers("example.com:8080"))).is_ok());
    /// assert_eq!(server.admit(&Head::new("POST", &headers("localhost"))).unwrap_err().status, 403);
    /// assert!(Server::builder("empty", "1.0.0").allow_hosts(["*"]).build().is_err());
    /// assert!(Server::builder("empty", "1.0.0").allow_any_host().build().is_ok());
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn allow_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.hosts = Hosts::list(hosts.into_iter().map(Into::into));
        self
    }

    /// Lets `Host` name any host. Safe only behind something else that checks it: with this, a web page can reach a
    /// server on its reader's machine by DNS rebinding.
    #[must_use]
    pub fn allow_any_host(mut self) -> Self {
        self.hosts = Ok(Hosts::Any);
        self
    }

    /// The origins that `Origin` may name, in the place of loopback: `https://app.example.com`. An empty list denies
    /// every request that carries one.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Head, Server};
    ///
    /// let origin = "https://app.example.com";
    /// let headers = [("host", "localhost"), ("content-type", "application/json"), ("origin", origin)];
    /// let head = Head::new("POST", &headers);
    /// let usual = Server::builder("empty", "1.0.0").build()?;
    /// assert_eq!(usual.admit(&head).unwrap_err().status, 403);
    /// let listed = Server::builder("empty", "1.0.0").allow_origins([origin]).build()?;
    /// let any = Server::builder("empty", "1.0.0").allow_any_origin().build()?;
    /// assert!(listed.admit(&head).is_ok() && any.admit(&head).is_ok());
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn allow_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.origins = Origins::list(origins.into_iter().map(Into::into));
        self
    }

    /// Lets any web page send requests. Safe only where every request carries credentials that no browser adds by
    /// itself.
    #[must_use]
    pub fn allow_any_origin(mut self) -> Self {
        self.origins = Ok(Origins::Any);
        self
    }

    /// The bounds that a peer meets.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Limits, Server};
    ///
    /// let mut limits = Limits::default();
    /// limits.depth = 20;
    /// let server = Server::builder("empty", "1.0.0").limits(limits).build()?;
    /// assert_eq!(server.limits().depth, 20);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Says that the driver authenticates, and what a refused client is told.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Challenge, Decision, Head, Server, Turn};
    ///
    /// let server = Server::builder("empty", "1.0.0").challenge(Challenge::bearer().scope("tools")).build()?;
    /// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
    /// let Turn::Reply(reply) = server.receive(&head, b"{}", Decision::refused("no token")) else {
    ///     unreachable!("a refusal is a reply");
    /// };
    /// assert_eq!(reply.status, 401);
    /// assert!(reply.headers.contains(&("www-authenticate", r#"Bearer scope="tools""#.into())));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn challenge(mut self, challenge: Challenge) -> Self {
        self.challenge = Some(challenge);
        self
    }

    /// The most items in one page of a list. Without one, a list is one page.
    #[must_use]
    pub fn page_size(mut self, items: usize) -> Self {
        self.page_size = Some(items);
        self
    }

    /// How long, and for whom, clients may keep lists and the discovery. By default not at all, and privately on a
    /// server that authenticates. Contents have hints of their own: of the resource ([`Resource::cache`]), else of all of
    /// them ([`cache_of`](Self::cache_of) with [`Method::ResourcesRead`]).
    #[must_use]
    pub fn cache(mut self, hint: CacheHint) -> Self {
        self.cache = Some(hint);
        self
    }

    /// How long, and for whom, clients may keep the answers of one method, in the place of what [`ServerBuilder::cache`]
    /// says of all.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{CacheHint, Method, Server};
    ///
    /// let builder = || Server::builder("empty", "1.0.0").cache(CacheHint::private(1_000));
    /// assert!(builder().cache_of(Method::ToolsList, CacheHint::public(60_000)).build().is_ok());
    /// let fault = builder().cache_of(Method::ToolsCall, CacheHint::public(60_000)).build().unwrap_err();
    /// assert!(fault.to_string().starts_with("cache_of: answers of tools/call carry no hint; name one of server/discover"));
    /// ```
    #[must_use]
    pub fn cache_of(mut self, method: Method, hint: CacheHint) -> Self {
        self.caches.push((method, hint));
        self
    }

    /// Declares an extension of the protocol, with its settings: the application has to serve what it promises.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Server;
    ///
    /// let builder = || Server::builder("shop", "1.0.0");
    /// assert!(builder().extension("com.example/carts", json!({"most": 3})).build().is_ok());
    /// let fault = builder().extension("carts", json!({})).build().unwrap_err();
    /// assert!(fault.to_string().starts_with(r#"extension: "carts" is no identifier"#));
    /// let fault = builder().extension("com.example/carts", true).build().unwrap_err();
    /// assert!(fault.to_string().contains("has settings that are no object"));
    /// ```
    #[must_use]
    pub fn extension(mut self, identifier: impl Into<String>, settings: impl Into<Value>) -> Self {
        self.extensions.insert(identifier.into(), settings.into());
        self
    }

    /// Lets handlers send log records to clients that ask for them, and declares that they may. Deprecated in revision 2026-07-28, and served until it is removed.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Server;
    ///
    /// assert!(Server::builder("chatty", "1.0.0").logging().build().is_ok());
    /// ```
    #[must_use]
    pub fn logging(mut self) -> Self {
        self.logging = true;
        self
    }

    /// Lets clients listen for changes: of the lists that the server has, and of its resources. The driver has to tell
    /// them ([`Turn::Listen`](crate::Turn::Listen)).
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Server, Tool};
    ///
    /// assert!(Server::builder("lively", "1.0.0").tool(Tool::new("greet")).changes().build().is_ok());
    /// ```
    #[must_use]
    pub fn changes(mut self) -> Self {
        self.changes = true;
        self
    }

    /// Seals the state that clients carry from one round of questions to the next. Without keys nothing is carried: a
    /// handler can ask one round, and a `requestState` is refused.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Keyring, Server};
    ///
    /// let keyring = Keyring::new([[7; 32]]).unwrap();
    /// assert!(Server::builder("curious", "1.0.0").sealed_with(keyring).build().is_ok());
    /// ```
    #[must_use]
    pub fn sealed_with(mut self, keyring: Keyring) -> Self {
        self.keyring = Some(keyring);
        self
    }

    /// Leaves the help tool out.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Server, Tool};
    ///
    /// let builder = || Server::builder("desk", "1.0.0").tool(Tool::new("help"));
    /// assert!(builder().build().is_err());
    /// assert!(builder().without_help().build().is_ok());
    /// ```
    #[must_use]
    pub fn without_help(mut self) -> Self {
        self.help = false;
        self
    }

    /// Adds a tool. `tools/list` keeps the order.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.edit = self.edit.tool(tool);
        self
    }

    /// Adds a resource. `resources/list` keeps the order.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Prompt, Resource, ResourceTemplate, Server};
    ///
    /// let manual = Resource::new("docs://manual", "manual");
    /// let pages = ResourceTemplate::new("docs://pages/{number}", "pages");
    /// let builder = Server::builder("docs", "1.0.0").resource(manual.clone()).resource_template(pages);
    /// assert!(builder.prompt(Prompt::new("summarize")).build().is_ok());
    /// assert!(Server::builder("docs", "1.0.0").resource(manual.clone()).resource(manual).build().is_err());
    /// ```
    #[must_use]
    pub fn resource(mut self, resource: Resource) -> Self {
        self.edit = self.edit.resource(resource);
        self
    }

    /// Adds a template of resources. `resources/templates/list` keeps the order, and of several templates that an
    /// address fits the first answers.
    #[must_use]
    pub fn resource_template(mut self, template: ResourceTemplate) -> Self {
        self.edit = self.edit.resource_template(template);
        self
    }

    /// Adds a prompt. `prompts/list` keeps the order.
    #[must_use]
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.edit = self.edit.prompt(prompt);
        self
    }

    /// Declares tools even if there are none yet, because an [`Edit`] will add some: clients ask once whether there are any.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Edit, Server, Tool};
    ///
    /// let empty = Server::builder("plugins", "1.0.0").declare_tools().declare_resources().declare_prompts().build()?;
    /// assert!(empty.edited(Edit::new().tool(Tool::new("translate"))).is_ok());
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn declare_tools(mut self) -> Self {
        self.edit = self.edit.declare_tools();
        self
    }

    /// Declares resources even if there are none yet; see [`declare_tools`](Self::declare_tools).
    #[must_use]
    pub fn declare_resources(mut self) -> Self {
        self.edit = self.edit.declare_resources();
        self
    }

    /// Declares prompts even if there are none yet; see [`declare_tools`](Self::declare_tools).
    #[must_use]
    pub fn declare_prompts(mut self) -> Self {
        self.edit = self.edit.declare_prompts();
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
    /// use wymcp_core::Server;
    ///
    /// let fault = Server::builder("empty", "1.0.0").page_size(0).build().unwrap_err();
    /// assert_eq!(fault.to_string(), "page_size: is 0; write at least 1, or leave it out for one page");
    /// ```
    pub fn build(self) -> Result<Server, ConfigError> {
        self.info.check()?;
        self.extensions.check()?;
        self.limits.check()?;
        if self.page_size == Some(0) {
            return Err(ConfigError::setting(
                "page_size",
                "is 0; write at least 1, or leave it out for one page",
            ));
        }
        if let Some(challenge) = &self.challenge {
            challenge.check()?;
        }
        if let Some(sessions) = self.legacy {
            sessions.check(self.keyring.as_ref())?;
        }
        let settings = Settings {
            name: self.info.name.clone(),
            hosts: self.hosts?,
            origins: self.origins?,
            limits: self.limits,
            caching: Caching::new(self.cache, self.challenge.is_some(), self.caches)?,
            challenge: self.challenge,
            page_size: self.page_size,
            instructions: self.instructions,
            extensions: self.extensions,
            help: self.help,
            logging: self.logging,
            changes: self.changes,
            keyring: self.keyring,
            legacy: self.legacy,
        };
        Server::new(settings, &self.info, self.edit)
    }
}
