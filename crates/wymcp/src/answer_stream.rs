//! The pieces of an answer, as they come to be.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use futures_util::Stream;
use wymcp_core::{Event, Reply, line, sse};

use crate::{Outlet, Server};

/// A conversation that goes on, and what it leaves at its outlet.
pub(crate) struct Conversation<F: ?Sized> {
    pub(crate) server: Server,
    /// Until it has ended.
    pub(crate) run: Option<Pin<Box<F>>>,
    pub(crate) outlet: Outlet,
}

impl<F: Future<Output = Option<Reply>> + ?Sized> Conversation<F> {
    /// Goes on, and wakes for what is left at the outlet too.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Reply>> {
        self.outlet.watch(context.waker());
        let Some(run) = &mut self.run else {
            return Poll::Ready(None);
        };
        let reply = ready!(run.as_mut().poll(context));
        self.run = None;
        Poll::Ready(reply)
    }
}

/// The pieces of a streamed answer behind the first; the last one ends with the answer proper.
///
/// # Examples
///
/// A host that writes pieces itself:
///
/// ```
/// use std::{future::{Future, poll_fn}, pin::Pin};
///
/// use futures_util::Stream as _;
/// use wymcp::{AnswerStream, Reply};
///
/// async fn write<F: Future<Output = Option<Reply>>>(mut stream: AnswerStream<F>, written: &mut Vec<u8>) {
///     while let Some(piece) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
///         written.extend_from_slice(&piece);
///     }
/// }
/// ```
pub struct AnswerStream<F: ?Sized> {
    running: Option<Conversation<F>>,
    /// The answer proper, until it is sent.
    reply: Option<Reply>,
    wrap: fn(&[u8]) -> Vec<u8>,
    is_open: bool,
}

impl<F: ?Sized> AnswerStream<F> {
    /// Events, of which the first piece was sent.
    pub(crate) fn opened(running: Conversation<F>) -> Self {
        Self {
            running: Some(running),
            reply: None,
            wrap: sse::event,
            is_open: true,
        }
    }

    /// Lines, of which none was sent.
    pub(crate) fn lines(running: Conversation<F>) -> Self {
        Self {
            running: Some(running),
            reply: None,
            wrap: line,
            is_open: false,
        }
    }

    fn close(&self, server: &Server, outlet: &Outlet, cancelled: bool) {
        if self.is_open {
            server.emit(&Event::StreamClosed {
                cancelled,
                dropped: outlet.dropped(),
            });
        }
    }
}

impl<F: Future<Output = Option<Reply>> + ?Sized> Stream for AnswerStream<F> {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = &mut *self;
        let Some(running) = &mut this.running else {
            return Poll::Ready(None);
        };
        let ended = running.poll(context);
        let mut piece = running.outlet.pick_up();
        if !piece.is_empty() && !this.is_open {
            this.is_open = true;
            running.server.emit(&Event::StreamOpened);
        }
        let is_over = ended.is_ready();
        if let Poll::Ready(Some(reply)) = ended {
            this.reply = Some(reply);
        }
        let is_last = is_over && running.outlet.is_empty();
        if !is_last && !piece.is_empty() {
            return Poll::Ready(Some(piece.into()));
        }
        if !is_over {
            return Poll::Pending;
        }
        // The last message and the end of the body are one write.
        if let Some(reply) = this.reply.take()
            && !reply.body.is_empty()
        {
            piece.extend_from_slice(&(this.wrap)(&reply.body));
        }
        if let Some(Conversation { server, outlet, .. }) = self.running.take() {
            self.close(&server, &outlet, false);
        }
        Poll::Ready(Some(piece.into()))
    }
}

/// A stream that is dropped before its end has lost its reader.
impl<F: ?Sized> Drop for AnswerStream<F> {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            let Conversation {
                server,
                run,
                outlet,
            } = running;
            // First what the call has to say about its end.
            drop(run);
            self.close(&server, &outlet, true);
        }
    }
}

impl<F: ?Sized> fmt::Debug for AnswerStream<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerStream").finish_non_exhaustive()
    }
}
