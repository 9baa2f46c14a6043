//! The driver of lines: messages on a stream that both sides share.

use std::{
    fmt,
    future::{Future, poll_fn},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    task::Poll,
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::FutureExt as _;
use wymcp_core::{Batch, Call, Event, LegacyTurn, Principal, Reply, RequestId, SessionEdit, Turn};

use crate::{
    AnswerStream, Answers, Clock, Conversation, Outlet, Server,
    in_flight::{Counts, InFlight, Place},
    legacy::{Found, enter, send},
    listening::listen,
    running::run,
    sealing,
    signal::{Signal, Wait},
};

/// The client on a pair of streams, and what it has said so far: one for each pair.
///
/// See [`Lines::take`].
pub struct Lines {
    server: Server,
    principal: Principal,
    ending: Arc<Ending>,
    in_flight: Arc<InFlight>,
    /// The session, once the client has opened one.
    session: Arc<Mutex<Option<Found>>>,
}

/// The end of a pair of streams.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    begun: Arc<Signal>,
    /// When it began, and for how long calls in flight may go on from then.
    grace: OnceLock<(Instant, Duration)>,
}

impl Ending {
    /// Ends when the input has.
    pub(crate) fn begun(&self) -> Wait<Arc<Signal>> {
        Wait::new(Arc::clone(&self.begun))
    }

    /// How long calls in flight may still go on then.
    pub(crate) fn grace(&self) -> Duration {
        let grace = self.grace.get();
        grace.map_or(Duration::ZERO, |(began, grace)| {
            grace.saturating_sub(began.elapsed())
        })
    }
}

impl Lines {
    /// A client, and what it is told. The principal is on whose behalf the lines come: nobody is asked, as whoever can write
    /// them started the server.
    pub fn new(server: Server, principal: Principal) -> (Self, Answers) {
        let lines = Self {
            server,
            principal,
            ending: Arc::default(),
            in_flight: Arc::default(),
            session: Arc::default(),
        };
        let answers = Answers::new(Arc::clone(&lines.in_flight));
        (lines, answers)
    }

    /// Says that the input has ended: what is told of changes ends, and a call that does not end by itself within `grace` is
    /// a fault. Other clients of the server do not notice.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wymcp::{Lines, Principal, Server};
    ///
    /// let server = Server::builder("empty", "1.0.0").build()?;
    /// let (lines, _answers) = Lines::new(server, Principal::named("ada"));
    /// // Her input has ended.
    /// lines.end(Duration::from_secs(10));
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn end(&self, grace: Duration) {
        let _ = self.ending.grace.set((Instant::now(), grace));
        self.ending.begun.give();
    }

    /// Ends when there is room for what one more line may come to: when the client has read all but
    /// [`Limits::in_flight`](crate::Limits::in_flight) of the answers that are due to it.
    ///
    /// Whoever reads the lines waits for it before each, and nobody else does. A client that keeps to the limit never
    /// makes it wait, and so its cancellations and answers always get through to its calls.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Clock, Lines};
    ///
    /// /// What runs all that begins in one task.
    /// async fn take_all(lines: Lines, input: Vec<String>, clock: impl Clock + Clone + 'static) {
    ///     for line in input {
    ///         lines.room().await;
    ///         lines.take(line.into(), clock.clone()).map(tokio::task::spawn_local);
    ///     }
    /// }
    /// ```
    pub fn room(&self) -> impl Future<Output = ()> {
        self.in_flight.room(self.server.limits().in_flight)
    }

    /// Takes one line, without its line break: what a client sent on standard input, say.
    ///
    /// Returns at once: code of the application runs only as the conversation is polled, so a driver can spawn it. Several can
    /// be on their way, and all come out at the [`Answers`]; a cancellation finds the one that it means. Events are emitted on
    /// the way.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::{future::Future, time::Duration};
    ///
    /// use wymcp::{Clock, Context, Lines, NoArguments, Principal, Server, tool};
    ///
    /// struct Tokio;
    ///
    /// impl Clock for Tokio {
    ///     fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
    ///         tokio::time::sleep(duration)
    ///     }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let greet = tool("greet").run(async |_: NoArguments, _: Context| Ok("Hello!"));
    /// let server = Server::builder("greeter", "1.0.0").tool(greet).build().unwrap();
    /// let (lines, mut answers) = Lines::new(server, Principal::anonymous());
    /// let take = |line: &'static str| lines.take(line.into(), Tokio);
    ///
    /// assert!(take("Hello?").is_none(), "no message");
    ///
    /// lines.room().await;
    /// let conversation = take(
    ///     r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet", "_meta": {
    ///         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    ///         "io.modelcontextprotocol/clientCapabilities": {}
    ///     }}}"#,
    /// );
    /// tokio::spawn(conversation.expect("a call"));
    /// let piece = answers.next().await.unwrap();
    /// assert!(piece.starts_with(br#"{"jsonrpc":"2.0","id":7,"result":"#) && piece.ends_with(b"\n"));
    ///
    /// lines.end(Duration::from_secs(1));
    /// drop(lines);
    /// assert_eq!(answers.next().await, None);
    /// # });
    /// ```
    pub fn take<C: Clock>(
        &self,
        line: Bytes,
        clock: C,
    ) -> Option<Conversation<impl Future<Output = Option<Reply>> + use<C>>> {
        let outlet = Outlet::of_lines(Arc::clone(&self.ending));
        let began = Arc::new(OnceLock::new());
        let taking = Taking {
            server: self.server.clone(),
            principal: self.principal.clone(),
            session: Arc::clone(&self.session),
            in_flight: Arc::clone(&self.in_flight),
            outlet: outlet.clone(),
            began: Arc::clone(&began),
        };
        let mut run = Box::pin(taking.converse(line, clock));
        // Nothing is to be woken yet: whoever polls the conversation begins anew.
        let first = (&mut run).now_or_never();
        let (id, counts) = began.get().cloned().unwrap_or((None, Counts::ToItsEnd));
        let ended = match first {
            Some(reply) if reply.as_ref().is_none_or(|reply| reply.body.is_empty()) => return None,
            ended => ended,
        };
        let place = Place::new(&self.in_flight, id, counts);
        let conversation = match ended {
            None => {
                let run = Conversation::new(self.server.clone(), run, outlet.clone());
                Some(run.until(place.cancelled()))
            }
            Some(reply) => {
                outlet.end(reply);
                None
            }
        };
        let answer = AnswerStream::lines(self.server.clone(), outlet, place);
        self.in_flight.begin(answer);
        conversation
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.in_flight.close();
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").finish_non_exhaustive()
    }
}

/// What is not answered at once: by which id it can be cancelled, and for how long it counts.
type Began = (Option<RequestId<'static>>, Counts);

/// One line on its way.
struct Taking {
    server: Server,
    principal: Principal,
    session: Arc<Mutex<Option<Found>>>,
    in_flight: Arc<InFlight>,
    outlet: Outlet,
    began: Arc<OnceLock<Began>>,
}

impl Taking {
    async fn converse<C: Clock>(self, line: Bytes, mut clock: C) -> Option<Reply> {
        let reply = self.walk(line, &mut clock).await;
        Some(self.server.emit_all(reply))
    }

    fn found(&self) -> Option<Found> {
        let session = self.session.lock();
        session.unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn walk<C: Clock>(&self, line: Bytes, clock: &mut C) -> Reply {
        let protocol = self.server.protocol();
        let found = self.found();
        let turn = match protocol.read_line(&line, self.principal.clone()) {
            Ok(authorized) => {
                let authorized = match &found {
                    Some(found) => authorized.in_session(found.session()),
                    None => authorized,
                };
                authorized.at(sealing::now()).proceed()
            }
            Err(reply) => Turn::Reply(reply),
        };
        let subscription = match turn {
            Turn::Reply(reply) => return reply,
            Turn::Cancel { id, reply } => {
                self.in_flight.cancel(&id);
                return reply;
            }
            Turn::Call(call) => {
                let id = call.request_id().clone().into_owned();
                self.begin(Some(id), Counts::ToItsEnd).await;
                return self.call(*call, found.as_ref(), clock).await;
            }
            Turn::Legacy(turn) => return self.drive(turn, found.clone(), clock).await,
            Turn::Listen(subscription) => *subscription,
        };
        drop((line, protocol));
        let id = subscription.request_id().clone();
        self.begin(Some(id), Counts::ToItsBeginning).await;
        listen(&self.server, subscription, clock, &self.outlet).await
    }

    /// Says that what follows takes its time, and leaves it to whoever polls next.
    async fn begin(&self, id: Option<RequestId<'static>>, counts: Counts) {
        let _ = self.began.set((id, counts));
        let mut looked = false;
        poll_fn(|_| {
            if std::mem::replace(&mut looked, true) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    async fn call<C: Clock>(&self, call: Call<'_>, found: Option<&Found>, clock: &mut C) -> Reply {
        // Of a message that says all of itself the session is not asked.
        let entered = match found.filter(|_| call.is_in_session()) {
            Some(found) => enter(found, call, &self.outlet),
            None => Ok(call),
        };
        match entered {
            Ok(call) => run(&self.server, call, clock, &self.outlet).await,
            Err(refusal) => refusal,
        }
    }

    async fn drive<C: Clock>(
        &self,
        turn: LegacyTurn<'_>,
        found: Option<Found>,
        clock: &mut C,
    ) -> Reply {
        match turn {
            LegacyTurn::Initialize(handshake) => {
                let opened = Found::of_lines(handshake.session().clone(), self.server.limits());
                let version = opened.session().version();
                self.server.emit(&Event::SessionOpened { version });
                let session = self.session.lock();
                let before = session
                    .unwrap_or_else(PoisonError::into_inner)
                    .replace(opened);
                // A client that starts again has forgotten what it had.
                if let Some(live) = before.and_then(|before| before.live) {
                    live.end();
                }
                handshake.accept(None)
            }
            LegacyTurn::Edit { edit, reply } => self.edit(edit, reply, clock).await,
            LegacyTurn::Cancel { id, reply } => {
                self.in_flight.cancel(&id);
                // What is in a batch is no request of its own there.
                if let Some(live) = found.and_then(|found| found.live) {
                    live.cancel(&id);
                }
                reply
            }
            LegacyTurn::Answer { id, answer, reply } => {
                let live = found.and_then(|found| found.live);
                if !live.is_some_and(|live| live.answer(&id, answer)) {
                    let question = id.shown();
                    self.server.emit(&Event::AnswerIgnored { question });
                }
                reply
            }
            LegacyTurn::Batch(batch) => {
                self.begin(None, Counts::ToItsEnd).await;
                self.each(batch, found, clock).await
            }
            LegacyTurn::End { reply } => reply,
            LegacyTurn::Attach(attachment) => attachment.refuse_taken(),
        }
    }

    async fn edit<C: Clock>(&self, edit: SessionEdit, reply: Reply, clock: &mut C) -> Reply {
        let found = self.apply(&edit);
        if edit != SessionEdit::Ready {
            return reply;
        }
        let told = found.and_then(|found| {
            let live = found.live.clone()?;
            let reader = live.own(found.session(), self.server.changes())?;
            Some((found, live, reader))
        });
        let Some((found, live, reader)) = told else {
            return reply;
        };
        self.begin(None, Counts::Never).await;
        send(&self.server, &found, &live, reader, clock, &self.outlet).await
    }

    fn apply(&self, edit: &SessionEdit) -> Option<Found> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = session.as_mut() {
            found.apply(edit);
        }
        session.clone()
    }

    async fn each<C: Clock>(&self, batch: Batch<'_>, found: Option<Found>, clock: &mut C) -> Reply {
        let mut replies = Vec::new();
        for turn in batch.turns {
            replies.push(match turn {
                Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply,
                Turn::Call(call) => self.call(*call, found.as_ref(), clock).await,
                Turn::Listen(subscription) => subscription.refuse_busy(),
                // What changes are told of comes by a line of its own, which a batch has no room for.
                Turn::Legacy(LegacyTurn::Edit { edit, reply }) => {
                    self.apply(&edit);
                    reply
                }
                Turn::Legacy(turn) => Box::pin(self.drive(turn, found.clone(), clock)).await,
            });
        }
        Batch::finish(replies)
    }
}
