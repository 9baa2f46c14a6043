//! One request in process, with the events that it leaves. Every answer is judged by the official schema, if it is there.
#![allow(dead_code, reason = "each test uses a part of it")]

/// As a dependency the testkit would switch on the features that these tests also run without.
#[path = "../../../wymcp-testkit/src/official.rs"]
mod official;

use std::{
    convert::Infallible,
    future::Future,
    sync::{Arc, Mutex},
    time::Duration,
};

pub(crate) use official::judge;
use serde_json::{Value, json};
use wymcp::{Bytes, Clock, Event, Exchange, Head, Reply, Server, ServerBuilder, answer};

/// A body in one piece, and tokio's clock.
struct InProcess(Option<Bytes>);

impl Exchange for InProcess {
    type BodyFault = Infallible;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, Infallible>> {
        self.0.take().map(Ok)
    }
}

impl Clock for InProcess {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
        tokio::time::sleep(duration)
    }
}

/// A server whose events are kept.
pub(crate) struct Watched {
    server: Server,
    events: Arc<Mutex<Vec<Event>>>,
}

impl Watched {
    pub(crate) fn new(builder: ServerBuilder) -> Self {
        let events = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&events);
        let server = builder
            .on_event(move |event| kept.lock().unwrap().push(event.clone()))
            .build()
            .unwrap();
        Self { server, events }
    }

    /// The events since the last look.
    pub(crate) fn events(&self) -> Vec<Event> {
        std::mem::take(&mut *self.events.lock().unwrap())
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> (Reply, Value) {
        self.call_with(&[], tool, arguments).await
    }

    /// Calls a tool with header lines of its own.
    pub(crate) async fn call_with(
        &self,
        lines: &[(&str, &str)],
        tool: &str,
        arguments: Value,
    ) -> (Reply, Value) {
        call(&self.server, lines, tool, arguments).await
    }
}

/// Calls a tool of any server, with header lines of its own.
pub(crate) async fn call(
    server: &Server,
    lines: &[(&str, &str)],
    tool: &str,
    arguments: Value,
) -> (Reply, Value) {
    send(server, lines, tool, json!({"arguments": arguments})).await
}

/// The status and the body of a call with answers, and the state if there is one.
pub(crate) async fn round(
    server: &Server,
    lines: &[(&str, &str)],
    tool: &str,
    answers: Value,
    state: &Value,
) -> (u16, Value) {
    let params = json!({"arguments": {}, "inputResponses": answers, "requestState": state});
    let (reply, body) = send(server, lines, tool, params).await;
    (reply.status.as_u16(), body)
}

/// A request as clients send it.
pub(crate) fn request(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {},
            "sampling": {"tools": {}},
        },
    });
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

async fn send(
    server: &Server,
    lines: &[(&str, &str)],
    tool: &str,
    mut params: Value,
) -> (Reply, Value) {
    params["name"] = tool.into();
    let message = request("tools/call", params);
    post(server, lines, &message).await
}

/// Sends a request that names something, with header lines of its own.
pub(crate) async fn post(
    server: &Server,
    lines: &[(&str, &str)],
    message: &Value,
) -> (Reply, Value) {
    let (reply, mut messages) = converse(server, lines, message).await;
    (reply, messages.remove(0))
}

/// Sends a request that names something, and gives back every message of the answer.
pub(crate) async fn converse(
    server: &Server,
    lines: &[(&str, &str)],
    message: &Value,
) -> (Reply, Vec<Value>) {
    let mut headers = vec![
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", message["method"].as_str().unwrap()),
        ("mcp-name", message["params"]["name"].as_str().unwrap()),
    ];
    headers.extend(lines);
    let head = Head::new("POST", &headers);
    let request = Bytes::from(message.to_string());
    let mut exchange = InProcess(Some(request.clone()));
    let reply = answer(server, &head, &mut exchange).await.unwrap();
    let body = String::from_utf8(reply.body.clone()).unwrap();
    let events = body.trim_end().split("\n\n");
    let texts = events.map(|event| event.strip_prefix("data: ").unwrap_or(event));
    let messages: Vec<Value> = texts
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    for message in &messages {
        judge(&request, message).unwrap();
    }
    (reply, messages)
}

/// Sends a message as it is, with no header lines but those that every client sends and its own.
pub(crate) async fn exchange(server: &Server, lines: &[(&str, &str)], message: &Value) -> Reply {
    let mut headers = vec![("host", "localhost"), ("content-type", "application/json")];
    headers.extend(lines);
    let head = Head::new("POST", &headers);
    let mut exchange = InProcess(Some(message.to_string().into()));
    answer(server, &head, &mut exchange).await.unwrap()
}

/// The first text of a result.
pub(crate) fn text(body: &Value) -> &str {
    body["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {body}"))
}
