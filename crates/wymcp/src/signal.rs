//! A sign that is given once, to everybody who waits for it.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// The sign.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    given: AtomicBool,
    waiting: Mutex<Waiting>,
}

/// Who waits. Whoever stops waiting is forgotten, so that a sign which is never given costs nothing.
#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Signal {
    pub(crate) fn is_given(&self) -> bool {
        self.given.load(Ordering::Acquire)
    }

    pub(crate) fn give(&self) {
        // Under the lock, so that nobody starts to wait between the sign and the waking.
        let wakers = {
            let mut waiting = self.waiting();
            self.given.store(true, Ordering::Release);
            std::mem::take(&mut waiting.wakers)
        };
        wakers.into_values().for_each(Waker::wake);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends when the sign is given; at once if it was.
#[derive(Debug)]
pub(crate) struct Wait<S: AsRef<Signal>> {
    signal: S,
    place: Option<u64>,
}

impl<S: AsRef<Signal>> Wait<S> {
    pub(crate) fn new(signal: S) -> Self {
        let place = None;
        Self { signal, place }
    }
}

impl<S: AsRef<Signal> + Unpin> Future for Wait<S> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Self { signal, place } = self.get_mut();
        let signal = signal.as_ref();
        if signal.is_given() {
            return Poll::Ready(());
        }
        let mut waiting = signal.waiting();
        if signal.is_given() {
            return Poll::Ready(());
        }
        let at = *place.get_or_insert_with(|| {
            waiting.next += 1;
            waiting.next
        });
        waiting.wakers.insert(at, context.waker().clone());
        Poll::Pending
    }
}

impl<S: AsRef<Signal>> Drop for Wait<S> {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            let _ = self.signal.as_ref().waiting().wakers.remove(&place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn the_sign_wakes_everybody_who_waits_and_forgets_everybody_else() {
        let signal = Arc::new(Signal::default());
        let waiting = [
            Wait::new(Arc::clone(&signal)),
            Wait::new(Arc::clone(&signal)),
        ];
        let waiting = waiting.map(tokio::spawn);
        let gone = tokio::spawn(Wait::new(Arc::clone(&signal)));
        tokio::task::yield_now().await;
        assert_eq!(signal.waiting().wakers.len(), 3);
        gone.abort();
        assert!(gone.await.is_err());
        assert_eq!(signal.waiting().wakers.len(), 2);
        assert!(!signal.is_given());
        signal.give();
        for waiting in waiting {
            waiting.await.unwrap();
        }
        Wait::new(Arc::clone(&signal)).await;
        assert!(signal.waiting().wakers.is_empty());
    }
}
