//! A refusal of a message: what is known about it, and the sentence that says so.

use std::{borrow::Cow, fmt};

use serde_json::{Value, json};

use crate::{
    legacy::LegacyVersion,
    limits::Limits,
    reason::RejectionReason,
    text::{TextFault, sorted},
    untrusted::Untrusted,
    validate::{Distilled, key},
    version::ProtocolVersion,
};

/// A refusal of a message, with what is known about it.
///
/// Its `Display` is the `message` of the answer: one line that says what is wrong and, where the server knows, what to
/// send instead. Peer text in it is escaped and clipped. [`Rejection::reason`] names its row in the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rejection {
    /// See [`RejectionReason::HostNotAllowed`].
    HostNotAllowed {
        /// The host that was seen, as it is shown.
        host: String,
    },
    /// See [`RejectionReason::HostMalformed`].
    HostMalformed {
        /// What is wrong with it.
        fault: &'static str,
    },
    /// See [`RejectionReason::OriginNotAllowed`].
    OriginNotAllowed {
        /// The origin that was seen, as it is shown.
        origin: String,
    },
    /// See [`RejectionReason::OriginDuplicated`].
    OriginDuplicated,
    /// See [`RejectionReason::CrossSite`].
    CrossSite,
    /// See [`RejectionReason::MethodNotAllowed`].
    MethodNotAllowed {
        /// Those that are.
        served: &'static str,
        /// The method that was seen, as it is shown.
        method: String,
    },
    /// See [`RejectionReason::UnsupportedMediaType`].
    UnsupportedMediaType {
        /// What is wrong with it; names the header.
        fault: String,
    },
    /// See [`RejectionReason::NotAcceptable`].
    NotAcceptable,
    /// See [`RejectionReason::BodyTooLarge`].
    BodyTooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// See [`RejectionReason::BodyTimeout`].
    BodyTimeout,
    /// See [`RejectionReason::MalformedJson`].
    MalformedJson {
        /// What is wrong with it, and where.
        fault: String,
    },
    /// See [`RejectionReason::JsonTooComplex`].
    TooDeep {
        /// The most levels.
        limit: usize,
    },
    /// See [`RejectionReason::JsonTooComplex`].
    TooManyValues {
        /// The most values.
        limit: usize,
    },
    /// See [`RejectionReason::DuplicateMember`].
    DuplicateMember {
        /// The repeated name, as it is shown.
        member: String,
    },
    /// See [`RejectionReason::Unauthenticated`].
    Unauthenticated,
    /// See [`RejectionReason::Forbidden`].
    Forbidden,
    /// See [`RejectionReason::HeaderDuplicated`].
    HeaderDuplicated {
        /// The header's name.
        header: &'static str,
    },
    /// See [`RejectionReason::InvalidId`].
    InvalidId,
    /// See [`RejectionReason::InvalidMessage`].
    InvalidMessage,
    /// See [`RejectionReason::InvalidMessage`].
    InvalidBatch {
        /// What is wrong with it, and what to send instead.
        fault: String,
    },
    /// See [`RejectionReason::InvalidFraming`].
    InvalidFraming(Distilled),
    /// See [`RejectionReason::MissingProtocolField`].
    MissingProtocolField(Distilled),
    /// See [`RejectionReason::HeaderMismatch`].
    HeaderMismatch {
        /// The header's name.
        header: Cow<'static, str>,
        /// How header and body differ.
        fault: String,
        /// What to send instead.
        instead: String,
    },
    /// See [`RejectionReason::UnsupportedProtocolVersion`].
    UnsupportedProtocolVersion {
        /// The version that was asked for.
        requested: String,
        /// Whether older revisions are spoken too, in sessions.
        opens_sessions: bool,
    },
    /// See [`RejectionReason::MethodNotFound`].
    MethodNotFound {
        /// The method that was asked for, as it is shown.
        method: String,
        /// The methods that are served.
        served: Vec<&'static str>,
        /// In which revisions, for a sentence.
        version: String,
    },
    /// See [`RejectionReason::InvalidParams`].
    InvalidParams(Distilled),
    /// See [`RejectionReason::InvalidRequestState`].
    InvalidRequestState,
    /// See [`RejectionReason::MissingClientCapability`].
    MissingClientCapability {
        /// The capabilities, an object of objects down to the sub-capability.
        required: Value,
    },
    /// See [`RejectionReason::UnknownTool`].
    UnknownTool {
        /// The tool's name, as it is shown.
        name: String,
    },
    /// See [`RejectionReason::UnknownResource`].
    UnknownResource {
        /// The address.
        uri: String,
    },
    /// See [`RejectionReason::UnknownResource`]; of a template whose variable is to be completed.
    UnknownTemplate {
        /// The template, as it is shown.
        uri: String,
    },
    /// See [`RejectionReason::UnknownPrompt`].
    UnknownPrompt {
        /// The prompt's name, as it is shown.
        name: String,
    },
    /// See [`RejectionReason::MissingArgument`].
    MissingArgument {
        /// The prompt's name.
        prompt: String,
        /// The arguments that are not there.
        missing: Vec<String>,
    },
    /// See [`RejectionReason::UnknownCursor`].
    UnknownCursor,
    /// See [`RejectionReason::NotStreamable`].
    NotStreamable,
    /// See [`RejectionReason::TooBusy`].
    TooBusy {
        /// Of what there are too many.
        what: &'static str,
        /// The settings that bound it, for a sentence.
        settings: &'static str,
    },
    /// See [`RejectionReason::SessionMissing`].
    SessionMissing,
    /// See [`RejectionReason::SessionUnknown`].
    SessionUnknown,
    /// See [`RejectionReason::SessionVersionMismatch`].
    SessionVersionMismatch {
        /// What the header says, for a sentence.
        sent: String,
        /// The session's.
        negotiated: LegacyVersion,
    },
    /// See [`RejectionReason::StreamTaken`].
    StreamTaken,
    /// See [`RejectionReason::HandlerRefused`].
    HandlerRefused {
        /// What the handler says.
        text: String,
    },
}

impl fmt::Display for Rejection {
    #[expect(clippy::too_many_lines, reason = "one sentence for each reason")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostNotAllowed { host } => write!(
                f,
                "Host {host} is not allowed here. Add it to the server's allow_hosts setting, or send an allowed Host"
            ),
            Self::HostMalformed { fault } => write!(
                f,
                "{fault}. Send exactly one Host header that names a host and, if needed, a port"
            ),
            Self::OriginNotAllowed { origin } => write!(
                f,
                "Origin {origin} is not allowed here. Add it to the server's allow_origins setting, or send \
                 an allowed Origin"
            ),
            Self::OriginDuplicated => write!(f, "Origin stands on several lines. Send it once"),
            Self::CrossSite => write!(
                f,
                "Sec-Fetch-Site does not rule out another site and there is no Origin to allow. Send an Origin that the \
         server's allow_origins setting names"
            ),
            Self::MethodNotAllowed { method, .. } => {
                write!(f, "HTTP method {method} is not served here. Send POST")
            }
            Self::UnsupportedMediaType { fault } => write!(
                f,
                "{fault}. Send Content-Type: application/json, in UTF-8 and without a Content-Encoding"
            ),
            Self::NotAcceptable => write!(
                f,
                "Accept excludes application/json. Send Accept: application/json, text/event-stream"
            ),
            Self::BodyTooLarge { limit } => write!(
                f,
                "The body is longer than {limit} bytes. Send less, or raise the server's limits.body_bytes setting"
            ),
            Self::BodyTimeout => write!(
                f,
                "The body stalled for too long (the server's limits.body_timeout setting). Send it without a pause"
            ),
            Self::MalformedJson { fault } => write!(
                f,
                "The body is not JSON: {fault}. Send one JSON-RPC message, encoded as UTF-8"
            ),
            Self::TooDeep { limit } => write!(
                f,
                "The body nests deeper than {limit} levels (the server's limits.depth setting). Send a flatter message"
            ),
            Self::TooManyValues { limit } => write!(
                f,
                "The body holds more than {limit} values (the server's limits.values setting). Send a smaller message"
            ),
            Self::DuplicateMember { member } => write!(
                f,
                "The member {member} stands twice in one object. Send each member once"
            ),
            Self::Unauthenticated => write!(
                f,
                "Authentication is required. Send one Authorization header with valid credentials"
            ),
            Self::Forbidden => write!(
                f,
                "The credentials do not allow this. Ask for more scope, as WWW-Authenticate says"
            ),
            Self::HeaderDuplicated { header } => {
                write!(f, "{header} stands on several lines. Send it once")
            }
            Self::InvalidId => write!(
                f,
                "The id is no request id. Send a string, or an integer within ±9007199254740991"
            ),
            Self::InvalidMessage => write!(
                f,
                "The body is no JSON-RPC request or notification. Send one object with a method that is a string"
            ),
            Self::InvalidBatch { fault } => f.write_str(fault),
            Self::MissingProtocolField(it) => write!(
                f,
                "{it}. Every request carries {} and {} in params._meta",
                key::PROTOCOL_VERSION,
                key::CLIENT_CAPABILITIES
            ),
            Self::HeaderMismatch {
                header,
                fault,
                instead,
            } => write!(f, "{header}: {fault}. Send {instead}"),
            Self::UnsupportedProtocolVersion {
                requested,
                opens_sessions,
            } => {
                write!(
                    f,
                    "Protocol version {} is not supported. Send one of: {}",
                    Untrusted::new(requested),
                    ProtocolVersion::modern_names()
                )?;
                match opens_sessions {
                    true => f.write_str("; or initialize, for a session of an older one"),
                    false => Ok(()),
                }
            }
            Self::MethodNotFound {
                method,
                served,
                version,
            } => write!(
                f,
                "Method not found: {method}. Served here, in protocol version {version}: {}",
                served.join(", ")
            ),
            Self::InvalidFraming(it) | Self::InvalidParams(it) => it.fmt(f),
            Self::InvalidRequestState => {
                write!(f, "The requestState does not open. Call again without it")
            }
            Self::MissingClientCapability { required } => write!(
                f,
                "This call needs a client capability that the request does not declare: {}",
                Untrusted::new(&names(required))
            ),
            Self::UnknownTool { name } => write!(f, "Unknown tool: {name}"),
            Self::UnknownResource { uri } => {
                write!(f, "Unknown resource: {}", Untrusted::new(uri))
            }
            Self::UnknownTemplate { uri } => write!(f, "Unknown resource template: {uri}"),
            Self::UnknownPrompt { name } => write!(f, "Unknown prompt: {name}"),
            Self::MissingArgument { prompt, missing } => write!(
                f,
                "The prompt {prompt} needs arguments that are not there. Send {} too",
                missing.join(", ")
            ),
            Self::UnknownCursor => write!(f, "Unknown cursor. Start again without one"),
            Self::NotStreamable => write!(
                f,
                "The answer is a stream and Accept excludes text/event-stream. Send Accept: application/json, text/event-stream"
            ),
            Self::TooBusy { what, settings } => write!(
                f,
                "Too many {what} (the server's {settings}). Try again later"
            ),
            Self::SessionMissing => write!(
                f,
                "Mcp-Session-Id is missing. Send the one that the answer to initialize carried, or initialize first"
            ),
            Self::SessionUnknown => f.write_str("Session terminated"),
            Self::SessionVersionMismatch { sent, negotiated } => write!(
                f,
                "MCP-Protocol-Version is {sent}, and this session's is {negotiated}. Send {negotiated}"
            ),
            Self::StreamTaken => write!(
                f,
                "Another connection has the session's stream. Close it first, or resume it with Last-Event-ID"
            ),
            Self::HandlerRefused { text } => f.write_str(text),
        }
    }
}

impl std::error::Error for Rejection {}

impl Rejection {
    /// The row of the table that answers this.
    pub(crate) fn reason(&self) -> RejectionReason {
        match self {
            Self::HostNotAllowed { .. } => RejectionReason::HostNotAllowed,
            Self::HostMalformed { .. } => RejectionReason::HostMalformed,
            Self::OriginNotAllowed { .. } => RejectionReason::OriginNotAllowed,
            Self::OriginDuplicated => RejectionReason::OriginDuplicated,
            Self::CrossSite => RejectionReason::CrossSite,
            Self::MethodNotAllowed { .. } => RejectionReason::MethodNotAllowed,
            Self::UnsupportedMediaType { .. } => RejectionReason::UnsupportedMediaType,
            Self::NotAcceptable => RejectionReason::NotAcceptable,
            Self::BodyTooLarge { .. } => RejectionReason::BodyTooLarge,
            Self::BodyTimeout => RejectionReason::BodyTimeout,
            Self::MalformedJson { .. } => RejectionReason::MalformedJson,
            Self::TooDeep { .. } | Self::TooManyValues { .. } => RejectionReason::JsonTooComplex,
            Self::DuplicateMember { .. } => RejectionReason::DuplicateMember,
            Self::Unauthenticated => RejectionReason::Unauthenticated,
            Self::Forbidden => RejectionReason::Forbidden,
            Self::HeaderDuplicated { .. } => RejectionReason::HeaderDuplicated,
            Self::InvalidId => RejectionReason::InvalidId,
            Self::InvalidMessage | Self::InvalidBatch { .. } => RejectionReason::InvalidMessage,
            Self::InvalidFraming(_) => RejectionReason::InvalidFraming,
            Self::MissingProtocolField(_) => RejectionReason::MissingProtocolField,
            Self::HeaderMismatch { .. } => RejectionReason::HeaderMismatch,
            Self::UnsupportedProtocolVersion { .. } => RejectionReason::UnsupportedProtocolVersion,
            Self::MethodNotFound { .. } => RejectionReason::MethodNotFound,
            Self::InvalidParams(_) => RejectionReason::InvalidParams,
            Self::InvalidRequestState => RejectionReason::InvalidRequestState,
            Self::MissingClientCapability { .. } => RejectionReason::MissingClientCapability,
            Self::UnknownTool { .. } => RejectionReason::UnknownTool,
            Self::UnknownResource { .. } | Self::UnknownTemplate { .. } => {
                RejectionReason::UnknownResource
            }
            Self::UnknownPrompt { .. } => RejectionReason::UnknownPrompt,
            Self::MissingArgument { .. } => RejectionReason::MissingArgument,
            Self::UnknownCursor => RejectionReason::UnknownCursor,
            Self::NotStreamable => RejectionReason::NotStreamable,
            Self::TooBusy { .. } => RejectionReason::TooBusy,
            Self::SessionMissing => RejectionReason::SessionMissing,
            Self::SessionUnknown => RejectionReason::SessionUnknown,
            Self::SessionVersionMismatch { .. } => RejectionReason::SessionVersionMismatch,
            Self::StreamTaken => RejectionReason::StreamTaken,
            Self::HandlerRefused { .. } => RejectionReason::HandlerRefused,
        }
    }

    /// The `data` of the answer's error, if it has any.
    pub(crate) fn data(&self) -> Option<Value> {
        match self {
            Self::InvalidFraming(distilled)
            | Self::MissingProtocolField(distilled)
            | Self::InvalidParams(distilled) => Some(distilled.data()),
            Self::UnsupportedProtocolVersion { requested, .. } => {
                let supported: Vec<&str> = ProtocolVersion::MODERN
                    .iter()
                    .map(|version| version.as_str())
                    .collect();
                let data = json!({"supported": supported, "requested": reflected(requested)});
                Some(sorted(data))
            }
            Self::MissingClientCapability { required } => {
                Some(json!({"requiredCapabilities": required}))
            }
            Self::UnknownResource { uri } => Some(json!({"uri": reflected(uri)})),
            _ => None,
        }
    }
}

impl From<TextFault> for Rejection {
    fn from(fault: TextFault) -> Self {
        match fault {
            TextFault::Malformed(fault) => Self::MalformedJson { fault },
            TextFault::TooDeep(limit) => Self::TooDeep { limit },
            TextFault::TooManyValues(limit) => Self::TooManyValues { limit },
        }
    }
}

/// Peer text that goes back as a value of its own: verbatim when short, for a client compares it.
fn reflected(text: &str) -> String {
    match text.char_indices().nth(Limits::SHOWN_CHARS) {
        None => text.to_owned(),
        Some(_) => Untrusted::new(text).to_string(),
    }
}

/// The paths of required capabilities, for a sentence: `elicitation.url`.
fn names(required: &Value) -> String {
    fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
        match value.as_object() {
            Some(members) if !members.is_empty() => members.iter().for_each(|(name, inner)| {
                let separator = if path.is_empty() { "" } else { "." };
                walk(inner, &format!("{path}{separator}{name}"), found);
            }),
            _ => found.push(path.to_owned()),
        }
    }
    let mut found = Vec::new();
    walk(required, "", &mut found);
    found.join(", ")
}
