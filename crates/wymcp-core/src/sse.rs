//! Event streams: messages as events.

/// One event that carries a message: one `data:` line, no id, no name.
///
/// The message is compact JSON, in which line breaks are escapes, so that nothing in it ends the line. Source: WHATWG
/// HTML, Server-sent events; MCP 2026-07-28, Streamable HTTP.
///
/// # Examples
///
/// ```
/// use wymcp_core::sse;
///
/// assert_eq!(sse::event(br#"{"jsonrpc":"2.0"}"#), b"data: {\"jsonrpc\":\"2.0\"}\n\n");
/// ```
pub fn event(message: &[u8]) -> Vec<u8> {
    let mut event = Vec::with_capacity(message.len().saturating_add(FRAME));
    event.extend_from_slice(b"data: ");
    event.extend_from_slice(message);
    event.extend_from_slice(b"\n\n");
    event
}

/// The bytes of an event beside its message.
const FRAME: usize = 8;

/// A comment, which every reader skips: what keeps a quiet connection from being taken for a dead one.
///
/// # Examples
///
/// ```
/// use wymcp_core::sse;
///
/// assert!(sse::KEEP_ALIVE.starts_with(b":"));
/// ```
pub const KEEP_ALIVE: &[u8] = b":\n\n";
