//! A conversation that goes on by itself, whether or not anybody reads what comes of it.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use wymcp_core::{Event, Reply, drop_contained};

use crate::{Cancelled, Outlet, Server};

/// What is left to do for an answer that takes its time, for the host to spawn.
///
/// It goes on without its reader, so that the bounds of a call hold though nobody reads: its deadline, and the server's
/// shutdown. When its client goes away it ends, unless the call is of a session, to which the client can come back. Its
/// output is the answer's reader's: see [`Answering`](crate::Answering).
///
/// # Examples
///
/// What an adapter hands over, on tokio:
///
/// ```
/// use std::future::Future;
///
/// use wymcp::{Conversation, Reply};
///
/// fn spawn(conversation: Conversation<dyn Future<Output = Option<Reply>> + Send>) {
///     tokio::spawn(conversation);
/// }
/// # let _ = spawn;
/// ```
pub struct Conversation<F: ?Sized> {
    server: Server,
    /// Until it has ended.
    run: Option<Pin<Box<F>>>,
    outlet: Outlet,
    /// Where a client can cancel its request by itself.
    cancelled: Option<Cancelled>,
}

impl<F: ?Sized> Conversation<F> {
    pub(crate) fn new(server: Server, run: Pin<Box<F>>, outlet: Outlet) -> Self {
        let run = Some(run);
        Self {
            server,
            run,
            outlet,
            cancelled: None,
        }
    }

    pub(crate) fn until(mut self, cancelled: Cancelled) -> Self {
        self.cancelled = Some(cancelled);
        self
    }

    /// Ends without an answer. First what the call has to say about its end.
    fn give_up(&mut self) {
        let Some(run) = self.run.take() else { return };
        drop_contained(run);
        if self.outlet.pieces() > 0 {
            self.server.emit(&Event::StreamClosed {
                cancelled: true,
                dropped: self.outlet.dropped(),
            });
        }
        self.outlet.end(None);
    }
}

impl<F: Future<Output = Option<Reply>> + ?Sized> Future for Conversation<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let cancelled = self.cancelled.as_mut();
        let is_cancelled = cancelled.is_some_and(|it| Pin::new(it).poll(context).is_ready());
        if self.outlet.is_given_up(context.waker()) || is_cancelled {
            self.give_up();
        }
        let Some(run) = &mut self.run else {
            return Poll::Ready(());
        };
        let reply = ready!(run.as_mut().poll(context));
        self.run = None;
        self.outlet.end(reply);
        Poll::Ready(())
    }
}

impl<F: ?Sized> Drop for Conversation<F> {
    fn drop(&mut self) {
        self.give_up();
    }
}

impl<F: ?Sized> fmt::Debug for Conversation<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").finish_non_exhaustive()
    }
}
