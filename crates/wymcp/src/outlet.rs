//! Where a call's handler leaves what it says before its answer, and its stream picks it up.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

use wymcp_core::{Call, Change, Fault, LogLevel, Notices, Outbox, Reply, StructuredContent, sse};

use crate::{
    legacy::{InSession, Reader},
    lines::Ending,
};

/// The way from a running call to whoever sends its answer: the driver's half and the adapter's share it.
///
/// [`Answering`](crate::Answering) makes one for each request and gives it to [`converse`](crate::converse).
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
    /// The session of the call, if it is of one.
    session: Option<InSession>,
    /// The stream of a session that leads out here, in the place of the queue.
    reader: Option<Reader>,
    /// Wakes whoever sends the answer.
    waker: Option<Waker>,
    /// Wakes the conversation.
    runner: Option<Waker>,
    /// How many pieces of the stream were picked up; the first one opens it.
    pieces: u64,
    keep_alive: bool,
    /// The lines that it leads to, if it does: nothing but messages may stand there.
    lines: Option<Arc<Ending>>,
    /// Whether code of the application's runs, or may.
    has_begun: bool,
    client: Client,
    end: Option<End>,
}

/// Who waits for the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Client {
    /// Somebody, on whom the conversation depends.
    #[default]
    Waits,
    /// Somebody who may go: the conversation goes on.
    MayGo,
    /// Nobody any more.
    Gone,
}

/// How a conversation ends.
#[derive(Debug)]
pub(crate) enum End {
    Answered(Reply),
    /// It was given up, or its body broke off.
    Lost,
}

impl From<Option<Reply>> for End {
    fn from(reply: Option<Reply>) -> Self {
        reply.map_or(Self::Lost, Self::Answered)
    }
}

/// What is picked up at once.
pub(crate) struct Taken {
    pub(crate) piece: Vec<u8>,
    /// When nothing more comes.
    pub(crate) end: Option<End>,
    /// Whether the stream goes on elsewhere.
    pub(crate) is_cut: bool,
}

impl State {
    /// Whether something waits to be sent.
    fn waits(&self) -> bool {
        let is_due = |notices: &Notices| !notices.is_empty();
        let is_unread = |reader: &Reader| reader.waits();
        !self.outbox.is_empty()
            || self.keep_alive
            || self.notices.as_ref().is_some_and(is_due)
            || self.reader.as_ref().is_some_and(is_unread)
    }

    /// The stream, if it is that of the call: one that is the session's own outlives whoever reads it.
    fn of_call(&self) -> Option<&Reader> {
        self.reader.as_ref().filter(|_| self.session.is_some())
    }

    fn pick_up(&mut self) -> Vec<u8> {
        let mut piece = match &mut self.reader {
            Some(reader) => reader.read(),
            None => self.outbox.drain(),
        };
        if let Some(notices) = &mut self.notices {
            piece.extend(notices.drain());
        }
        if std::mem::take(&mut self.keep_alive) && piece.is_empty() {
            piece.extend_from_slice(sse::KEEP_ALIVE);
        }
        if !piece.is_empty() {
            self.pieces += 1;
        }
        piece
    }
}

impl Outlet {
    /// An outlet of a request of which nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// An outlet to lines.
    pub(crate) fn of_lines(ending: Arc<Ending>) -> Self {
        let outlet = Self::default();
        outlet.state().lines = Some(ending);
        outlet
    }

    /// The lines that it leads to, if it does.
    pub(crate) fn lines(&self) -> Option<Arc<Ending>> {
        self.state().lines.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that what follows may take its time.
    pub(crate) fn begin(&self) {
        self.state().has_begun = true;
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.state().has_begun
    }

    /// Says what the client of a call wants to hear.
    pub(crate) fn attach(&self, call: &Call<'_>) {
        let outbox = Outbox::of(call);
        let mut state = self.state();
        if outbox.is_open() || state.session.is_some() {
            state.outbox = outbox;
        }
    }

    /// Says of which session the call is, and by which of its streams it is answered.
    pub(crate) fn enter(&self, session: InSession, reader: Option<Reader>) {
        let mut state = self.state();
        state.session = Some(session);
        state.reader = reader;
        watch_anew(state);
    }

    /// Lets a stream of a session lead out here.
    pub(crate) fn read(&self, reader: Reader) {
        let mut state = self.state();
        state.reader = Some(reader);
        watch_anew(state);
    }

    /// Says that the conversation goes on though its client goes away.
    pub(crate) fn go_on(&self) {
        self.state().client = Client::MayGo;
    }

    /// The session of the call, if it is of one.
    pub(crate) fn session(&self) -> Option<InSession> {
        self.state().session.clone()
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
    pub(crate) fn end_notices(&self) {
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
        say(state);
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
        say(state);
        queued
    }

    /// Sends a question of a session.
    pub(crate) fn ask(&self, question: &[u8]) {
        let mut state = self.state();
        state.outbox.ask(question);
        say(state);
    }

    /// Ends the connection that waits, where the client can come back for the rest.
    pub(crate) fn hang_up(&self) {
        let reader = self.state().reader.clone();
        if let Some(reader) = reader {
            reader.hang_up();
        }
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

    /// Opens a stream on which nothing is said yet.
    pub(crate) fn open(&self) {
        let mut state = self.state();
        state.keep_alive = true;
        wake(state);
    }

    /// Whether nothing waits to be sent.
    pub fn is_empty(&self) -> bool {
        !self.state().waits()
    }

    /// Picks up what waits to be sent, which opens the stream; empty if nothing does.
    pub(crate) fn pick_up(&self) -> Vec<u8> {
        self.state().pick_up()
    }

    /// Picks up what waits to be sent, or the end when nothing does; and says whom to wake for more.
    pub(crate) fn take(&self, waker: &Waker) -> Taken {
        let mut state = self.state();
        match &mut state.waker {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        if let Some(reader) = &state.reader {
            reader.watch(waker);
        }
        let piece = state.pick_up();
        let is_cut = state.reader.as_ref().is_some_and(Reader::is_cut);
        // What was picked up by pieces leaves some for the next one.
        let end = if state.waits() {
            None
        } else {
            state.end.take()
        };
        let reader = state.reader.clone();
        drop(state);
        if let Some(reader) = reader {
            reader.was_read();
        }
        Taken { piece, end, is_cut }
    }

    /// Puts the answer on the stream, where that is open and each event has an id.
    pub(crate) fn settle(&self, reply: &mut Reply) {
        let reader = self.state().of_call().cloned();
        if let Some(reader) = reader {
            reader.end(Some(reply));
        }
    }

    /// Says that the conversation has ended.
    pub(crate) fn end(&self, mut reply: Option<Reply>) {
        let state = self.state();
        if state.end.is_some() {
            return;
        }
        let reader = state.of_call().cloned();
        drop(state);
        if let Some(reader) = reader {
            reader.end(reply.as_mut());
        }
        let mut state = self.state();
        state.end = Some(reply.into());
        watch_anew(state);
    }

    /// Says that nobody waits for the answer any more. Whether the conversation says nothing about that.
    pub(crate) fn leave(&self) -> bool {
        let mut state = self.state();
        if let Some(reader) = &state.reader {
            reader.leave();
        }
        let is_kept = state.client == Client::MayGo || state.session.is_some();
        let goes_on = is_kept && state.lines.is_none();
        let has_answered = matches!(state.end, Some(End::Answered(_)));
        if !goes_on {
            state.client = Client::Gone;
        }
        let runner = state.runner.take();
        drop(state);
        if let Some(runner) = runner {
            runner.wake();
        }
        has_answered || goes_on
    }

    /// Says that its client takes nothing: a call is given up, and of a session the connection.
    pub(crate) fn cut(&self) {
        let mut state = self.state();
        let reader = state.reader.clone();
        if reader.is_none() {
            state.client = Client::Gone;
        }
        let runner = state.runner.take();
        drop(state);
        if let Some(reader) = reader {
            reader.cut();
        }
        if let Some(runner) = runner {
            runner.wake();
        }
    }

    /// Whether nobody waits for the answer any more, and whom to wake when nobody does.
    pub(crate) fn is_given_up(&self, waker: &Waker) -> bool {
        let mut state = self.state();
        match &mut state.runner {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        state.client == Client::Gone
    }

    /// How many log records found no room.
    pub(crate) fn dropped(&self) -> u64 {
        let state = self.state();
        let reader = state.reader.as_ref().map_or(0, Reader::dropped);
        state.outbox.dropped().saturating_add(reader)
    }
}

/// Hands on what was said: to the session's stream, or to whoever sends the answer.
fn say(mut state: MutexGuard<'_, State>) {
    if let Some(reader) = state.reader.clone() {
        let said = state.outbox.take();
        drop(state);
        said.for_each(|(message, kind)| reader.say(&message, kind));
    } else {
        wake(state);
    }
}

/// Lets whoever sends the answer look again, since what it has to watch is another thing now.
fn watch_anew(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
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
