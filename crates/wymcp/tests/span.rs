//! The span in which a handler runs: its names, the client's trace in it, and what stays out of it.

mod common;

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use common::post;
use serde_json::{Value, json};
use tracing_subscriber::fmt::format::FmtSpan;
use wymcp::{Context, Error, NoArguments, Server, ServerBuilder, prompt, tool};

/// What a subscriber wrote.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Takes less than its schema says.
#[derive(serde::Deserialize)]
struct Picky {
    #[serde(rename = "needed")]
    _needed: u8,
}

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// What is written of a call, and its status.
async fn written(server: ServerBuilder, method: &str, name: &str, more: Value) -> (u16, String) {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .without_time()
        .with_span_events(FmtSpan::CLOSE)
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (key, value) in more.as_object().unwrap() {
        meta[key] = value.clone();
    }
    let params = json!({"name": name, "arguments": {}, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let (reply, _) = post(&server.build().unwrap(), &[], &message).await;
    drop(guard);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    (reply.status.as_u16(), text)
}

fn builder() -> ServerBuilder {
    let fails = async |_: NoArguments, _: Context| Err::<(), _>(Error::new("no such city"));
    let works = async |_: NoArguments, _: Context| {
        tracing::info!("inside");
        Ok("done")
    };
    let asks = async |_: NoArguments, _: Context| Ok("Hello");
    Server::builder("traced", "1")
        .tool(tool("works").run(works))
        .tool(tool("fails").run(fails))
        .tool(
            tool("panics")
                .run(async |_: NoArguments, _: Context| -> wymcp::Result<()> { panic!("bang") }),
        )
        .tool(
            tool("breaks")
                .output_schema(json!({"type": "object"}))
                .run(async |_: NoArguments, _: Context| Ok(wymcp::ToolResult::text("no object"))),
        )
        .tool(
            tool("picky")
                .run_with_schema(json!({"type": "object"}), async |_: Picky, _: Context| {
                    Ok("")
                }),
        )
        .prompt(prompt("greet").run(asks))
}

#[tokio::test]
async fn a_handler_runs_in_a_span_with_the_names_of_opentelemetry_and_the_trace_of_its_client() {
    let trace = json!({"traceparent": PARENT, "tracestate": "vendor=1", "baggage": "user=ada"});
    let (_, text) = written(builder(), "tools/call", "works", trace).await;
    let line = text.lines().find(|line| line.contains("inside")).unwrap();
    for field in [
        "otel.name=tools/call works",
        r#"otel.kind="server""#,
        r#"mcp.method.name="tools/call""#,
        r#"mcp.protocol.version="2026-07-28""#,
        "jsonrpc.request.id=7",
        r#"gen_ai.operation.name="execute_tool""#,
        r#"gen_ai.tool.name="works""#,
        &format!(r#"traceparent="{PARENT}""#),
    ] {
        assert!(line.contains(field), "{field} in {line}");
    }
    // What may be long, or personal, stays out of the records.
    assert!(
        !text.contains("error.type") && !text.contains("vendor") && !text.contains("ada"),
        "{text}"
    );
}

#[tokio::test]
async fn the_span_of_a_call_that_failed_says_how() {
    let all = [
        ("fails", "tool_error"),
        ("panics", "_OTHER"),
        ("breaks", "_OTHER"),
        ("picky", "tool_error"),
    ];
    for (name, error) in all {
        let (_, text) = written(builder(), "tools/call", name, json!({})).await;
        let closed = text.lines().find(|line| line.contains("close")).unwrap();
        assert!(
            closed.contains(&format!("error.type={error:?}")),
            "{closed}"
        );
        assert!(closed.contains(r#"otel.status_code="ERROR""#), "{closed}");
        assert!(!closed.contains("traceparent"), "{closed}");
    }
}

#[tokio::test]
async fn a_prompt_is_named_as_one() {
    let (_, text) = written(builder(), "prompts/get", "greet", json!({})).await;
    assert!(text.contains(r#"gen_ai.prompt.name="greet""#), "{text}");
    assert!(!text.contains("gen_ai.tool.name"), "{text}");
}

#[tokio::test]
async fn a_host_is_given_the_span_and_what_goes_wrong_there_is_a_fault_of_the_call() {
    let taken = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&taken);
    let server = builder().on_span(move |span, meta| {
        let parent = meta.trace_context().traceparent.map(str::to_owned);
        kept.lock().unwrap().push((span.is_disabled(), parent));
    });
    let _ = written(
        server,
        "tools/call",
        "works",
        json!({"traceparent": PARENT}),
    )
    .await;
    assert_eq!(*taken.lock().unwrap(), [(false, Some(PARENT.to_owned()))]);

    let server = builder().on_span(|_, _| panic!("no collector"));
    let (status, text) = written(server, "tools/call", "works", json!({})).await;
    assert_eq!(status, 200);
    assert!(
        text.contains("no collector") && !text.contains("inside"),
        "{text}"
    );
}
