//! The driver of lines: messages on a stream that both sides share.

use std::{
    future::{Future, poll_fn},
    sync::{Arc, OnceLock},
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use wymcp_core::{Principal, Reply, RequestId, Turn, line};

use crate::{
    AnswerStream, Clock, Outlet, Server, answer_stream::Conversation, listening::listen,
    running::run, sealing,
};

/// What becomes of a line; [`take_line`] says it.
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
    /// The answer to a request of this id comes, in pieces of whole lines.
    Begun {
        /// The request's id, by which it can be cancelled.
        id: RequestId<'static>,
        /// The pieces. Dropping it cancels the call.
        answer: AnswerStream<F>,
    },
}

/// Takes one line, without its line break: what a client sent on standard input, say.
///
/// Returns at once: code of the application runs only as the answer is read, so a driver can read it elsewhere. Several can
/// be on their way. The principal is on whose behalf the lines come: nobody is asked, as whoever can write them started the
/// server. Events are emitted on the way.
///
/// # Examples
///
/// ```
/// use std::{future::{Future, poll_fn}, pin::Pin, time::Duration};
///
/// use futures_util::Stream as _;
/// use wymcp::{Clock, Context, LineTurn, NoArguments, Principal, Server, take_line, tool};
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
/// let take = |line: &'static str| take_line(&server, line.into(), Principal::anonymous(), Tokio);
///
/// let LineTurn::Answered(nothing) = take("Hello?") else { unreachable!("no message") };
/// assert!(nothing.is_empty());
///
/// let LineTurn::Begun { id, mut answer } = take(
///     r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet", "_meta": {
///         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
///         "io.modelcontextprotocol/clientCapabilities": {}
///     }}}"#,
/// ) else {
///     unreachable!("a call");
/// };
/// assert_eq!(id.to_string(), "7");
/// let piece = poll_fn(|context| Pin::new(&mut answer).poll_next(context)).await.unwrap();
/// assert!(piece.starts_with(br#"{"jsonrpc":"2.0","id":7,"result":"#) && piece.ends_with(b"\n"));
///
/// let cancel = r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}"#;
/// assert!(matches!(take(cancel), LineTurn::Cancel(id) if id.to_string() == "7"));
/// # });
/// ```
pub fn take_line<C: Clock>(
    server: &Server,
    bytes: Bytes,
    principal: Principal,
    clock: C,
) -> LineTurn<impl Future<Output = Option<Reply>> + use<C>> {
    let outlet = Outlet::of_lines();
    let began = Arc::new(OnceLock::new());
    let mut run = Box::pin(converse(
        server.clone(),
        bytes,
        principal,
        clock,
        outlet.clone(),
        Arc::clone(&began),
    ));
    // Whoever reads the answer wakes itself: until then there is nothing to be woken for.
    let first = run.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let conversation = |run| Conversation {
        server: server.clone(),
        run: Some(run),
        outlet,
    };
    match (first, began.get()) {
        (Poll::Pending, Some(Began::Request(id))) => LineTurn::Begun {
            id: id.clone(),
            answer: AnswerStream::lines(conversation(run)),
        },
        (_, Some(Began::Cancellation(id))) => LineTurn::Cancel(id.clone()),
        (Poll::Ready(Some(reply)), _) if !reply.body.is_empty() => {
            LineTurn::Answered(line(&reply.body).into())
        }
        _ => LineTurn::Answered(Bytes::new()),
    }
}

/// What a line is about that is not answered at once.
enum Began {
    Request(RequestId<'static>),
    Cancellation(RequestId<'static>),
}

async fn converse<C: Clock>(
    server: Server,
    line: Bytes,
    principal: Principal,
    mut clock: C,
    outlet: Outlet,
    began: Arc<OnceLock<Began>>,
) -> Option<Reply> {
    let reply = walk(&server, line, principal, &mut clock, &outlet, &began).await;
    Some(server.emit_all(reply))
}

async fn walk<C: Clock>(
    server: &Server,
    line: Bytes,
    principal: Principal,
    clock: &mut C,
    outlet: &Outlet,
    began: &OnceLock<Began>,
) -> Reply {
    let protocol = server.protocol();
    let turn = match protocol.read_line(&line, principal) {
        Ok(authorized) => authorized.at(sealing::now()).proceed(),
        Err(reply) => Turn::Reply(reply),
    };
    let subscription = match turn {
        Turn::Reply(reply) => return reply,
        Turn::Cancel { id, reply } => {
            let _ = began.set(Began::Cancellation(id));
            return reply;
        }
        Turn::Call(call) => {
            let _ = began.set(Began::Request(call.request_id().clone().into_owned()));
            until_read().await;
            return run(server, *call, clock, outlet).await;
        }
        Turn::Listen(subscription) => *subscription,
    };
    let _ = began.set(Began::Request(subscription.request_id().clone()));
    drop((line, protocol));
    until_read().await;
    listen(server, subscription, clock, outlet).await
}

/// Ends when the answer is read: at the second look.
async fn until_read() {
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
