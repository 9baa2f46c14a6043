//! A client at the other end of two streams in memory, and tools for it to call.

#![allow(dead_code, unreachable_pub, reason = "each test uses its own part")]

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};
use wymcp::{Context, LegacyVersion, NoArguments, Server, ServerBuilder, tool};
use wymcp_stdio::Stdio;
use wymcp_testkit::Answer;

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A client at the other end.
pub struct Client {
    pub input: DuplexStream,
    pub output: BufReader<DuplexStream>,
    pub serving: JoinHandle<std::io::Result<()>>,
    pub requests: Vec<Value>,
    /// Of the session, if there is one.
    pub version: Option<LegacyVersion>,
}

impl Client {
    pub fn of(server: ServerBuilder) -> Self {
        Self::with_grace(server, Duration::from_millis(400))
    }

    pub fn with_grace(server: ServerBuilder, grace: Duration) -> Self {
        Self::to(server.build().unwrap(), grace)
    }

    pub fn to(server: Server, grace: Duration) -> Self {
        let stdio = Stdio::new(server).grace(grace);
        let (input, read) = tokio::io::duplex(1 << 16);
        let (written, output) = tokio::io::duplex(1 << 10);
        let serving = tokio::spawn(stdio.serve_on(read, written));
        Self {
            input,
            output: BufReader::new(output),
            serving,
            requests: Vec::new(),
            version: None,
        }
    }

    pub async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.input.write_all(line.as_ref()).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    pub async fn request(&mut self, request: Value) {
        self.send(request.to_string()).await;
        self.requests.push(request);
    }

    pub async fn call(&mut self, id: impl Into<Value>, tool: &str) {
        self.request(call(id, tool)).await;
    }

    /// Holds a message against the official schema, if it is there.
    pub fn read(&self, line: &str) -> Value {
        assert!(line.ends_with('\n'), "{line:?}");
        let message: Value = serde_json::from_str(line).unwrap();
        let of_id = |request: &&Value| request["id"] == message["id"];
        let request = self.requests.iter().find(of_id).or(self.requests.last());
        let request = request.map(Value::to_string).unwrap_or_default();
        let headers = [("content-type", "application/json")];
        let answer = Answer::new(200, headers, line.as_bytes().to_vec());
        let verdict = match self.version {
            Some(version) => answer.judge_by(version, request.as_bytes()),
            None => answer.judge(request.as_bytes()),
        };
        verdict.unwrap_or_else(|fault| panic!("{fault}: {line}"));
        message
    }

    /// Opens a session of the newest revision that has them.
    pub async fn initialize(&mut self, capabilities: Value) {
        let version = LegacyVersion::NEWEST;
        self.version = Some(version);
        let params = json!({
            "protocolVersion": version.as_str(),
            "capabilities": capabilities,
            "clientInfo": {"name": "client", "version": "1"},
        });
        self.request(plain("initialize", "initialize", params))
            .await;
        assert_eq!(self.next().await.unwrap()["id"], "initialize");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.send(ready.to_string()).await;
    }

    pub async fn cancel(&mut self, id: impl Into<Value>) {
        let params = json!({"requestId": id.into(), "reason": "no longer wanted"});
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        self.send(cancel.to_string()).await;
    }

    /// The next message; `None` at the end.
    pub async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.output.read_line(&mut line)).await;
        (read.expect("a line in time").unwrap() > 0).then(|| self.read(&line))
    }

    pub async fn text(&mut self) -> String {
        let message = self.next().await.unwrap();
        let text = &message["result"]["content"][0]["text"];
        text.as_str()
            .unwrap_or_else(|| panic!("{message}"))
            .to_owned()
    }

    /// Ends the input, and gives back what is left of the output.
    pub async fn end(mut self) -> Vec<Value> {
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

pub fn call(id: impl Into<Value>, tool: &str) -> Value {
    request(id, "tools/call", json!({"name": tool, "arguments": {}}))
}

/// A request of a session.
pub fn plain(id: impl Into<Value>, method: &str, params: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params.into()})
}

pub fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "progressToken": "p",
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// `fast` answers, `slow` waits to be let go, `never` tells when it is dropped.
pub struct Tools {
    pub go_on: Arc<Notify>,
    pub started: Arc<Notify>,
    pub dropped: Arc<AtomicBool>,
}

struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Tools {
    pub fn new() -> (Self, ServerBuilder) {
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

    pub async fn is_dropped(&self) {
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
