//! A stream of a session, and the connection that reads it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

use wymcp_core::{EventId, EventKind, LegacyVersion, Limits, Replay, Reply};

/// A stream of a session. It outlives the connection that reads it: a client can come back for what it has missed.
#[derive(Clone, Debug)]
pub(crate) struct Stream(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    replay: Replay,
    form: Form,
    /// Whether it has an event.
    is_open: bool,
    /// Whether nothing more comes.
    is_over: bool,
    /// The number of the connection that reads, of which there is one at a time.
    connection: u64,
    reads: Reads,
    /// Wakes whoever sends what is read.
    waker: Option<Waker>,
    /// Wakes whoever waits for the connection's end.
    attendant: Option<Waker>,
}

/// What a stream looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Events, of which the first gives an id to come back behind, and nothing else.
    Primed,
    /// Events.
    Events,
    /// Lines, on which no event has an id.
    Lines,
}

/// What the connection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Nothing,
    /// Whatever comes.
    On,
    /// What there is; then it ends.
    ToTheEnd,
}

impl State {
    fn open(&mut self) {
        if !self.is_open && self.form == Form::Primed {
            self.replay.prime(RETRY);
        }
        self.is_open = true;
    }

    fn wakers(&mut self) -> [Option<Waker>; 2] {
        [self.waker.take(), self.attendant.take()]
    }
}

/// After how many milliseconds a client is to come back whose connection has ended.
const RETRY: u32 = 1_000;

impl Stream {
    pub(super) fn new(mark: &str, number: u64, version: LegacyVersion, limits: &Limits) -> Self {
        let form = if version.primes_streams() {
            Form::Primed
        } else {
            Form::Events
        };
        Self::with(mark, number, form, limits)
    }

    /// The one that both sides of a pair of streams share.
    pub(super) fn of_lines(limits: &Limits) -> Self {
        Self::with("", 0, Form::Lines, limits)
    }

    fn with(mark: &str, number: u64, form: Form, limits: &Limits) -> Self {
        Self(Arc::new(Mutex::new(State {
            replay: Replay::new(mark, number, limits),
            form,
            is_open: false,
            is_over: false,
            connection: 0,
            reads: Reads::Nothing,
            waker: None,
            attendant: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Attaches a connection, unless another one is.
    pub(super) fn attach(&self) -> Option<Reader> {
        let mut state = self.state();
        if state.reads == Reads::On {
            return None;
        }
        Some(self.attached(&mut state))
    }

    fn attached(&self, state: &mut State) -> Reader {
        state.connection += 1;
        state.reads = Reads::On;
        Reader {
            stream: self.clone(),
            connection: state.connection,
        }
    }

    /// Attaches a connection behind the event that it names, in the place of another one; `None` for an event that this
    /// stream has not sent, and for the last one of all: a client that came back for nothing would do so for ever.
    pub(super) fn resume(&self, last: &EventId) -> Option<Reader> {
        let mut state = self.state();
        let is_sent = state.replay.resume(last);
        if !is_sent || (state.is_over && state.replay.is_read()) {
            return None;
        }
        let reader = self.attached(&mut state);
        wake(state);
        Some(reader)
    }

    /// Gives a client that begins to read an event to come back behind, though nothing is said yet.
    pub(super) fn greet(&self) {
        let mut state = self.state();
        if state.form == Form::Primed {
            state.replay.prime(RETRY);
        }
        state.is_open = true;
    }

    pub(super) fn say(&self, message: &[u8], kind: EventKind) {
        let mut state = self.state();
        state.open();
        state.replay.push(message, kind);
        wake(state);
    }

    /// Whether nothing more comes. A stream that was never opened needs not be kept.
    pub(super) fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// Whether nobody has to come back for anything.
    pub(super) fn is_read(&self) -> bool {
        self.state().replay.is_read()
    }

    /// How much it holds.
    pub(super) fn bytes(&self) -> usize {
        self.state().replay.bytes()
    }

    pub(super) fn is_open(&self) -> bool {
        self.state().is_open
    }
}

/// Outside the lock, since a waker may run a stream at once.
fn wake(mut state: MutexGuard<'_, State>) {
    let wakers = state.wakers();
    drop(state);
    wakers.into_iter().flatten().for_each(Waker::wake);
}

/// The one connection that reads a stream.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    stream: Stream,
    connection: u64,
}

impl Reader {
    fn state(&self) -> Option<MutexGuard<'_, State>> {
        Some(self.stream.state()).filter(|state| state.connection == self.connection)
    }

    /// Whether something waits for this connection.
    pub(crate) fn waits(&self) -> bool {
        self.state().is_some_and(|state| !state.replay.is_read())
    }

    pub(crate) fn watch(&self, waker: &Waker) {
        if let Some(mut state) = self.state() {
            state.waker = Some(waker.clone());
        }
    }

    /// Says whom to wake when nothing more comes.
    pub(super) fn watch_end(&self, waker: &Waker) {
        if let Some(mut state) = self.state() {
            state.attendant = Some(waker.clone());
        }
    }

    pub(crate) fn read(&self) -> Vec<u8> {
        self.state()
            .map_or_else(Vec::new, |mut state| match state.form {
                Form::Lines => state.replay.read_lines(),
                Form::Primed | Form::Events => state.replay.read(),
            })
    }

    /// Says that something was read, to whoever waits until all is.
    pub(crate) fn was_read(&self) {
        let Some(mut state) = self.state() else {
            return;
        };
        let ends = state.is_over || state.reads == Reads::ToTheEnd;
        let attendant = state.attendant.take_if(|_| ends);
        drop(state);
        if let Some(attendant) = attendant {
            attendant.wake();
        }
    }

    /// Whether this connection gets nothing more: another one took its place, or it is to hang up.
    pub(crate) fn is_cut(&self) -> bool {
        self.state()
            .is_none_or(|state| state.reads == Reads::ToTheEnd && state.replay.is_read())
    }

    /// Whether all was said, and read.
    pub(super) fn is_done(&self) -> bool {
        self.state()
            .is_none_or(|state| state.is_over && state.replay.is_read())
    }

    /// Adds to the stream, whoever reads it.
    pub(crate) fn say(&self, message: &[u8], kind: EventKind) {
        self.stream.say(message, kind);
    }

    /// Lets the connection end, if its client has an event to come back behind.
    pub(crate) fn hang_up(&self) {
        let mut state = self.stream.state();
        // Clients of an older revision do not come back by themselves.
        if state.form != Form::Primed {
            return;
        }
        state.open();
        state.reads = Reads::ToTheEnd;
        wake(state);
    }

    /// Lets the connection end, with whatever it has not read.
    pub(crate) fn cut(&self) {
        let Some(mut state) = self.state() else {
            return;
        };
        state.connection += 1;
        state.reads = Reads::Nothing;
        wake(state);
    }

    /// Says that nothing more comes, with the answer on the stream if it is open.
    pub(crate) fn end(&self, reply: Option<&mut Reply>) {
        if let Some(reply) = reply
            && self.stream.is_open()
        {
            let answer = std::mem::take(&mut reply.body);
            if !answer.is_empty() {
                self.stream.say(&answer, EventKind::Kept);
            }
        }
        let mut state = self.stream.state();
        state.is_over = true;
        wake(state);
    }

    /// Says that this connection reads no more.
    pub(crate) fn leave(&self) {
        if let Some(mut state) = self.state() {
            state.reads = Reads::Nothing;
        }
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.stream.state().replay.dropped()
    }
}
