//! Lines out of pieces.

use bytes::Bytes;

use crate::Server;

/// Cuts what is read of a stream where its lines end, and keeps no more of a line than shows that it is too long.
///
/// # Examples
///
/// ```
/// use wymcp::{LineBuffer, Server};
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let mut buffer = LineBuffer::new(&server);
/// let (taken, line) = buffer.take(b"{}\r\n\n[");
/// assert_eq!((taken, line.as_deref()), (4, Some(b"{}\r".as_slice())));
/// // Blank lines are none.
/// assert_eq!(buffer.take(b"\n["), (2, None));
/// assert_eq!(buffer.take(b"]"), (1, None));
/// assert_eq!(buffer.finish().as_deref(), Some(b"[]".as_slice()));
/// assert_eq!(buffer.finish(), None);
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct LineBuffer {
    line: Vec<u8>,
    kept: usize,
}

impl LineBuffer {
    /// A buffer for lines to a server, whose [`Limits::body_bytes`](crate::Limits::body_bytes) says how long one may be.
    pub fn new(server: &Server) -> Self {
        Self {
            line: Vec::new(),
            // One more shows the server that it is too long.
            kept: server.limits().body_bytes.saturating_add(1),
        }
    }

    /// Takes a part of a piece, up to the end of a line: how many bytes, and the line without its end, if that is there.
    pub fn take(&mut self, piece: &[u8]) -> (usize, Option<Bytes>) {
        let mut taken = 0;
        while taken < piece.len() {
            let rest = &piece[taken..];
            let end = rest.iter().position(|byte| *byte == b'\n');
            let part = &rest[..end.unwrap_or(rest.len())];
            let room = self.kept.saturating_sub(self.line.len()).min(part.len());
            self.line.extend_from_slice(&part[..room]);
            taken += part.len() + usize::from(end.is_some());
            if end.is_some()
                && let Some(line) = self.finish()
            {
                return (taken, Some(line));
            }
        }
        (taken, None)
    }

    /// What is left where the stream ends, if it is not blank.
    pub fn finish(&mut self) -> Option<Bytes> {
        let line = std::mem::take(&mut self.line);
        (!line.trim_ascii().is_empty()).then(|| line.into())
    }
}
