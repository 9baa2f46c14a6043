//! The answers to a client of lines that are on their way: how many there are, and what cancels them.

use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use wymcp_core::RequestId;

use crate::{AnswerStream, Cancellation, Cancelled};

/// What is in flight on one pair of streams.
#[derive(Debug, Default)]
pub(crate) struct InFlight(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// What ends the calls of an id, and how many calls there are of it.
    calls: HashMap<RequestId<'static>, (Cancellation, usize)>,
    count: usize,
    /// The answers that have begun since whoever sends them looked last.
    begun: Vec<AnswerStream>,
    /// Whether no more begin.
    is_closed: bool,
    /// Whether nobody sends them any more.
    is_left: bool,
    /// Wakes whoever sends them.
    sender: Option<Waker>,
    /// Wakes whoever waits for room.
    waker: Option<Waker>,
}

/// For how long an answer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Until its reader has all of it.
    ToItsEnd,
    /// Until its reader has some of it. Those who listen are bounded elsewhere.
    ToItsBeginning,
    Never,
}

impl InFlight {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands an answer to whoever sends it.
    pub(crate) fn begin(&self, answer: AnswerStream) {
        let mut state = self.state();
        if state.is_left {
            drop(state);
            return drop(answer);
        }
        state.begun.push(answer);
        wake(state);
    }

    /// What has begun, and whether that is all; wakes whoever asks for more.
    pub(crate) fn begun(&self, waker: &Waker) -> (Vec<AnswerStream>, bool) {
        let mut state = self.state();
        state.sender = Some(waker.clone());
        (std::mem::take(&mut state.begun), state.is_closed)
    }

    /// Says that no more answers begin.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        wake(state);
    }

    /// Says that nobody sends the answers any more.
    pub(crate) fn leave(&self) {
        let mut state = self.state();
        state.is_left = true;
        let begun = std::mem::take(&mut state.begun);
        drop(state);
        drop(begun);
    }

    /// Ends every call of an id.
    pub(crate) fn cancel(&self, id: &RequestId<'static>) {
        let named = self.state().calls.remove(id);
        if let Some((cancellation, _)) = named {
            cancellation.cancel();
        }
    }

    /// Ends when no more are in flight than this. One at a time may wait.
    pub(crate) fn room(&self, most: usize) -> impl Future<Output = ()> {
        poll_fn(move |context| {
            let mut state = self.state();
            if state.count <= most {
                return Poll::Ready(());
            }
            state.waker = Some(context.waker().clone());
            Poll::Pending
        })
    }

    fn uncount(&self) {
        let mut state = self.state();
        state.count -= 1;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Outside the lock, since a waker may run whoever sends at once.
fn wake(mut state: MutexGuard<'_, State>) {
    let sender = state.sender.take();
    drop(state);
    if let Some(sender) = sender {
        sender.wake();
    }
}

/// The place of an answer among them, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    in_flight: Arc<InFlight>,
    id: Option<RequestId<'static>>,
    cancellation: Cancellation,
    cancelled: Cancelled,
    counts: Counts,
}

impl Place {
    /// A place for the answer to a request, if it is one that can be cancelled.
    pub(crate) fn new(
        in_flight: &Arc<InFlight>,
        id: Option<RequestId<'static>>,
        counts: Counts,
    ) -> Self {
        let mut state = in_flight.state();
        state.count += usize::from(counts != Counts::Never);
        let cancellation = match &id {
            Some(id) => {
                let (cancellation, count) = state.calls.entry(id.clone()).or_default();
                *count += 1;
                cancellation.clone()
            }
            None => Cancellation::default(),
        };
        drop(state);
        Self {
            in_flight: Arc::clone(in_flight),
            id,
            cancelled: cancellation.cancelled(),
            cancellation,
            counts,
        }
    }

    /// The sign that the client has cancelled the request.
    pub(crate) fn cancelled(&self) -> Cancelled {
        self.cancellation.cancelled()
    }

    /// Whether the client has cancelled the request; wakes whoever asks when it does.
    pub(crate) fn is_cancelled(&mut self, context: &mut Context<'_>) -> bool {
        Pin::new(&mut self.cancelled).poll(context).is_ready()
    }

    /// Says that the client was given some of the answer.
    pub(crate) fn began(&mut self) {
        if self.counts == Counts::ToItsBeginning {
            self.counts = Counts::Never;
            self.in_flight.uncount();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(id) = &self.id
            && !self.cancellation.is_cancelled()
        {
            let mut state = self.in_flight.state();
            if let Some((_, count)) = state.calls.get_mut(id) {
                *count -= 1;
                if *count == 0 {
                    let _ = state.calls.remove(id);
                }
            }
        }
        if self.counts != Counts::Never {
            self.in_flight.uncount();
        }
    }
}
