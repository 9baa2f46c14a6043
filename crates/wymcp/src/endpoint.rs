//! The driver: walks one request through the core's stages, and waits where the core cannot.

use std::{fmt::Display, future::Future, panic::AssertUnwindSafe, pin::pin, time::Duration};

use bytes::Bytes;
use futures_util::{
    FutureExt as _,
    future::{Either, select},
};
use wymcp_core::{
    Admitted, Authentication, Authorized, Decision, Event, Fault, Head, Reply, Server as Protocol,
    Turn, Untrusted,
};

use crate::{
    Outlet, Server,
    answering::whole,
    contained::Contained,
    legacy::{Found, drive, enter},
    listening::listen,
    running::run,
    sealing,
};

/// What an adapter lends to the driver for one request: the body, and a [`Clock`] to wait by.
///
/// Futures here need not be `Send`; the driver's is exactly when they are.
///
/// # Examples
///
/// A body that comes in pieces, on tokio's clock:
///
/// ```
/// use std::{collections::VecDeque, future::Future, io, time::Duration};
///
/// use wymcp::{Bytes, Clock, Exchange, Head, Server, answer};
///
/// struct Pieces(VecDeque<io::Result<Bytes>>);
///
/// impl Exchange for Pieces {
///     type BodyFault = io::Error;
///
///     async fn next_chunk(&mut self) -> Option<io::Result<Bytes>> {
///         self.0.pop_front()
///     }
/// }
///
/// impl Clock for Pieces {
///     fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
///         tokio::time::sleep(duration)
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let server = Server::builder("empty", "1.0.0").build().unwrap();
/// let headers = [("host", "localhost"), ("content-type", "application/json")];
/// let head = Head::new("POST", &headers);
///
/// let mut whole = Pieces([Ok(Bytes::from("[")), Ok(Bytes::from("]"))].into());
/// assert_eq!(answer(&server, &head, &mut whole).await.unwrap().status, 400);
///
/// // Of a body that breaks off nothing comes back: the adapter ends the connection.
/// let mut broken = Pieces([Ok(Bytes::from("[")), Err(io::ErrorKind::ConnectionReset.into())].into());
/// assert!(answer(&server, &head, &mut broken).await.is_none());
/// # });
/// ```
pub trait Exchange: Clock {
    /// Why a body ended early.
    type BodyFault: Display;

    /// The next piece of the body; `None` at its end.
    fn next_chunk(&mut self) -> impl Future<Output = Option<Result<Bytes, Self::BodyFault>>>;
}

/// What a driver waits by; see [`Exchange`] for an example.
pub trait Clock {
    /// Ends after a time.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<Self>;
}

/// Answers one request whole: an answer before which something was said is a stream in one piece.
///
/// The events of the request are emitted on the way, and are not in the returned reply. `None` means that the body
/// broke off: nobody is there to read an answer, and the adapter ends the connection without one. Dropping the future
/// cancels the call that it runs.
///
/// # Examples
///
/// Pure use, without a host:
///
/// ```
/// use std::{convert::Infallible, future::pending, time::Duration};
///
/// use wymcp::{Bytes, Clock, Exchange, Head, Server, answer};
///
/// struct InProcess(Option<Bytes>);
///
/// impl Exchange for InProcess {
///     type BodyFault = Infallible;
///
///     async fn next_chunk(&mut self) -> Option<Result<Bytes, Infallible>> {
///         self.0.take().map(Ok)
///     }
/// }
///
/// impl Clock for InProcess {
///     fn sleep(&self, _: Duration) -> impl Future<Output = ()> + use<> {
///         pending()
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let server = Server::builder("empty", "1.0.0").build().unwrap();
/// let headers = [("host", "localhost"), ("content-type", "application/json")];
/// let head = Head::new("POST", &headers);
/// let reply = answer(&server, &head, &mut InProcess(Some(Bytes::from_static(b"[]")))).await.unwrap();
/// assert_eq!(reply.status, 400);
/// # });
/// ```
pub async fn answer<E: Exchange>(
    server: &Server,
    head: &Head<'_>,
    exchange: &mut E,
) -> Option<Reply> {
    let outlet = Outlet::new();
    let mut reply = converse(server, head, exchange, &outlet).await?;
    outlet.settle(&mut reply);
    let said = outlet.pick_up();
    Some(whole(server, &outlet, reply, said))
}

/// Answers one request, and leaves what is said before the answer at an outlet, for a host that streams it.
///
/// The reply is the answer proper. [`Answering`](crate::Answering) makes of the two what is sent; its documentation shows
/// an adapter. Otherwise as [`answer`].
///
/// # Examples
///
/// ```
/// use wymcp::{Head, Outlet, Server, converse};
/// # use std::{convert::Infallible, future::{Future, pending}, time::Duration};
/// # use wymcp::{Bytes, Clock, Exchange};
/// # struct InProcess(Option<Bytes>);
/// # impl Exchange for InProcess {
/// #     type BodyFault = Infallible;
/// #     async fn next_chunk(&mut self) -> Option<Result<Bytes, Infallible>> { self.0.take().map(Ok) }
/// # }
/// # impl Clock for InProcess {
/// #     fn sleep(&self, _: Duration) -> impl Future<Output = ()> + use<> { pending() }
/// # }
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let server = Server::builder("empty", "1.0.0").build().unwrap();
/// let headers = [("host", "localhost"), ("content-type", "application/json")];
/// let (head, outlet) = (Head::new("POST", &headers), Outlet::new());
/// let reply = converse(&server, &head, &mut InProcess(Some("[]".into())), &outlet).await.unwrap();
/// assert!(reply.status == 400 && outlet.is_empty());
/// # });
/// ```
pub async fn converse<E: Exchange>(
    server: &Server,
    head: &Head<'_>,
    exchange: &mut E,
    outlet: &Outlet,
) -> Option<Reply> {
    match walk(server, head, exchange, outlet).await {
        Ok(reply) | Err(Ended::Refused(reply)) => Some(server.emit_all(reply)),
        Err(Ended::BrokenOff(fault)) => {
            let detail = Untrusted::new(&fault).to_string();
            server.emit(&Event::BodyIncomplete { detail });
            None
        }
    }
}

/// Why a walk ends before its last stage.
enum Ended {
    Refused(Reply),
    /// The body broke off.
    BrokenOff(String),
}

impl From<Reply> for Ended {
    fn from(refusal: Reply) -> Self {
        Self::Refused(refusal)
    }
}

/// The stages of the core, in their order.
async fn walk<E: Exchange>(
    server: &Server,
    head: &Head<'_>,
    exchange: &mut E,
    outlet: &Outlet,
) -> Result<Reply, Ended> {
    let protocol = server.protocol();
    let admitted = protocol.admit(head)?;
    let body = if admitted.has_body() {
        read_body(server, admitted, exchange).await?
    } else {
        Bytes::new()
    };
    let authorized = match admitted.read(&body)?.authentication() {
        Authentication::Open(authorized) => authorized,
        Authentication::Refused(reply) => return Err(reply.into()),
        Authentication::Asked(somebody) => {
            let decision = decide(server, head).await;
            somebody.decide(decision)?
        }
    };
    let now = sealing::now();
    let found = find(server, &protocol, &authorized, now).await;
    let authorized = match &found {
        Some(found) => authorized.in_session(found.session()),
        None => authorized,
    };
    let subscription = match authorized.at(now).proceed() {
        Turn::Reply(reply) | Turn::Cancel { reply, .. } => return Ok(reply),
        Turn::Call(call) => {
            let call = match &found {
                Some(found) => enter(found, *call, outlet)?,
                None => *call,
            };
            outlet.begin();
            return Ok(run(server, call, exchange, outlet).await);
        }
        Turn::Legacy(turn) => {
            return Ok(drive(server, turn, found.as_ref(), exchange, outlet).await);
        }
        Turn::Listen(subscription) => *subscription,
    };
    // A client may listen for days.
    drop((body, protocol));
    Ok(listen(server, subscription, exchange, outlet).await)
}

/// The session that a message is of, if there is one.
async fn find(
    server: &Server,
    protocol: &Protocol,
    authorized: &Authorized<'_>,
    now: Duration,
) -> Option<Found> {
    let sessions = server.sessions()?;
    sessions.sweep(now);
    let id = authorized.session_id()?;
    sessions.find(protocol, id, now).await
}

/// A body stalls when less than this arrives within [`Limits::body_timeout`](crate::Limits::body_timeout): so neither
/// silence nor one byte a second holds a connection, and a slow link that makes progress is served.
const PROGRESS: usize = 64 * 1024;

async fn read_body<E: Exchange>(
    server: &Server,
    admitted: Admitted<'_>,
    exchange: &mut E,
) -> Result<Bytes, Ended> {
    let limits = server.limits();
    let mut timer = pin!(exchange.sleep(limits.body_timeout));
    let mut body = Collected::of(admitted.announced_length().unwrap_or(0));
    let mut renew_at = PROGRESS;
    loop {
        let chunk = match select(pin!(exchange.next_chunk()), timer.as_mut()).await {
            Either::Left((chunk, _)) => chunk,
            Either::Right(((), _)) => return Err(admitted.body_timeout().into()),
        };
        match chunk {
            None => return Ok(body.finish()),
            Some(Err(fault)) => return Err(Ended::BrokenOff(fault.to_string())),
            Some(Ok(chunk)) if body.len() + chunk.len() > limits.body_bytes => {
                return Err(admitted.body_too_large().into());
            }
            Some(Ok(chunk)) => body.add(chunk),
        }
        if body.len() >= renew_at {
            renew_at = body.len() + PROGRESS;
            timer.set(exchange.sleep(limits.body_timeout));
        }
    }
}

/// A body as it grows. One that comes in one piece is not copied.
#[derive(Default)]
struct Collected {
    first: Bytes,
    all: Vec<u8>,
    announced: usize,
}

/// How many times as much memory as what has come a body takes at most, because of what its head announces.
const AHEAD: usize = 8;

impl Collected {
    fn of(announced: usize) -> Self {
        Self {
            announced,
            ..Self::default()
        }
    }

    fn len(&self) -> usize {
        self.first.len().max(self.all.len())
    }

    fn add(&mut self, chunk: Bytes) {
        if self.len() == 0 {
            self.first = chunk;
            return;
        }
        self.make_room(self.len() + chunk.len());
        if self.all.is_empty() {
            self.all.extend_from_slice(&self.first);
        }
        self.all.extend_from_slice(&chunk);
    }

    /// Takes room for the whole of a long body at once, but for nobody's words alone.
    fn make_room(&mut self, needed: usize) {
        if self.all.capacity() < needed && needed <= self.announced {
            let room = self.announced.min(needed * AHEAD);
            self.all.reserve_exact(room - self.all.len());
        }
    }

    fn finish(self) -> Bytes {
        if self.all.is_empty() {
            self.first
        } else {
            self.all.into()
        }
    }
}

/// On whose behalf a message is.
async fn decide(server: &Server, head: &Head<'_>) -> Decision {
    let Some(authenticator) = server.authenticator() else {
        let fault = "a challenge without an authenticator".to_owned();
        return Decision::Failed { fault };
    };
    // Asked inside the caught future, since the first line of an authenticator may panic too.
    let asked = AssertUnwindSafe(async { authenticator.ask(head).await });
    let mut asked = Contained::new(Box::pin(asked.catch_unwind()));
    let asked = (&mut asked).await;
    asked.unwrap_or_else(|payload| Decision::Failed {
        fault: Fault::panic(payload).to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_whole_however_it_comes_and_takes_no_room_for_words_alone() {
        let sent: Vec<u8> = (0..100_000_u32).map(|at| at.to_le_bytes()[0]).collect();
        for announced in [0, 10, sent.len(), 4_000_000] {
            for chunk in [1_000, 30_000, sent.len()] {
                let mut body = Collected::of(announced);
                for chunk in sent.chunks(chunk) {
                    body.add(Bytes::copy_from_slice(chunk));
                    let (room, came) = (body.all.capacity(), body.len());
                    assert!(room <= came * AHEAD, "{room} for {came} of {announced}");
                }
                assert_eq!(body.finish(), sent, "{announced} in pieces of {chunk}");
            }
        }
    }

    #[test]
    fn a_body_that_is_announced_grows_seldom() {
        let mut body = Collected::of(4_000_000);
        let mut rooms = Vec::new();
        for _ in 0..4_000 {
            body.add(Bytes::from_static(&[b' '; 1_000]));
            rooms.push(body.all.capacity());
        }
        rooms.dedup();
        assert!(rooms.len() < 7, "{rooms:?}");
        assert_eq!(rooms.last(), Some(&4_000_000));
    }
}
