//! A stream of a session: its messages, each with an id by which a client can come back for the next.

use std::{collections::VecDeque, fmt};

use crate::{limits::Limits, wrapping::line};

/// The name of one event of one stream of one session, as the client gives it back.
///
/// # Examples
///
/// ```
/// use wymcp_core::EventId;
///
/// let id = EventId::parse("5f3a-0-12").unwrap();
/// assert_eq!((id.session(), id.stream()), ("5f3a", 0));
/// assert_eq!(id.to_string(), "5f3a-0-12");
/// assert_eq!(EventId::parse("5f3a-0"), None);
/// assert_eq!(EventId::parse("5f3a-00-12"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventId {
    session: String,
    stream: u64,
    at: u64,
}

impl EventId {
    /// Reads an id that [`Replay`] has written.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (session, stream, at) = (parts.next()?, parts.next()?, parts.next()?);
        let id = Self {
            session: session.to_owned(),
            stream: stream.parse().ok()?,
            at: at.parse().ok()?,
        };
        (id.to_string() == text).then_some(id)
    }

    /// What the ids of one session begin with.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The number of the stream in its session.
    pub fn stream(&self) -> u64 {
        self.stream
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            session,
            stream,
            at,
        } = self;
        write!(f, "{session}-{stream}-{at}")
    }
}

/// What becomes of an event of which there are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a stream has to know what it holds"
)]
pub enum EventKind {
    /// An answer, or a question: kept until it was read.
    Kept,
    /// Progress, or a log record: dropped when there is no room.
    Passing,
    /// A change: said once, however often it comes before it was read; dropped when there is no room.
    Change,
}

/// The messages of one stream: those that the client has still to read, and behind them those that it has read lately, for
/// the case that they did not arrive.
///
/// Bounded by [`Limits::stream_messages`] and [`Limits::stream_bytes`].
///
/// # Examples
///
/// ```
/// use wymcp_core::{EventId, EventKind, Limits, Replay};
///
/// let mut stream = Replay::new("5f3a", 1, &Limits::default());
/// stream.prime(1_000);
/// stream.push(b"{}", EventKind::Kept);
/// let sent = String::from_utf8(stream.read()).unwrap();
/// assert_eq!(sent, "id: 5f3a-1-0\nretry: 1000\ndata: \n\nid: 5f3a-1-1\ndata: {}\n\n");
/// assert!(stream.is_read());
///
/// // The connection broke off in between.
/// assert!(stream.resume(&EventId::parse("5f3a-1-0").unwrap()));
/// assert_eq!(stream.read(), b"id: 5f3a-1-1\ndata: {}\n\n");
/// assert_eq!((stream.dropped(), stream.bytes()), (0, 2));
///
/// // On lines there is nothing to come back for.
/// stream.push(b"{}", EventKind::Change);
/// assert_eq!(stream.read_lines(), b"{}\n");
/// ```
#[derive(Debug)]
pub struct Replay {
    session: String,
    stream: u64,
    events: VecDeque<Replayed>,
    bytes: usize,
    /// The number of the next event.
    next: u64,
    /// The number of the first event that was not read.
    unread: u64,
    /// The number behind the last event that was ever read: of those before it a client may name one.
    sent: u64,
    most_messages: usize,
    most_bytes: usize,
    dropped: u64,
}

#[derive(Debug)]
struct Replayed {
    at: u64,
    kind: EventKind,
    message: Vec<u8>,
    /// In milliseconds: when the client is to come back, in an event that says nothing else.
    retry: Option<u32>,
}

impl Replay {
    /// A stream of a session, of whose event ids the first part is the session's alone.
    pub fn new(session: &str, stream: u64, limits: &Limits) -> Self {
        Self {
            session: session.to_owned(),
            stream,
            events: VecDeque::new(),
            bytes: 0,
            next: 0,
            unread: 0,
            sent: 0,
            most_messages: limits.stream_messages,
            most_bytes: limits.stream_bytes,
            dropped: 0,
        }
    }

    /// Adds an event that says nothing but its id, and after how many milliseconds a client is to come back.
    pub fn prime(&mut self, retry: u32) {
        self.add(Vec::new(), EventKind::Kept, Some(retry));
    }

    /// Adds a message.
    pub fn push(&mut self, message: &[u8], kind: EventKind) {
        let is_said = |event: &Replayed| event.at >= self.unread && event.message == message;
        if kind == EventKind::Change && self.events.iter().any(is_said) {
            return;
        }
        self.add(message.to_vec(), kind, None);
    }

    fn add(&mut self, message: Vec<u8>, kind: EventKind, retry: Option<u32>) {
        self.bytes = self.bytes.saturating_add(message.len());
        let at = self.next;
        self.next = self.next.saturating_add(1);
        self.events.push_back(Replayed {
            at,
            kind,
            message,
            retry,
        });
        while self.events.len() > self.most_messages || self.bytes > self.most_bytes {
            // What was read goes first; then what nobody has to know.
            let is_read = |event: &Replayed| event.at < self.unread;
            let passes = |event: &Replayed| event.kind != EventKind::Kept;
            let Some(gone) = self.events.iter().position(|it| is_read(it) || passes(it)) else {
                return;
            };
            let Some(event) = self.events.remove(gone) else {
                return;
            };
            self.bytes = self.bytes.saturating_sub(event.message.len());
            if event.at >= self.unread {
                self.dropped = self.dropped.saturating_add(1);
            }
        }
    }

    /// Whether nothing waits to be read.
    pub fn is_read(&self) -> bool {
        self.events
            .back()
            .is_none_or(|event| event.at < self.unread)
    }

    /// How many bytes of messages it holds.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many messages were dropped unread.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// What waits to be read, as one piece of the stream.
    pub fn read(&mut self) -> Vec<u8> {
        let mut piece = Vec::new();
        for event in self.events.iter().filter(|event| event.at >= self.unread) {
            let id = EventId {
                session: self.session.clone(),
                stream: self.stream,
                at: event.at,
            };
            piece.extend_from_slice(format!("id: {id}\n").as_bytes());
            if let Some(retry) = event.retry {
                piece.extend_from_slice(format!("retry: {retry}\n").as_bytes());
            }
            piece.extend_from_slice(b"data: ");
            piece.extend_from_slice(&event.message);
            piece.extend_from_slice(b"\n\n");
        }
        self.unread = self.next;
        let last = self
            .events
            .back()
            .map_or(0, |event| event.at.saturating_add(1));
        self.sent = self.sent.max(last);
        piece
    }

    /// What waits to be read, as lines: for a stream that both sides share, where nothing is missed.
    pub fn read_lines(&mut self) -> Vec<u8> {
        let unread = self.unread;
        self.unread = self.next;
        let events = self.events.drain(..).filter(|event| event.at >= unread);
        let said = events.filter(|event| !event.message.is_empty());
        let lines = said.flat_map(|event| line(&event.message)).collect();
        self.bytes = 0;
        lines
    }

    /// Goes back to the event behind the one that a client names, as far as it is still there. Whether it is one that this
    /// stream has sent.
    pub fn resume(&mut self, last: &EventId) -> bool {
        let is_own = last.session == self.session && last.stream == self.stream;
        let is_sent = is_own && last.at < self.sent;
        if is_sent {
            self.unread = last.at.saturating_add(1);
        }
        is_sent
    }
}
