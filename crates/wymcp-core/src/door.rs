//! The door: every message enters through these stages, in this order, and there is no other way in.

use crate::{
    authentication::Decision,
    authorized::Authorized,
    channel::Channel,
    exchange::{Call, Principal, Subscription},
    head::Head,
    legacy::LegacyTurn,
    message::{Authentication, Content, Message},
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::{RequestId, read},
    wire,
};

/// What a message comes to.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use wymcp_core::{Outcome, Reply, Server, ToolResult, Turn};
///
/// /// Ends a turn where every tool answers alike.
/// fn reply(turn: Turn<'_>, server: &Server) -> Reply {
///     match turn {
///         Turn::Reply(reply) => reply,
///         Turn::Call(call) => {
///             let result = ToolResult::text(format!("{} was called", call.name()));
///             call.finish(Outcome::Tool(result), Duration::ZERO)
///         }
///         // Nothing ever changes here.
///         Turn::Listen(subscription) => subscription.finish(server),
///         // Every call has ended already.
///         Turn::Cancel { reply, .. } => reply,
///         Turn::Legacy(_) => unreachable!("this server speaks the modern revisions alone"),
///     }
/// }
/// # let _ = reply;
/// ```
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that does not know a turn cannot take it"
)]
pub enum Turn<'t> {
    /// Send this.
    Reply(Reply),
    /// Run a tool's handler on this, then [`Call::finish`] it.
    Call(Box<Call<'t>>),
    /// Tell this client of changes, until it goes away or the server ends; then [`Subscription::finish`] it.
    Listen(Box<Subscription>),
    /// Stop the call of this id, if it is in flight, and send nothing. Only a line says so: on HTTP a client goes away.
    Cancel {
        /// The id of the request that is cancelled.
        id: RequestId<'static>,
        /// The events; there is nothing to send.
        reply: Reply,
    },
    /// Something of a session; only on a server that speaks the legacy revisions
    /// ([`ServerBuilder::legacy`](crate::ServerBuilder::legacy)).
    Legacy(LegacyTurn<'t>),
}

impl Server {
    /// Runs every stage on a whole message: for pure use, tests and fuzzing.
    ///
    /// A driver whose body or whose authenticator makes it wait walks the stages itself, from [`Server::admit`] on.
    /// The decision counts only on a server with a [`Challenge`](crate::Challenge). No time is told here, so no
    /// `requestState` opens: see [`Authorized::at`](crate::Authorized::at).
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Decision, Head, Server, Turn};
    ///
    /// let server = Server::builder("empty", "1.0.0").build()?;
    /// let headers = [("host", "localhost"), ("content-type", "application/json")];
    /// let Turn::Reply(reply) = server.receive(&Head::new("POST", &headers), b"{", Decision::anonymous()) else {
    ///     unreachable!("a refusal is a reply");
    /// };
    /// assert_eq!(reply.status, 400);
    /// assert_eq!(reply.events.len(), 1);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn receive<'t>(
        &'t self,
        head: &'t Head<'t>,
        body: &'t [u8],
        decision: Decision,
    ) -> Turn<'t> {
        let message = self.admit(head).and_then(|admitted| admitted.read(body));
        let authorized = message.and_then(|message| match message.authentication() {
            Authentication::Open(authorized) => Ok(authorized),
            Authentication::Refused(reply) => Err(reply),
            Authentication::Asked(somebody) => somebody.decide(decision),
        });
        match authorized {
            Ok(authorized) => authorized.proceed(),
            Err(reply) => Turn::Reply(reply),
        }
    }

    /// Stages 1 to 5: what the head alone decides.
    ///
    /// # Errors
    ///
    /// The answer to a refused head, which is sent without reading the body.
    ///
    /// # Examples
    ///
    /// Every stage, as a driver walks them:
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wymcp_core::{
    ///     Authentication, Challenge, Decision, Head, Outcome, Principal, Reply, Server, Tool, ToolResult, Turn,
    /// };
    ///
    /// fn answer(server: &Server, head: &Head<'_>, body: &[u8]) -> Result<Reply, Reply> {
    ///     let admitted = server.admit(head)?;
    ///     // A driver reads the body here: what is refused by its head is never read.
    ///     let message = admitted.read(body)?;
    ///     // Asked after the body is read, so that a refusal carries the request's id.
    ///     let authorized = match message.authentication() {
    ///         Authentication::Open(authorized) => authorized,
    ///         Authentication::Refused(reply) => return Err(reply),
    ///         Authentication::Asked(somebody) => somebody.decide(match head.values("authorization").as_slice() {
    ///             [b"Bearer s3cr3t"] => Decision::Granted(Principal::named("alice")),
    ///             _ => Decision::refused("an unknown token"),
    ///         })?,
    ///     };
    ///     match authorized.proceed() {
    ///         Turn::Reply(reply) => Ok(reply),
    ///         Turn::Call(call) => {
    ///             let name = call.principal().name().unwrap_or_default();
    ///             let result = ToolResult::text(format!("Hello, {name}!"));
    ///             Ok(call.finish(Outcome::Tool(result), Duration::ZERO))
    ///         }
    ///         Turn::Listen(_) => unreachable!("only a server with changes() is asked to tell of them"),
    ///         Turn::Cancel { .. } => unreachable!("only a line cancels"),
    ///         Turn::Legacy(_) => unreachable!("this server speaks the modern revisions alone"),
    ///     }
    /// }
    ///
    /// let server = Server::builder("greeter", "1.0.0")
    ///     .tool(Tool::new("greet"))
    ///     .challenge(Challenge::bearer())
    ///     .build()?;
    /// let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet", "_meta": {
    ///     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    ///     "io.modelcontextprotocol/clientCapabilities": {}
    /// }}}"#;
    /// let status = |host, token| {
    ///     let headers = [
    ///         ("host", host),
    ///         ("content-type", "application/json"),
    ///         ("authorization", token),
    ///         ("mcp-protocol-version", "2026-07-28"),
    ///         ("mcp-method", "tools/call"),
    ///         ("mcp-name", "greet"),
    ///     ];
    ///     let reply = answer(&server, &Head::new("POST", &headers), body);
    ///     reply.unwrap_or_else(|refusal| refusal).status.as_u16()
    /// };
    /// assert_eq!(status("localhost", "Bearer s3cr3t"), 200);
    /// assert_eq!(status("localhost", "Bearer guess"), 401);
    /// assert_eq!(status("evil.example", "Bearer s3cr3t"), 403);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn admit<'t>(&'t self, head: &'t Head<'t>) -> Result<Admitted<'t>, Reply> {
        let settings = &self.settings;
        match wire::check(
            head,
            &settings.hosts,
            &settings.origins,
            &settings.limits,
            settings.verbs(),
        ) {
            Ok(()) => Ok(Admitted { server: self, head }),
            Err(rejection) => Err(Reply::rejection(
                &rejection,
                Channel::http(head),
                Known::Head,
            )),
        }
    }
}

impl Server {
    /// Stages 6 and 7 of a line, on a stream that both sides share: what came by standard input.
    ///
    /// There is no head, so nothing is mirrored and nobody is asked who it is: the principal is whoever started the server.
    /// A line without an id that could be answered gets a reply with nothing in it but its events. A line that ends with a
    /// carriage return is the same without it. Source: MCP 2026-07-28, stdio.
    ///
    /// # Errors
    ///
    /// The reply to a line that is too long or is no JSON within its limits.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Principal, Reply, Server, Turn, line};
    ///
    /// fn answer(server: &Server, sent: &[u8]) -> Option<Vec<u8>> {
    ///     let reply = match server.read_line(sent, Principal::anonymous()).map(|authorized| authorized.proceed()) {
    ///         Ok(Turn::Reply(reply) | Turn::Cancel { reply, .. }) | Err(reply) => reply,
    ///         Ok(Turn::Call(_) | Turn::Listen(_) | Turn::Legacy(_)) => unreachable!("an empty server"),
    ///     };
    ///     (!reply.body.is_empty()).then(|| line(&reply.body))
    /// }
    ///
    /// let server = Server::builder("empty", "1.0.0").build()?;
    /// let answered = answer(&server, br#"{"jsonrpc": "2.0", "id": 7, "method": "ping"}"#).unwrap();
    /// assert!(answered.starts_with(br#"{"jsonrpc":"2.0","id":7,"error":"#));
    /// assert_eq!(answer(&server, b"Hello?"), None);
    /// // A driver need not read more of a line than passes the limit.
    /// assert_eq!(answer(&server, &vec![b' '; server.limits().body_bytes + 1]), None);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn read_line<'t>(
        &'t self,
        line: &'t [u8],
        principal: Principal,
    ) -> Result<Authorized<'t>, Reply> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > self.limits().body_bytes {
            return Err(self.line_too_long());
        }
        Ok(message(self, Channel::LINE, line)?.of_line(principal))
    }

    fn line_too_long(&self) -> Reply {
        let limit = self.limits().body_bytes;
        Reply::rejection(
            &Rejection::BodyTooLarge { limit },
            Channel::LINE,
            Known::Head,
        )
    }
}

/// A request whose head passed every check that needs only the head.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Admitted, Head, Server};
///
/// # let server = Server::builder("empty", "1.0.0").build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// let admitted: Admitted<'_> = server.admit(&head).unwrap();
/// assert_eq!(admitted.body_too_large().status, 413);
/// assert_eq!(admitted.body_timeout().status, 408);
/// assert!(admitted.has_body());
/// assert_eq!(admitted.announced_length(), None);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Admitted<'t> {
    server: &'t Server,
    head: &'t Head<'t>,
}

impl<'t> Admitted<'t> {
    /// The answer to a body that passes [`Limits::body_bytes`](crate::Limits::body_bytes), for a driver that stops
    /// reading there.
    pub fn body_too_large(self) -> Reply {
        let limit = self.server.limits().body_bytes;
        Reply::rejection(
            &Rejection::BodyTooLarge { limit },
            Channel::http(self.head),
            Known::Head,
        )
    }

    /// The answer to a body that stalls for longer than [`Limits::body_timeout`](crate::Limits::body_timeout).
    pub fn body_timeout(self) -> Reply {
        Reply::rejection(
            &Rejection::BodyTimeout,
            Channel::http(self.head),
            Known::Head,
        )
    }

    /// The length that the head announces for the body, where it announces one.
    pub fn announced_length(self) -> Option<usize> {
        self.head.announced_length()
    }

    /// Whether there is a body to read: not for a stream of a session, nor for its end.
    pub fn has_body(self) -> bool {
        self.head.method() == "POST"
    }

    /// Stages 5 to 7: the body's size, its text, its kind.
    ///
    /// # Errors
    ///
    /// The answer to a body that is too long or is no JSON within its limits.
    pub fn read(self, body: &'t [u8]) -> Result<Message<'t>, Reply> {
        let Self { server, head } = self;
        let content = match head.method() {
            "GET" => Some(Content::Get),
            "DELETE" => Some(Content::Delete),
            _ => None,
        };
        if let Some(content) = content {
            return Ok(Message::of_session(server, Channel::http(head), content));
        }
        if body.len() > server.limits().body_bytes {
            return Err(self.body_too_large());
        }
        message(server, Channel::http(head), body)
    }
}

/// Stages 6 and 7: the text of a message, and its kind.
fn message<'t>(
    server: &'t Server,
    channel: Channel<'t>,
    text: &'t [u8],
) -> Result<Message<'t>, Reply> {
    let document = read(text, server.limits())
        .map_err(|fault| Reply::rejection(&fault.into(), channel, Known::Body))?;
    if let Some(member) = document.duplicate {
        let rejection = Rejection::DuplicateMember { member };
        return Err(Reply::rejection(
            &rejection,
            channel,
            Known::Duplicated(&document.root),
        ));
    }
    Ok(Message::new(server, channel, document.root))
}
