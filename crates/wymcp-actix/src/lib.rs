//! Mounts a wymcp server in an actix-web application.
//!
//! ```no_run
//! use actix_web::{App, HttpServer};
//! use wymcp::{Context, Server, tool};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sum { a: i64, b: i64 }
//!
//! #[actix_web::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let server = Server::builder("calculator", "1.0.0")
//!         .tool(tool("sum").describe("Adds two numbers").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)))
//!         .build()?;
//!     // The closure runs in each worker; all of them share the one server.
//!     HttpServer::new(move || App::new().route("/mcp", wymcp_actix::endpoint(server.clone())))
//!         .h1_allow_half_closed(false)
//!         .tcp_nodelay(true)
//!         .bind("127.0.0.1:3000")?
//!         .run()
//!         .await?;
//!     Ok(())
//! }
//! ```
//!
//! How a server is written is in the guide, `docs/guide.md` of the repository.
//!
//! The application keeps its own routes, data and middleware. actix-web's limits on bodies do not apply here: the
//! server's own [`Limits::body_bytes`](wymcp::Limits::body_bytes) does, whatever they are.
//!
//! When a client goes away, the handler that works for it is dropped. actix-web tells of a client that has closed its
//! half of the connection only where the host sets `h1_allow_half_closed(false)`, as above; by default, and when a client
//! resets a stream of HTTP/2, a handler runs on until something cannot be written: its answer, or the next sign of life
//! of its stream (after [`Limits::keep_alive`](wymcp::Limits::keep_alive)).
//!
//! What a middleware puts into the extensions of a request reaches an [`Authenticate`](wymcp::Authenticate) by
//! [`endpoint_with_extension`].
//!
//! Without `tcp_nodelay(true)` small answers may wait for the client's acknowledgment of earlier ones.
//!
//! When the host stops, tell the server by [`Server::shutdown`], so that streams end with an answer in time; the
//! calculator example does.
//!
//! The features `json-schema`, `sealing` and `editing`, on by default, are those of [`wymcp`].

use std::{
    cell::RefCell,
    future::poll_fn,
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{
    HttpMessage as _, HttpRequest, HttpResponse, Route,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Payload, RequestHead},
    error::{HttpError, PayloadError},
    http::{
        ConnectionType, Version,
        header::{CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, UPGRADE},
    },
    rt, web,
};
use futures_core::Stream as _;
use wymcp::{
    Answer, AnswerStream, Answering, Bytes, Clock, Exchange, Head, Headers, HttpVersion, Outlet,
    Reply, Server, converse,
};

/// The server as a route, for [`App::route`](actix_web::App::route), [`Scope::route`](actix_web::Scope::route) or
/// [`Resource::route`](actix_web::Resource::route).
///
/// It answers every method itself, so no guard is due.
///
/// # Examples
///
/// Beside the application's own routes, in a scope, and as a resource with middleware of its own:
///
/// ```
/// use actix_web::{App, middleware::Logger, web};
/// use wymcp_actix::endpoint;
///
/// # fn app(server: wymcp::Server) {
/// App::new()
///     .route("/health", web::get().to(async || "ok"))
///     .route("/mcp", endpoint(server.clone()))
///     .service(web::scope("/api").route("/mcp", endpoint(server.clone())))
///     .service(web::resource("/logged/mcp").wrap(Logger::default()).route(endpoint(server)));
/// # }
/// ```
pub fn endpoint(server: Server) -> Route {
    endpoint_with_extension::<()>(server)
}

/// As [`endpoint`]; what a middleware puts into the extensions of a request as an `E` reaches an
/// [`Authenticate`](wymcp::Authenticate) as `head.data::<E>()`.
///
/// It is named, and copied, since actix-web's extensions stay on their thread and an authenticator need not.
///
/// # Examples
///
/// ```
/// use actix_web::{App, HttpMessage as _, dev::Service as _};
/// use wymcp::{Authenticate, Challenge, Decision, Head, Principal, Server};
/// use wymcp_actix::endpoint_with_extension;
///
/// /// Whom the application's own login found.
/// #[derive(Clone)]
/// struct User(String);
///
/// struct ByLogin;
///
/// impl Authenticate for ByLogin {
///     async fn authenticate(&self, head: &Head<'_>) -> Decision {
///         match head.data::<User>() {
///             Some(User(name)) => Decision::Granted(Principal::named(name.as_str())),
///             None => Decision::refused("not logged in"),
///         }
///     }
/// }
///
/// let server = Server::builder("private", "1.0.0").authenticate(ByLogin, Challenge::bearer()).build()?;
/// App::new()
///     .wrap_fn(|request, next| {
///         request.extensions_mut().insert(User("alice".to_owned()));
///         next.call(request)
///     })
///     .route("/mcp", endpoint_with_extension::<User>(server));
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
pub fn endpoint_with_extension<E: Clone + Send + Sync + 'static>(server: Server) -> Route {
    web::route().to(move |request: HttpRequest, body: web::Payload| {
        respond::<E>(server.clone(), request, body.into_inner())
    })
}

type Conversing = dyn Future<Output = Option<Reply>>;

async fn respond<E: Clone + Send + Sync + 'static>(
    server: Server,
    request: HttpRequest,
    body: Payload,
) -> HttpResponse {
    let body = Rc::new(RefCell::new(body));
    let unread = Rc::clone(&body);
    let left = announced(&request);
    let begin = |server: Server, outlet: Outlet| -> Pin<Box<Conversing>> {
        Box::pin(async move {
            let extension = request.extensions().get::<E>().cloned();
            let headers = Lines(request.headers());
            let head = head(request.head(), &headers);
            let head = match &extension {
                Some(extension) => head.with_data(extension),
                None => head,
            };
            converse(&server, &head, &mut Incoming { body, left }, &outlet).await
        })
    };
    let answer = Answering::new(server, begin, |it| drop(rt::spawn(it))).await;
    // Without one of its headers an answer would say something else.
    match answer.map(|answer| response(answer, unread, left.is_some())) {
        Some(Ok(response)) => response,
        _ => broken_off().await,
    }
}

fn head<'h>(request: &'h RequestHead, headers: &'h Lines<'h>) -> Head<'h> {
    let head = Head::new(request.method.as_str(), headers);
    let head = match request.version {
        Version::HTTP_2 | Version::HTTP_3 => head.http_version(HttpVersion::Http2),
        _ => head,
    };
    match request.uri.authority() {
        Some(authority) => head.authority(request.uri.scheme_str(), authority.as_str()),
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

struct Incoming {
    body: Rc<RefCell<Payload>>,
    /// How much is to come where the host does not say where it ends.
    left: Option<usize>,
}

/// The length of a body that asks for another protocol: the host takes all that the connection brings for a part of it.
fn announced(request: &HttpRequest) -> Option<usize> {
    let mut upgrades = request.headers().get_all(UPGRADE);
    let reads_on = upgrades.any(|it| it.as_bytes().eq_ignore_ascii_case(b"websocket"));
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    (reads_on && !request.chunked().unwrap_or(false)).then(|| length.unwrap_or_default())
}

impl Exchange for Incoming {
    type BodyFault = PayloadError;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, PayloadError>> {
        if self.left == Some(0) {
            return None;
        }
        let body = &self.body;
        let mut chunk = poll_fn(|cx| Pin::new(&mut *body.borrow_mut()).poll_next(cx)).await;
        if let (Some(left), Some(Ok(chunk))) = (&mut self.left, &mut chunk) {
            chunk.truncate(*left);
            *left -= chunk.len();
        }
        chunk
    }
}

impl Clock for Incoming {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
        rt::time::sleep(duration)
    }
}

fn response(
    answer: Answer,
    unread: Rc<RefCell<Payload>>,
    is_last: bool,
) -> Result<HttpResponse, HttpError> {
    let Answer { reply, stream, .. } = answer;
    let body = BoxBody::new(Outgoing {
        first: Some(Ok(reply.body.into())),
        stream,
        _unread: Some(unread),
    });
    let mut response = HttpResponse::with_body(reply.status.as_u16().try_into()?, body);
    for (name, value) in reply.headers {
        let value = HeaderValue::try_from(&*value)?;
        let headers = response.headers_mut();
        headers.append(HeaderName::from_static(name), value);
    }
    if reply.close || is_last {
        let head = response.head_mut();
        head.set_connection_type(ConnectionType::Close);
        // Nor would the host make chunks then, though it says so.
        head.no_chunking(is_last);
    }
    Ok(response)
}

/// An answer, piece by piece.
#[derive(Default)]
struct Outgoing {
    first: Option<io::Result<Bytes>>,
    stream: Option<AnswerStream>,
    /// What is left of the request's body: once it is let go, the host reads its chunks to their end before it closes,
    /// however long that takes.
    _unread: Option<Rc<RefCell<Payload>>>,
}

impl MessageBody for Outgoing {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        match (&self.first, &self.stream) {
            (Some(Ok(whole)), None) => BodySize::Sized(whole.len() as u64),
            _ => BodySize::Stream,
        }
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Bytes>>> {
        let piece = match (self.first.take(), &mut self.stream) {
            (Some(first), _) => return Poll::Ready(Some(first)),
            (None, Some(stream)) => Pin::new(stream).poll_next(context),
            (None, None) => Poll::Ready(None),
        };
        piece.map(|piece| piece.map(Ok))
    }
}

/// The end of an exchange whose client stopped in the middle of its body. A host that keeps no half-closed connections
/// drops it while it waits; elsewhere it is a response that fails before its first byte, which ends the connection.
async fn broken_off() -> HttpResponse {
    rt::task::yield_now().await;
    let first = Some(Err(io::ErrorKind::UnexpectedEof.into()));
    let body = Outgoing {
        first,
        ..Outgoing::default()
    };
    HttpResponse::with_body(<_>::default(), BoxBody::new(body))
}
