//! Streamed answers over a socket: when pieces arrive, what a client that hangs up ends, and what a shutdown ends.

mod support;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::Axum;
use tokio::sync::Notify;
use wymcp::{Context, Event, Limits, LogLevel, Server, ServerBuilder, tool};
use wymcp_testkit::{Adapter, Connection};

/// A call that asks for everything that may be said before its answer.
fn call(name: &str) -> Vec<u8> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": "p1",
    });
    let params = json!({"name": name, "arguments": {}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let body = body.to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: {name}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A server whose events are kept.
fn watched(builder: ServerBuilder) -> (Server, Arc<Mutex<Vec<String>>>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&events);
    let server = builder.on_event(move |event: &Event| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(format!("{event:?}"));
    });
    (server.build().unwrap(), events)
}

/// Waits until an event begins so.
fn await_event(events: &Mutex<Vec<String>>, start: &str) {
    let since = Instant::now();
    loop {
        let seen = events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if seen.iter().any(|event| event.starts_with(start)) {
            return;
        }
        assert!(
            since.elapsed() < Duration::from_secs(10),
            "no {start} in {seen:?}"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Says one thing, then waits to be released.
fn held(release: &Arc<Notify>) -> ServerBuilder {
    let release = Arc::clone(release);
    let hold = tool("hold").run_with_schema(
        json!({"type": "object"}),
        move |_: Value, context: Context| {
            let release = Arc::clone(&release);
            async move {
                context.progress(1.0, Some(2.0), None);
                release.notified().await;
                Ok("released")
            }
        },
    );
    Server::builder("held", "1.0.0").tool(hold)
}

fn text(chunk: Option<Vec<u8>>) -> String {
    String::from_utf8(chunk.expect("a piece")).unwrap()
}

#[test]
fn what_is_said_arrives_before_the_answer_and_the_answer_ends_the_stream_in_one_piece() {
    let (axum, release) = (Axum::new(), Arc::new(Notify::new()));
    let (server, events) = watched(held(&release));
    let host = axum.serve(server);
    let mut connection = Connection::open(host.address()).unwrap();
    let head = connection
        .open_stream(call("hold"))
        .unwrap()
        .to_ascii_lowercase();
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    assert!(text(connection.next_chunk().unwrap()).contains("notifications/progress"));
    release.notify_one();
    let last = text(connection.next_chunk().unwrap());
    assert!(
        last.contains("released") && last.ends_with("\n\n"),
        "{last}"
    );
    assert_eq!(connection.next_chunk().unwrap(), None);
    await_event(&events, "StreamClosed { cancelled: false");
    // The connection is as good as new.
    connection.send(call("unknown")).unwrap();
    assert_eq!(connection.receive().unwrap().unwrap().status, 200);
}

#[test]
fn a_client_that_hangs_up_in_the_middle_of_a_stream_ends_its_call() {
    let (axum, release) = (Axum::new(), Arc::new(Notify::new()));
    let (server, events) = watched(held(&release));
    let host = axum.serve(server);
    let mut connection = Connection::open(host.address()).unwrap();
    connection.open_stream(call("hold")).unwrap();
    connection.next_chunk().unwrap();
    drop(connection);
    await_event(&events, "ToolCancelled");
    await_event(&events, "StreamClosed { cancelled: true");
}

#[test]
fn a_quiet_stream_says_that_it_is_alive() {
    let (axum, release) = (Axum::new(), Arc::new(Notify::new()));
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(20);
    let host = axum.serve(held(&release).limits(limits).build().unwrap());
    let mut connection = Connection::open(host.address()).unwrap();
    connection.open_stream(call("hold")).unwrap();
    assert!(text(connection.next_chunk().unwrap()).contains("notifications/progress"));
    for _ in 0..3 {
        assert_eq!(text(connection.next_chunk().unwrap()), ":\n\n");
    }
    release.notify_one();
    loop {
        let piece = text(connection.next_chunk().unwrap());
        if piece != ":\n\n" {
            assert!(piece.contains("released"), "{piece}");
            break;
        }
    }
}

#[test]
fn a_shutdown_ends_a_call_that_does_not_end_with_an_answer() {
    let (axum, release) = (Axum::new(), Arc::new(Notify::new()));
    let (server, events) = watched(held(&release));
    let host = axum.serve(server.clone());
    let mut connection = Connection::open(host.address()).unwrap();
    connection.open_stream(call("hold")).unwrap();
    connection.next_chunk().unwrap();
    server.shutdown(Duration::from_millis(20));
    let last = text(connection.next_chunk().unwrap());
    assert!(
        last.contains("Tool hold failed to answer this call"),
        "{last}"
    );
    assert_eq!(connection.next_chunk().unwrap(), None);
    await_event(&events, "ToolFaulted");
}

#[test]
fn a_shutdown_leaves_a_call_the_time_that_it_needs() {
    let (axum, release) = (Axum::new(), Arc::new(Notify::new()));
    let server = held(&release).build().unwrap();
    let host = axum.serve(server.clone());
    let mut connection = Connection::open(host.address()).unwrap();
    connection.open_stream(call("hold")).unwrap();
    connection.next_chunk().unwrap();
    server.shutdown(Duration::from_secs(60));
    release.notify_one();
    assert!(text(connection.next_chunk().unwrap()).contains("released"));
}

#[test]
fn work_that_a_handler_spawned_is_heard_while_the_handler_waits() {
    let axum = Axum::new();
    let spawning = tool("spawning").run_with_schema(
        json!({"type": "object"}),
        async |_: Value, context: Context| {
            let speaking = context.clone();
            let spoken = tokio::spawn(async move {
                for step in 1..=3_u8 {
                    speaking.progress(f64::from(step), None, None);
                    tokio::task::yield_now().await;
                }
            });
            let _ = spoken.await;
            Ok("done")
        },
    );
    let host = axum.serve(Server::builder("test", "1").tool(spawning).build().unwrap());
    let mut connection = Connection::open(host.address()).unwrap();
    connection.send(call("spawning")).unwrap();
    let answer = connection.receive().unwrap().unwrap();
    let messages = answer.messages().unwrap();
    assert_eq!(messages.len(), 4, "{messages:?}");
}

#[test]
fn a_reader_that_is_slow_costs_a_bounded_queue_and_gets_the_newest_progress_and_the_answer() {
    let axum = Axum::new();
    let mut limits = Limits::default();
    limits.stream_messages = 8;
    let eager = tool("eager").run_with_schema(
        json!({"type": "object"}),
        async |_: Value, context: Context| {
            // Said at once, before anybody can pick it up.
            for step in 1..=1_000_u16 {
                context.log(LogLevel::Info, None, &step)?;
                context.progress(f64::from(step), None, None);
            }
            Ok("done")
        },
    );
    let builder = Server::builder("test", "1")
        .limits(limits)
        .logging()
        .tool(eager);
    let (server, events) = watched(builder);
    let host = axum.serve(server);
    let mut connection = Connection::open(host.address()).unwrap();
    connection.send(call("eager")).unwrap();
    let messages = connection.receive().unwrap().unwrap().messages().unwrap();
    assert_eq!(messages.len(), 9);
    let progress = |message: &&Value| message["method"] == "notifications/progress";
    let newest = messages.iter().rfind(progress).unwrap();
    assert_eq!(newest["params"]["progress"], 1_000);
    assert_eq!(messages[8]["result"]["content"][0]["text"], "done");
    let seen = events.lock().unwrap_or_else(PoisonError::into_inner);
    let closed = seen.iter().find(|event| event.starts_with("StreamClosed"));
    let dropped = 1_000
        - messages
            .iter()
            .filter(|it| it["method"] == "notifications/message")
            .count();
    assert!(
        closed.unwrap().contains(&format!("dropped: {dropped}")),
        "{closed:?}"
    );
}

#[test]
fn a_reader_that_takes_nothing_stops_the_handler_and_costs_a_bounded_queue() {
    let axum = Axum::new();
    let said = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&said);
    let endless = tool("endless").run_with_schema(
        json!({"type": "object"}),
        move |_: Value, context: Context| {
            let counted = Arc::clone(&counted);
            async move {
                let filler = "x".repeat(64 * 1024);
                loop {
                    context.log(LogLevel::Info, None, &filler)?;
                    counted.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                }
                #[expect(unreachable_code, reason = "it is the type of the answer")]
                Ok("never")
            }
        },
    );
    let (server, events) = watched(Server::builder("test", "1").logging().tool(endless));
    let host = axum.serve(server);
    let mut connection = Connection::open(host.address()).unwrap();
    connection.open_stream(call("endless")).unwrap();
    // Nothing is read: what was said stops to grow.
    let mut before = u64::MAX;
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = said.load(Ordering::Relaxed);
        if now == before {
            break;
        }
        before = now;
    }
    drop(connection);
    await_event(&events, "StreamClosed { cancelled: true");
}
