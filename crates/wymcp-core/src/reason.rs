//! Every reason to refuse a message, and the one table from reason to answer.

use http::StatusCode;

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
    /// `Host`, `:authority` or an absolute-form target names a host that is not allowed.
    HostNotAllowed,
    /// `Host` is missing, empty, repeated or unreadable, or differs from the target.
    HostMalformed,
    /// `Origin` is present and not allowed.
    OriginNotAllowed,
    /// `Origin` stands on two lines or more.
    OriginDuplicated,
    /// A browser says that another site sends this, or says it unreadably, and there is no `Origin`.
    CrossSite,
    /// The HTTP method is not served.
    MethodNotAllowed,
    /// The body is not announced as plain JSON.
    UnsupportedMediaType,
    /// `Accept` excludes JSON.
    NotAcceptable,
    /// The body passes the limit.
    BodyTooLarge,
    /// The body stalls.
    BodyTimeout,
    /// The body is no JSON.
    MalformedJson,
    /// The body is JSON beyond the limits.
    JsonTooComplex,
    /// A member stands twice in one object.
    DuplicateMember,
    /// The authenticator refuses, or fails.
    Unauthenticated,
    /// The authenticator knows the caller and wants more scope.
    Forbidden,
    /// A header that may stand on one line only stands on several.
    HeaderDuplicated,
    /// The id is present and no request id.
    InvalidId,
    /// The message is no call.
    InvalidMessage,
    /// `jsonrpc` or `params` is not what JSON-RPC asks for.
    InvalidFraming,
    /// `_meta` lacks what every request carries.
    MissingProtocolField,
    /// A header that mirrors the body is missing, repeated, malformed or different.
    HeaderMismatch,
    /// The protocol version is not spoken.
    UnsupportedProtocolVersion,
    /// The method is not served.
    MethodNotFound,
    /// The params break the method's schema.
    InvalidParams,
    /// The `requestState` was not sealed by this server for this call, or no longer holds.
    InvalidRequestState,
    /// The call needs a capability that the client did not declare.
    MissingClientCapability,
    /// No tool has this name.
    UnknownTool,
    /// The cursor is none of this list's.
    UnknownCursor,
}

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
            Self::HostNotAllowed | Self::OriginNotAllowed | Self::CrossSite | Self::Forbidden => {
                (StatusCode::FORBIDDEN, code::INVALID_REQUEST)
            }
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, code::INVALID_REQUEST),
            Self::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, code::INVALID_REQUEST)
            }
            Self::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, code::INVALID_REQUEST),
            Self::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, code::INVALID_REQUEST),
            Self::BodyTimeout => (StatusCode::REQUEST_TIMEOUT, code::INVALID_REQUEST),
            Self::MalformedJson => (StatusCode::BAD_REQUEST, code::PARSE_ERROR),
            Self::Unauthenticated => (StatusCode::UNAUTHORIZED, code::INVALID_REQUEST),
            Self::HostMalformed
            | Self::OriginDuplicated
            | Self::JsonTooComplex
            | Self::DuplicateMember
            | Self::HeaderDuplicated
            | Self::InvalidId
            | Self::InvalidMessage
            | Self::InvalidFraming => (StatusCode::BAD_REQUEST, code::INVALID_REQUEST),
            Self::MissingProtocolField | Self::InvalidParams | Self::InvalidRequestState => {
                (StatusCode::BAD_REQUEST, code::INVALID_PARAMS)
            }
            Self::HeaderMismatch => (StatusCode::BAD_REQUEST, code::HEADER_MISMATCH),
            Self::UnsupportedProtocolVersion => {
                (StatusCode::BAD_REQUEST, code::UNSUPPORTED_PROTOCOL_VERSION)
            }
            Self::MethodNotFound => (StatusCode::NOT_FOUND, code::METHOD_NOT_FOUND),
            Self::MissingClientCapability => {
                (StatusCode::BAD_REQUEST, code::MISSING_CLIENT_CAPABILITY)
            }
            Self::UnknownTool | Self::UnknownCursor => (StatusCode::OK, code::INVALID_PARAMS),
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
    pub const ALL: &'static [Self] = &[
        Self::HostNotAllowed,
        Self::HostMalformed,
        Self::OriginNotAllowed,
        Self::OriginDuplicated,
        Self::CrossSite,
        Self::MethodNotAllowed,
        Self::UnsupportedMediaType,
        Self::NotAcceptable,
        Self::BodyTooLarge,
        Self::BodyTimeout,
        Self::MalformedJson,
        Self::JsonTooComplex,
        Self::DuplicateMember,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::HeaderDuplicated,
        Self::InvalidId,
        Self::InvalidMessage,
        Self::InvalidFraming,
        Self::MissingProtocolField,
        Self::HeaderMismatch,
        Self::UnsupportedProtocolVersion,
        Self::MethodNotFound,
        Self::InvalidParams,
        Self::InvalidRequestState,
        Self::MissingClientCapability,
        Self::UnknownTool,
        Self::UnknownCursor,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_all_reasons_lacks_none() {
        // The last variant of the enum; a new one goes before it.
        let last = RejectionReason::UnknownCursor;
        for (position, reason) in RejectionReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, position, "{reason:?}");
        }
        assert_eq!(RejectionReason::ALL.len(), last as usize + 1);
    }
}
