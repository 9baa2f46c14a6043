//! What happened, as data: the account for the operator, beside the answer for the peer.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use crate::{reason::RejectionReason, text::RequestId};

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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Called {
    /// The tool.
    pub tool: Arc<str>,
    /// The action, in a tool that dispatches actions and once it is chosen.
    pub action: Option<Arc<str>>,
    /// The call's id.
    pub request_id: RequestId<'static>,
}

/// What is known of a message that no handler saw.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Sent {
    /// The HTTP method, as it is shown.
    pub http_method: String,
    /// The JSON-RPC method, as it is shown, once the body was read and if it names one.
    pub method: Option<String>,
    /// The id that was sent, if it is a request id.
    pub request_id: Option<RequestId<'static>>,
}

/// Who made a result with `isError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call never reached the tool: its arguments were refused.
    Dispatch,
    /// The tool itself: an error that it returned, or a fault of its.
    Tool,
}

/// What a help call asked for.
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
            Self::Internal(it) => it.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// The fault that a caught panic is. Takes the payload, whose own drop may panic again.
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

/// Drops a value of the application. A panic on the way is contained, and leaks what panicked.
pub fn drop_contained<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        std::mem::forget(payload);
    }
}
