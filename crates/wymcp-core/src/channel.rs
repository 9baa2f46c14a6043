//! How a message came: with the head of a request, or as a line.

use serde::Serialize;

use crate::{
    head::{Head, Singleton},
    sse,
    text::to_bytes,
    wire::accept::accepts,
};

/// What a message came by, which decides what of it can be checked and what its answer looks like.
#[derive(Clone, Copy)]
pub(crate) enum Channel<'t> {
    /// An HTTP request.
    Http(&'t Head<'t>),
    /// A line of a stream that both sides share.
    Line,
}

impl<'t> Channel<'t> {
    /// The head, where there is one.
    pub(crate) fn head(self) -> Option<&'t Head<'t>> {
        match self {
            Self::Http(head) => Some(head),
            Self::Line => None,
        }
    }

    /// Whether anything can be said before an answer.
    pub(crate) fn streams(self) -> bool {
        self.head()
            .is_none_or(|head| accepts(head, "text", "event-stream"))
    }

    pub(crate) fn authorization(self) -> Singleton<'t> {
        self.head().map_or(Singleton::Absent, Head::authorization)
    }

    pub(crate) fn framing(self) -> Framing {
        match self {
            Self::Http(_) => Framing::Event,
            Self::Line => Framing::Line,
        }
    }
}

/// What one message among several looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Framing {
    /// An event of a stream.
    #[default]
    Event,
    /// A line.
    Line,
}

impl Framing {
    fn frame(self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Event => sse::event(message),
            Self::Line => line(message),
        }
    }
}

/// A notification, framed.
pub(crate) fn notification(
    framing: Framing,
    method: &'static str,
    params: &impl Serialize,
) -> Vec<u8> {
    #[derive(Serialize)]
    struct Notification<'p, P> {
        jsonrpc: &'static str,
        method: &'static str,
        params: &'p P,
    }
    framing.frame(&to_bytes(&Notification {
        jsonrpc: "2.0",
        method,
        params,
    }))
}

/// One line that carries a message.
///
/// The message is compact JSON, in which line breaks are escapes, so that nothing in it ends the line. Source: MCP
/// 2026-07-28, stdio.
///
/// # Examples
///
/// ```
/// assert_eq!(wymcp_core::line(br#"{"jsonrpc":"2.0"}"#), b"{\"jsonrpc\":\"2.0\"}\n");
/// ```
pub fn line(message: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(message.len().saturating_add(1));
    line.extend_from_slice(message);
    line.push(b'\n');
    line
}
