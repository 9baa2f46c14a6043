//! An adapter for hyper: a request in, a response out.

use std::{convert::Infallible, future::Future, pin::Pin, time::Duration};

use futures_util::{StreamExt as _, stream};
use http_body_util::{BodyExt as _, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    HeaderMap, Request, Response,
    body::{Frame, Incoming},
    header::{CONNECTION, HeaderName, HeaderValue},
};
use wymcp::{
    Answer, Answering, Bytes, Clock, Conversation, Exchange, Head, Headers, Outlet, Reply, Server,
    converse,
};

/// Answers a request. What hyper is told for an error ends the connection without an answer.
pub(crate) async fn respond(
    server: Server,
    request: Request<Incoming>,
) -> Result<Response<Outgoing>, &'static str> {
    let (parts, body) = request.into_parts();
    let begin = |server: Server, outlet: Outlet| -> Pin<Box<Conversing>> {
        Box::pin(async move {
            let headers = Lines(&parts.headers);
            let mut head = Head::new(parts.method.as_str(), &headers);
            if let Some(authority) = parts.uri.authority() {
                head = head.authority(parts.uri.scheme_str(), authority.as_str());
            }
            converse(&server, &head, &mut Body(body), &outlet).await
        })
    };
    let answering = Answering::new(server, begin, spawn);
    let answer = answering.await.ok_or("the body broke off")?;
    response(answer).ok_or("a header is none")
}

/// A call that takes its time goes on by itself, whether or not its answer is read.
fn spawn(conversation: Conversation<Conversing>) {
    tokio::spawn(conversation);
}

type Conversing = dyn Future<Output = Option<Reply>> + Send;

/// A whole body, or the pieces of a stream.
type Outgoing = UnsyncBoxBody<Bytes, Infallible>;

fn response(answer: Answer) -> Option<Response<Outgoing>> {
    let Answer { reply, stream, .. } = answer;
    let first = Bytes::from(reply.body);
    let body = match stream {
        None => Full::new(first).boxed_unsync(),
        Some(rest) => {
            let pieces = stream::iter([first]).chain(rest);
            StreamBody::new(pieces.map(|piece| Ok(Frame::data(piece)))).boxed_unsync()
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = reply.status;
    let headers = response.headers_mut();
    for (name, value) in reply.headers {
        let value = HeaderValue::try_from(&*value).ok()?;
        headers.append(HeaderName::from_static(name), value);
    }
    if reply.close {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Some(response)
}

/// The header lines, where they are.
struct Lines<'h>(&'h HeaderMap);

impl Headers for Lines<'_> {
    fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8])) {
        self.0
            .iter()
            .for_each(|(name, value)| line(name.as_str(), value.as_bytes()));
    }
}

/// The body, and a clock.
struct Body(Incoming);

impl Exchange for Body {
    type BodyFault = hyper::Error;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, hyper::Error>> {
        loop {
            let frame = self.0.frame().await?;
            // A frame of trailers says nothing here.
            if let Some(chunk) = frame.map(|frame| frame.into_data().ok()).transpose() {
                return Some(chunk);
            }
        }
    }
}

impl Clock for Body {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
        tokio::time::sleep(duration)
    }
}
