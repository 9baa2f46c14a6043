//! What a connection goes through: refusals, bodies that stop, pipelining, clients that hang up.

mod support;

use std::{
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::Axum;
use tokio::sync::Notify;
use wymcp::{Context, Limits, Server, ServerBuilder, tool};
use wymcp_testkit::{Adapter, Answer, Connection, Served};

fn builder() -> ServerBuilder {
    let echo = tool("echo").run_with_schema(
        json!({"type": "object"}),
        async |arguments: Value, _: Context| {
            Ok(arguments["msg"].as_str().unwrap_or_default().len())
        },
    );
    Server::builder("served", "1.0.0").tool(echo)
}

fn serve(axum: &Axum) -> Served {
    axum.serve(builder().build().unwrap())
}

/// A call of a tool, as bytes.
fn call(name: &str, id: u64, msg: &str) -> Vec<u8> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": name, "arguments": {"msg": msg}, "_meta": meta});
    let body =
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string();
    let head = format!(
        "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
    );
    post(&head, body.len(), &body)
}

/// A POST that announces a length, which need not be the body's.
fn post(head: &str, length: usize, body: &str) -> Vec<u8> {
    format!("POST /mcp HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

fn answered(connection: &mut Connection) -> Answer {
    connection.receive().unwrap().expect("an answer")
}

/// The length that the echo tool was told, and the id.
fn echoed(connection: &mut Connection) -> (Value, Value) {
    let body = answered(connection).json().unwrap();
    (
        body["id"].clone(),
        body["result"]["content"][0]["text"].clone(),
    )
}

const JSON: &str = "Host: localhost\r\nContent-Type: application/json\r\n";

#[test]
fn after_a_refusal_of_the_message_the_connection_goes_on() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    for body in ["{", "[]", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#] {
        connection.send(post(JSON, body.len(), body)).unwrap();
        assert_eq!(answered(&mut connection).status, 400, "{body}");
        connection.send(call("echo", 7, "four")).unwrap();
        assert_eq!(echoed(&mut connection), (json!(7), json!("4")), "{body}");
    }
}

#[test]
fn after_a_refusal_of_the_head_a_connection_with_a_body_to_come_ends() {
    let axum = Axum::new();
    let served = serve(&axum);
    for (head, status) in [
        ("Host: evil.example\r\n", 403),
        ("Host: localhost\r\nOrigin: http://evil.example\r\n", 403),
        ("Host: localhost\r\nContent-Type: text/plain\r\n", 415),
        (
            "Host: localhost\r\nContent-Type: application/json\r\nAccept: text/html\r\n",
            406,
        ),
    ] {
        let mut connection = Connection::open(served.address()).unwrap();
        // Half of the body, so that the rest is outstanding.
        connection.send(post(head, 100, &"x".repeat(50))).unwrap();
        let answer = answered(&mut connection);
        assert_eq!(
            (answer.status, answer.header("connection")),
            (status, Some("close")),
            "{head}"
        );
        assert!(connection.is_ended(), "{head}");
    }
}

#[test]
fn no_request_is_read_out_of_the_body_of_a_refused_one() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    let smuggled = String::from_utf8(call("echo", 1, "smuggled")).unwrap();
    connection
        .send(post("Host: evil.example\r\n", smuggled.len(), &smuggled))
        .unwrap();
    assert_eq!(answered(&mut connection).status, 403);
    assert!(connection.is_ended());
}

#[test]
fn after_a_refusal_of_a_head_without_a_body_the_connection_goes_on() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    connection
        .send("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    assert_eq!(answered(&mut connection).status, 405);
    connection.send(call("echo", 2, "x")).unwrap();
    assert_eq!(echoed(&mut connection), (json!(2), json!("1")));
}

#[test]
fn a_client_that_goes_away_in_its_body_gets_no_answer_and_the_server_lives() {
    let axum = Axum::new();
    let served = serve(&axum);
    for _ in 0..3 {
        let mut connection = Connection::open(served.address()).unwrap();
        connection.send(post(JSON, 100, &"x".repeat(50))).unwrap();
        drop(connection);
    }
    let mut connection = Connection::open(served.address()).unwrap();
    connection.send(call("echo", 1, "alive")).unwrap();
    assert_eq!(echoed(&mut connection), (json!(1), json!("5")));
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    let both = [call("echo", 1, "a"), call("echo", 2, "bb")].concat();
    connection.send(both).unwrap();
    assert_eq!(echoed(&mut connection), (json!(1), json!("1")));
    assert_eq!(echoed(&mut connection), (json!(2), json!("2")));
}

#[test]
fn a_body_over_the_limit_is_refused_before_it_is_sent() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    // Nothing of the 5 MiB comes: who reads them to the end never answers.
    connection.send(post(JSON, 5 * 1024 * 1024, "{")).unwrap();
    let answer = answered(&mut connection);
    assert_eq!(
        (answer.status, answer.header("connection")),
        (413, Some("close"))
    );
    assert!(connection.is_ended());
}

#[test]
fn the_limit_of_the_server_holds_where_the_frameworks_own_is_lower() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    for length in [300 * 1024, 3 * 1024 * 1024] {
        connection
            .send(call("echo", 1, &"x".repeat(length)))
            .unwrap();
        assert_eq!(
            echoed(&mut connection),
            (json!(1), json!(length.to_string()))
        );
    }
}

#[test]
fn a_body_that_stalls_is_answered_and_the_connection_ends() {
    let axum = Axum::new();
    let mut limits = Limits::default();
    limits.body_timeout = Duration::from_millis(100);
    let served = axum.serve(builder().limits(limits).build().unwrap());
    let mut connection = Connection::open(served.address()).unwrap();
    connection.send(post(JSON, 100, "{")).unwrap();
    let answer = answered(&mut connection);
    assert_eq!(
        (answer.status, answer.header("connection")),
        (408, Some("close"))
    );
    assert!(connection.is_ended());
}

#[test]
fn a_client_that_sends_byte_by_byte_does_not_outlast_the_timeout() {
    let axum = Axum::new();
    let mut limits = Limits::default();
    limits.body_timeout = Duration::from_millis(200);
    let served = axum.serve(builder().limits(limits).build().unwrap());
    let mut connection = Connection::open(served.address()).unwrap();
    connection.send(post(JSON, 1000, "{")).unwrap();
    for _ in 0..10 {
        std::thread::sleep(Duration::from_millis(40));
        connection.send(" ").unwrap();
    }
    assert_eq!(answered(&mut connection).status, 408);
}

/// Tells when it is dropped.
struct OnDrop(Sender<()>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[test]
fn a_client_that_goes_away_in_the_middle_of_a_call_drops_its_handler() {
    let (started, starts) = channel();
    let (dropped, drops) = channel();
    let waits =
        tool("waits").run_with_schema(json!({"type": "object"}), move |_: Value, _: Context| {
            let guard = OnDrop(dropped.clone());
            started.send(()).unwrap();
            async move {
                std::future::pending::<()>().await;
                drop(guard);
                Ok(())
            }
        });
    let axum = Axum::new();
    let served = axum.serve(builder().tool(waits).build().unwrap());
    let mut connection = Connection::open(served.address()).unwrap();
    connection.send(call("waits", 1, "")).unwrap();
    starts.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(
        drops.try_recv().is_err(),
        "the handler runs while its client waits"
    );
    drop(connection);
    drops
        .recv_timeout(Duration::from_secs(5))
        .expect("the handler is dropped");
}

#[test]
fn a_function_for_events_that_panics_leaves_the_connection_usable() {
    let axum = Axum::new();
    let panicking = builder().on_event(|event| panic!("no counter for {event:?}"));
    let served = axum.serve(panicking.build().unwrap());
    let mut connection = Connection::open(served.address()).unwrap();
    for id in 0..3 {
        connection.send(call("echo", id, "four")).unwrap();
        assert_eq!(echoed(&mut connection), (json!(id), json!("4")));
        connection.send(post(JSON, 1, "{")).unwrap();
        assert_eq!(answered(&mut connection).status, 400);
    }
}

#[test]
fn calls_on_one_connection_wait_for_no_acknowledgment() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connection = Connection::open(served.address()).unwrap();
    let began = Instant::now();
    for id in 0..50 {
        connection.send(call("echo", id, "x")).unwrap();
        assert_eq!(echoed(&mut connection).0, json!(id));
    }
    // Each would take 40 ms, all of them 2 s, if a small write waited for the acknowledgment of an earlier one.
    assert!(
        began.elapsed() < Duration::from_millis(1500),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn callers_with_one_id_get_their_own_answers() {
    let axum = Axum::new();
    let served = serve(&axum);
    let mut connections: Vec<Connection> = (0..100)
        .map(|_| Connection::open(served.address()).unwrap())
        .collect();
    for (length, connection) in connections.iter_mut().enumerate() {
        connection
            .send(call("echo", 1, &"x".repeat(length)))
            .unwrap();
    }
    for (length, connection) in connections.iter_mut().enumerate() {
        assert_eq!(echoed(connection), (json!(1), json!(length.to_string())));
    }
}

#[test]
fn one_slow_call_holds_nobody_up() {
    let axum = Axum::new();
    let release = Arc::new(Notify::new());
    let waits = Arc::clone(&release);
    let hold =
        tool("hold").run_with_schema(json!({"type": "object"}), move |_: Value, _: Context| {
            let waits = Arc::clone(&waits);
            async move {
                waits.notified().await;
                Ok("released")
            }
        });
    let served = axum.serve(builder().tool(hold).build().unwrap());
    let mut slow = Connection::open(served.address()).unwrap();
    slow.send(call("hold", 1, "")).unwrap();
    for id in 2..10 {
        let mut other = Connection::open(served.address()).unwrap();
        other.send(call("echo", id, "xx")).unwrap();
        assert_eq!(echoed(&mut other), (json!(id), json!("2")));
    }
    release.notify_one();
    assert_eq!(echoed(&mut slow), (json!(1), json!("released")));
}
