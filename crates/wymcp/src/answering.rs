//! From a conversation to what a host sends: one whole answer, or a stream that is opened when the first thing is said.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use wymcp_core::{Event, Reply, sse};

use crate::{AnswerStream, Outlet, Server, answer_stream::Conversation};

/// The answer to a request, as it comes to be: a future of its head, and of its whole body unless it is a stream.
///
/// Wraps the future of [`converse`](crate::converse), boxed, since a stream goes on running it. `None` means what it
/// means there. Dropping it, or the stream, cancels the call.
///
/// # Examples
///
/// What an adapter does, in short:
///
/// ```
/// use wymcp::{Answer, Answering, Exchange, Head, Outlet, Server, converse};
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
/// async fn respond(server: Server, mut request: Request) -> Option<Answer<impl Future<Output = Option<wymcp::Reply>>>> {
///     let outlet = Outlet::new();
///     let (of_conversation, of_server) = (outlet.clone(), server.clone());
///     let conversation = Box::pin(async move {
///         let headers = std::mem::take(&mut request.headers);
///         let method = std::mem::take(&mut request.method);
///         let head = Head::new(&method, &headers);
///         converse(&of_server, &head, &mut request, &of_conversation).await
///     });
///     Answering::new(server, conversation, outlet).await
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
    running: Option<Conversation<F>>,
}

/// The answer to a request.
///
/// See [`Answering`] for an example.
#[non_exhaustive]
pub struct Answer<F: ?Sized> {
    /// The head, and the first piece of the body.
    pub reply: Reply,
    /// The other pieces, if there are any.
    pub stream: Option<AnswerStream<F>>,
}

impl<F: ?Sized> Answering<F> {
    /// Sends what a conversation leaves at an outlet.
    pub fn new(server: Server, conversation: Pin<Box<F>>, outlet: Outlet) -> Self {
        Self {
            running: Some(Conversation {
                server,
                run: Some(conversation),
                outlet,
            }),
        }
    }
}

impl<F: Future<Output = Option<Reply>> + ?Sized> Future for Answering<F> {
    type Output = Option<Answer<F>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(mut running) = self.running.take() else {
            return Poll::Ready(None);
        };
        let ended = running.poll(context);
        let piece = running.outlet.pick_up();
        match ended {
            Poll::Ready(reply) => Poll::Ready(reply.map(|reply| Answer {
                reply: whole(&running.server, &running.outlet, reply, piece),
                stream: None,
            })),
            Poll::Pending if piece.is_empty() => {
                self.running = Some(running);
                Poll::Pending
            }
            Poll::Pending => {
                running.server.emit(&Event::StreamOpened);
                let stream = AnswerStream::opened(running);
                Poll::Ready(Some(Answer {
                    reply: Reply::stream(piece),
                    stream: Some(stream),
                }))
            }
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
    body.extend_from_slice(&sse::event(&reply.body));
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

impl<F: ?Sized> std::fmt::Debug for Answer<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.reply.status)
            .field("streams", &self.stream.is_some())
            .finish_non_exhaustive()
    }
}
