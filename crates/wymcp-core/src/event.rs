//! What happened, as data: the account for the operator, beside the answer for the peer.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use crate::{legacy::LegacyVersion, reason::RejectionReason, text::RequestId};

/// Something that a stage decided or that befell a call.
///
/// Peer text in events, ids included, is escaped and clipped like in answers; a fault is the application's own text; secrets, arguments and results never stand in one. The
/// host renders events or counts them; this crate logs nothing.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Decision, Event, Head, RejectionReason, Server, Turn};
///
/// /// The metric that counts an event, if one does.
/// fn metric(event: &Event) -> Option<&'static str> {
///     match event {
///         Event::Rejected { .. } => Some("rejected"),
///         Event::AuthRejected { .. } | Event::AuthFailed { .. } => Some("not authenticated"),
///         Event::ToolFaulted { .. } | Event::MethodFaulted { .. } => Some("faults"),
///         _ => None,
///     }
/// }
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let headers = [("host", "evil.example")];
/// let Turn::Reply(reply) = server.receive(&Head::new("POST", &headers), b"", Decision::anonymous()) else {
///     unreachable!("a refusal is a reply");
/// };
/// let [event @ Event::Rejected { reason, detail, .. }] = reply.events.as_slice() else {
///     unreachable!("a refusal is one event");
/// };
/// assert_eq!((metric(event), *reason), (Some("rejected"), RejectionReason::HostNotAllowed));
/// assert!(detail.starts_with("Host evil.example is not allowed here"));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A message was refused. Recorded before the answer is written.
    Rejected {
        /// The reason.
        reason: RejectionReason,
        /// Who sent what.
        request: Box<Sent>,
        /// The refusal's message, or for authentication what the peer is not told.
        detail: String,
    },
    /// The authenticator refused; in the place of `Rejected`.
    AuthRejected {
        /// The reason: unauthenticated or forbidden.
        reason: RejectionReason,
        /// Who sent what.
        request: Box<Sent>,
        /// Why, which the peer is not told.
        detail: String,
    },
    /// The authenticator failed; in the place of `Rejected`.
    AuthFailed {
        /// Who sent what.
        request: Box<Sent>,
        /// The failure.
        fault: String,
    },
    /// A notification was accepted; it does nothing.
    Accepted {
        /// Who sent what.
        request: Box<Sent>,
    },
    /// The body ended or failed before its announced end, and nothing was answered.
    BodyIncomplete {
        /// The host's own words.
        detail: String,
    },
    /// A tool's handler starts.
    ToolStarted {
        /// The call.
        call: Called,
    },
    /// A call of a tool ended without an answer, because nobody waits for one: its client went away, or something
    /// in the host gave up; in the place of `ToolStopped`.
    ToolCancelled {
        /// The call.
        call: Called,
        /// From the start of the handler to its end.
        duration: Duration,
    },
    /// A call of a tool is answered.
    ToolStopped {
        /// The call.
        call: Called,
        /// From the start of the handler to its outcome; zero when the handler did not run, and then no `ToolStarted`
        /// came before.
        duration: Duration,
        /// What kind of error the result is, if it is one.
        error: Option<ErrorKind>,
    },
    /// A tool's handler failed in a way that its caller is told nothing about; `ToolStopped` follows.
    ToolFaulted {
        /// The call.
        call: Called,
        /// The fault, whole.
        fault: Fault,
    },
    /// A method failed in a way that its caller is told nothing about.
    MethodFaulted {
        /// The method.
        method: &'static str,
        /// The call's id.
        request_id: RequestId<'static>,
        /// The fault, whole.
        fault: Fault,
    },
    /// Something was said before an answer: the answer is a stream.
    StreamOpened,
    /// A stream came to its end.
    StreamClosed {
        /// Whether its reader went away before.
        cancelled: bool,
        /// How many log records found no room, because the reader was too slow for them.
        dropped: u64,
    },
    /// A handler's question was sealed with a key that this process drew for itself, since it was given none: another
    /// replica, or this one after a restart, refuses the client that comes back with the answer. Once for a server.
    SealedWithOwnKey,
    /// A session of a legacy revision was opened.
    SessionOpened {
        /// Its revision.
        version: LegacyVersion,
    },
    /// A client has ended its session.
    SessionEnded,
    /// An answer to no open question came in a session: late, twice, or never asked for.
    AnswerIgnored {
        /// The id that it names.
        question: RequestId<'static>,
    },
    /// A connection has named a last event that its session has not sent, or has forgotten: it gets what it would get
    /// without.
    LastEventIdIgnored,
    /// The help tool was called; in the place of the tool events.
    HelpCalled {
        /// What was asked for.
        level: HelpLevel,
        /// The tool that was asked about, as it is shown.
        tool: Option<String>,
        /// The action that was asked about, as it is shown.
        action: Option<String>,
        /// Whether the answer is an error.
        is_error: bool,
    },
}

/// A call of a tool.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Called, Event};
/// # use wymcp_core::{Action, Decision, Head, Server, Tool, Turn};
///
/// /// A call as a log names it.
/// fn named(call: &Called) -> String {
///     let action = call.action.as_deref().unwrap_or("-");
///     format!("{} {action} {}", call.tool, call.request_id)
/// }
/// # let find = Action::new("find", "Finds orders");
/// # let server = Server::builder("shop", "1.0.0").tool(Tool::new("orders").actions([find])).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "orders"),
/// # ];
/// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
/// #     "params": {"name": "orders", "arguments": {"action": "find"}, "_meta": {
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {}
/// #     }}}"#;
/// # let head = Head::new("POST", &headers);
/// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
/// #     unreachable!("the message passes every stage");
/// # };
///
/// // `call` is a call, id 7, of the tool `orders` with the action `find`.
/// let Some(Event::ToolStarted { call }) = call.started() else {
///     unreachable!("a handler starts");
/// };
/// assert_eq!(named(&call), "orders find 7");
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Called {
    /// The tool.
    pub tool: Arc<str>,
    /// The action, in a tool that dispatches actions, once the call has chosen one.
    pub action: Option<Arc<str>>,
    /// The call's id.
    pub request_id: RequestId<'static>,
}

/// What is known of a message that no handler saw.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Decision, Event, Head, Sent, Server, Turn};
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let headers = [("host", "localhost"), ("content-type", "application/json")];
/// let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}"#;
/// let sent = |http_method| -> Sent {
///     let head = Head::new(http_method, &headers);
///     match server.receive(&head, body, Decision::anonymous()) {
///         Turn::Reply(reply) => match reply.events.into_iter().next() {
///             Some(Event::Rejected { request, .. }) => *request,
///             other => unreachable!("{other:?}"),
///         },
///         turn => unreachable!("{turn:?}"),
///     }
/// };
/// assert_eq!(sent("POST").method.as_deref(), Some("tools/list"));
/// assert_eq!(sent("POST").request_id, Some(7.into()));
/// // Refused by its head: the body was never read.
/// assert_eq!((sent("PUT").http_method.as_deref(), sent("PUT").method), (Some("PUT"), None));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Sent {
    /// The HTTP method, as it is shown; `None` of a line.
    pub http_method: Option<String>,
    /// The JSON-RPC method, as it is shown, once the body was read and if it names one.
    pub method: Option<String>,
    /// The id that was sent, if it is a request id.
    pub request_id: Option<RequestId<'static>>,
}

/// Who made a result with `isError`.
///
/// # Examples
///
/// ```
/// use wymcp_core::{ErrorKind, Event};
/// # use wymcp_core::{Action, Decision, Head, Server, Tool, Turn};
/// # let find = Action::new("find", "Finds orders");
/// # let server = Server::builder("shop", "1.0.0").tool(Tool::new("orders").actions([find])).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "orders"),
/// # ];
/// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
/// #     "params": {"name": "orders", "arguments": {"action": "fnd"}, "_meta": {
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {}
/// #     }}}"#;
/// # let head = Head::new("POST", &headers);
/// # let Turn::Reply(reply) = server.receive(&head, body, Decision::anonymous()) else {
/// #     unreachable!("no handler runs");
/// # };
///
/// // `reply` answers a call with `{"action": "fnd"}`, of a tool that has no such action.
/// let [Event::ToolStopped { error, duration, .. }] = reply.events.as_slice() else {
///     unreachable!("no handler started");
/// };
/// assert_eq!(*error, Some(ErrorKind::Dispatch));
/// assert!(duration.is_zero());
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call never reached the tool: its arguments were refused.
    Dispatch,
    /// The tool itself: an error that it returned, or a fault of its.
    Tool,
}

/// What a help call asked for.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Event, HelpLevel};
/// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
/// # let server = Server::builder("shop", "1.0.0").tool(Tool::new("orders")).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "help"),
/// # ];
/// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
/// #     "params": {"name": "help", "arguments": {"tool": "orders"}, "_meta": {
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {}
/// #     }}}"#;
/// # let head = Head::new("POST", &headers);
/// # let Turn::Reply(reply) = server.receive(&head, body, Decision::anonymous()) else {
/// #     unreachable!("help has no handler");
/// # };
///
/// // `reply` answers a call of `help` with `{"tool": "orders"}`.
/// let [Event::HelpCalled { level, tool, is_error, .. }] = reply.events.as_slice() else {
///     unreachable!("help is one event");
/// };
/// assert_eq!((*level, tool.as_deref(), *is_error), (HelpLevel::Tool, Some("orders"), false));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HelpLevel {
    /// All tools.
    Server,
    /// One tool.
    Tool,
    /// One action of a tool.
    Action,
}

/// A failure of the application or of the server, which no peer is shown.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use wymcp_core::{Fault, StructuredContent};
///
/// let fault = StructuredContent::new(&f64::NAN).unwrap_err();
/// assert!(matches!(fault, Fault::Unencodable(_)));
/// assert!(fault.to_string().starts_with("the result cannot be encoded: "));
///
/// assert_eq!(Fault::Deadline(Duration::from_millis(1500)).to_string(), "ran longer than 1.5s");
/// assert_eq!(Fault::Internal("the database is away".to_owned()).to_string(), "the database is away");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The code panicked.
    Panic(String),
    /// The call ran longer than its deadline.
    Deadline(Duration),
    /// The result is longer than the limit.
    TooLarge(usize),
    /// The result has no JSON encoding.
    Unencodable(String),
    /// The structured content breaks the tool's own output schema, or is missing.
    OutputSchema(String),
    /// The server shut down before the call had ended.
    Shutdown,
    /// The client ended its side of the lines, and the call had not ended within the grace.
    InputEnded,
    /// Anything else that the application reports as its own failure.
    Internal(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic(it) => write!(f, "panicked: {it}"),
            Self::Deadline(it) => write!(f, "ran longer than {it:?}"),
            Self::TooLarge(it) => write!(f, "the result is longer than {it} bytes"),
            Self::Unencodable(it) => write!(f, "the result cannot be encoded: {it}"),
            Self::OutputSchema(it) => write!(f, "the result breaks the output schema: {it}"),
            Self::Shutdown => f.write_str("the server shut down"),
            Self::InputEnded => f.write_str("the input ended"),
            Self::Internal(it) => it.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// The fault that a caught panic is. Takes the payload, whose own drop may panic again.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::panic::{catch_unwind, panic_any};
    ///
    /// use wymcp_core::Fault;
    ///
    /// let payload = catch_unwind(|| panic!("row {} is missing", 7)).unwrap_err();
    /// assert_eq!(Fault::panic(payload), Fault::Panic("row 7 is missing".to_owned()));
    ///
    /// let payload = catch_unwind(|| panic_any(7)).unwrap_err();
    /// assert_eq!(Fault::panic(payload).to_string(), "panicked: with a payload that is no text");
    /// ```
    pub fn panic(payload: Box<dyn Any + Send>) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(|text| &**text));
        let fault = Self::Panic(text.unwrap_or("with a payload that is no text").to_owned());
        drop_contained(payload);
        fault
    }
}

/// Drops a value of the application. A panic on the way is contained, and its payload is leaked.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// use wymcp_core::drop_contained;
///
/// struct Connection(Rc<()>);
///
/// impl Drop for Connection {
///     fn drop(&mut self) {
///         panic!("closed twice");
///     }
/// }
///
/// let pool = Rc::new(());
/// drop_contained(Connection(Rc::clone(&pool)));
/// assert_eq!(Rc::strong_count(&pool), 1);
/// ```
pub fn drop_contained<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        std::mem::forget(payload);
    }
}
