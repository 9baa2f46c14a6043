//! Every bound that a peer can meet, with its reason.

use std::time::Duration;

use crate::config::ConfigError;

/// The bounds of one server.
///
/// Whatever a peer can make grow has a bound here; each default fits a tool call with a document in it and none
/// lets one message exhaust a server. A value out of its range is a [`ConfigError`](crate::ConfigError) when the
/// server is built.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Limits, Server};
///
/// let mut limits = Limits::default();
/// limits.body_bytes = 64 * 1024;
/// assert_eq!(limits.depth, 100);
/// assert!(Server::builder("small", "1.0.0").limits(limits.clone()).build().is_ok());
///
/// limits.depth = Limits::MAX_DEPTH + 1;
/// let fault = Server::builder("deep", "1.0.0").limits(limits).build().unwrap_err();
/// assert_eq!(fault.to_string(), "limits.depth: is 121; write 1 to 120");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest request body, in bytes. Default 4 MiB. One byte more is answered 413 without being kept.
    pub body_bytes: usize,
    /// The deepest nesting of arrays and objects; the top-level object is level 1. Default 100, at most
    /// [`Limits::MAX_DEPTH`]: below the tokenizer's own bound, so that the refusal is always this one.
    pub depth: usize,
    /// The most values in one message: objects, arrays and scalars; member names do not count. Default 500,000,
    /// which bounds what a body of the largest size costs once it is a tree.
    pub values: usize,
    /// The longest encoded answer of a handler, in bytes. Default 16 MiB.
    pub answer_bytes: usize,
    /// How long a body may stall before the adapter gives up on it. Default 30 seconds.
    pub body_timeout: Duration,
    /// The most notifications of one stream that wait for its reader. Default 256.
    pub stream_messages: usize,
    /// The most bytes of notifications of one stream that wait for its reader. Default 1 MiB.
    pub stream_bytes: usize,
    /// After how long a silence a stream says that it is alive. Default 15 seconds.
    pub keep_alive: Duration,
    /// How long a client may take for the answers to a round of questions. Default 10 minutes.
    pub state_ttl: Duration,
    /// How long something waits for a client that reads nothing, before the client is taken for gone. Default 60 seconds.
    pub write_timeout: Duration,
    /// The most clients that listen for changes at once. Default 4096.
    pub listeners: usize,
    /// The most of them for one principal; those without a name are bounded together by the one above. Default 64.
    pub listeners_each: usize,
    /// The most resources that one client listens for; what it asks for beyond them is left out. Default 1024.
    pub listener_resources: usize,
    /// How long a handler may run. Default `None`: until it ends or its client goes away.
    pub call_deadline: Option<Duration>,
    /// Sessions of the legacy revisions at once. Default 10,000.
    pub sessions: usize,
    /// Calls in flight in one session, which go on though their client is gone. Default 64.
    pub session_calls: usize,
    /// How long a session is kept that nobody uses. Default 30 minutes.
    pub session_idle: Duration,
    /// How long a session is kept that nobody has used since it was opened. Default 2 minutes.
    pub session_opening: Duration,
    /// How long a handler waits for the answer of a client in a session. Default 10 minutes.
    pub question_timeout: Duration,
    /// The most answers that are due at once to a client of lines. What it sends beyond them waits. Default 256.
    pub in_flight: usize,
}

impl Limits {
    /// The largest value that [`Limits::depth`] may take.
    pub const MAX_DEPTH: usize = 120;

    /// The longest address that a template is held against, in bytes; a longer one fits none. Every place of an address is
    /// looked at for every part of every template.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Limits, UriTemplate};
    ///
    /// let template = UriTemplate::parse("a:{x}").unwrap();
    /// let longest = format!("a:{}", "x".repeat(Limits::ADDRESS_BYTES - 2));
    /// assert!(template.matches(&longest).is_some());
    /// assert!(template.matches(&(longest + "x")).is_none());
    /// ```
    pub const ADDRESS_BYTES: usize = 128 * 1024;

    /// The longest value of a single header, in bytes; a longer one is malformed, never absent.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Head, Limits, Singleton};
    ///
    /// let longest = "a".repeat(Limits::HEADER_VALUE_BYTES);
    /// let headers = [("mcp-name", longest.clone()), ("mcp-method", longest.clone() + "a")];
    /// let head = Head::new("POST", &headers);
    /// assert_eq!(head.mcp_name(), Singleton::Value(&longest));
    /// assert!(matches!(head.mcp_method(), Singleton::Malformed(_)));
    /// ```
    pub const HEADER_VALUE_BYTES: usize = 8 * 1024;

    /// The most characters of a peer's text that an answer or an event shows.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Limits, Untrusted};
    ///
    /// let name = "n".repeat(1_000_000);
    /// let shown = Untrusted::new(&name).to_string();
    /// assert_eq!(shown, "n".repeat(Limits::SHOWN_CHARS) + "…");
    /// ```
    pub const SHOWN_CHARS: usize = 128;

    /// The most entries in the `data.errors` of one answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Json, Limits, ProtocolVersion, validate};
    ///
    /// let mut meta = json!({
    ///     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    ///     "io.modelcontextprotocol/clientCapabilities": {},
    /// });
    /// for number in 0..1000 {
    ///     meta["io.modelcontextprotocol/clientCapabilities"]["extensions"][format!("x{number}")] = json!("no object");
    /// }
    /// let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    /// let refused = validate(ProtocolVersion::V2026_07_28, &Json::from(&message)).unwrap_err();
    /// # #[cfg(feature = "json-schema")]
    /// assert_eq!(refused.violations().len(), Limits::DISTILLED_ERRORS);
    /// ```
    pub const DISTILLED_ERRORS: usize = 32;

    /// One more than an answer names, so that it can say that there are more.
    pub(crate) const TOLD_VIOLATIONS: usize = Self::DISTILLED_ERRORS + 1;

    /// # Errors
    ///
    /// The first limit that is out of its range.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if !(1..=Limits::MAX_DEPTH).contains(&self.depth) {
            return Err(ConfigError::setting(
                "limits.depth",
                &format!("is {}; write 1 to {}", self.depth, Limits::MAX_DEPTH),
            ));
        }
        for (name, bound) in [
            ("limits.body_bytes", self.body_bytes),
            ("limits.values", self.values),
            ("limits.answer_bytes", self.answer_bytes),
            ("limits.stream_messages", self.stream_messages),
            ("limits.stream_bytes", self.stream_bytes),
            ("limits.listeners", self.listeners),
            ("limits.listeners_each", self.listeners_each),
            ("limits.listener_resources", self.listener_resources),
            ("limits.sessions", self.sessions),
            ("limits.session_calls", self.session_calls),
        ] {
            if bound == 0 {
                return Err(ConfigError::setting(
                    name,
                    "is 0, which refuses everything; write at least 1",
                ));
            }
        }
        for (name, time) in [
            ("limits.body_timeout", Some(self.body_timeout)),
            ("limits.keep_alive", Some(self.keep_alive)),
            ("limits.state_ttl", Some(self.state_ttl)),
            ("limits.write_timeout", Some(self.write_timeout)),
            ("limits.call_deadline", self.call_deadline),
            ("limits.session_idle", Some(self.session_idle)),
            ("limits.session_opening", Some(self.session_opening)),
            ("limits.question_timeout", Some(self.question_timeout)),
        ] {
            if time.is_some_and(|time| time.is_zero()) {
                return Err(ConfigError::setting(
                    name,
                    "leaves no time; write more than zero",
                ));
            }
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 4 * 1024 * 1024,
            depth: 100,
            values: 500_000,
            answer_bytes: 16 * 1024 * 1024,
            body_timeout: Duration::from_secs(30),
            stream_messages: 256,
            stream_bytes: 1024 * 1024,
            keep_alive: Duration::from_secs(15),
            state_ttl: Duration::from_secs(600),
            write_timeout: Duration::from_secs(60),
            listeners: 4096,
            listeners_each: 64,
            listener_resources: 1024,
            call_deadline: None,
            sessions: 10_000,
            session_calls: 64,
            session_idle: Duration::from_secs(30 * 60),
            session_opening: Duration::from_secs(120),
            question_timeout: Duration::from_secs(600),
            in_flight: 256,
        }
    }
}
