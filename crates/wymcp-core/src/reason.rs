//! Every reason to refuse a message, and the one table from reason to answer.

use http::StatusCode;

/// The error codes of JSON-RPC 2.0 and of MCP 2026-07-28 that this crate sends.
///
/// # Examples
///
/// ```
/// use wymcp_core::{RejectionReason, code};
///
/// /// What a client does about an error.
/// fn advice(error_code: i32) -> Option<&'static str> {
///     match error_code {
///         code::PARSE_ERROR | code::INVALID_REQUEST | code::HEADER_MISMATCH => Some("mend the client"),
///         code::METHOD_NOT_FOUND | code::INVALID_PARAMS => Some("ask for something else"),
///         code::MISSING_CLIENT_CAPABILITY => Some("declare the capability, if the client has it"),
///         code::UNSUPPORTED_PROTOCOL_VERSION => Some("speak a version that the server names"),
///         code::SESSION_NOT_FOUND => Some("initialize again"),
///         code::RESOURCE_NOT_FOUND => Some("ask for something else"),
///         code::INTERNAL_ERROR => Some("tell the server's operator"),
///         _ => None,
///     }
/// }
///
/// assert!(RejectionReason::ALL.iter().all(|reason| advice(reason.row().code).is_some()));
/// assert_eq!(advice(-1), None);
/// ```
pub mod code {
    /// JSON-RPC 2.0: the body is no JSON.
    pub const PARSE_ERROR: i32 = -32700;
    /// JSON-RPC 2.0: the message is no valid request.
    pub const INVALID_REQUEST: i32 = -32600;
    /// JSON-RPC 2.0: the method is not served.
    pub const METHOD_NOT_FOUND: i32 = -32601;
    /// JSON-RPC 2.0: the params do not fit the method.
    pub const INVALID_PARAMS: i32 = -32602;
    /// JSON-RPC 2.0: the server failed.
    pub const INTERNAL_ERROR: i32 = -32603;
    /// The legacy revisions of MCP: the session has ended.
    pub const SESSION_NOT_FOUND: i32 = -32001;
    /// The legacy revisions of MCP: nothing is at the address.
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// MCP: a header does not mirror the body.
    pub const HEADER_MISMATCH: i32 = -32020;
    /// MCP: the client lacks a capability that the call needs.
    pub const MISSING_CLIENT_CAPABILITY: i32 = -32021;
    /// MCP: the protocol version is not spoken.
    pub const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
}

/// One row of the table: what a rejection of a reason answers.
///
/// # Examples
///
/// ```
/// use wymcp_core::{RejectionReason, Row, code};
///
/// let Row { status, code, .. } = RejectionReason::MethodNotFound.row();
/// assert_eq!(status, 404);
/// assert_eq!(code, code::METHOD_NOT_FOUND);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The HTTP status.
    pub status: StatusCode,
    /// The JSON-RPC error code.
    pub code: i32,
}

/// Declares the reasons, each with its row: reason, status, code. One list, so that none can be left out of another.
macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident => $status:ident, $code:ident;)*) => {
        /// Why a message is refused: the key of the one table.
        ///
        /// Every rejection has exactly one reason. [`RejectionReason::row`] is the only place in this crate that writes a
        /// status or an error code for a refusal.
        ///
        /// # Examples
        ///
        /// ```
        /// use wymcp_core::{Decision, Event, Head, RejectionReason, Server, Turn};
        ///
        /// let server = Server::builder("empty", "1.0.0").build()?;
        /// let headers = [("host", "localhost"), ("content-type", "text/plain")];
        /// let head = Head::new("POST", &headers);
        /// let Turn::Reply(reply) = server.receive(&head, b"{}", Decision::anonymous()) else {
        ///     unreachable!("a refusal is a reply");
        /// };
        /// let [Event::Rejected { reason, .. }] = reply.events.as_slice() else {
        ///     unreachable!("a refusal is one event");
        /// };
        /// assert_eq!(*reason, RejectionReason::UnsupportedMediaType);
        /// assert_eq!(reply.status, reason.row().status);
        /// # Ok::<(), wymcp_core::ConfigError>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RejectionReason {
            $($(#[$doc])* $reason,)*
        }

        impl RejectionReason {
            /// The table. Every refusal's status and code stand here and nowhere else.
            ///
            /// # Examples
            ///
            /// ```
            /// use wymcp_core::RejectionReason;
            ///
            /// assert_eq!(RejectionReason::Unauthenticated.row().status, 401);
            /// // The request is sound; only the tool that it names is not there.
            /// assert_eq!(RejectionReason::UnknownTool.row().status, 200);
            /// ```
            pub fn row(self) -> Row {
                let (status, code) = match self {
                    $(Self::$reason => (StatusCode::$status, code::$code),)*
                };
                Row { status, code }
            }

            /// Every reason, for tests and tables.
            ///
            /// # Examples
            ///
            /// ```
            /// use std::collections::HashMap;
            ///
            /// use wymcp_core::RejectionReason;
            ///
            /// // A counter for each reason, which starts at zero.
            /// let mut refused: HashMap<_, u32> = RejectionReason::ALL.iter().map(|reason| (*reason, 0)).collect();
            /// *refused.get_mut(&RejectionReason::CrossSite).unwrap() += 1;
            /// assert_eq!(refused.values().sum::<u32>(), 1);
            /// assert_eq!(refused.len(), RejectionReason::ALL.len());
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$reason),*];
        }
    };
}

impl RejectionReason {
    /// Whether this is about HTTP: a head, a body on its way, or what a header says. None of it can befall a message that
    /// comes without a head, such as a line of standard input.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::RejectionReason;
    ///
    /// assert!(RejectionReason::HostNotAllowed.is_of_http() && RejectionReason::HeaderMismatch.is_of_http());
    /// assert!(!RejectionReason::MalformedJson.is_of_http());
    /// ```
    pub fn is_of_http(self) -> bool {
        use RejectionReason as Reason;
        matches!(
            self,
            Reason::HostNotAllowed
                | Reason::HostMalformed
                | Reason::OriginNotAllowed
                | Reason::OriginDuplicated
                | Reason::CrossSite
                | Reason::MethodNotAllowed
                | Reason::UnsupportedMediaType
                | Reason::NotAcceptable
                | Reason::BodyTimeout
                | Reason::Unauthenticated
                | Reason::Forbidden
                | Reason::HeaderDuplicated
                | Reason::HeaderMismatch
                | Reason::NotStreamable
                | Reason::SessionMissing
                | Reason::SessionUnknown
                | Reason::SessionVersionMismatch
                | Reason::StreamTaken
        )
    }
}

reasons! {
    /// `Host`, `:authority` or an absolute-form target names a host that is not allowed.
    HostNotAllowed => FORBIDDEN, INVALID_REQUEST;
    /// `Host` is missing, empty, repeated or unreadable, or differs from the target.
    HostMalformed => BAD_REQUEST, INVALID_REQUEST;
    /// `Origin` is present and not allowed.
    OriginNotAllowed => FORBIDDEN, INVALID_REQUEST;
    /// `Origin` stands on two lines or more.
    OriginDuplicated => BAD_REQUEST, INVALID_REQUEST;
    /// A browser says that another site sends this, or says it unreadably, and there is no `Origin`.
    CrossSite => FORBIDDEN, INVALID_REQUEST;
    /// The HTTP method is not served.
    MethodNotAllowed => METHOD_NOT_ALLOWED, INVALID_REQUEST;
    /// The body is not announced as plain JSON.
    UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST;
    /// `Accept` excludes JSON.
    NotAcceptable => NOT_ACCEPTABLE, INVALID_REQUEST;
    /// The body passes the limit.
    BodyTooLarge => PAYLOAD_TOO_LARGE, INVALID_REQUEST;
    /// The body stalls.
    BodyTimeout => REQUEST_TIMEOUT, INVALID_REQUEST;
    /// The body is no JSON.
    MalformedJson => BAD_REQUEST, PARSE_ERROR;
    /// The body is JSON beyond the limits.
    JsonTooComplex => BAD_REQUEST, INVALID_REQUEST;
    /// A member stands twice in one object.
    DuplicateMember => BAD_REQUEST, INVALID_REQUEST;
    /// The authenticator refuses, or fails.
    Unauthenticated => UNAUTHORIZED, INVALID_REQUEST;
    /// The authenticator knows the caller and wants more scope.
    Forbidden => FORBIDDEN, INVALID_REQUEST;
    /// A header that may stand on one line only stands on several.
    HeaderDuplicated => BAD_REQUEST, INVALID_REQUEST;
    /// The id is present and no request id.
    InvalidId => BAD_REQUEST, INVALID_REQUEST;
    /// The message is no call.
    InvalidMessage => BAD_REQUEST, INVALID_REQUEST;
    /// `jsonrpc` or `params` is not what JSON-RPC asks for.
    InvalidFraming => BAD_REQUEST, INVALID_REQUEST;
    /// `_meta` lacks what every request carries.
    MissingProtocolField => BAD_REQUEST, INVALID_PARAMS;
    /// A header that mirrors the body is missing, repeated, malformed or different.
    HeaderMismatch => BAD_REQUEST, HEADER_MISMATCH;
    /// The protocol version is not spoken.
    UnsupportedProtocolVersion => BAD_REQUEST, UNSUPPORTED_PROTOCOL_VERSION;
    /// The method is not served.
    MethodNotFound => NOT_FOUND, METHOD_NOT_FOUND;
    /// The params break the method's schema.
    InvalidParams => BAD_REQUEST, INVALID_PARAMS;
    /// There is a `requestState` that the server did not seal for this call, or that no longer holds.
    InvalidRequestState => BAD_REQUEST, INVALID_PARAMS;
    /// The call needs a capability that the client did not declare.
    MissingClientCapability => BAD_REQUEST, MISSING_CLIENT_CAPABILITY;
    /// No tool has this name.
    UnknownTool => OK, INVALID_PARAMS;
    /// Nothing is at the address that is to be read, or no template is written like this.
    UnknownResource => OK, INVALID_PARAMS;
    /// No prompt has the name that is asked for.
    UnknownPrompt => OK, INVALID_PARAMS;
    /// A required argument of a prompt is not there.
    MissingArgument => OK, INVALID_PARAMS;
    /// The cursor is none of this list's.
    UnknownCursor => OK, INVALID_PARAMS;
    /// `Accept` excludes streams, and the method has no other answer.
    NotStreamable => NOT_ACCEPTABLE, INVALID_REQUEST;
    /// A message of a legacy revision names no session.
    SessionMissing => BAD_REQUEST, INVALID_REQUEST;
    /// A message names a session that has ended, or that is another principal's.
    SessionUnknown => NOT_FOUND, SESSION_NOT_FOUND;
    /// The version in the header is another one than that of the session.
    SessionVersionMismatch => BAD_REQUEST, INVALID_REQUEST;
    /// Another connection has the stream that a session has for itself.
    StreamTaken => CONFLICT, INVALID_REQUEST;
    /// There is no room for another listener, or for another session.
    TooBusy => SERVICE_UNAVAILABLE, INTERNAL_ERROR;
    /// A handler of a prompt, a resource or a completion says why it cannot answer.
    HandlerRefused => OK, INVALID_PARAMS;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_a_head_is_refused_for_what_it_says_and_for_want_of_room() {
        use RejectionReason as Reason;
        let all = Reason::ALL.iter().copied();
        let of_lines: Vec<_> = all.filter(|reason| !reason.is_of_http()).collect();
        assert_eq!(
            of_lines,
            [
                Reason::BodyTooLarge,
                Reason::MalformedJson,
                Reason::JsonTooComplex,
                Reason::DuplicateMember,
                Reason::InvalidId,
                Reason::InvalidMessage,
                Reason::InvalidFraming,
                Reason::MissingProtocolField,
                Reason::UnsupportedProtocolVersion,
                Reason::MethodNotFound,
                Reason::InvalidParams,
                Reason::InvalidRequestState,
                Reason::MissingClientCapability,
                Reason::UnknownTool,
                Reason::UnknownResource,
                Reason::UnknownPrompt,
                Reason::MissingArgument,
                Reason::UnknownCursor,
                Reason::TooBusy,
                Reason::HandlerRefused,
            ]
        );
    }
}
