//! What a message is, by the members that it has.

use std::borrow::Cow;

use super::{Json, Object, RequestId};

/// The kind of a message, which decides what may be asked of it and whether a refusal echoes its id.
///
/// | message | kind |
/// |---|---|
/// | `method` is a string, `id` present and a [request id](RequestId) | `Request` |
/// | `method` is a string, `id` present and anything else, `null` included | `UnidentifiedRequest` |
/// | `method` is a string, no `id` member | `Notification` |
/// | anything else: a response, an array, a scalar, a non-string `method` | `Unknown` |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the table is total: a fifth kind would break every caller anyway"
)]
pub enum MessageKind {
    /// A call that is answered, with an id that every answer carries back.
    Request,
    /// A call whose id no answer could carry back: refused, and its id never echoed.
    UnidentifiedRequest,
    /// A message that gets no answer: accepted, whatever it says.
    Notification,
    /// Not a call: refused, and its id never echoed, since it may belong to somebody else's call.
    Unknown,
}

/// Tells the kind of a message.
///
/// Total and pure: it looks at which members the top-level object has, and at values only where [`MessageKind`] says
/// so. `method` wins over a stray `result` or `error`; names are case-sensitive; an unknown member changes nothing.
/// A `Request` is looser than a valid one on purpose: a message with the wrong `jsonrpc` keeps its id through its
/// refusal.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Json, MessageKind, classify};
///
/// let message = serde_json::json!({"jsonrpc": "1.0", "id": 7, "method": "tools/list"});
/// assert_eq!(classify(&Json::from(&message)), MessageKind::Request);
/// let message = serde_json::json!({"jsonrpc": "2.0", "id": null, "method": "tools/list"});
/// assert_eq!(classify(&Json::from(&message)), MessageKind::UnidentifiedRequest);
/// ```
pub fn classify(message: &Json<'_>) -> MessageKind {
    let Some(object) = message.as_object() else {
        return MessageKind::Unknown;
    };
    if object.get("method").and_then(Json::as_str).is_none() {
        return MessageKind::Unknown;
    }
    match object.get("id").map(RequestId::of) {
        None => MessageKind::Notification,
        Some(None) => MessageKind::UnidentifiedRequest,
        Some(Some(_)) => MessageKind::Request,
    }
}

/// A message by its kind, with what the kind proves.
#[derive(Debug)]
pub(crate) enum Classified<'t> {
    Request(RequestMessage<'t>),
    UnidentifiedRequest(Json<'t>),
    Notification(Json<'t>),
    Unknown(Json<'t>),
}

/// A message of the kind [`MessageKind::Request`].
#[derive(Debug)]
pub(crate) struct RequestMessage<'t> {
    pub(crate) id: RequestId<'t>,
    pub(crate) method: Cow<'t, str>,
    /// All members, those two included.
    pub(crate) members: Object<'t>,
}

impl<'t> Classified<'t> {
    pub(crate) fn new(message: Json<'t>) -> Self {
        let Json::Object(members) = message else {
            return Self::Unknown(message);
        };
        let Some(Json::String(method)) = members.get("method") else {
            return Self::Unknown(Json::Object(members));
        };
        match members.get("id").map(RequestId::cloned) {
            None => Self::Notification(Json::Object(members)),
            Some(None) => Self::UnidentifiedRequest(Json::Object(members)),
            Some(Some(id)) => Self::Request(RequestMessage {
                id,
                method: method.clone(),
                members,
            }),
        }
    }

    pub(crate) fn kind(&self) -> MessageKind {
        match self {
            Self::Request(_) => MessageKind::Request,
            Self::UnidentifiedRequest(_) => MessageKind::UnidentifiedRequest,
            Self::Notification(_) => MessageKind::Notification,
            Self::Unknown(_) => MessageKind::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{limits::Limits, text::read};

    #[test]
    fn a_message_has_the_kind_that_its_members_have() {
        for (text, kind) in [
            (r#"{"method": "a", "id": 1}"#, MessageKind::Request),
            (
                r#"{"method": "a", "id": null}"#,
                MessageKind::UnidentifiedRequest,
            ),
            (r#"{"method": "a"}"#, MessageKind::Notification),
            (r#"{"method": 1, "id": 1}"#, MessageKind::Unknown),
            (r#"{"id": 1, "result": {}}"#, MessageKind::Unknown),
            ("[]", MessageKind::Unknown),
        ] {
            let document = read(text.as_bytes(), &Limits::default()).unwrap();
            assert_eq!(classify(&document.root), kind, "{text}");
            assert_eq!(Classified::new(document.root).kind(), kind, "{text}");
        }
    }
}
