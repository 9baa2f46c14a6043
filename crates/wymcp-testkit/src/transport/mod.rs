//! What a host, a socket and a client do to an adapter, as scenarios that every adapter runs over HTTP/1.1.

mod adapter;
mod bodies;
mod concurrency;
mod connections;
mod editing;
mod hang_ups;
#[cfg(feature = "http2")]
mod http2;
mod listeners;
mod listening;
mod mounting;
mod parity;
mod refusals;
mod requests;
mod session;
mod session_calls;
mod session_streams;
mod sessions;
mod shutdown;
mod slow_readers;
mod streams;
mod watched;

use std::{
    io::{self, Write as _},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crate::{Adapter, panics, redaction};

#[cfg(feature = "http2")]
pub use http2::check_http2;
pub use mounting::{Application, check_mounting};
pub use parity::check_parity;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many scenarios run at a time: most of them wait more than they work.
const AT_A_TIME: usize = 4;

/// The adapter that a scenario runs against.
type AnyAdapter = dyn Adapter + Sync;

/// A name, and what is done under it.
type Scenario<A> = (&'static str, fn(&A));

/// Lists functions as scenarios of their names.
macro_rules! scenarios {
    ($($name:ident),* $(,)?) => { &[$((stringify!($name), $name)),*] };
}
use scenarios;

/// Runs every scenario of the transport against an adapter: refusals with bodies to come, bodies that are long, slow or
/// broken off, pipelining, clients that hang up or stop to read, streams, listening, edits, shutdown. Takes about 20
/// seconds.
///
/// `WYMCP_SCENARIO=text` runs only those that have the text in their names. A function without any says so.
///
/// # Panics
///
/// When a scenario fails, after all have run: the text lists every one. When no function has a scenario with the text of
/// `WYMCP_SCENARIO`.
///
/// # Examples
///
/// ```no_run
/// use wymcp::Server;
/// use wymcp_testkit::{Adapter, Served, check_transport};
///
/// struct MyAdapter;
///
/// impl Adapter for MyAdapter {
///     fn serve(&self, server: Server) -> Served {
///         my_host(server)
///     }
/// }
///
/// /// Serves at a free port.
/// fn my_host(_: Server) -> Served {
///     todo!()
/// }
///
/// check_transport(&MyAdapter);
/// ```
pub fn check_transport(adapter: &(impl Adapter + Sync + 'static)) {
    run_all::<AnyAdapter>(adapter, &SCENARIOS.concat());
}

const SCENARIOS: &[&[Scenario<AnyAdapter>]] = &[
    adapter::SCENARIOS,
    refusals::SCENARIOS,
    bodies::SCENARIOS,
    connections::SCENARIOS,
    concurrency::SCENARIOS,
    hang_ups::SCENARIOS,
    streams::SCENARIOS,
    slow_readers::SCENARIOS,
    listening::SCENARIOS,
    editing::SCENARIOS,
    sessions::SCENARIOS,
    session_streams::SCENARIOS,
    session_calls::SCENARIOS,
    shutdown::SCENARIOS,
];

/// The names of the scenarios of every function.
fn all_names() -> impl Iterator<Item = &'static str> {
    let names = SCENARIOS.iter().flat_map(|some| some.iter());
    let names = names
        .map(|(name, _)| *name)
        .chain(mounting::NAMES.iter().copied());
    #[cfg(feature = "http2")]
    let names = names.chain(http2::SCENARIOS.iter().map(|(name, _)| *name));
    names
}

fn run_all<A: Sync + ?Sized>(adapter: &A, scenarios: &[Scenario<A>]) {
    let wanted = std::env::var("WYMCP_SCENARIO").unwrap_or_default();
    let chosen: Vec<_> = scenarios
        .iter()
        .filter(|(name, _)| name.contains(&wanted))
        .collect();
    if chosen.is_empty() {
        assert!(
            all_names().any(|name| name.contains(&wanted)),
            "no scenario has {wanted:?} in its name; the names are {}",
            all_names().collect::<Vec<_>>().join(", ")
        );
        let names: Vec<_> = scenarios.iter().map(|(name, _)| *name).collect();
        say(&format!(
            "NOT RUN: none of these scenarios has {wanted} in its name: {}",
            names.join(", ")
        ));
    }
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((name, run)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(fault) = panics::fault_of(|| redaction::watched(|| run(adapter))) {
                let failure = format!("{name}: {fault}");
                let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                failures.push(failure);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(work);
        }
    });
    let failures = failures
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    assert!(
        failures.is_empty(),
        "{} of {} scenarios fail\n\n{}",
        failures.len(),
        chosen.len(),
        failures.join("\n\n")
    );
}

/// Says something past the test harness, which shows no output of a test that passes.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
