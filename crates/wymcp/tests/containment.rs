//! What goes wrong in application code goes no further than its own call.

mod common;

use std::{
    future::{Future, pending},
    panic::panic_any,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use common::{Watched, call, text};
use serde_json::{Value, json};
use wymcp::{
    Authenticate, BearerTokens, Challenge, Clock, Context, Decision, Event, Fault, Head, Limits,
    Lines, NoArguments, Principal, RunnableTool, Server, tool,
};

/// The names of the events' variants.
fn kinds(events: &[Event]) -> Vec<String> {
    let shown = events.iter().map(|event| format!("{event:?}"));
    shown
        .map(|shown| shown.split([' ', '(']).next().unwrap().to_owned())
        .collect()
}

fn boom(message: &str) -> wymcp::Result<()> {
    panic!("{message}")
}

#[tokio::test]
async fn a_tool_that_panics_answers_its_own_caller_and_the_next_call_works() {
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("late").run(async |_: NoArguments, _ctx: Context| {
                tokio::task::yield_now().await;
                boom("no row 7")
            }))
            .tool(tool("early").run(|_: NoArguments, _: Context| {
                let result = boom("before the first await");
                async { result }
            }))
            .tool(tool("fine").run(async |_: NoArguments, _ctx: Context| Ok("fine"))),
    );
    for (name, message) in [("late", "no row 7"), ("early", "before the first await")] {
        let (reply, body) = server.call(name, json!({})).await;
        assert_eq!(
            (reply.status.as_u16(), &body["result"]["isError"]),
            (200, &json!(true)),
            "{body}"
        );
        assert!(
            text(&body).contains(name) && !text(&body).contains(message),
            "{body}"
        );
        let panic = Fault::Panic(message.to_owned());
        let events = server.events();
        assert!(
            events
                .iter()
                .any(|event| matches!(event, Event::ToolFaulted { fault, .. } if *fault == panic)),
            "{events:?}"
        );
    }
    assert_eq!(text(&server.call("fine", json!({})).await.1), "fine");
}

#[tokio::test]
async fn a_call_over_its_deadline_is_a_fault() {
    let mut limits = Limits::default();
    limits.call_deadline = Some(Duration::from_millis(10));
    let server = Watched::new(
        Server::builder("test", "1")
            .limits(limits)
            .tool(tool("slow").run(async |_: NoArguments, _ctx: Context| {
                tokio::time::sleep(Duration::from_secs(60)).await;
                Ok(())
            })),
    );
    let (reply, body) = server.call("slow", json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &body["result"]["isError"]),
        (200, &json!(true))
    );
    let events = server.events();
    assert!(
        events.iter().any(|event| matches!(
            event,
            Event::ToolFaulted {
                fault: Fault::Deadline(_),
                ..
            }
        )),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_result_over_the_limit_is_a_fault_and_the_limit_itself_passes() {
    let mut limits = Limits::default();
    limits.answer_bytes = 1024;
    let server = Watched::new(Server::builder("test", "1").limits(limits).tool(
        tool("long").run_with_schema(
            json!({"type": "object"}),
            async |args: serde_json::Value, _ctx: Context| {
                let length = usize::try_from(args["length"].as_u64().unwrap_or_default())?;
                Ok("x".repeat(length))
            },
        ),
    ));
    let overhead = server.call("long", json!({"length": 0})).await.0.body.len();
    let (reply, body) = server
        .call("long", json!({"length": 1024 - overhead}))
        .await;
    assert_eq!(
        (reply.body.len(), body["result"].get("isError")),
        (1024, None)
    );
    let (_, body) = server
        .call("long", json!({"length": 1025 - overhead}))
        .await;
    assert_eq!(body["result"]["isError"], true);
    let events = server.events();
    assert!(
        events.iter().any(|event| matches!(
            event,
            Event::ToolFaulted {
                fault: Fault::TooLarge(1024),
                ..
            }
        )),
        "{events:?}"
    );
}

#[tokio::test]
async fn dropping_the_answer_drops_the_handler_and_tells_the_work_that_it_spawned() {
    struct Flag(Arc<AtomicBool>);
    impl Drop for Flag {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    let (dropped, told) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicBool::new(false)),
    );
    let (seen, heard) = (Arc::clone(&dropped), Arc::clone(&told));
    let server = Watched::new(Server::builder("test", "1").tool(tool("wait").run(
        move |_: NoArguments, ctx: Context| {
            let (flag, told) = (Flag(Arc::clone(&dropped)), Arc::clone(&told));
            async move {
                let _flag = flag;
                let cancelled = ctx.cancellation().cancelled();
                tokio::spawn(async move {
                    cancelled.await;
                    told.store(true, Ordering::Release);
                });
                std::future::pending::<()>().await;
                Ok(())
            }
        },
    )));
    let waiting = server.call("wait", json!({}));
    assert!(
        tokio::time::timeout(Duration::from_millis(10), waiting)
            .await
            .is_err()
    );
    assert!(seen.load(Ordering::Acquire));
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(heard.load(Ordering::Acquire));
    assert_eq!(kinds(&server.events()), ["ToolStarted", "ToolCancelled"]);
}

#[tokio::test]
async fn a_function_for_events_that_panics_costs_the_peer_nothing() {
    let tokens = BearerTokens::new([("right", "alice")]).unwrap();
    let server = Server::builder("test", "1")
        .tool(tool("fine").run(async |_: NoArguments, _ctx: Context| Ok("fine")))
        .tool(tool("broken").run(async |_: NoArguments, _ctx: Context| boom("no row 7")))
        .authenticate(tokens, Challenge::bearer())
        .on_event(|event| panic!("no counter for {event:?}"))
        .build()
        .unwrap();
    let right = [("authorization", "Bearer right")];
    for _ in 0..2 {
        let (reply, body) = call(&server, &right, "fine", json!({})).await;
        assert_eq!((reply.status.as_u16(), text(&body)), (200, "fine"));
        let (reply, body) = call(&server, &right, "broken", json!({})).await;
        assert_eq!(
            (reply.status.as_u16(), &body["result"]["isError"]),
            (200, &json!(true))
        );
        let (reply, _) = call(&server, &right, "missing", json!({})).await;
        assert_eq!(reply.status, 200);
        let (reply, _) = call(&server, &[], "fine", json!({})).await;
        assert_eq!(reply.status, 401);
    }
}

/// Panics when it is dropped, unless a panic is under way already, which would end the process.
struct Explosive;

impl Drop for Explosive {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "dropped");
    }
}

/// Panics with a payload that panics when whoever caught it drops it.
fn explode() -> wymcp::Result<()> {
    panic_any(Explosive)
}

impl<'de> serde::Deserialize<'de> for Explosive {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic_any(Self)
    }
}

struct Exploding;

impl Authenticate for Exploding {
    async fn authenticate(&self, _: &Head<'_>) -> Decision {
        panic_any(Explosive)
    }
}

/// Holds a call to its answer, a fault, and the server to the next call.
async fn assert_fault(server: &Watched, name: &str, events: &[&str]) {
    for _ in 0..2 {
        let (reply, body) = server.call(name, json!({})).await;
        assert_eq!(
            (reply.status.as_u16(), &body["result"]["isError"]),
            (200, &json!(true)),
            "{body}"
        );
        assert!(text(&body).contains(name), "{body}");
        assert_eq!(kinds(&server.events()), events);
        assert_eq!(text(&server.call("fine", json!({})).await.1), "fine");
        server.events();
    }
}

fn fine() -> RunnableTool {
    tool("fine").run(async |_: NoArguments, _ctx: Context| Ok("fine"))
}

#[tokio::test]
async fn a_value_that_panics_when_the_deadline_drops_it_is_part_of_the_fault() {
    let mut limits = Limits::default();
    limits.call_deadline = Some(Duration::from_millis(10));
    let server = Watched::new(
        Server::builder("test", "1")
            .limits(limits)
            .tool(fine())
            .tool(tool("slow").run(async |_: NoArguments, _ctx: Context| {
                let held = Explosive;
                tokio::time::sleep(Duration::from_secs(60)).await;
                std::mem::forget(held);
                Ok(())
            })),
    );
    let events = ["ToolStarted", "ToolFaulted", "ToolStopped"];
    assert_fault(&server, "slow", &events).await;
}

#[tokio::test]
async fn a_panic_whose_payload_panics_in_turn_is_a_fault_of_its_tool_alone() {
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(fine())
            .tool(tool("late").run(async |_: NoArguments, _ctx: Context| {
                tokio::task::yield_now().await;
                explode()
            }))
            .tool(tool("early").run(|_: NoArguments, _: Context| {
                let result = explode();
                async { result }
            })),
    );
    let events = ["ToolStarted", "ToolFaulted", "ToolStopped"];
    assert_fault(&server, "late", &events).await;
    assert_fault(&server, "early", &events).await;
}

#[tokio::test]
async fn arguments_whose_reading_panics_in_this_way_are_a_fault_of_their_tool_alone() {
    let server = Watched::new(Server::builder("test", "1").tool(fine()).tool(
        tool("reads").run_with_schema(
            json!({"type": "object"}),
            async |_: Explosive, _ctx: Context| Ok(()),
        ),
    ));
    assert_fault(&server, "reads", &["ToolFaulted", "ToolStopped"]).await;
}

#[tokio::test]
async fn an_authenticator_that_panics_in_this_way_refuses() {
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(fine())
            .authenticate(Exploding, Challenge::bearer()),
    );
    for _ in 0..2 {
        let (reply, body) = server.call("fine", json!({})).await;
        assert_eq!((reply.status.as_u16(), &body["id"]), (401, &json!(7)));
        assert_eq!(kinds(&server.events()), ["AuthFailed"]);
    }
}

#[tokio::test]
async fn a_function_for_events_that_panics_in_this_way_costs_the_peer_nothing() {
    let server = Server::builder("test", "1")
        .tool(fine())
        .on_event(|_| panic_any(Explosive))
        .build()
        .unwrap();
    for _ in 0..2 {
        let (_, body) = call(&server, &[], "fine", json!({})).await;
        assert_eq!(text(&body), "fine");
    }
}

struct Broken;

impl Authenticate for Broken {
    async fn authenticate(&self, _: &Head<'_>) -> Decision {
        panic!("the directory is down")
    }
}

#[tokio::test]
async fn an_authenticator_that_panics_refuses_like_any_other_and_says_so_to_the_operator() {
    let hello = || tool("hello").run(async |_: NoArguments, _ctx: Context| Ok("hello"));
    let broken = Watched::new(
        Server::builder("test", "1")
            .tool(hello())
            .authenticate(Broken, Challenge::bearer()),
    );
    let tokens = BearerTokens::new([("right", "alice")]).unwrap();
    let refusing = Watched::new(
        Server::builder("test", "1")
            .tool(hello())
            .authenticate(tokens, Challenge::bearer()),
    );
    let lines = [("authorization", "Bearer wrong")];
    let (failed, failed_body) = broken.call_with(&lines, "hello", json!({})).await;
    let (refused, refused_body) = refusing.call_with(&lines, "hello", json!({})).await;
    assert_eq!(
        (failed.status.as_u16(), &failed_body["id"]),
        (401, &json!(7))
    );
    assert_eq!(
        (failed.headers, failed_body),
        (refused.headers, refused_body)
    );
    assert!(
        matches!(broken.events().as_slice(), [Event::AuthFailed { fault, .. }] if fault.contains("directory"))
    );
    assert!(matches!(
        refusing.events().as_slice(),
        [Event::AuthRejected { .. }]
    ));
}

#[tokio::test]
async fn each_request_has_the_principal_of_its_own_credentials() {
    let tokens = BearerTokens::new([("a", "alice"), ("b", "bob")]).unwrap();
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("who").run(async |_: NoArguments, ctx: Context| {
                Ok(ctx.principal().name().unwrap_or_default().to_owned())
            }))
            .authenticate(tokens, Challenge::bearer()),
    );
    for (token, name) in [
        ("Bearer a", "alice"),
        ("bearer b", "bob"),
        ("Bearer a", "alice"),
    ] {
        let (_, body) = server
            .call_with(&[("authorization", token)], "who", json!({}))
            .await;
        assert_eq!(text(&body), name);
    }
}

/// Lets everybody in, with data that panics when it is dropped.
struct Generous;

impl Authenticate for Generous {
    async fn authenticate(&self, _: &Head<'_>) -> Decision {
        Decision::Granted(wymcp::Principal::named("alice").with(Explosive))
    }
}

#[tokio::test]
async fn a_principal_whose_data_panics_when_it_is_dropped_costs_its_own_caller_nothing() {
    let server = Watched::new(
        Server::builder("test", "1")
            .authenticate(Generous, Challenge::bearer())
            .tool(fine()),
    );
    for _ in 0..2 {
        assert_eq!(text(&server.call("fine", json!({})).await.1), "fine");
        assert_eq!(kinds(&server.events()), ["ToolStarted", "ToolStopped"]);
        let (reply, _) = server.call("unknown", json!({})).await;
        assert_eq!(reply.status, 200);
        assert_eq!(kinds(&server.events()), ["Rejected"]);
    }
}

/// Waits for ever, holding what panics when it is dropped.
struct Waiting;

impl Authenticate for Waiting {
    async fn authenticate(&self, _: &Head<'_>) -> Decision {
        let _held = Explosive;
        std::future::pending().await
    }
}

#[tokio::test]
async fn an_authenticator_that_panics_when_it_is_dropped_reaches_nobody() {
    let builder = Server::builder("test", "1").authenticate(Waiting, Challenge::bearer());
    let server = Watched::new(builder.tool(fine()));
    let waiting = server.call("fine", json!({}));
    let waited = tokio::time::timeout(Duration::from_millis(10), waiting).await;
    assert!(waited.is_err(), "nobody answers");
}

/// A line's clock that is never asked.
struct NoClock;

impl Clock for NoClock {
    fn sleep(&self, _: Duration) -> impl Future<Output = ()> + use<> {
        pending()
    }
}

#[tokio::test]
async fn a_principal_of_a_line_whose_data_panics_when_it_is_dropped_reaches_nobody() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let fine = tool("fine").run(async |_: NoArguments, _: Context| Ok("fine"));
    let server = Server::builder("test", "1").tool(fine).build().unwrap();
    let client = || Lines::new(server.clone(), Principal::named("ada").with(Bomb));
    let list = common::request("tools/list", json!({}));
    let (lines, mut answers) = client();
    let run = lines.take(list.to_string().into(), NoClock);
    assert!(run.is_none(), "a list is answered at once");
    drop(lines);
    let listed: Value = serde_json::from_slice(&answers.next().await.unwrap()).unwrap();
    common::judge(list.to_string().as_bytes(), &listed).unwrap();
    assert!(listed["result"]["tools"].is_array(), "{listed}");

    let call = common::request("tools/call", json!({"name": "fine"}));
    let (lines, mut answers) = client();
    let run = lines.take(call.to_string().into(), NoClock);
    drop(lines);
    tokio::spawn(run.expect("a call begins"));
    let answered: Value = serde_json::from_slice(&answers.next().await.unwrap()).unwrap();
    common::judge(call.to_string().as_bytes(), &answered).unwrap();
    assert_eq!(text(&answered), "fine");
}
