//! Tools as closures and as types: what they are given, and what becomes of what they return.

mod common;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use common::{Watched, text};
use serde_json::{Value, json};
use wymcp::{
    Content, Context, Error, ErrorKind, Event, LogLevel, NoArguments, Result, Server, Structured,
    ToolHandler, ToolResult, action, actions, tool,
};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: i64,
    b: i64,
}

struct Counter(AtomicU64);

impl ToolHandler for Counter {
    type Arguments = NoArguments;
    type Output = u64;

    async fn run(&self, _: NoArguments, _: Context) -> Result<u64> {
        Ok(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

#[tokio::test]
async fn a_typed_closure_is_called_with_its_arguments_and_its_events_tell_the_course() {
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("sum").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b))),
    );
    let (reply, body) = server.call("sum", json!({"a": 2.0, "b": 40})).await;
    assert_eq!(
        (reply.status.as_u16(), text(&body), &body["id"]),
        (200, "42", &json!(7))
    );
    let events = server.events();
    assert!(
        matches!(
            events.as_slice(),
            [
                Event::ToolStarted { .. },
                Event::ToolStopped { error: None, .. }
            ]
        ),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_type_with_state_keeps_it_from_call_to_call() {
    let server = Watched::new(
        Server::builder("test", "1").tool(tool("count").handler(Counter(AtomicU64::new(0)))),
    );
    assert_eq!(text(&server.call("count", json!({})).await.1), "1");
    assert_eq!(text(&server.call("count", Value::Null).await.1), "2");
}

#[tokio::test]
async fn a_closure_captures_state_by_cloning_it() {
    let calls = Arc::new(AtomicU64::new(40));
    let server = Watched::new(Server::builder("test", "1").tool(tool("count").run(
        move |_: NoArguments, _: Context| {
            let calls = Arc::clone(&calls);
            async move { Ok(calls.fetch_add(2, Ordering::Relaxed) + 2) }
        },
    )));
    assert_eq!(text(&server.call("count", json!({})).await.1), "42");
}

#[tokio::test]
async fn the_context_knows_the_call() {
    let server = Watched::new(Server::builder("test", "1").tool(tool("who").run(
        async |_: NoArguments, ctx: Context| {
            let client = ctx.meta().client_info().unwrap().name.to_owned();
            Ok(format!(
                "{} {} {client} {:?}",
                ctx.name(),
                ctx.request_id(),
                ctx.principal().name()
            ))
        },
    )));
    assert_eq!(
        text(&server.call("who", json!({})).await.1),
        "who 7 tests None"
    );
}

#[tokio::test]
async fn an_error_is_for_the_model_and_a_fault_is_not() {
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("told").run(async |_: NoArguments, _ctx: Context| {
                let number: i64 = "x".parse()?;
                Ok(number)
            }))
            .tool(tool("hidden").run(async |_: NoArguments, _ctx: Context| {
                Err::<(), _>(Error::internal("the password is swordfish"))
            })),
    );
    let (reply, body) = server.call("told", json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &body["result"]["isError"]),
        (200, &json!(true))
    );
    assert_eq!(text(&body), "invalid digit found in string");

    server.events();
    let (reply, body) = server.call("hidden", json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &body["result"]["isError"]),
        (200, &json!(true))
    );
    assert!(!body.to_string().contains("swordfish"), "{body}");
    let events = server.events();
    let [
        _,
        Event::ToolFaulted { fault, .. },
        Event::ToolStopped { error, .. },
    ] = events.as_slice()
    else {
        panic!("{events:?}");
    };
    assert_eq!(
        (fault.to_string().as_str(), error),
        ("the password is swordfish", &Some(ErrorKind::Tool))
    );
}

#[tokio::test]
async fn a_missing_capability_is_a_protocol_error_that_names_it_whole() {
    let server = Watched::new(Server::builder("test", "1").tool(tool("ask").run(
        async |_: NoArguments, ctx: Context| {
            ctx.require_capability(&["elicitation"])?;
            ctx.require_capability(&["elicitation", "url"])
        },
    )));
    let (reply, body) = server.call("ask", json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &body["error"]["code"]),
        (400, &json!(-32021))
    );
    assert_eq!(
        body["error"]["data"],
        json!({"requiredCapabilities": {"elicitation": {"url": {}}}})
    );
}

#[tokio::test]
async fn structured_results_declare_their_schema_and_are_sent_twice() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Weather {
        celsius: f64,
    }
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("weather").run(async |_: NoArguments, _ctx: Context| {
                Ok(Structured(Weather { celsius: 21.5 }))
            }))
            .tool(
                tool("broken")
                    .run(async |_: NoArguments, _ctx: Context| Ok(Structured([f64::NAN]))),
            ),
    );
    let (_, body) = server.call("weather", json!({})).await;
    assert_eq!(
        body["result"]["structuredContent"],
        json!({"celsius": 21.5})
    );
    assert_eq!(text(&body), r#"{"celsius":21.5}"#);
    let (reply, body) = server.call("broken", json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &body["result"]["isError"]),
        (200, &json!(true))
    );
}

const ODD: &str = "a\u{2028}b\u{0}\"\\\u{1f600}\r\n";

#[tokio::test]
async fn content_of_every_kind_reaches_the_wire_character_for_character() {
    let server = Watched::new(Server::builder("test", "1").tool(tool("odd").run(
        async |_: NoArguments, _ctx: Context| {
            Ok(ToolResult::new([
                Content::text(ODD),
                Content::image(b"\0", "image/png"),
            ]))
        },
    )));
    let (reply, body) = server.call("odd", json!({})).await;
    assert_eq!(text(&body), ODD);
    assert_eq!(body["result"]["content"][1]["data"], "AA==");
    assert!(!String::from_utf8(reply.body).unwrap().contains('\u{2028}'));
}

#[tokio::test]
async fn an_integer_that_the_schema_admits_and_the_type_does_not_hold_is_told_to_the_model() {
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("sum").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b))),
    );
    let (reply, body) = server.call("sum", json!({"a": 1e20, "b": 1})).await;
    assert_eq!(
        (reply.status.as_u16(), &body["result"]["isError"]),
        (200, &json!(true))
    );
    let events = server.events();
    assert!(
        matches!(
            events.last(),
            Some(Event::ToolStopped {
                error: Some(ErrorKind::Dispatch),
                ..
            })
        ),
        "{events:?}"
    );
}

#[tokio::test]
async fn an_event_of_a_refused_action_names_it_once_it_is_chosen() {
    let find = action("find", "Finds orders").run(async |_: NoArguments, _: Context| Ok("found"));
    let server = Watched::new(
        Server::builder("shop", "1.0.0").tool(actions("orders").action(find).finish()),
    );
    for (arguments, chosen) in [
        (json!({"action": "find", "data": {"year": 1}}), Some("find")),
        (json!({"action": "find", "data": []}), Some("find")),
        (json!({"action": "fnd"}), None),
        (json!({"action": "find", "more": 1}), None),
    ] {
        let (_, body) = server.call("orders", arguments.clone()).await;
        assert_eq!(body["result"]["isError"], true, "{arguments}");
        let events = server.events();
        let [Event::ToolStopped { call, error, .. }] = &events[..] else {
            panic!("{arguments}: {events:?}");
        };
        assert_eq!(call.action.as_deref(), chosen, "{arguments}");
        assert_eq!(*error, Some(ErrorKind::Dispatch));
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Mixed {
    Object { x: i64 },
    Unit,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[test]
fn arguments_that_no_client_could_send_are_a_fault_of_the_definition() {
    let mixed = tool("mixed").run(async |_: Mixed, _: Context| Ok("never"));
    let fault = Server::builder("test", "1")
        .tool(mixed)
        .build()
        .unwrap_err();
    assert!(
        fault.to_string().contains("is no schema of an object"),
        "{fault}"
    );
    let option = tool("option").run(async |_: Option<Sum>, _: Context| Ok("never"));
    assert!(Server::builder("test", "1").tool(option).build().is_err());
    let shape = tool("shape").run(async |_: Shape, _: Context| Ok("drawn"));
    assert!(Server::builder("test", "1").tool(shape).build().is_ok());
}

#[test]
fn an_output_schema_that_no_result_could_fit_is_a_fault_of_the_definition() {
    let build = |schema: Value| {
        let tool = tool("text").output_schema(schema);
        let tool = tool.run(async |_: NoArguments, _: Context| Ok("a text"));
        Server::builder("test", "1").tool(tool).build()
    };
    let fault = build(json!({"type": "object"})).unwrap_err();
    assert!(
        fault.to_string().contains("output_schema: is declared"),
        "{fault}"
    );
}

// The words are the schema's.
#[cfg(feature = "json-schema")]
#[tokio::test]
async fn a_union_says_what_its_forms_want() {
    let shape = tool("shape").run(async |_: Shape, _: Context| Ok("drawn"));
    let server = Watched::new(Server::builder("test", "1").tool(shape));
    let (_, body) = server.call("shape", json!({})).await;
    assert!(
        text(&body).contains(r#"is missing the required member "kind""#),
        "{body}"
    );
}

/// Tells of progress while it is written.
struct Told(Context);

impl serde::Serialize for Told {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.progress(1.0, None, None);
        serializer.serialize_str("told")
    }
}

#[tokio::test]
async fn a_record_whose_data_tells_of_progress_does_not_wait_for_itself() {
    let tell = tool("tell").run(async |_: NoArguments, context: Context| {
        context.log(LogLevel::Error, None, &Told(context.clone()))?;
        Ok("done")
    });
    let server = Server::builder("test", "1")
        .logging()
        .tool(tell)
        .build()
        .unwrap();
    let mut request = common::request("tools/call", json!({"name": "tell", "arguments": {}}));
    request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    request["params"]["_meta"]["progressToken"] = json!("p");
    let (_, messages) = common::converse(&server, &[], &request).await;
    let methods: Vec<&Value> = messages.iter().map(|message| &message["method"]).collect();
    let (progress, record) = ("notifications/progress", "notifications/message");
    assert_eq!(methods, [&json!(progress), &json!(record), &Value::Null]);
}
