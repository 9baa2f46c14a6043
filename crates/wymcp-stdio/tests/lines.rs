//! What clients do with lines: in which order they ask, how they cancel, what they send that is none, how they go.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream},
    sync::Notify,
    task::{JoinHandle, yield_now},
    time::timeout,
};
use wymcp::{Changes, Context, Limits, NoArguments, Server, ServerBuilder, tool};
use wymcp_stdio::Stdio;
use wymcp_testkit::Answer;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client at the other end.
struct Client {
    input: DuplexStream,
    output: BufReader<DuplexStream>,
    serving: JoinHandle<std::io::Result<()>>,
    requests: Vec<Value>,
}

impl Client {
    fn of(server: ServerBuilder) -> Self {
        Self::with_grace(server, Duration::from_millis(50))
    }

    fn with_grace(server: ServerBuilder, grace: Duration) -> Self {
        let stdio = Stdio::new(server.build().unwrap()).grace(grace);
        let (input, read) = tokio::io::duplex(1 << 16);
        let (written, output) = tokio::io::duplex(1 << 10);
        let serving = tokio::spawn(stdio.serve_on(read, written));
        Self {
            input,
            output: BufReader::new(output),
            serving,
            requests: Vec::new(),
        }
    }

    async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.input.write_all(line.as_ref()).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    async fn request(&mut self, request: Value) {
        self.send(request.to_string()).await;
        self.requests.push(request);
    }

    async fn call(&mut self, id: impl Into<Value>, tool: &str) {
        self.request(call(id, tool)).await;
    }

    /// Holds a message against the official schema, if it is there.
    fn read(&self, line: &str) -> Value {
        assert!(line.ends_with('\n'), "{line:?}");
        let message: Value = serde_json::from_str(line).unwrap();
        let of_id = |request: &&Value| request["id"] == message["id"];
        let request = self.requests.iter().find(of_id).or(self.requests.last());
        let request = request.map(Value::to_string).unwrap_or_default();
        let headers = [("content-type", "application/json")];
        let answer = Answer::new(200, headers, line.as_bytes().to_vec());
        answer.judge(request.as_bytes()).unwrap();
        message
    }

    async fn cancel(&mut self, id: impl Into<Value>) {
        let params = json!({"requestId": id.into(), "reason": "no longer wanted"});
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        self.send(cancel.to_string()).await;
    }

    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.output.read_line(&mut line)).await;
        (read.expect("a line in time").unwrap() > 0).then(|| self.read(&line))
    }

    async fn text(&mut self) -> String {
        let message = self.next().await.unwrap();
        let text = &message["result"]["content"][0]["text"];
        text.as_str()
            .unwrap_or_else(|| panic!("{message}"))
            .to_owned()
    }

    /// Ends the input, and gives back what is left of the output.
    async fn end(mut self) -> Vec<Value> {
        self.input.shutdown().await.unwrap();
        let mut output = Vec::new();
        while let Some(message) = self.next().await {
            output.push(message);
        }
        let served = timeout(PATIENCE, self.serving).await;
        served.expect("the server ends").unwrap().unwrap();
        output
    }
}

fn call(id: impl Into<Value>, tool: &str) -> Value {
    request(id, "tools/call", json!({"name": tool, "arguments": {}}))
}

fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "progressToken": "p",
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// `fast` answers, `slow` waits to be let go, `never` tells when it is dropped.
struct Tools {
    go_on: Arc<Notify>,
    started: Arc<Notify>,
    dropped: Arc<AtomicBool>,
}

struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Tools {
    fn new() -> (Self, ServerBuilder) {
        let tools = Self {
            go_on: Arc::default(),
            started: Arc::default(),
            dropped: Arc::default(),
        };
        let (go_on, started) = (Arc::clone(&tools.go_on), Arc::clone(&tools.started));
        let slow = tool("slow").run(move |_: NoArguments, _: Context| {
            let (go_on, started) = (Arc::clone(&go_on), Arc::clone(&started));
            async move {
                started.notify_one();
                go_on.notified().await;
                Ok("slow")
            }
        });
        let (dropped, started) = (Arc::clone(&tools.dropped), Arc::clone(&tools.started));
        let never = tool("never").run(move |_: NoArguments, _: Context| {
            let guard = Dropped(Arc::clone(&dropped));
            started.notify_one();
            async move {
                let _guard = guard;
                pending::<()>().await;
                Ok(())
            }
        });
        let told = tool("told").run(async |_: NoArguments, context: Context| {
            context.progress(1.0, Some(2.0), None);
            context.progress(2.0, Some(2.0), None);
            Ok("told")
        });
        let server = Server::builder("lines", "1.0.0")
            .tool(tool("fast").run(async |_: NoArguments, _: Context| Ok("fast")))
            .tool(slow)
            .tool(never)
            .tool(told);
        (tools, server)
    }

    async fn is_dropped(&self) {
        let dropped = async {
            while !self.dropped.load(Ordering::Acquire) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(PATIENCE, dropped)
            .await
            .expect("the handler is dropped");
    }
}

#[tokio::test]
async fn calls_are_answered_in_the_order_in_which_they_end() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(1, "slow").await;
    client.call("two", "fast").await;
    assert_eq!(client.next().await.unwrap()["id"], "two");
    tools.go_on.notify_one();
    assert_eq!(client.next().await.unwrap()["id"], 1);
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn two_calls_of_one_id_each_get_an_answer() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(1, "slow").await;
    client.call(1, "fast").await;
    assert_eq!(client.text().await, "fast");
    tools.go_on.notify_one();
    assert_eq!(client.text().await, "slow");
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_sends_nothing() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(7, "never").await;
    tools.started.notified().await;
    // Another id, of another type, cancels nothing.
    client.cancel("7").await;
    client.call(8, "fast").await;
    assert_eq!(client.text().await, "fast");
    assert!(!tools.dropped.load(Ordering::Acquire));
    client.cancel(7).await;
    tools.is_dropped().await;
    client.call(7, "fast").await;
    assert_eq!(client.text().await, "fast");
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_cancellation_right_behind_its_call_finds_it() {
    let (_tools, server) = Tools::new();
    let mut client = Client::with_grace(server, PATIENCE);
    for id in 0..50 {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        let lines = format!("{}\n{cancel}", call(id, "never"));
        client.send(lines).await;
    }
    client.call("last", "fast").await;
    assert_eq!(client.text().await, "fast");
    // None of the calls is left, or the end would wait for it.
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn what_is_said_before_an_answer_comes_before_it() {
    let (_tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(1, "told").await;
    let mut progress = Vec::new();
    let last = loop {
        let message = client.next().await.unwrap();
        if message["method"] != "notifications/progress" {
            break message;
        }
        progress.push(message["params"]["progress"].clone());
    };
    assert_eq!(progress, [json!(1), json!(2)]);
    assert_eq!(last["id"], 1);
}

#[tokio::test]
async fn what_has_no_id_that_could_be_answered_gets_no_line() {
    let (_tools, server) = Tools::new();
    let mut client = Client::of(server);
    let fast = call(1, "fast").to_string();
    let deep = "[".repeat(5000);
    let silent: [&[u8]; 14] = [
        b"",
        b" \t\r",
        b"Hello?",
        b"\xFF\xFE",
        b"[]",
        b"null",
        deep.as_bytes(),
        br#"{"jsonrpc": "2.0", "id": null, "method": "tools/list"}"#,
        br#"{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}"#,
        br#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}"#,
        br#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
        br#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
        br#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}"#,
        br#"{"method": 7}"#,
    ];
    for line in silent {
        client.send(line).await;
    }
    client.requests.push(call(1, "fast"));
    client.send(format!("\u{feff}{fast}\r")).await;
    assert_eq!(client.text().await, "fast");
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_skipped_and_the_next_one_is_answered() {
    let (_tools, server) = Tools::new();
    let mut limits = Limits::default();
    limits.body_bytes = 1000;
    let mut client = Client::of(server.limits(limits));
    let long = call(1, "fast").to_string() + &" ".repeat(5000);
    client.send(&long[..1001]).await;
    client.send(long).await;
    client.requests.push(call(3, "fast"));
    client.call(2, "fast").await;
    assert_eq!(client.next().await.unwrap()["id"], 2);
    let mut longest = call(3, "fast").to_string();
    longest += &" ".repeat(1000 - longest.len());
    client.send(longest).await;
    assert_eq!(client.next().await.unwrap()["id"], 3);
}

#[tokio::test]
async fn a_last_line_without_an_end_is_a_line() {
    let (_tools, server) = Tools::new();
    let mut client = Client::of(server);
    let line = call(1, "fast").to_string();
    client.input.write_all(line.as_bytes()).await.unwrap();
    client.requests.push(call(1, "fast"));
    assert_eq!(client.end().await[0]["id"], 1);
}

#[tokio::test]
async fn at_the_end_of_the_input_listeners_are_told_and_calls_have_their_time() {
    let (tools, server) = Tools::new();
    let changes = Changes::new();
    let mut client = Client::of(server.changes(changes.clone()));
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    let listen = request("s1", "subscriptions/listen", notifications);
    client.request(listen).await;
    let acknowledged = client.next().await.unwrap();
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    changes.tools_changed();
    let told = client.next().await.unwrap();
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        "s1"
    );

    client.call(2, "never").await;
    client.call(3, "slow").await;
    tools.started.notified().await;
    tools.go_on.notify_one();
    let mut output = client.end().await;
    let of = |output: &mut Vec<Value>, is: fn(&Value) -> bool| {
        let at = output.iter().position(is).unwrap();
        (at, output.remove(at))
    };
    let (_, never) = of(&mut output, |message| message["id"] == 2);
    assert_eq!(never["result"]["isError"], true, "{never}");
    let (_, slow) = of(&mut output, |message| message["id"] == 3);
    assert_eq!(slow["result"]["content"][0]["text"], "slow");
    let [cancelled, ended] = &output[..] else {
        panic!("{output:?}");
    };
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], "s1");
    assert_eq!(ended["id"], "s1");
    tools.is_dropped().await;
}

#[tokio::test]
async fn a_listener_that_cancels_hears_no_more() {
    let (_tools, server) = Tools::new();
    let changes = Changes::new();
    let mut client = Client::of(server.changes(changes.clone()));
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    let listen = request(1, "subscriptions/listen", notifications);
    client.request(listen).await;
    client.next().await.unwrap();
    client.cancel(1).await;
    client.call(2, "fast").await;
    assert_eq!(client.text().await, "fast");
    changes.tools_changed();
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_client_that_is_gone_ends_the_server_and_drops_its_calls() {
    let (tools, server) = Tools::new();
    let mut client = Client::with_grace(server, Duration::from_secs(60));
    client.call(1, "never").await;
    tools.started.notified().await;
    let Client {
        mut input,
        output,
        serving,
        ..
    } = client;
    drop(output);
    // An answer that nobody takes shows that it is gone; the input stays open.
    let line = call(2, "fast").to_string() + "\n";
    input.write_all(line.as_bytes()).await.unwrap();
    let outcome = timeout(PATIENCE, serving).await;
    outcome.expect("the server ends").unwrap().unwrap();
    tools.is_dropped().await;
}

#[tokio::test]
async fn a_client_that_reads_late_loses_nothing() {
    let (_tools, server) = Tools::new();
    let mut client = Client::with_grace(server, PATIENCE);
    for id in 0..200 {
        client.call(id, "fast").await;
        yield_now().await;
    }
    let mut ids: Vec<i64> = Vec::new();
    for message in client.end().await {
        ids.push(message["id"].as_i64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..200).collect::<Vec<_>>());
}

#[tokio::test]
async fn nothing_but_messages_is_written_however_long_it_is_quiet() {
    let (tools, server) = Tools::new();
    let go_on = Arc::clone(&tools.go_on);
    let hums = tool("hums").run(move |_: NoArguments, context: Context| {
        let go_on = Arc::clone(&go_on);
        async move {
            context.progress(1.0, None, None);
            go_on.notified().await;
            Ok("hm")
        }
    });
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(1);
    let server = server.tool(hums).limits(limits).changes(Changes::new());
    let mut client = Client::of(server);
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    let listen = request("s1", "subscriptions/listen", notifications);
    client.request(listen).await;
    client.next().await.unwrap();
    client.call(1, "hums").await;
    let progress = client.next().await.unwrap();
    assert_eq!(progress["method"], "notifications/progress");
    tokio::time::sleep(Duration::from_millis(50)).await;
    tools.go_on.notify_one();
    assert_eq!(client.text().await, "hm");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_input_ends_the_server(
        noise in prop::collection::vec(any::<u8>(), 0..400),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let mut line = call(1, "fast").to_string().into_bytes();
        for (at, byte) in &flips {
            let at = at.index(line.len());
            line[at] = *byte;
        }
        line.truncate(cut.index(line.len() + 1));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(async {
            let (_tools, server) = Tools::new();
            let mut client = Client::of(server);
            client.send(noise).await;
            client.send(line).await;
            client.call("last", "fast").await;
            let last = loop {
                let message = client.next().await.unwrap();
                if message["id"] == "last" {
                    break message;
                }
            };
            assert_eq!(last["result"]["content"][0]["text"], "fast");
        });
    }
}
