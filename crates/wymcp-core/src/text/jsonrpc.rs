//! The JSON-RPC 2.0 codec for clients, tests and tools.
//!
//! Encodes calls and answers, decodes and sorts what comes back, over [`serde_json::Value`]. A message is sorted by
//! the members that it has, and by nothing else:
//!
//! | members, in this order | kind |
//! |---|---|
//! | `error` and `id` | [`MessageType::ErrorResponse`] |
//! | `result` and `id` | [`MessageType::Response`] |
//! | `method` and `id` | [`MessageType::Request`] |
//! | `method` | [`MessageType::Notification`] |
//!
//! A server's door asks more of a message, and sorts it by [`classify`](crate::classify).
//!
//! # Examples
//!
//! ```
//! use serde_json::json;
//! use wymcp_core::jsonrpc::{MessageType, decode, encode_request};
//!
//! assert_eq!(
//!     encode_request(1, "tools/list", Some(&json!({}))),
//!     r#"{"id":1,"jsonrpc":"2.0","method":"tools/list","params":{}}"#
//! );
//! assert_eq!(
//!     decode(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#).unwrap(),
//!     (MessageType::Response, json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}))
//! );
//! ```

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::{Json, RequestId, TextFault, read, to_bytes};
use crate::limits::Limits;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON-RPC 2.0 knows four messages and is closed"
)]
pub enum MessageType {
    /// A call that expects an answer.
    Request,
    /// A call that gets none.
    Notification,
    /// The answer of a call that succeeded.
    Response,
    /// The answer of a call that failed.
    ErrorResponse,
}

/// Why bytes are no JSON-RPC message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes are no JSON text, or nest deeper than [`Limits::MAX_DEPTH`].
    ParseError(TextFault),
    /// The JSON is no message.
    InvalidMessage(MessageFault),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ParseError(it) => write!(f, "parse error: {it}"),
            Self::InvalidMessage(it) => write!(f, "invalid message: {it}"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// What a JSON value lacks to be a message.
///
/// # Examples
///
/// ```
/// use wymcp_core::jsonrpc::{DecodeError, MessageFault, decode};
///
/// let fault = |text| match decode(text) {
///     Err(DecodeError::InvalidMessage(fault)) => Some(fault),
///     _ => None,
/// };
/// assert_eq!(fault(r#"{"id": 1}"#), Some(MessageFault::Unsortable));
/// assert_eq!(fault(r#"{"id": 1, "id": 2}"#), Some(MessageFault::DuplicateMember("id".to_owned())));
/// assert_eq!(fault("{"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageFault {
    /// A member, as it is shown, stands twice in one object; which of the two counts would be a guess.
    DuplicateMember(String),
    /// It is no object, or has no members by which it could be sorted.
    Unsortable,
}

impl fmt::Display for MessageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateMember(it) => write!(
                f,
                "the member {it} stands twice in one object; send each member once"
            ),
            Self::Unsortable => write!(
                f,
                "send an object with method, with id and result, or with id and error"
            ),
        }
    }
}

impl std::error::Error for MessageFault {}

/// Encodes a request.
///
/// The id should be a string or an integer; it is written as it is, so that a test can send a wrong one. Params that
/// are absent or null are left out; empty ones are kept.
///
/// # Examples
///
/// ```
/// use wymcp_core::jsonrpc::encode_request;
///
/// assert_eq!(
///     encode_request(1, "tools/list", Some(&serde_json::json!({}))),
///     r#"{"id":1,"jsonrpc":"2.0","method":"tools/list","params":{}}"#
/// );
/// assert_eq!(
///     encode_request("abc", "ping", None),
///     r#"{"id":"abc","jsonrpc":"2.0","method":"ping"}"#
/// );
/// ```
pub fn encode_request(id: impl Into<Value>, method: &str, params: Option<&Value>) -> String {
    encode(&Message {
        id: Some(id.into()),
        method: Some(method),
        params: written(params),
        ..Message::default()
    })
}

/// Encodes a notification: a request without an id, which is not answered.
///
/// # Examples
///
/// ```
/// use wymcp_core::jsonrpc::encode_notification;
///
/// assert_eq!(
///     encode_notification("notifications/initialized", Some(&serde_json::json!({}))),
///     r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}"#
/// );
/// ```
pub fn encode_notification(method: &str, params: Option<&Value>) -> String {
    encode(&Message {
        method: Some(method),
        params: written(params),
        ..Message::default()
    })
}

/// Encodes the answer of a call that succeeded. A null result is a result.
///
/// # Examples
///
/// ```
/// use wymcp_core::jsonrpc::encode_response;
///
/// assert_eq!(
///     encode_response(1, &serde_json::json!({"tools": []})),
///     r#"{"id":1,"jsonrpc":"2.0","result":{"tools":[]}}"#
/// );
/// ```
pub fn encode_response(id: impl Into<Value>, result: &Value) -> String {
    encode(&Message {
        id: Some(id.into()),
        result: Some(result),
        ..Message::default()
    })
}

/// Encodes the answer of a call that failed.
///
/// The id is [`Value::Null`] when the call's own could not be read. Data that is absent or null is left out.
/// [`code`](crate::code) has the codes.
///
/// # Examples
///
/// ```
/// use wymcp_core::jsonrpc::encode_error_response;
///
/// assert_eq!(
///     encode_error_response(1, -32600, "Invalid Request", None),
///     r#"{"error":{"code":-32600,"message":"Invalid Request"},"id":1,"jsonrpc":"2.0"}"#
/// );
/// ```
pub fn encode_error_response(
    id: impl Into<Value>,
    code: i32,
    message: &str,
    data: Option<&Value>,
) -> String {
    encode(&Message {
        error: Some(ErrorObject {
            code,
            data: written(data),
            message,
        }),
        id: Some(id.into()),
        ..Message::default()
    })
}

/// Decodes one message and sorts it.
///
/// The text is read as strictly as the door reads it, nesting bounded by [`Limits::MAX_DEPTH`]; its length and the
/// number of its values are bounded by the caller. The message comes back whole, with members that JSON-RPC does not
/// know.
///
/// # Errors
///
/// [`DecodeError::ParseError`] for what is no JSON text, [`DecodeError::InvalidMessage`] for JSON that is no message
/// or in which a member stands twice in one object.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::{DecodeError, MessageType, decode};
///
/// assert_eq!(
///     decode(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
///     Ok((MessageType::Request, json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})))
/// );
/// assert_eq!(
///     decode(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
///     Ok((MessageType::Notification, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})))
/// );
/// assert_eq!(
///     decode(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap(),
///     (MessageType::Response, json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
/// );
/// assert!(matches!(decode("invalid json"), Err(DecodeError::ParseError(_))));
/// ```
pub fn decode(bytes: impl AsRef<[u8]>) -> Result<(MessageType, Value), DecodeError> {
    let limits = Limits {
        depth: Limits::MAX_DEPTH,
        values: usize::MAX,
        ..Limits::default()
    };
    let document = read(bytes.as_ref(), &limits).map_err(DecodeError::ParseError)?;
    match document.duplicate {
        Some(member) => Err(DecodeError::InvalidMessage(MessageFault::DuplicateMember(
            member,
        ))),
        None => classify_message(document.root.to_value()),
    }
}

/// Sorts a message that is already a value.
///
/// # Errors
///
/// [`DecodeError::InvalidMessage`] when it has no [`message_type`].
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::{MessageType, classify_message};
///
/// let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
/// assert_eq!(classify_message(ping.clone()), Ok((MessageType::Request, ping)));
/// assert!(classify_message(json!({"jsonrpc": "2.0"})).is_err());
/// ```
pub fn classify_message(message: Value) -> Result<(MessageType, Value), DecodeError> {
    match message_type(&message) {
        Some(kind) => Ok((kind, message)),
        None => Err(DecodeError::InvalidMessage(MessageFault::Unsortable)),
    }
}

/// What a message is, if it is one.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::{MessageType, message_type};
///
/// assert_eq!(
///     message_type(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
///     Some(MessageType::Request)
/// );
/// assert_eq!(message_type(&json!([])), None);
/// ```
pub fn message_type(message: &Value) -> Option<MessageType> {
    let has = |name| message.get(name).is_some();
    if has("error") && has("id") {
        Some(MessageType::ErrorResponse)
    } else if has("result") && has("id") {
        Some(MessageType::Response)
    } else if has("method") && has("id") {
        Some(MessageType::Request)
    } else if has("method") {
        Some(MessageType::Notification)
    } else {
        None
    }
}

/// Whether a message is a request as JSON-RPC 2.0 and MCP want it: the version, a method that is a string, an id that
/// is a [`RequestId`], params that are absent or a structure.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::is_valid_request;
///
/// assert!(is_valid_request(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})));
/// assert!(!is_valid_request(&json!({"id": 1, "method": "ping"})));
/// ```
pub fn is_valid_request(message: &Value) -> bool {
    message_type(message) == Some(MessageType::Request)
        && is_version_2(message)
        && is_call(message)
        && id(message).is_some_and(is_request_id)
}

/// Whether a message is a notification as JSON-RPC 2.0 wants it.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::is_valid_notification;
///
/// assert!(is_valid_notification(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})));
/// assert!(!is_valid_notification(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})));
/// ```
pub fn is_valid_notification(message: &Value) -> bool {
    message_type(message) == Some(MessageType::Notification)
        && is_version_2(message)
        && is_call(message)
}

/// Whether a message is an answer as JSON-RPC 2.0 wants it: an id, and either a result or an error with an integer
/// `code` and a `message`. The id of an error may be null.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::is_valid_response;
///
/// assert!(is_valid_response(&json!({"jsonrpc": "2.0", "id": 1, "result": null})));
/// assert!(!is_valid_response(&json!({"jsonrpc": "2.0", "id": 1, "error": "no"})));
/// ```
pub fn is_valid_response(message: &Value) -> bool {
    let Some(id) = id(message) else { return false };
    let answered = match (result(message), error(message)) {
        (Some(_), None) => is_request_id(id),
        (None, Some(error)) => {
            let code = error.get("code");
            code.is_some_and(|code| code.is_i64() || code.is_u64())
                && error.get("message").is_some_and(Value::is_string)
                && (id.is_null() || is_request_id(id))
        }
        _ => false,
    };
    answered && is_version_2(message)
}

/// Whether a message is the answer of a call that failed.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::is_error_response;
///
/// assert!(is_error_response(&json!({"id": 1, "error": {"code": -32601, "message": "Method not found"}})));
/// assert!(!is_error_response(&json!({"id": 1, "result": {}})));
/// ```
pub fn is_error_response(message: &Value) -> bool {
    message_type(message) == Some(MessageType::ErrorResponse)
}

/// The id of a request or an answer; [`Value::Null`] where the message says null.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::jsonrpc::id;
///
/// assert_eq!(id(&json!({"id": 42})), Some(&json!(42)));
/// assert_eq!(id(&json!({"method": "notify"})), None);
/// ```
pub fn id(message: &Value) -> Option<&Value> {
    message.get("id")
}

/// The method of a request or a notification, if it is a string.
pub fn method(message: &Value) -> Option<&str> {
    message.get("method").and_then(Value::as_str)
}

/// The params of a request or a notification.
pub fn params(message: &Value) -> Option<&Value> {
    message.get("params")
}

/// The result of an answer.
pub fn result(message: &Value) -> Option<&Value> {
    message.get("result")
}

/// The error object of an answer.
pub fn error(message: &Value) -> Option<&Value> {
    message.get("error")
}

/// Every message, its members in alphabetical order: that of a `Value` depends on a feature of serde_json.
#[derive(Default, Serialize)]
struct Message<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'m>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    jsonrpc: Version2,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'m Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'m Value>,
}

#[derive(Serialize)]
struct ErrorObject<'m> {
    code: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'m Value>,
    message: &'m str,
}

#[derive(Default, Serialize)]
enum Version2 {
    #[default]
    #[serde(rename = "2.0")]
    Only,
}

fn encode(message: &Message<'_>) -> String {
    // The writer writes UTF-8.
    String::from_utf8(to_bytes(message)).unwrap_or_default()
}

/// Null says what absence says.
fn written(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

fn is_version_2(message: &Value) -> bool {
    message.get("jsonrpc").and_then(Value::as_str) == Some("2.0")
}

fn is_call(message: &Value) -> bool {
    method(message).is_some()
        && params(message).is_none_or(|params| params.is_object() || params.is_array())
}

fn is_request_id(id: &Value) -> bool {
    (id.is_string() || id.is_number()) && RequestId::of(&Json::from(id)).is_some()
}
