//! The kind of a JSON text, and the id that its refusal carries.

use serde_json::Value;
use wymcp_core::{Json, Limits, MessageKind, read, rejection_id};

fn reference(message: &Value) -> MessageKind {
    match (message.get("method"), message.get("id")) {
        (Some(Value::String(_)), None) => MessageKind::Notification,
        (Some(Value::String(_)), Some(Value::String(_))) => MessageKind::Request,
        (Some(Value::String(_)), Some(Value::Number(id))) => {
            let id = id.as_f64().unwrap();
            if id.fract() == 0.0 && id.abs() < 9_007_199_254_740_992.0 {
                MessageKind::Request
            } else {
                MessageKind::UnidentifiedRequest
            }
        }
        (Some(Value::String(_)), Some(_)) => MessageKind::UnidentifiedRequest,
        _ => MessageKind::Unknown,
    }
}

/// The kind of a text, which is the one that the reference gives it; `None` of what is not read, or has a member twice.
pub(crate) fn kind(text: &[u8]) -> Option<MessageKind> {
    let document = read(text, &Limits::default()).ok()?;
    if document.duplicate.is_some() {
        return None;
    }
    let kind = wymcp_core::classify(&document.root);
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let value: Value = serde_json::from_slice(text).expect("what is read is JSON");
    assert_eq!(kind, reference(&value), "{value}");
    assert_eq!(wymcp_core::classify(&Json::from(&value)), kind, "{value}");
    let id = rejection_id(kind, &document.root).map(|id| serde_json::to_value(id).unwrap());
    let own = (kind == MessageKind::Request).then(|| value["id"].clone());
    assert_eq!(id, own, "{value}");
    Some(kind)
}

pub(crate) fn classify(bytes: &[u8]) {
    let _ = kind(bytes);
}
