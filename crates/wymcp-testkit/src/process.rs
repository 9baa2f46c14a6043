//! Cases in process: the whole server, without a socket.

use std::{
    collections::VecDeque,
    future::{Future, pending, poll_fn},
    pin::{Pin, pin},
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::Duration,
};

use wymcp::{Bytes, Clock, Event, Exchange, Reply, Server, answer};

use crate::{Answer, Case, CaseSession, Request, fixture, redaction, session::session_id};

/// What a case came to in process.
///
/// # Examples
///
/// ```
/// use wymcp::{Event, RejectionReason};
/// use wymcp_testkit::{Case, Outcome, in_process};
///
/// let cases = Case::all();
/// let case = cases.iter().find(|case| case.name == "origin/refuses-null").unwrap();
/// let Outcome { answer, events, .. } = in_process(case);
/// assert_eq!(answer.unwrap().status, 403);
/// let [Event::Rejected { reason, .. }] = &events[..] else { panic!("one event") };
/// assert_eq!(*reason, RejectionReason::OriginNotAllowed);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The answer; `None` when none was due.
    pub answer: Option<Answer>,
    /// What the server recorded, in order.
    pub events: Vec<Event>,
}

/// Runs a case through [`wymcp::answer`], without a socket. Short times pass at once: a body that stalls has stalled for
/// long enough.
///
/// # Panics
///
/// When the case names no [fixture](fixture), its handler waits for something that does not come, or the official
/// schema refuses the answer (see [`Answer::judge`]).
///
/// # Examples
///
/// ```
/// for case in wymcp_testkit::Case::all() {
///     let outcome = wymcp_testkit::in_process(&case);
///     assert_eq!(outcome.answer.is_some(), case.answer.is_some());
/// }
/// ```
pub fn in_process(case: &Case) -> Outcome {
    redaction::watched(|| run(case))
}

fn run(case: &Case) -> Outcome {
    let events = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&events);
    let builder = fixture::builder(&case.server)
        .unwrap_or_else(|| panic!("no fixture is named {}", case.server));
    let builder = builder.on_event(move |event| {
        redaction::look_at(event);
        taken
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event.clone());
    });
    let server = fixture::finish(&case.server, builder);
    let (request, listener) = match &case.session {
        Some(session) => enter(&server, session, &case.request),
        None => (case.request.clone(), None),
    };
    // What came before is none of the case's.
    drain(&events);
    let answer = ask(&server, &request);
    if let Some(answer) = &answer {
        let verdict = case.judge(answer);
        verdict.unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
    }
    let events = drain(&events);
    drop(listener);
    Outcome { answer, events }
}

fn drain(events: &Mutex<Vec<Event>>) -> Vec<Event> {
    std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner))
}

fn ask(server: &Server, request: &Request) -> Option<Answer> {
    redaction::note(request);
    let mut body = Body::of(request);
    block_on(answer(server, &request.head(), &mut body)).map(Answer::from)
}

/// A connection that is not at its end yet.
type Waiting = Pin<Box<dyn Future<Output = ()>>>;

/// Opens the session of a case, and puts its id into the case's request.
fn enter(server: &Server, session: &CaseSession, request: &Request) -> (Request, Option<Waiting>) {
    let opened = session_id(ask(server, &session.initialize()));
    let id = opened.unwrap_or_else(|fault| panic!("{fault}"));
    for preparation in session.preparations(&id) {
        ask(server, &preparation);
    }
    let listener = session.listener(&id).map(|request| {
        let server = server.clone();
        let mut waiting: Waiting =
            Box::pin(async move { drop(ask_slowly(&server, &request).await) });
        let polled = waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending(), "nobody listens");
        waiting
    });
    (request.clone().in_session(&id), listener)
}

async fn ask_slowly(server: &Server, request: &Request) -> Option<Reply> {
    answer(server, &request.head(), &mut Body::of(request)).await
}

struct Body {
    chunks: VecDeque<Bytes>,
    end: End,
}

enum End {
    Whole,
    Stalled,
    BrokenOff,
}

impl Body {
    fn of(request: &Request) -> Self {
        let end = match (request.is_truncated(), request.closes) {
            (false, _) => End::Whole,
            (true, false) => End::Stalled,
            (true, true) => End::BrokenOff,
        };
        Self {
            chunks: request.chunks().map(Bytes::copy_from_slice).collect(),
            end,
        }
    }
}

impl Exchange for Body {
    type BodyFault = &'static str;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, &'static str>> {
        match (self.chunks.pop_front(), &self.end) {
            (Some(chunk), _) => Some(Ok(chunk)),
            (None, End::Whole) => None,
            (None, End::Stalled) => pending().await,
            (None, End::BrokenOff) => Some(Err("the client went away")),
        }
    }
}

impl Clock for Body {
    // Asked only after the work itself has been asked and was not ready.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
        poll_fn(move |_| {
            if duration < LONG {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
    }
}

/// What takes so long never comes to pass.
const LONG: Duration = Duration::from_secs(1);

/// How long a handler may make its case wait.
const PATIENCE: Duration = Duration::from_secs(10);

fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    let began = std::time::Instant::now();
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        assert!(began.elapsed() < PATIENCE, "nothing wakes the handler");
        thread::park_timeout(PATIENCE);
    }
}
