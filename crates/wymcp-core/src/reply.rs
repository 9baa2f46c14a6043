//! What to send, and the one place that turns a rejection into it.

use std::{borrow::Cow, fmt::Write as _};

use http::{StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use crate::{
    channel::Channel,
    event::{Event, Sent},
    head::Head,
    reason::{RejectionReason, code},
    rejection::Rejection,
    rejection_id::duplicate_rejection_id,
    text::{Bounded, BoundedFault, Json, RequestId, to_bytes},
    untrusted::Untrusted,
};

/// An answer: `(status, headers, body)` for the peer and the events for the operator.
///
/// # Examples
///
/// An adapter turns it into its host's own response:
///
/// ```
/// use wymcp_core::{Decision, Head, Reply, Server, Turn};
///
/// /// An answer as the crate `http` says it, once its events are recorded.
/// fn response(reply: Reply) -> http::Result<http::Response<Vec<u8>>> {
///     let mut response = http::Response::builder().status(reply.status);
///     for (name, value) in &reply.headers {
///         response = response.header(*name, &**value);
///     }
///     if reply.close {
///         response = response.header("connection", "close");
///     }
///     response.body(reply.body)
/// }
///
/// # let server = Server::builder("empty", "1.0.0").build().unwrap();
/// let headers = [("host", "localhost"), ("content-type", "application/json"), ("content-length", "99999999")];
/// let head = Head::new("POST", &headers);
/// let Turn::Reply(reply) = server.receive(&head, b"", Decision::anonymous()) else {
///     unreachable!("a refusal is a reply");
/// };
/// let response = response(reply)?;
/// assert_eq!(response.status(), 413);
/// assert_eq!(response.headers()["content-type"], "application/json");
/// assert_eq!(response.headers()["connection"], "close");
/// # Ok::<(), http::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reply {
    /// The HTTP status.
    pub status: StatusCode,
    /// Names, in lower case, and values of the headers to send: visible ASCII and spaces, which any header can carry.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body: one JSON-RPC message, or nothing. Of a line, what is not empty is to be sent as one.
    pub body: Vec<u8>,
    /// Whether the connection must end after this answer, because bytes of the request's body are still to come: on
    /// HTTP/1 the adapter says `Connection: close`.
    pub close: bool,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// The media type of every body that is one message.
const JSON: &str = "application/json";
/// The media type of a stream of messages.
const EVENT_STREAM: &str = "text/event-stream";

#[derive(Serialize)]
struct ErrorEnvelope<'a> {
    jsonrpc: &'static str,
    id: Option<&'a RequestId<'a>>,
    error: ErrorObject<'a>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

/// Room for most messages of rejections, so that they are written without growing.
const MESSAGE: usize = 192;

/// A result in its envelope, whose members are the same in every answer but for the id.
fn enveloped(
    id: &RequestId<'_>,
    result: impl Serialize,
    bound: usize,
) -> Result<Vec<u8>, BoundedFault> {
    let mut body = Bounded::new(bound);
    body.json(r#"{"jsonrpc":"2.0","id":"#)?;
    body.value(id)?;
    body.json(r#","result":"#)?;
    body.value(&result)?;
    body.json("}")?;
    body.finish()
}

/// An error in its envelope.
fn refused(id: Option<&RequestId<'_>>, error: ErrorObject<'_>) -> Vec<u8> {
    let jsonrpc = "2.0";
    to_bytes(&ErrorEnvelope { jsonrpc, id, error })
}

/// What is known of a message when it is refused.
#[derive(Clone, Copy)]
pub(crate) enum Known<'m> {
    /// Only the head: the body was not read, or not to its end.
    Head,
    /// The body was read to its end and is no message.
    Body,
    /// It was read, and a member stands twice in it.
    Duplicated(&'m Json<'m>),
    /// It is no request, so no answer carries its id back.
    Other(&'m Json<'m>),
    /// It is a request: its method and its id.
    Request(&'m str, &'m RequestId<'m>),
}

impl<'m> Known<'m> {
    /// The rejection id.
    fn id(self) -> Option<RequestId<'m>> {
        match self {
            Self::Head | Self::Body | Self::Other(_) => None,
            Self::Duplicated(message) => duplicate_rejection_id(message),
            Self::Request(_, id) => Some(id.clone()),
        }
    }

    /// The id that was sent, whether or not a refusal may echo it.
    fn sent_id(self) -> Option<RequestId<'m>> {
        match self {
            Self::Head | Self::Body => None,
            Self::Other(message) | Self::Duplicated(message) => {
                message.as_object()?.get("id").and_then(RequestId::of)
            }
            Self::Request(_, id) => Some(id.clone()),
        }
    }

    fn method(self) -> Option<&'m str> {
        match self {
            Self::Head | Self::Body => None,
            Self::Other(message) | Self::Duplicated(message) => {
                message.as_object()?.get("method").and_then(Json::as_str)
            }
            Self::Request(method, _) => Some(method),
        }
    }
}

/// What an event says of a message.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "every event that holds it holds it boxed"
)]
pub(crate) fn sent(channel: Channel<'_>, known: Known<'_>) -> Box<Sent> {
    Box::new(Sent {
        http_method: channel
            .head()
            .map(|head| Untrusted::new(head.method()).to_string()),
        method: known
            .method()
            .map(|method| Untrusted::new(method).to_string()),
        request_id: known.sent_id().map(|id| id.shown()),
    })
}

impl Reply {
    /// A result, under the call's id.
    pub(crate) fn result(id: &RequestId<'_>, result: impl Serialize, events: Vec<Event>) -> Self {
        // Only what the application encodes can fail, and that goes through `result_within`.
        let body = enveloped(id, result, usize::MAX).unwrap_or_default();
        Self::json(StatusCode::OK, body, events)
    }

    /// A result of the application, unless the answer passes the bound or has no encoding.
    pub(crate) fn result_within(
        id: &RequestId<'_>,
        result: impl Serialize,
        bound: usize,
    ) -> Result<Self, BoundedFault> {
        let body = enveloped(id, result, bound)?;
        Ok(Self::json(StatusCode::OK, body, Vec::new()))
    }

    /// A fault that escaped a method: the call's id goes back, the fault does not.
    pub(crate) fn internal_error(id: &RequestId<'_>, events: Vec<Event>) -> Self {
        // 200, since a client that takes every other status for a transport failure would lose the id.
        let error = ErrorObject {
            code: code::INTERNAL_ERROR,
            message: "Internal error: the server failed to answer this request",
            data: None,
        };
        Self::json(StatusCode::OK, refused(Some(id), error), events)
    }

    /// The head of a stream, and its first piece.
    ///
    /// Once a stream is open its status stays 200; an error is its last event.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Reply, sse};
    ///
    /// let reply = Reply::stream(sse::event(b"{}"));
    /// assert_eq!((reply.status.as_u16(), &*reply.body), (200, b"data: {}\n\n".as_slice()));
    /// assert!(reply.headers.contains(&("content-type", "text/event-stream".into())));
    /// ```
    pub fn stream(body: Vec<u8>) -> Self {
        let headers = [
            (header::CONTENT_TYPE.as_str(), EVENT_STREAM),
            (header::CACHE_CONTROL.as_str(), "no-cache"),
            // A proxy that collects the stream would hold each event back.
            ("x-accel-buffering", "no"),
        ];
        Self {
            status: StatusCode::OK,
            headers: headers.map(|(name, value)| (name, value.into())).into(),
            body,
            close: false,
            events: Vec::new(),
        }
    }

    /// The acceptance of a notification.
    pub(crate) fn accepted(channel: Channel<'_>, known: Known<'_>) -> Self {
        Self {
            status: StatusCode::ACCEPTED,
            headers: Vec::new(),
            body: Vec::new(),
            close: false,
            events: vec![Event::Accepted {
                request: sent(channel, known),
            }],
        }
    }

    /// The answer to a rejection, with its event.
    pub(crate) fn rejection(rejection: &Rejection, channel: Channel<'_>, known: Known<'_>) -> Self {
        let mut message = String::with_capacity(MESSAGE);
        // Writing to a string cannot fail.
        let _ = write!(message, "{rejection}");
        let mut reply = Self::refusal(rejection, &message, channel, known);
        reply.events = vec![Event::Rejected {
            reason: rejection.reason(),
            request: sent(channel, known),
            detail: message,
        }];
        reply
    }

    /// The answer to a rejection, without its event.
    pub(crate) fn refusal(
        rejection: &Rejection,
        message: &str,
        channel: Channel<'_>,
        known: Known<'_>,
    ) -> Self {
        let row = channel.row(rejection);
        let id = known.id();
        let error = ErrorObject {
            code: row.code,
            message,
            data: rejection.data(),
        };
        let mut reply = Self::json(row.status, refused(id.as_ref(), error), Vec::new());
        let is_silent = match channel.head() {
            Some(head) => head.method() == "HEAD",
            // Nobody could tell what it answers, and an answer to a broken peer feeds a loop.
            None => id.is_none(),
        };
        if is_silent {
            reply.body.clear();
        }
        // To such a client the status says all: that it has to start again.
        if rejection.reason() == RejectionReason::SessionUnknown && id.is_none() {
            reply.body.clear();
            reply.headers.clear();
        }
        if let Rejection::MethodNotAllowed { served, .. } = rejection {
            let served = (header::ALLOW.as_str(), Cow::Borrowed(*served));
            reply.headers.push(served);
        }
        if rejection.reason() == RejectionReason::TooBusy {
            let wait = (header::RETRY_AFTER.as_str(), Cow::Borrowed("1"));
            reply.headers.push(wait);
        }
        reply.close = match rejection.reason() {
            RejectionReason::BodyTooLarge | RejectionReason::BodyTimeout => true,
            _ => matches!(known, Known::Head) && channel.head().is_some_and(Head::announces_body),
        };
        reply
    }

    /// The end of a session.
    pub(crate) fn ended() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            headers: Vec::new(),
            body: Vec::new(),
            close: false,
            events: Vec::new(),
        }
    }

    /// A body of several answers.
    pub(crate) fn whole(body: Vec<u8>, events: Vec<Event>) -> Self {
        Self::json(StatusCode::OK, body, events)
    }

    fn json(status: StatusCode, body: Vec<u8>, events: Vec<Event>) -> Self {
        Self {
            status,
            headers: vec![(header::CONTENT_TYPE.as_str(), Cow::Borrowed(JSON))],
            body,
            close: false,
            events,
        }
    }
}
