//! What is around a message that is one of several: events of a stream, or lines.

use serde::Serialize;

use crate::{sse, text::to_bytes};

/// What one message among several looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wrapping {
    /// An event of a stream.
    #[default]
    Event,
    /// A line.
    Line,
    /// Nothing: who sends it wraps it, since each event of a session's stream has an id.
    Bare,
}

impl Wrapping {
    pub(crate) fn wrap(self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Event => sse::event(message),
            Self::Line => line(message),
            Self::Bare => message.to_vec(),
        }
    }
}

/// A notification, wrapped.
pub(crate) fn notification(
    wrapping: Wrapping,
    method: &'static str,
    params: &impl Serialize,
) -> Vec<u8> {
    #[derive(Serialize)]
    struct Notification<'p, P> {
        jsonrpc: &'static str,
        method: &'static str,
        params: &'p P,
    }
    wrapping.wrap(&to_bytes(&Notification {
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
