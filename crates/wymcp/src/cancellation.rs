//! A sign that nobody waits for a call any more.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// Tells work that outlives its handler that the call is over.
///
/// A handler itself needs none of this: when the client goes away its future is dropped at its next await. Work that it
/// has spawned goes on; that work can ask, or wait, here. The sign is given when the handler's run is given up: its
/// client went away, its deadline passed, or it panicked.
///
/// # Examples
///
/// ```
/// # async fn step() {}
/// async fn spawned_work(cancellation: wymcp::Cancellation) {
///     while !cancellation.is_cancelled() {
///         step().await;
///     }
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<State>);

#[derive(Debug, Default)]
struct State {
    cancelled: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
}

impl Cancellation {
    /// Whether the call was given up.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Ends when the call is given up; never for a call that is answered.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled(self.clone())
    }

    pub(crate) fn cancel(&self) {
        // Under the lock, so that nobody starts to wait between the sign and the waking.
        let waiting = {
            let mut waiting = self
                .0
                .waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            self.0.cancelled.store(true, Ordering::Release);
            std::mem::take(&mut *waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }
}

/// The future of [`Cancellation::cancelled`].
#[derive(Debug)]
pub struct Cancelled(Cancellation);

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let state = &self.0.0;
        let mut waiting = state.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if state.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
            waiting.push(context.waker().clone());
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_sign_wakes_everybody_who_waits() {
        let cancellation = Cancellation::default();
        let waiting = [
            tokio::spawn(cancellation.cancelled()),
            tokio::spawn(cancellation.cancelled()),
        ];
        tokio::task::yield_now().await;
        assert!(!cancellation.is_cancelled());
        cancellation.cancel();
        for waiting in waiting {
            waiting.await.unwrap();
        }
        cancellation.cancelled().await;
        assert!(cancellation.is_cancelled());
    }
}
