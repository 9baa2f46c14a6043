//! Listening for changes over a socket: who hears what and when, who finds a place, and what ends it.

mod support;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::Axum;
use tokio::sync::Notify;
use wymcp::{
    BearerTokens, Challenge, Change, Changes, Context, Event, Limits, NoArguments, Relay, Server,
    ServerBuilder, prompt, resource, resource_template, tool,
};
use wymcp_testkit::{Adapter, Connection, Served};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(10);

fn request(method: &str, params: &Value, name: Option<&str>, token: Option<&str>) -> Vec<u8> {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({"jsonrpc": "2.0", "id": "s1", "method": method, "params": params});
    let body = body.to_string();
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: {method}\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (header, value) in [("Mcp-Name", name), ("Authorization", token)] {
        if let Some(value) = value {
            write!(head, "{header}: {value}\r\n").unwrap();
        }
    }
    format!("{head}\r\n{body}").into_bytes()
}

fn listening(notifications: &Value, token: Option<&str>) -> Vec<u8> {
    let params = json!({"notifications": notifications});
    request("subscriptions/listen", &params, None, token)
}

fn call(name: &str) -> Vec<u8> {
    let params = json!({"name": name, "arguments": {}});
    request("tools/call", &params, Some(name), None)
}

/// Listens, and has heard that it is heard.
fn listen(host: &Served, notifications: &Value) -> Connection {
    listen_as(host, notifications, None)
}

fn listen_as(host: &Served, notifications: &Value, token: Option<&str>) -> Connection {
    let mut connection = Connection::open(host.address()).unwrap();
    let head = connection.open_stream(listening(notifications, token));
    let head = head.unwrap().to_ascii_lowercase();
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    let first = messages(&mut connection);
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(first[0]["method"], ACKNOWLEDGED);
    assert_eq!(&first[0]["params"]["notifications"], notifications);
    connection
}

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// What one chunk says.
fn messages(connection: &mut Connection) -> Vec<Value> {
    let chunk = connection.next_chunk().unwrap().expect("a piece");
    let text = String::from_utf8(chunk).unwrap();
    let events = text.split_terminator("\n\n");
    events
        .map(|event| serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap())
        .collect()
}

/// The one change that one chunk tells of.
fn change(connection: &mut Connection) -> Value {
    let mut told = messages(connection);
    assert_eq!(told.len(), 1, "{told:?}");
    let told = told.remove(0);
    assert_eq!(told["params"]["_meta"][SUBSCRIPTION_ID], "s1");
    told
}

/// Nothing more, but how it ended.
fn assert_ends(connection: &mut Connection) {
    let last = messages(connection);
    assert_eq!(last.len(), 1, "{last:?}");
    assert_eq!(last[0]["id"], "s1");
    assert_eq!(last[0]["result"]["resultType"], "complete");
    assert_eq!(last[0]["result"]["_meta"][SUBSCRIPTION_ID], "s1");
    assert_eq!(connection.next_chunk().unwrap(), None);
}

fn assert_too_busy(host: &Served, token: Option<&str>) {
    let mut connection = Connection::open(host.address()).unwrap();
    let asked = listening(&json!({"toolsListChanged": true}), token);
    connection.send(asked).unwrap();
    let answer = connection.receive().unwrap().unwrap();
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("1"))
    );
    let body = answer.json().unwrap();
    assert_eq!(
        (&body["id"], &body["error"]["code"]),
        (&json!("s1"), &json!(-32603))
    );
    // It may try again where it is.
    assert!(connection.is_usable());
}

/// A server on which everything can change, and a tool that tells of a change.
fn changing(changes: &Changes) -> ServerBuilder {
    let told = changes.clone();
    let rename = tool("rename").run(move |_: NoArguments, _: Context| {
        told.tools_changed();
        async { Ok("renamed") }
    });
    let plan = prompt("plan").run(async |_: NoArguments, _: Context| Ok("Plan it."));
    let files = resource_template("file:///{+path}", "files")
        .read(async |_: BTreeMap<String, String>, _: Context| Ok("a file"));
    Server::builder("changing", "1.0.0")
        .tool(rename)
        .prompt(plan)
        .resource(resource("docs://page", "page").text("A page"))
        .resource_template(files)
        .changes(changes.clone())
}

fn limited(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
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

/// Waits until so many streams have lost their readers.
fn await_hang_ups(events: &Mutex<Vec<String>>, count: usize) {
    let since = Instant::now();
    loop {
        let seen = events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let hang_ups = seen
            .iter()
            .filter(|event| event.starts_with("StreamClosed { cancelled: true"));
        if hang_ups.count() >= count {
            return;
        }
        assert!(since.elapsed() < PATIENCE, "not {count} in {seen:?}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_change_reaches_at_once_whoever_asked_for_it_and_nobody_else() {
    let (axum, changes) = (Axum::new(), Changes::new());
    let host = axum.serve(changing(&changes).build().unwrap());
    let mut tools = listen(&host, &json!({"toolsListChanged": true}));
    let mut prompts = listen(&host, &json!({"promptsListChanged": true}));
    let mut resources = listen(&host, &json!({"resourcesListChanged": true}));
    let mut page = listen(&host, &json!({"resourceSubscriptions": ["docs://page"]}));
    let mut file = listen(&host, &json!({"resourceSubscriptions": ["file:///a/b"]}));

    let since = Instant::now();
    changes.tools_changed();
    assert_eq!(
        change(&mut tools)["method"],
        "notifications/tools/list_changed"
    );
    // A tenth of this is what is promised, on a machine that does nothing else.
    let took = since.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");

    changes.prompts_changed();
    changes.resources_changed();
    changes.resource_updated("docs://page");
    changes.resource_updated("docs://elsewhere");
    changes.resource_updated("file:///a/b");
    // What each hears first is its own.
    assert_eq!(
        change(&mut prompts)["method"],
        "notifications/prompts/list_changed"
    );
    assert_eq!(
        change(&mut resources)["method"],
        "notifications/resources/list_changed"
    );
    for (listener, uri) in [(&mut page, "docs://page"), (&mut file, "file:///a/b")] {
        let told = change(listener);
        assert_eq!(told["method"], "notifications/resources/updated");
        assert_eq!(told["params"]["uri"], uri);
    }
    // And nothing of the others' came after it.
    changes.tools_changed();
    assert_eq!(
        change(&mut tools)["method"],
        "notifications/tools/list_changed"
    );
    changes.resource_updated("docs://page");
    assert_eq!(change(&mut page)["params"]["uri"], "docs://page");
}

#[test]
fn a_change_that_a_tool_tells_of_reaches_a_listener() {
    let (axum, changes) = (Axum::new(), Changes::new());
    let host = axum.serve(changing(&changes).build().unwrap());
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    let mut caller = Connection::open(host.address()).unwrap();
    caller.send(call("rename")).unwrap();
    assert_eq!(caller.receive().unwrap().unwrap().status, 200);
    assert_eq!(
        change(&mut listener)["method"],
        "notifications/tools/list_changed"
    );
}

/// A thousand, or as many as there can be: each takes two files of this process.
fn many() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files = line.and_then(|line| line.split_whitespace().nth(3));
    let files: usize = files.and_then(|files| files.parse().ok()).unwrap_or(256);
    // The other tests of this file need some too.
    (files.saturating_sub(128) / 2).min(1_000)
}

#[test]
fn a_thousand_listeners_hear_of_a_change_while_one_that_never_reads_delays_nobody_and_costs_little()
{
    let (axum, changes) = (Axum::new(), Changes::new());
    let server = changing(&changes).build().unwrap();
    let host = axum.serve(server.clone());
    // Long, so that few of its changes fill what the sockets hold.
    let uri: Arc<str> = format!("file:///{}", "x".repeat(64 * 1024)).into();
    let mut never_reads = listen(&host, &json!({"resourceSubscriptions": [&*uri]}));
    for _ in 0..100_000 {
        changes.resource_updated(Arc::clone(&uri));
    }

    let wanted = json!({"toolsListChanged": true});
    let mut listeners: Vec<_> = (0..many()).map(|_| listen(&host, &wanted)).collect();
    let since = Instant::now();
    changes.tools_changed();
    for listener in &mut listeners {
        assert_eq!(
            change(listener)["method"],
            "notifications/tools/list_changed"
        );
    }
    let took = since.elapsed();
    assert!(took < PATIENCE, "{took:?}");

    server.shutdown(PATIENCE);
    for listener in &mut listeners {
        assert_ends(listener);
    }
    // What fits into the sockets and one event more, of a hundred thousand: 1000 would be 64 MiB.
    let mut told = 0;
    let last = loop {
        let mut said = messages(&mut never_reads);
        let last = said.pop().unwrap();
        told += said.len();
        if last["method"].is_null() {
            break last;
        }
        told += 1;
    };
    assert_eq!(last["result"]["resultType"], "complete");
    assert_eq!(never_reads.next_chunk().unwrap(), None);
    assert!((1..1_000).contains(&told), "{told} events were kept");
}

#[test]
fn a_listener_that_hangs_up_frees_its_place() {
    let (axum, changes) = (Axum::new(), Changes::new());
    let builder = changing(&changes).limits(limited(|limits| limits.listeners = 1));
    let (server, events) = watched(builder);
    let host = axum.serve(server);
    let wanted = json!({"toolsListChanged": true});
    let first = listen(&host, &wanted);
    assert_too_busy(&host, None);
    drop(first);
    await_hang_ups(&events, 1);
    let mut third = listen(&host, &wanted);
    changes.tools_changed();
    assert_eq!(
        change(&mut third)["method"],
        "notifications/tools/list_changed"
    );
    assert_too_busy(&host, None);
}

#[test]
fn each_name_has_places_of_its_own() {
    let (axum, changes) = (Axum::new(), Changes::new());
    let tokens = BearerTokens::new([
        ("of-alice", "alice"),
        ("again-of-alice", "alice"),
        ("of-bob", "bob"),
    ]);
    let builder = changing(&changes)
        .authenticate(tokens.unwrap(), Challenge::bearer())
        .limits(limited(|limits| limits.listeners_each = 1));
    let (server, events) = watched(builder);
    let host = axum.serve(server);
    let wanted = json!({"toolsListChanged": true});
    let alice = listen_as(&host, &wanted, Some("Bearer of-alice"));
    assert_too_busy(&host, Some("Bearer of-alice"));
    assert_too_busy(&host, Some("Bearer again-of-alice"));
    let mut bob = listen_as(&host, &wanted, Some("Bearer of-bob"));
    assert_too_busy(&host, Some("Bearer of-bob"));
    drop(alice);
    await_hang_ups(&events, 1);
    let mut alice = listen_as(&host, &wanted, Some("Bearer again-of-alice"));
    assert_too_busy(&host, Some("Bearer of-bob"));
    changes.tools_changed();
    for listener in [&mut alice, &mut bob] {
        assert_eq!(
            change(listener)["method"],
            "notifications/tools/list_changed"
        );
    }
}

#[test]
fn a_shutdown_ends_every_listener_with_a_result() {
    let (axum, changes) = (Axum::new(), Changes::new());
    let (server, events) = watched(changing(&changes));
    let host = axum.serve(server.clone());
    let wanted = json!({"toolsListChanged": true});
    let mut listeners: Vec<_> = (0..5).map(|_| listen(&host, &wanted)).collect();
    // However long the calls are given: nothing that listens needs that time.
    server.shutdown(Duration::from_secs(3600));
    for listener in &mut listeners {
        assert_ends(listener);
        assert!(listener.is_usable());
    }
    let seen = events.lock().unwrap_or_else(PoisonError::into_inner);
    let cancelled = |event: &String| event.starts_with("StreamClosed { cancelled: true");
    assert!(!seen.iter().any(cancelled), "{seen:?}");
}

#[test]
fn a_quiet_listener_hears_that_the_stream_is_alive() {
    let (axum, changes) = (Axum::new(), Changes::new());
    let limits = limited(|limits| limits.keep_alive = Duration::from_millis(20));
    let host = axum.serve(changing(&changes).limits(limits).build().unwrap());
    // The acknowledgement comes first.
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    for _ in 0..3 {
        assert_eq!(listener.next_chunk().unwrap().unwrap(), b":\n\n");
    }
    changes.tools_changed();
    loop {
        let piece = listener.next_chunk().unwrap().unwrap();
        if piece != b":\n\n" {
            let piece = String::from_utf8(piece).unwrap();
            assert!(
                piece.contains("notifications/tools/list_changed"),
                "{piece}"
            );
            break;
        }
    }
}

/// In the place of a topic of a message broker.
struct Topic(Sender<Change>);

impl Relay for Topic {
    fn publish(&self, change: &Change) {
        self.0.send(change.clone()).unwrap();
    }
}

#[test]
fn a_relay_carries_a_change_to_the_listeners_of_every_replica() {
    let (axum, (topic, messages)) = (Axum::new(), mpsc::channel());
    let replicas = [
        Changes::through(Topic(topic.clone())),
        Changes::through(Topic(topic)),
    ];
    let hosts = replicas
        .each_ref()
        .map(|changes| axum.serve(changing(changes).build().unwrap()));
    let wanted = json!({"toolsListChanged": true, "resourceSubscriptions": ["docs://page"]});
    let mut listeners = hosts.each_ref().map(|host| listen(host, &wanted));
    // By itself it tells nobody: what it hands on comes back, or does not.
    replicas[0].tools_changed();
    let lost = messages.recv_timeout(PATIENCE).unwrap();
    assert_eq!(lost, Change::Tools);

    let delivering = replicas.clone();
    let delivery = thread::spawn(move || {
        let change = messages.recv_timeout(PATIENCE).unwrap();
        for changes in &delivering {
            changes.deliver(&change);
        }
    });
    replicas[0].resource_updated("docs://page");
    for listener in &mut listeners {
        assert_eq!(change(listener)["params"]["uri"], "docs://page");
    }
    delivery.join().unwrap();
}

struct Panics;

impl Relay for Panics {
    fn publish(&self, _: &Change) {
        panic!("the relay panics");
    }
}

#[test]
fn a_relay_that_panics_loses_a_change_and_breaks_nothing() {
    let (axum, changes) = (Axum::new(), Changes::through(Panics));
    let host = axum.serve(changing(&changes).build().unwrap());
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    changes.tools_changed();
    let mut caller = Connection::open(host.address()).unwrap();
    caller.send(call("rename")).unwrap();
    let body = caller.receive().unwrap().unwrap().json().unwrap();
    assert_eq!(body["result"]["content"][0]["text"], "renamed");
    changes.deliver(&Change::Tools);
    assert_eq!(
        change(&mut listener)["method"],
        "notifications/tools/list_changed"
    );
}

#[test]
fn neither_a_slow_tool_nor_a_listener_holds_up_a_fast_one() {
    let (axum, changes, release) = (Axum::new(), Changes::new(), Arc::new(Notify::new()));
    let held = Arc::clone(&release);
    let slow = tool("slow").run(move |_: NoArguments, _: Context| {
        let held = Arc::clone(&held);
        async move {
            held.notified().await;
            Ok("slow")
        }
    });
    let host = axum.serve(changing(&changes).tool(slow).build().unwrap());
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    let mut waiting = Connection::open(host.address()).unwrap();
    waiting.send(call("slow")).unwrap();
    let mut calling = Connection::open(host.address()).unwrap();
    for _ in 0..3 {
        calling.send(call("rename")).unwrap();
        let body = calling.receive().unwrap().unwrap().json().unwrap();
        assert_eq!(body["result"]["content"][0]["text"], "renamed");
        assert_eq!(
            change(&mut listener)["method"],
            "notifications/tools/list_changed"
        );
    }
    release.notify_one();
    let body = waiting.receive().unwrap().unwrap().json().unwrap();
    assert_eq!(body["result"]["content"][0]["text"], "slow");
}
