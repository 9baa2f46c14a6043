//! What sessions of older clients cost, and that nothing of them is left when their time has passed.

#![expect(
    clippy::print_stdout,
    reason = "the figures are read by whoever runs the bench"
)]

use std::{convert::Infallible, future::pending, thread, time::Duration};

use futures_util::FutureExt as _;
use wymcp::{
    Bytes, Clock, Context, Exchange, Head, Limits, NoArguments, Reply, Server, answer, tool,
};

/// A body in one piece, on the clock of none.
struct InProcess(Option<Bytes>);

impl Exchange for InProcess {
    type BodyFault = Infallible;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, Infallible>> {
        self.0.take().map(Ok)
    }
}

impl Clock for InProcess {
    fn sleep(&self, _: Duration) -> impl Future<Output = ()> + use<> {
        pending()
    }
}

const HELLO: &str = r#"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
    "capabilities": {"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}},
    "clientInfo": {"name": "soak", "version": "1.0.0"}}}"#;
const READY: &str = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
const CALL: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "fine", "_meta": {"progressToken": 1}}}"#;
const PING: &str = r#"{"jsonrpc": "2.0", "id": 2, "method": "ping"}"#;

/// Long enough for all of them to be opened, on a machine that may do something else.
const IDLE: Duration = Duration::from_secs(12);

fn post(server: &Server, session: &str, body: &'static str) -> Reply {
    let mut headers = vec![("host", "localhost"), ("content-type", "application/json")];
    if !session.is_empty() {
        headers.push(("mcp-session-id", session));
    }
    let head = Head::new("POST", &headers);
    let mut body = InProcess(Some(body.into()));
    let answered = answer(server, &head, &mut body).now_or_never();
    answered.expect("nothing waits").expect("the body is whole")
}

/// Opens a session, uses it, and abandons it.
fn use_session(server: &Server) -> String {
    let opened = post(server, "", HELLO);
    let headers = opened.headers.into_iter();
    let mut ids = headers.filter(|(name, _)| *name == "mcp-session-id");
    let id = ids.next().expect("a session").1.into_owned();
    assert_eq!(post(server, &id, READY).status, 202);
    let called = post(server, &id, CALL);
    assert!(called.body.ends_with(b"\n\n"), "it is a stream");
    id
}

#[test]
fn ten_thousand_abandoned_sessions_leave_nothing_when_their_time_has_passed() {
    let fine = tool("fine").run(async |_: NoArguments, ctx: Context| {
        ctx.progress(1.0, None, None);
        Ok("fine")
    });
    let mut limits = Limits::default();
    // Room for one more than are counted.
    limits.sessions = 10_001;
    limits.session_idle = IDLE;
    limits.session_opening = IDLE;
    let builder = Server::builder("soak", "1.0.0").tool(fine).limits(limits);
    let server = builder.on_event(|_| {}).build().unwrap();
    // What is made at its first need and kept is not a session's cost.
    use_session(&server);
    let counted = allocation_counter::measure(|| {
        let ids: Vec<_> = (0..10_000).map(|_| use_session(&server)).collect();
        // All of them are there at a time.
        assert_eq!(post(&server, &ids[0], PING).status, 200);
        thread::sleep(IDLE + Duration::from_secs(1));
        for id in [&ids[0], &ids[9_999]] {
            assert_eq!(post(&server, id, PING).status, 404);
        }
    });
    println!(
        "10,000 sessions: {} bytes each at most, {} in all when their time has passed",
        counted.bytes_max / 10_000,
        counted.bytes_current
    );
    assert!(counted.bytes_current < 4_096, "{}", counted.bytes_current);
    assert!(counted.bytes_max < 10_000 * 4_096, "{}", counted.bytes_max);
}
