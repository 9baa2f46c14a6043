//! Where a call's handler leaves what it says before its answer, and its stream picks it up.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

use wymcp_core::{Call, Change, Fault, LogLevel, Notices, Outbox, StructuredContent, sse};

/// The way from a running call to the stream of its answer: the driver's half and the adapter's share it.
///
/// An adapter makes one for each request and gives it to [`converse`](crate::converse) and
/// [`Answering`](crate::Answering).
///
/// # Examples
///
/// ```
/// use wymcp::Outlet;
///
/// let (half, other) = { let outlet = Outlet::new(); (outlet.clone(), outlet) };
/// assert!(half.is_empty() && other.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outlet(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    outbox: Outbox,
    /// What a client that listens is to be told.
    notices: Option<Notices>,
    /// Wakes whoever sends the stream.
    waker: Option<Waker>,
    /// How many pieces of the stream were picked up; the first one opens it.
    pieces: u64,
    keep_alive: bool,
    /// Whether it leads to lines, on which nothing but messages may stand.
    is_of_lines: bool,
}

impl State {
    /// Whether something waits to be sent.
    fn waits(&self) -> bool {
        let is_due = |notices: &Notices| !notices.is_empty();
        !self.outbox.is_empty() || self.keep_alive || self.notices.as_ref().is_some_and(is_due)
    }
}

impl Outlet {
    /// An outlet of a request of which nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// An outlet to lines.
    pub(crate) fn of_lines() -> Self {
        let outlet = Self::default();
        outlet.state().is_of_lines = true;
        outlet
    }

    /// Whether a quiet stream has to be kept alive.
    pub(crate) fn is_kept_alive(&self) -> bool {
        !self.state().is_of_lines
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what the client of a call wants to hear.
    pub(crate) fn attach(&self, call: &Call<'_>) {
        let outbox = Outbox::of(call);
        if outbox.is_open() {
            self.state().outbox = outbox;
        }
    }

    /// Hears of changes that a client listens for.
    pub(crate) fn hear(&self, notices: Notices) {
        let mut state = self.state();
        state.notices = Some(notices);
        wake(state);
    }

    pub(crate) fn hear_nothing(&self) {
        self.state().notices = None;
    }

    /// Says that nothing more comes, where it has to be said.
    pub(crate) fn end(&self) {
        if let Some(notices) = &mut self.state().notices {
            notices.end();
        }
    }

    pub(crate) fn tell(&self, change: &Change) {
        let mut state = self.state();
        if let Some(notices) = &mut state.notices {
            notices.push(change);
        }
        wake(state);
    }

    pub(crate) fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let mut state = self.state();
        state.outbox.progress(progress, total, message);
        wake(state);
    }

    pub(crate) fn log(
        &self,
        level: LogLevel,
        logger: Option<&str>,
        data: &impl serde::Serialize,
    ) -> Result<(), Fault> {
        if !self.state().outbox.wants(level) {
            return Ok(());
        }
        // Outside the lock: the application's code may come by here again.
        let data = StructuredContent::new(data)?;
        let mut state = self.state();
        let queued = state.outbox.record(level, logger, &data);
        wake(state);
        queued
    }

    /// How many pieces of the stream were picked up; none before it is open.
    pub(crate) fn pieces(&self) -> u64 {
        self.state().pieces
    }

    /// Says that the stream is alive, unless something else says so.
    pub(crate) fn keep_alive(&self) {
        let mut state = self.state();
        state.keep_alive = state.pieces > 0;
        wake(state);
    }

    /// Whether nothing waits to be sent.
    pub fn is_empty(&self) -> bool {
        let state = self.state();
        !state.waits()
    }

    /// Whom to wake when something is left here.
    pub(crate) fn watch(&self, waker: &Waker) {
        let mut state = self.state();
        match &mut state.waker {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
    }

    /// Picks up what waits to be sent, which opens the stream; empty if nothing does.
    pub(crate) fn pick_up(&self) -> Vec<u8> {
        let mut state = self.state();
        let mut piece = state.outbox.drain();
        if let Some(notices) = &mut state.notices {
            piece.extend(notices.drain());
        }
        if std::mem::take(&mut state.keep_alive) && piece.is_empty() {
            piece.extend_from_slice(sse::KEEP_ALIVE);
        }
        if !piece.is_empty() {
            state.pieces += 1;
        }
        piece
    }

    /// How many log records found no room.
    pub(crate) fn dropped(&self) -> u64 {
        self.state().outbox.dropped()
    }
}

/// Outside the lock, since a waker may run the stream at once.
fn wake(mut state: MutexGuard<'_, State>) {
    let waits = state.waits();
    let waker = state.waker.take_if(|_| waits);
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}
