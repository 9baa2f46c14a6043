//! The pieces of an answer, as they come to be.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_util::Stream;
use wymcp_core::{Event, line, sse};

use crate::{
    Outlet, Server,
    in_flight::Place,
    outlet::{End, Taken},
};

/// The pieces of a streamed answer behind the first; the last one ends with the answer proper.
///
/// Dropping it says that the client is gone, which cancels the call, unless it is one of a session.
///
/// # Examples
///
/// A host that writes pieces itself:
///
/// ```
/// use std::{future::poll_fn, pin::Pin};
///
/// use futures_util::Stream as _;
/// use wymcp::AnswerStream;
///
/// async fn write(mut stream: AnswerStream, written: &mut Vec<u8>) {
///     while let Some(piece) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
///         written.extend_from_slice(&piece);
///     }
/// }
/// # let _ = write;
/// ```
#[derive(Debug)]
pub struct AnswerStream {
    server: Server,
    outlet: Outlet,
    wrap: fn(&[u8]) -> Vec<u8>,
    /// Among the answers to a client of lines.
    place: Option<Place>,
    is_open: bool,
    is_over: bool,
}

impl AnswerStream {
    /// Events, of which the first piece was sent.
    pub(crate) fn opened(server: Server, outlet: Outlet) -> Self {
        Self {
            server,
            outlet,
            wrap: sse::event,
            place: None,
            is_open: true,
            is_over: false,
        }
    }

    /// Lines, of which none was sent.
    pub(crate) fn lines(server: Server, outlet: Outlet, place: Place) -> Self {
        Self {
            server,
            outlet,
            wrap: line,
            place: Some(place),
            is_open: false,
            is_over: false,
        }
    }

    /// Whether nothing more comes. It is so with the last piece already, so that a host can send the end with it.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::AnswerStream;
    ///
    /// /// What `http_body::Body::is_end_stream` says of a body that is such a stream.
    /// fn is_end_stream(stream: &AnswerStream) -> bool {
    ///     stream.is_over()
    /// }
    /// # let _ = is_end_stream;
    /// ```
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Says that nobody takes any more of it.
    fn leave(&mut self) {
        if self.outlet.leave() {
            self.close(true);
        }
        self.is_over = true;
    }

    fn close(&mut self, cancelled: bool) {
        self.is_over = true;
        if self.is_open {
            self.server.emit(&Event::StreamClosed {
                cancelled,
                dropped: self.outlet.dropped(),
            });
        }
    }
}

impl Stream for AnswerStream {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let place = self.place.as_mut();
        if place.is_some_and(|place| place.is_cancelled(context)) {
            self.leave();
            return Poll::Ready(None);
        }
        let Taken {
            mut piece,
            end,
            is_cut,
        } = self.outlet.take(context.waker());
        if !piece.is_empty() && !self.is_open {
            self.is_open = true;
            self.server.emit(&Event::StreamOpened);
            if let Some(place) = &mut self.place {
                place.began();
            }
        }
        let Some(end) = end else {
            if is_cut {
                self.close(false);
            } else if piece.is_empty() {
                return Poll::Pending;
            }
            return Poll::Ready((!piece.is_empty()).then(|| piece.into()));
        };
        match end {
            // The last message and the end of the body are one write.
            End::Answered(reply) if !reply.body.is_empty() => {
                piece.extend_from_slice(&(self.wrap)(&reply.body));
            }
            End::Answered(_) => {}
            // The end of one that was given up is told already.
            End::Lost => self.is_open = false,
        }
        self.close(false);
        Poll::Ready(Some(piece.into()))
    }
}

impl Drop for AnswerStream {
    fn drop(&mut self) {
        if !self.is_over {
            self.leave();
        }
    }
}
