//! The suite that judges an adapter: every case over a real socket.

use std::{any::Any, collections::BTreeMap, fmt, io, net::SocketAddr};

use wymcp::Server;
use wymcp_core::LegacyVersion;

use crate::{
    Answer, Case, CaseSession, Connection, Request, fixture, redaction, session::session_id,
};

/// An adapter under test: something that serves a [`Server`] on a socket.
pub trait Adapter {
    /// Starts to serve on a free port of `127.0.0.1`, under any path. The returned value ends it when it is dropped.
    fn serve(&self, server: Server) -> Served;
}

/// A server that runs until this is dropped.
pub struct Served {
    address: SocketAddr,
    _guard: Box<dyn Any>,
}

impl Served {
    /// A server at this address, which ends when the guard is dropped. The handle of a thread or a task is no guard: it
    /// lets go of what it stands for and ends nothing. [`check_transport`](crate::check_transport) looks.
    pub fn new(address: SocketAddr, guard: impl Any) -> Self {
        Self {
            address,
            _guard: Box::new(guard),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Sends every case through the adapter and holds each answer against the case's: status, the headers that matter,
/// body, and whether the connection lives on.
///
/// # Panics
///
/// When an answer differs, after all cases have run: the text lists every one, the first ten with what was sent.
///
/// # Examples
///
/// The test of an adapter, whole. A task of tokio serves, and ends with its set:
///
/// ```no_run
/// use tokio::{net::TcpListener, runtime::Runtime, task::JoinSet};
/// use wymcp::Server;
/// use wymcp_testkit::{Adapter, Served, check_adapter};
///
/// struct MyAdapter(Runtime);
///
/// impl Adapter for MyAdapter {
///     fn serve(&self, server: Server) -> Served {
///         let listener = self.0.block_on(TcpListener::bind(("127.0.0.1", 0))).unwrap();
///         let address = listener.local_addr().unwrap();
///         let mut serving = JoinSet::new();
///         serving.spawn_on(my_host(listener, server), self.0.handle());
///         Served::new(address, serving)
///     }
/// }
///
/// /// Where the host serves the adapter.
/// async fn my_host(listener: TcpListener, server: Server) {}
///
/// check_adapter(&MyAdapter(Runtime::new().unwrap()));
/// ```
pub fn check_adapter(adapter: &impl Adapter) {
    redaction::watched(|| check_cases(adapter));
    redaction::assert_it_looks();
}

fn check_cases(adapter: &impl Adapter) {
    let mut servers: BTreeMap<String, Served> = BTreeMap::new();
    let mut failures = Vec::new();
    let cases = Case::all();
    for case in &cases {
        let served = servers
            .entry(case.server.clone())
            .or_insert_with(|| adapter.serve(fixture::server(&case.server)));
        if let Err(fault) = check(case, served.address()) {
            failures.push((case, fault));
        }
    }
    assert_none_fail(&failures, cases.len());
}

/// How many failures are shown whole.
const SHOWN: usize = 10;

/// Panics with the cases that fail, if there are any.
pub(crate) fn assert_none_fail(failures: &[(&Case, String)], of: usize) {
    let count = failures.len();
    let (shown, named) = failures.split_at(count.min(SHOWN));
    let shown = shown.iter().map(|(case, fault)| {
        let Case { name, about, .. } = case;
        let head = case.request.head_lines();
        format!("{name}: {about}\n(cases/{name}.http)\n{fault}\nsent:\n{head}\n")
    });
    let named = named.iter().map(|(case, _)| format!("{} too", case.name));
    let text: Vec<_> = shown.chain(named).collect();
    assert!(
        failures.is_empty(),
        "{count} of {of} cases fail\n\n{}",
        text.join("\n")
    );
}

fn connect(address: SocketAddr, revision: Option<LegacyVersion>) -> io::Result<Connection> {
    let connection = Connection::open(address)?;
    Ok(match revision {
        Some(version) => connection.of_session(version),
        None => connection,
    })
}

/// Opens the session of a case, and puts its id into the case's request. The connection is one that listens meanwhile.
fn enter(
    session: &CaseSession,
    request: &Request,
    address: SocketAddr,
) -> Result<(Request, Option<Connection>), String> {
    let broken = |error: io::Error| format!("the session fails: {error}");
    let mut connection = connect(address, Some(session.version())).map_err(broken)?;
    let opened = connection.exchange(&session.initialize());
    let id = session_id(opened.map_err(broken)?)?;
    for preparation in session.preparations(&id) {
        connection.exchange(&preparation).map_err(broken)?;
    }
    let listener = match session.listener(&id) {
        Some(request) => {
            connection.open_stream(request.to_bytes()).map_err(broken)?;
            Some(connection)
        }
        None => None,
    };
    Ok((request.clone().in_session(&id), listener))
}

fn check(case: &Case, address: SocketAddr) -> Result<(), String> {
    let broken = |error: io::Error| format!("the connection fails: {error}");
    let (request, _listener) = match &case.session {
        Some(session) => enter(session, &case.request, address)?,
        None => (case.request.clone(), None),
    };
    // Not before: a host that takes one connection at a time would wait for it.
    let mut connection = connect(address, case.revision).map_err(broken)?;
    let mut answer = connection.exchange(&request).map_err(broken)?;
    if let Some(answer) = &mut answer
        && case.request.version == "HTTP/1.0"
        && answer.header("connection").is_none()
        && connection.is_ended()
    {
        // In this version every connection closes that does not say otherwise.
        answer
            .headers
            .push(("connection".to_owned(), "close".to_owned()));
        answer.headers.sort();
    }
    // An answer in JSON is the adapter's own, and has to be right all the same.
    let host_answered = |answer: &Answer| {
        (400..500).contains(&answer.status)
            && answer.header("content-type") != Some("application/json")
    };
    if case.host_answers.is_some() && answer.as_ref().is_some_and(host_answered) {
        return Ok(());
    }
    case.difference(answer.as_ref()).map_or(Ok(()), Err)?;
    let Some(answer) = answer else { return Ok(()) };
    let lives = if answer.header("connection").is_some() {
        !connection.is_ended()
    } else {
        connection.is_usable()
    };
    // One that says close must end, and one that does not must go on, unless bytes of the request are still due.
    match (answer.header("connection").is_some(), lives) {
        (true, true) => Err("the answer says close and the connection goes on".to_owned()),
        (false, false) if !case.request.is_truncated() => {
            Err("the connection ends after the answer".to_owned())
        }
        _ => Ok(()),
    }
}
