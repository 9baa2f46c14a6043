//! What a session holds in this process: its streams, its calls in flight, its open questions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wymcp_core::{
    Change, ClientAnswer, EventId, EventKind, LegacyVersion, Limits, RequestId, Session,
};

use super::{
    question::{Asked, Asking},
    sessions::Found,
    stream::{Reader, Stream},
};
use crate::{
    Cancellation, Cancelled,
    changes::{Changes, Place},
    signal::Signal,
};

/// What a session holds in this process.
pub(crate) struct Live {
    version: LegacyVersion,
    /// What the ids of its events begin with.
    mark: String,
    limits: Limits,
    is_of_lines: bool,
    ended: Arc<Signal>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The session's own stream, once somebody has asked for it.
    own: Option<Stream>,
    /// Where that stream hears of changes.
    place: Option<Place>,
    /// The resources of whose updates it hears.
    subscriptions: BTreeSet<String>,
    /// The streams of calls: of all in flight, and of the last that have ended.
    streams: BTreeMap<u64, Stream>,
    calls: BTreeMap<u64, (RequestId<'static>, Cancellation)>,
    questions: BTreeMap<i32, Arc<Asked>>,
    /// The number of the next stream, or call.
    next: u64,
    next_question: i32,
}

/// The number of the session's own stream.
const OWN: u64 = 0;

/// How many streams are kept of calls whose answers were read, for clients whom they have not reached.
const ENDED: usize = 16;

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl Live {
    pub(crate) fn new(version: LegacyVersion, mark: String, limits: &Limits) -> Self {
        Self {
            version,
            mark,
            limits: limits.clone(),
            is_of_lines: false,
            ended: Arc::default(),
            state: Mutex::default(),
        }
    }

    /// Of the one client on lines.
    pub(crate) fn of_lines(version: LegacyVersion, limits: &Limits) -> Self {
        Self {
            is_of_lines: true,
            ..Self::new(version, String::new(), limits)
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all that the session holds.
    pub(crate) fn end(&self) {
        self.ended.give();
        let held = std::mem::take(&mut *self.state());
        drop(held);
    }

    /// The sign that the session has ended.
    pub(crate) fn ended(&self) -> Arc<Signal> {
        Arc::clone(&self.ended)
    }

    /// A new stream for the answer to a call, and the one connection that reads it.
    pub(crate) fn stream(&self) -> Option<Reader> {
        let mut state = self.state();
        state.next += 1;
        let number = state.next;
        state
            .streams
            .retain(|_, stream| stream.is_open() || !stream.is_over());
        let stream = Stream::new(&self.mark, number, self.version, &self.limits);
        let reader = stream.attach();
        state.streams.insert(number, stream);
        reader
    }

    /// Lets go the streams of calls that have ended, as far as there are too many.
    fn forget_surplus(&self) {
        let mut state = self.state();
        while let Some(surplus) = self.surplus(&state.streams) {
            state.streams.remove(&surplus);
        }
    }

    /// The stream that is forgotten next: one whose answer was read, else the oldest.
    fn surplus(&self, streams: &BTreeMap<u64, Stream>) -> Option<u64> {
        let ended = || streams.iter().filter(|(_, stream)| stream.is_over());
        let read = || ended().filter(|(_, stream)| stream.is_read());
        let bytes_of = |(_, stream): (&u64, &Stream)| stream.bytes();
        let limits = &self.limits;
        let are_many_read =
            read().count() > ENDED || read().map(bytes_of).sum::<usize>() > limits.stream_bytes;
        let are_many = ended().count() > limits.session_calls
            || ended().map(bytes_of).sum::<usize>() > limits.answer_bytes;
        let of_read = read().next().filter(|_| are_many_read || are_many);
        let surplus = of_read.or_else(|| ended().next().filter(|_| are_many));
        surplus.map(|(number, _)| *number)
    }

    /// The session's own stream, unless another connection reads it.
    pub(crate) fn own(
        self: &Arc<Self>,
        session: &Session,
        changes: Option<&Changes>,
    ) -> Option<Reader> {
        let mut state = self.state();
        state.subscriptions = session.subscriptions().cloned().collect();
        if state.own.is_none() {
            let stream = if self.is_of_lines {
                Stream::of_lines(&self.limits)
            } else {
                Stream::new(&self.mark, OWN, self.version, &self.limits)
            };
            state.own = Some(stream);
            state.place = changes.map(|changes| changes.listen_in_session(Arc::downgrade(self)));
        }
        let own = state.own.clone()?;
        drop(state);
        let reader = own.attach()?;
        own.greet();
        Some(reader)
    }

    /// The stream that has sent an event, for a client that wants what came behind it.
    pub(super) fn resume(&self, last: &EventId) -> Option<Reader> {
        if last.session() != self.mark {
            return None;
        }
        let state = self.state();
        let stream = match last.stream() {
            OWN => state.own.clone(),
            number => state.streams.get(&number).cloned(),
        };
        drop(state);
        stream?.resume(last)
    }

    /// Tells the client of a change, if it is one that it hears of.
    pub(crate) fn tell(&self, change: &Change) {
        let state = self.state();
        let is_heard = match change {
            Change::Resource(uri) => state.subscriptions.contains(&**uri),
            _ => true,
        };
        let own = state.own.clone().filter(|_| is_heard);
        drop(state);
        if let Some(own) = own {
            own.say(&wymcp_core::change_message(change), EventKind::Change);
        }
    }

    /// Hears of the updates of other resources than before.
    pub(crate) fn subscribed(&self, session: &Session) {
        self.state().subscriptions = session.subscriptions().cloned().collect();
    }

    /// A call that begins, if there is room for it.
    pub(super) fn begin(self: &Arc<Self>, id: RequestId<'static>) -> Option<InFlight> {
        let cancelled = Cancellation::default();
        let mut state = self.state();
        if state.calls.len() >= self.limits.session_calls {
            return None;
        }
        state.next += 1;
        let at = state.next;
        state.calls.insert(at, (id, cancelled.clone()));
        drop(state);
        Some(InFlight {
            live: Arc::clone(self),
            at,
            cancelled,
        })
    }

    /// Cancels what a client names.
    pub(crate) fn cancel(&self, id: &RequestId<'_>) {
        let calls = self.state().calls.clone();
        let named = calls.values().filter(|(other, _)| other == id);
        named.for_each(|(_, call)| call.cancel());
    }

    /// Puts a question down, and says under which id.
    pub(super) fn ask(&self, asked: &Arc<Asked>) -> i32 {
        let mut state = self.state();
        state.next_question = state.next_question.checked_add(1).unwrap_or(1);
        let id = state.next_question;
        state.questions.insert(id, Arc::clone(asked));
        id
    }

    pub(super) fn forget(&self, question: i32) {
        self.state().questions.remove(&question);
    }

    /// Gives an answer to whoever waits for it. Whether somebody does.
    pub(crate) fn answer(&self, id: &RequestId<'_>, answer: ClientAnswer) -> bool {
        let mut state = self.state();
        let mut ids = state.questions.keys().copied();
        let asked = ids.find(|open| RequestId::from(*open) == *id);
        let asked = asked.and_then(|open| state.questions.remove(&open));
        drop(state);
        let is_waited_for = asked.is_some();
        if let Some(asked) = asked {
            asked.answer(answer);
        }
        is_waited_for
    }
}

/// A call in flight, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    live: Arc<Live>,
    at: u64,
    cancelled: Cancellation,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let call = self.live.state().calls.remove(&self.at);
        drop(call);
        self.live.forget_surplus();
    }
}

/// A call's place in its session.
#[derive(Clone, Debug)]
pub(crate) struct InSession {
    pub(crate) found: Found,
    pub(crate) live: Arc<Live>,
    pub(crate) asking: Arc<Asking>,
    call: Arc<InFlight>,
}

impl InSession {
    pub(super) fn new(found: Found, live: Arc<Live>, id: RequestId<'static>) -> Option<Self> {
        Some(Self {
            found,
            asking: Arc::default(),
            call: Arc::new(live.begin(id)?),
            live,
        })
    }

    /// The sign that the client has cancelled the call.
    pub(crate) fn cancelled(&self) -> Cancelled {
        self.call.cancelled.cancelled()
    }
}
