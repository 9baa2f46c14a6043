//! The id that a refusal carries.

use crate::text::{Json, MessageKind, RequestId};

/// The id that a refusal of a message carries: the message's own if it is a [`MessageKind::Request`], else none.
///
/// Every refusal of a message in which no member stands twice carries this id, and no place that refuses a message can
/// choose another.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Json, classify, rejection_id};
///
/// let message = serde_json::json!({"id": 7, "method": "tools/list"});
/// let message = Json::from(&message);
/// assert_eq!(rejection_id(classify(&message), &message).unwrap().to_string(), "7");
///
/// let answer = serde_json::json!({"id": 7, "result": {}});
/// let answer = Json::from(&answer);
/// assert!(rejection_id(classify(&answer), &answer).is_none());
/// ```
pub fn rejection_id<'j>(kind: MessageKind, message: &'j Json<'_>) -> Option<RequestId<'j>> {
    match kind {
        MessageKind::Request => message.as_object()?.get("id").and_then(RequestId::of),
        MessageKind::UnidentifiedRequest | MessageKind::Notification | MessageKind::Unknown => None,
    }
}

/// The id that a refusal of a message with a repeated member carries.
///
/// It has one only when no reader could take the message for another kind or another call: `id` stands once and is a
/// request id, `method` is there, and every `method` is a string.
pub(crate) fn duplicate_rejection_id<'j>(message: &'j Json<'_>) -> Option<RequestId<'j>> {
    let object = message.as_object()?;
    let named = |name| {
        object
            .iter()
            .filter(move |(member, _)| *member == name)
            .map(|(_, value)| value)
    };
    let mut methods = named("method").peekable();
    methods.peek()?;
    let mut ids = named("id");
    match (ids.next(), ids.next()) {
        (Some(id), None) if methods.all(|method| method.as_str().is_some()) => RequestId::of(id),
        _ => None,
    }
}
