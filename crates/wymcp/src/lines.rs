//! The driver of lines: messages on a stream that both sides share.

use std::{
    fmt,
    future::{Future, poll_fn},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use futures_util::FutureExt as _;
use wymcp_core::{Batch, Call, Event, LegacyTurn, Principal, Reply, RequestId, SessionEdit, Turn};

use crate::{
    AnswerStream, Clock, Conversation, Outlet, Server,
    legacy::{Found, enter, send},
    listening::listen,
    running::run,
    sealing,
    signal::{Signal, Wait},
};

/// What becomes of a line; [`Lines::take`] says it.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that does not know one of these would lose a line"
)]
pub enum LineTurn<F> {
    /// Send this, which is one line or nothing.
    Answered(Bytes),
    /// Drop the answer to the request of this id, if one is on its way: nothing more of it is sent.
    Cancel(RequestId<'static>),
    /// Something comes, in pieces of whole lines.
    Begun {
        /// The id of the request that is answered, by which it can be cancelled; `None` for what a client is told without
        /// asking each time.
        id: Option<RequestId<'static>>,
        /// The pieces. Dropping it cancels the call.
        answer: AnswerStream,
        /// What makes them, for the host to spawn.
        conversation: Conversation<F>,
    },
}

/// The client on a pair of streams, and what it has said so far: one for each pair.
///
/// See [`Lines::take`].
pub struct Lines {
    server: Server,
    principal: Principal,
    ending: Arc<Ending>,
    /// The session, once the client has opened one.
    session: Arc<Mutex<Option<Found>>>,
}

/// The end of a pair of streams.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    begun: Arc<Signal>,
    grace: OnceLock<Duration>,
}

impl Ending {
    /// Ends when the input has.
    pub(crate) fn begun(&self) -> Wait<Arc<Signal>> {
        Wait::new(Arc::clone(&self.begun))
    }

    /// How long calls in flight may go on then.
    pub(crate) fn grace(&self) -> Duration {
        self.grace.get().copied().unwrap_or_default()
    }
}

impl Lines {
    /// The principal is on whose behalf the lines come: nobody is asked, as whoever can write them started the server.
    pub fn new(server: Server, principal: Principal) -> Self {
        Self {
            server,
            principal,
            ending: Arc::default(),
            session: Arc::default(),
        }
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
    /// let lines = Lines::new(server, Principal::named("ada"));
    /// // Her input has ended.
    /// lines.end(Duration::from_secs(10));
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn end(&self, grace: Duration) {
        let _ = self.ending.grace.set(grace);
        self.ending.begun.give();
    }

    /// Takes one line, without its line break: what a client sent on standard input, say.
    ///
    /// Returns at once: code of the application runs only as the conversation is polled, so a driver can spawn it. Several can
    /// be on their way. Events are emitted on the way.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::{future::{Future, poll_fn}, pin::Pin, time::Duration};
    ///
    /// use futures_util::Stream as _;
    /// use wymcp::{Clock, Context, LineTurn, Lines, NoArguments, Principal, Server, tool};
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
    /// let lines = Lines::new(server, Principal::anonymous());
    /// let take = |line: &'static str| lines.take(line.into(), Tokio);
    ///
    /// let LineTurn::Answered(nothing) = take("Hello?") else { unreachable!("no message") };
    /// assert!(nothing.is_empty());
    ///
    /// let LineTurn::Begun { id: Some(id), mut answer, conversation } = take(
    ///     r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet", "_meta": {
    ///         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    ///         "io.modelcontextprotocol/clientCapabilities": {}
    ///     }}}"#,
    /// ) else {
    ///     unreachable!("a call");
    /// };
    /// assert_eq!(id.to_string(), "7");
    /// tokio::spawn(conversation);
    /// let piece = poll_fn(|context| Pin::new(&mut answer).poll_next(context)).await.unwrap();
    /// assert!(piece.starts_with(br#"{"jsonrpc":"2.0","id":7,"result":"#) && piece.ends_with(b"\n"));
    ///
    /// let cancel = r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}"#;
    /// assert!(matches!(take(cancel), LineTurn::Cancel(id) if id.to_string() == "7"));
    /// # });
    /// ```
    pub fn take<C: Clock>(
        &self,
        line: Bytes,
        clock: C,
    ) -> LineTurn<impl Future<Output = Option<Reply>> + use<C>> {
        let outlet = Outlet::of_lines(Arc::clone(&self.ending));
        let began = Arc::new(OnceLock::new());
        let taking = Taking {
            server: self.server.clone(),
            principal: self.principal.clone(),
            session: Arc::clone(&self.session),
            outlet: outlet.clone(),
            began: Arc::clone(&began),
        };
        let mut run = Box::pin(taking.converse(line, clock));
        // Nothing is to be woken yet: whoever polls the conversation begins anew.
        let first = (&mut run).now_or_never();
        match (first, began.get()) {
            (None, Some(Began::Answer(id))) => LineTurn::Begun {
                id: id.clone(),
                answer: AnswerStream::lines(self.server.clone(), outlet.clone()),
                conversation: Conversation::new(self.server.clone(), run, outlet),
            },
            (_, Some(Began::Cancellation(id))) => LineTurn::Cancel(id.clone()),
            (Some(Some(reply)), _) if !reply.body.is_empty() => {
                LineTurn::Answered(wymcp_core::line(&reply.body).into())
            }
            _ => LineTurn::Answered(Bytes::new()),
        }
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").finish_non_exhaustive()
    }
}

/// What a line is about that is not answered at once.
enum Began {
    Answer(Option<RequestId<'static>>),
    Cancellation(RequestId<'static>),
}

/// One line on its way.
struct Taking {
    server: Server,
    principal: Principal,
    session: Arc<Mutex<Option<Found>>>,
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
            Turn::Cancel { id, reply } => return self.cancel(id, reply),
            Turn::Call(call) => {
                self.begin(Some(call.request_id().clone().into_owned()))
                    .await;
                return self.call(*call, found.as_ref(), clock).await;
            }
            Turn::Legacy(turn) => return self.drive(turn, found.clone(), clock).await,
            Turn::Listen(subscription) => *subscription,
        };
        drop((line, protocol));
        self.begin(Some(subscription.request_id().clone())).await;
        listen(&self.server, subscription, clock, &self.outlet).await
    }

    /// Says that what follows takes its time, and leaves it to whoever polls next.
    async fn begin(&self, id: Option<RequestId<'static>>) {
        let _ = self.began.set(Began::Answer(id));
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

    fn cancel(&self, id: RequestId<'static>, reply: Reply) -> Reply {
        let _ = self.began.set(Began::Cancellation(id));
        reply
    }

    async fn call<C: Clock>(&self, call: Call<'_>, found: Option<&Found>, clock: &mut C) -> Reply {
        // Of a message that says all of itself the session is not asked.
        if let Some(found) = found.filter(|_| call.is_in_session()) {
            enter(found, &call, &self.outlet);
        }
        run(&self.server, call, clock, &self.outlet).await
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
            LegacyTurn::Cancel { id, reply } => self.cancel(id, reply),
            LegacyTurn::Answer { id, answer, reply } => {
                let live = found.and_then(|found| found.live);
                if !live.is_some_and(|live| live.answer(&id, answer)) {
                    let question = id.shown();
                    self.server.emit(&Event::AnswerIgnored { question });
                }
                reply
            }
            LegacyTurn::Batch(batch) => {
                self.begin(None).await;
                self.each(batch, found, clock).await
            }
            LegacyTurn::End { reply } => reply,
            LegacyTurn::Attach(attachment) => attachment.refuse_taken(),
        }
    }

    async fn edit<C: Clock>(&self, edit: SessionEdit, reply: Reply, clock: &mut C) -> Reply {
        let found = {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = session.as_mut() {
                found.apply(&edit);
            }
            session.clone()
        };
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
        self.begin(None).await;
        send(&self.server, &found, &live, reader, clock, &self.outlet).await
    }

    async fn each<C: Clock>(&self, batch: Batch<'_>, found: Option<Found>, clock: &mut C) -> Reply {
        let mut replies = Vec::new();
        for turn in batch.turns {
            replies.push(match turn {
                Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply,
                Turn::Call(call) => self.call(*call, found.as_ref(), clock).await,
                Turn::Listen(subscription) => subscription.refuse_busy(),
                Turn::Legacy(turn) => Box::pin(self.drive(turn, found.clone(), clock)).await,
            });
        }
        Batch::finish(replies)
    }
}
