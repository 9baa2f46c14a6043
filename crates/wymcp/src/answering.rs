//! From a conversation to what a host sends: one whole answer, or a stream that is opened when the first thing is said.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use wymcp_core::{Event, Reply, sse};

use crate::{
    AnswerStream, Conversation, Outlet, Server,
    outlet::{End, Taken},
};

/// The answer to a request, as it comes to be: a future of its head, and of its whole body unless it is a stream.
///
/// Wraps the future of [`converse`](crate::converse), boxed, since it may go on by itself. `None` means what it means there.
/// Dropping it says that the client is gone.
///
/// # Examples
///
/// What an adapter does, in short:
///
/// ```
/// use wymcp::{Answer, Answering, Exchange, Head, Server, converse};
///
/// # use std::{convert::Infallible, future::{Future, pending}, time::Duration};
/// # struct Request { method: String, headers: Vec<(String, String)>, body: Option<wymcp::Bytes> }
/// # impl Exchange for Request {
/// #     type BodyFault = Infallible;
/// #     async fn next_chunk(&mut self) -> Option<Result<wymcp::Bytes, Infallible>> { self.body.take().map(Ok) }
/// # }
/// # impl wymcp::Clock for Request {
/// #     fn sleep(&self, _: Duration) -> impl Future<Output = ()> + use<> { pending() }
/// # }
/// async fn respond(server: Server, mut request: Request) -> Option<Answer> {
///     let converse = |server, outlet| {
///         Box::pin(async move {
///             let headers = std::mem::take(&mut request.headers);
///             let method = std::mem::take(&mut request.method);
///             let head = Head::new(&method, &headers);
///             converse(&server, &head, &mut request, &outlet).await
///         })
///     };
///     Answering::new(server, converse, |conversation| drop(tokio::spawn(conversation))).await
/// }
/// # let headers = [("host", "localhost"), ("content-type", "application/json")].map(|(name, value)| (name.into(), value.into())).into();
/// # let request = Request { method: "POST".into(), headers, body: Some("[]".into()) };
/// # let server = Server::builder("empty", "1.0.0").build().unwrap();
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
///
/// // `request` is a POST of something that is no message.
/// let answer = respond(server, request).await.unwrap();
/// assert!(answer.reply.status == 400 && answer.stream.is_none());
/// # });
/// ```
pub struct Answering<F: ?Sized> {
    server: Server,
    outlet: Outlet,
    /// Until it is spawned.
    conversation: Option<Conversation<F>>,
    spawn: fn(Conversation<F>),
    is_over: bool,
}

/// The answer to a request.
///
/// See [`Answering`] for an example.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The head, and the first piece of the body.
    pub reply: Reply,
    /// The other pieces, if there are any.
    pub stream: Option<AnswerStream>,
}

impl<F: ?Sized> Answering<F> {
    /// Starts a conversation, given the server and the outlet that it leaves at what it says: see [`converse`](crate::converse).
    ///
    /// A call that takes its time is handed to `spawn`, which has to run it.
    pub fn new(
        server: Server,
        converse: impl FnOnce(Server, Outlet) -> Pin<Box<F>>,
        spawn: fn(Conversation<F>),
    ) -> Self {
        let outlet = Outlet::default();
        let run = converse(server.clone(), outlet.clone());
        let conversation = Conversation::new(server.clone(), run, outlet.clone());
        Self {
            server,
            outlet,
            conversation: Some(conversation),
            spawn,
            is_over: false,
        }
    }
}

impl<F: Future<Output = Option<Reply>> + ?Sized> Future for Answering<F> {
    type Output = Option<Answer>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.is_over {
            return Poll::Ready(None);
        }
        if let Some(mut conversation) = this.conversation.take()
            && Pin::new(&mut conversation).poll(context).is_pending()
        {
            if this.outlet.has_begun() {
                (this.spawn)(conversation);
            } else {
                this.conversation = Some(conversation);
            }
        }
        let Taken { piece, end, .. } = this.outlet.take(context.waker());
        match end {
            Some(End::Answered(reply)) => {
                this.is_over = true;
                Poll::Ready(Some(Answer {
                    reply: whole(&this.server, &this.outlet, reply, piece),
                    stream: None,
                }))
            }
            Some(End::Lost) => {
                this.is_over = true;
                Poll::Ready(None)
            }
            None if piece.is_empty() => Poll::Pending,
            None => {
                this.is_over = true;
                this.server.emit(&Event::StreamOpened);
                let stream = AnswerStream::opened(this.server.clone(), this.outlet.clone());
                Poll::Ready(Some(Answer {
                    reply: Reply::stream(piece),
                    stream: Some(stream),
                }))
            }
        }
    }
}

impl<F: ?Sized> Drop for Answering<F> {
    fn drop(&mut self) {
        if !self.is_over {
            self.outlet.leave();
        }
    }
}

/// The answer as one piece: a stream if something was said before it.
pub(crate) fn whole(server: &Server, outlet: &Outlet, reply: Reply, said: Vec<u8>) -> Reply {
    if said.is_empty() {
        return reply;
    }
    server.emit(&Event::StreamOpened);
    let mut body = said;
    if !reply.body.is_empty() {
        body.extend_from_slice(&sse::event(&reply.body));
    }
    server.emit(&Event::StreamClosed {
        cancelled: false,
        dropped: outlet.dropped(),
    });
    Reply::stream(body)
}

impl<F: ?Sized> std::fmt::Debug for Answering<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answering").finish_non_exhaustive()
    }
}
