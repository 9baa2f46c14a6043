//! Mounts a wymcp server in an axum router, or in anything else that takes a tower service over http 1.x.
//!
//! ```no_run
//! use wymcp::{Context, Server, tool};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sum { a: i64, b: i64 }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder("calculator", "1.0.0")
//!     .tool(tool("sum").describe("Adds two numbers").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)))
//!     .build()?;
//! let app = axum::Router::new().route_service("/mcp", wymcp_axum::endpoint(server));
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```
//!
//! How a server is written is in the guide, `docs/guide.md` of the repository. The example `hyper` serves the same endpoint
//! on hyper, without a router.
//!
//! The router keeps its own routes, state and layers. axum's body limit does not apply here: the server's own
//! [`Limits::body_bytes`](wymcp::Limits::body_bytes) does, whatever axum's is. When a client goes away, the handler
//! that works for it is dropped.
//!
//! What layers put into the extensions of a request reaches an [`Authenticate`](wymcp::Authenticate):
//! `head.data::<http::Extensions>()`.
//!
//! Serve with `TCP_NODELAY` on, as the calculator example does; `axum::serve` leaves it off, and small answers may then
//! wait for the client's acknowledgment of earlier ones.
//!
//! The features `json-schema`, `sealing` and `editing`, on by default, are those of [`wymcp`].

use std::{
    convert::Infallible,
    fmt::Display,
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::{Buf, Bytes};
use futures_core::Stream as _;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Version, header, request};
use http_body::Frame;
use tower_service::Service;
use wymcp::{
    Answer, AnswerStream, Answering, Clock, Exchange, Head, Headers, HttpVersion, Outlet, Reply,
    Server, converse,
};

/// The server as a service, for [`Router::route_service`](axum::Router::route_service) or
/// [`Router::nest_service`](axum::Router::nest_service).
///
/// # Examples
///
/// Beside the application's own routes:
///
/// ```
/// use axum::{Router, routing::get};
///
/// # fn app(server: wymcp::Server) -> Router {
/// Router::new()
///     .route("/health", get(async || "ok"))
///     .route_service("/mcp", wymcp_axum::endpoint(server))
/// # }
/// ```
pub fn endpoint(server: Server) -> Endpoint {
    Endpoint { server }
}

/// A tower service that answers MCP requests; see [`endpoint`].
///
/// # Examples
///
/// One server under two paths:
///
/// ```
/// use axum::{Router, body::Body};
/// use http::Request;
/// use tower_service::Service as _;
/// use wymcp::Server;
/// use wymcp_axum::{Endpoint, endpoint};
///
/// let mcp: Endpoint = endpoint(Server::builder("empty", "1.0.0").build()?);
/// let mut app: Router = Router::new().route_service("/mcp", mcp.clone()).route_service("/v1/mcp", mcp);
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// for (path, status) in [("/mcp", 405), ("/v1/mcp", 405), ("/v2/mcp", 404)] {
///     let request = Request::put(path).header("host", "localhost").body(Body::empty()).unwrap();
///     assert_eq!(app.call(request).await.unwrap().status(), status, "{path}");
/// }
/// # });
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Endpoint {
    server: Server,
}

impl<B> Service<Request<B>> for Endpoint
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Display + Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Responding;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let version = parts.version;
        let begin = |server: Server, outlet: Outlet| -> Pin<Box<Conversing>> {
            Box::pin(async move {
                let headers = Lines(&parts.headers);
                let head = head(&parts, &headers);
                converse(&server, &head, &mut Incoming(Box::pin(body)), &outlet).await
            })
        };
        let answering = Answering::new(self.server.clone(), begin, |it| drop(tokio::spawn(it)));
        Responding { answering, version }
    }
}

type Conversing = dyn Future<Output = Option<Reply>> + Send;

/// The response to a request, as it comes to be.
///
/// # Examples
///
/// ```
/// use axum::body::Body;
/// use http::Request;
/// use tower_service::Service as _;
/// use wymcp_axum::{Responding, endpoint};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let mut mcp = endpoint(wymcp::Server::builder("empty", "1.0.0").build().unwrap());
/// let responding: Responding = mcp.call(Request::put("/mcp").header("host", "localhost").body(Body::empty()).unwrap());
/// assert_eq!(responding.await.unwrap().status(), 405);
/// # });
/// ```
#[derive(Debug)]
pub struct Responding {
    answering: Answering<Conversing>,
    version: Version,
}

impl Future for Responding {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let version = self.version;
        Pin::new(&mut self.answering)
            .poll(context)
            .map(|answer| Ok(answer.map_or_else(broken_off, |answer| response(answer, version))))
    }
}

fn head<'h>(parts: &'h request::Parts, headers: &'h Lines<'h>) -> Head<'h> {
    let head = Head::new(parts.method.as_str(), headers).with_data(&parts.extensions);
    let head = match parts.version {
        Version::HTTP_2 | Version::HTTP_3 => head.http_version(HttpVersion::Http2),
        _ => head,
    };
    match parts.uri.authority() {
        Some(authority) => head.authority(parts.uri.scheme_str(), authority.as_str()),
        None => head,
    }
}

struct Lines<'h>(&'h HeaderMap);

impl Headers for Lines<'_> {
    fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8])) {
        self.0
            .iter()
            .for_each(|(name, value)| line(name.as_str(), value.as_bytes()));
    }
}

struct Incoming<B>(Pin<Box<B>>);

impl<B> Exchange for Incoming<B>
where
    B: http_body::Body,
    B::Error: Display,
{
    type BodyFault = B::Error;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, B::Error>> {
        loop {
            let frame = poll_fn(|context| self.0.as_mut().poll_frame(context)).await?;
            // A frame of trailers says nothing here.
            if let Some(chunk) = frame.map(|frame| frame.into_data().ok()).transpose() {
                return Some(chunk.map(|mut data| data.copy_to_bytes(data.remaining())));
            }
        }
    }
}

impl<B> Clock for Incoming<B> {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<B> {
        tokio::time::sleep(duration)
    }
}

fn response(answer: Answer, version: Version) -> Response<Body> {
    let Answer { reply, stream, .. } = answer;
    let body = match stream {
        None => Body::from(reply.body),
        Some(stream) => Body::new(Pieces {
            first: Some(reply.body.into()),
            stream,
        }),
    };
    let mut response = Response::new(body);
    *response.status_mut() = reply.status;
    let headers = response.headers_mut();
    for (name, value) in reply.headers {
        // Without one of its headers an answer would say something else.
        let Ok(value) = HeaderValue::try_from(&*value) else {
            return broken_off();
        };
        headers.append(HeaderName::from_static(name), value);
    }
    if reply.close && version <= Version::HTTP_11 {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// A streamed answer, piece by piece.
struct Pieces {
    first: Option<Bytes>,
    stream: AnswerStream,
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => Pin::new(&mut self.stream).poll_next(context),
        };
        piece.map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }

    // The last piece and the end of the body are one write.
    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.stream.is_over()
    }
}

/// The end of an exchange whose client stopped in the middle of its body: a response that fails before its first byte,
/// which ends the connection.
fn broken_off() -> Response<Body> {
    Response::new(Body::new(BrokenOff))
}

struct BrokenOff;

impl http_body::Body for BrokenOff {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        Poll::Ready(Some(Err(std::io::ErrorKind::UnexpectedEof.into())))
    }
}
