//! All that a client of lines is told, in the order in which it comes to be.

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream::SelectAll};

use crate::{AnswerStream, in_flight::InFlight};

/// What is to be written on a pair of streams, piece by piece, each of whole lines. Ends when no more can come: when the
/// [`Lines`](crate::Lines) that it belongs to are dropped, and every answer has ended.
///
/// Dropping it says that the client is gone, which cancels all of its calls.
///
/// # Examples
///
/// ```
/// use std::io::Write;
///
/// use wymcp::Answers;
///
/// async fn write<W: Write>(mut answers: Answers, mut output: W) -> std::io::Result<()> {
///     while let Some(piece) = answers.next().await {
///         output.write_all(&piece)?;
///     }
///     output.flush()
/// }
/// # let _ = write::<Vec<u8>>;
/// ```
pub struct Answers {
    in_flight: Arc<InFlight>,
    begun: SelectAll<AnswerStream>,
}

impl Answers {
    pub(crate) fn new(in_flight: Arc<InFlight>) -> Self {
        let begun = SelectAll::new();
        Self { in_flight, begun }
    }

    /// The next piece.
    pub async fn next(&mut self) -> Option<Bytes> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl Stream for Answers {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let (begun, is_closed) = self.in_flight.begun(context.waker());
        self.begun.extend(begun);
        loop {
            match self.begun.poll_next_unpin(context) {
                Poll::Ready(Some(piece)) if piece.is_empty() => {}
                Poll::Ready(None) if !is_closed => return Poll::Pending,
                ready => return ready,
            }
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.in_flight.leave();
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").finish_non_exhaustive()
    }
}
