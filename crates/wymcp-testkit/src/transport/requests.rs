//! The requests that the scenarios send, as bytes, and the server that most of them are sent to.

use std::fmt::Write as _;

use serde_json::{Value, json};
use wymcp::{Context, Limits, Server, ServerBuilder, tool};

use crate::{Answer, Connection, Served};

/// A request of the protocol, which says what is usual unless it is told otherwise.
pub(super) struct Request {
    method: &'static str,
    id: Value,
    params: Value,
    path: &'static str,
    headers: String,
}

/// A call of a tool.
pub(super) fn call(name: &str, arguments: &Value) -> Request {
    let params = json!({"name": name, "arguments": arguments});
    Request::new("tools/call", params).header("Mcp-Name", name)
}

/// A call of the tool of [`echoing`], which answers with the length of a text.
pub(super) fn echo(id: u64, text: &str) -> Request {
    call("echo", &json!({"text": text})).id(id)
}

impl Request {
    pub(super) fn new(method: &'static str, mut params: Value) -> Self {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        Self {
            method,
            id: json!(1),
            params,
            path: "/mcp",
            headers: String::new(),
        }
    }

    pub(super) fn id(mut self, id: impl Into<Value>) -> Self {
        self.id = id.into();
        self
    }

    pub(super) fn path(mut self, path: &'static str) -> Self {
        self.path = path;
        self
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    /// Asks for everything that may be said before the answer.
    pub(super) fn curious(mut self) -> Self {
        self.params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
        self.params["_meta"]["progressToken"] = json!("p1");
        self
    }

    /// The body, as JSON.
    pub(super) fn body(&self) -> String {
        let message =
            json!({"jsonrpc": "2.0", "id": self.id, "method": self.method, "params": self.params});
        message.to_string()
    }

    /// The head without its end, for a request that frames its body in a way of its own.
    pub(super) fn head(&self) -> String {
        format!(
            "POST {} HTTP/1.1\r\n{JSON}Accept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {}\r\n{}",
            self.path, self.method, self.headers
        )
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let body = self.body();
        let length = body.len();
        let head = self.head();
        format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
    }
}

/// The headers that every POST has that is read.
pub(super) const JSON: &str = "Host: localhost\r\nContent-Type: application/json\r\n";

/// A POST that announces a length, which need not be the body's.
pub(super) fn post(headers: &str, length: u64, body: &str) -> Vec<u8> {
    format!("POST /mcp HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// A server with the tool `echo`.
pub(super) fn echoing() -> ServerBuilder {
    let echo = tool("echo").run_with_schema(
        json!({"type": "object"}),
        async |arguments: Value, _: Context| {
            Ok(arguments["text"].as_str().unwrap_or_default().len())
        },
    );
    Server::builder("echoing", "1.0.0").tool(echo)
}

pub(super) fn limited(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

#[track_caller]
pub(super) fn connect(host: &Served) -> Connection {
    let opened = Connection::open(host.address());
    opened.unwrap_or_else(|fault| panic!("no connection can be opened: {fault}"))
}

#[track_caller]
pub(super) fn answered(connection: &mut Connection) -> Answer {
    let received = connection
        .receive()
        .unwrap_or_else(|fault| panic!("{fault}"));
    received.expect("the connection ends where an answer is due")
}

/// Holds the status of the answer that comes next against the one that is due.
#[track_caller]
pub(super) fn assert_status(connection: &mut Connection, status: u16) {
    let answer = answered(connection);
    assert_eq!(
        answer.status, status,
        "the status of this answer, and the one that is due: {answer}"
    );
}

/// The id and the text of the result that comes next.
#[track_caller]
pub(super) fn result(connection: &mut Connection) -> (Value, Value) {
    let answer = answered(connection);
    let body = answer
        .json()
        .unwrap_or_else(|_| panic!("a result is due, and there is {answer}"));
    let text = body["result"]["content"][0]["text"].clone();
    (body["id"].clone(), text)
}

/// Sends a call of `echo` and holds its answer against what is due.
#[track_caller]
pub(super) fn assert_echoes(connection: &mut Connection, id: u64, text: &str) {
    connection.send(echo(id, text).to_bytes()).unwrap();
    assert_echoed(connection, id, text);
}

/// Holds the answer that comes next against the call that it is due to.
#[track_caller]
pub(super) fn assert_echoed(connection: &mut Connection, id: u64, text: &str) {
    let due = (json!(id), json!(text.len().to_string()));
    assert_eq!(
        result(connection),
        due,
        "the id and the text of the answer, and those that are due"
    );
}

/// Holds a refusal against its status, and sees that it ends the connection.
#[track_caller]
pub(super) fn assert_refused_for_good(connection: &mut Connection, status: u16) {
    let answer = answered(connection);
    let said = (answer.status, answer.header("connection"));
    assert_eq!(
        said,
        (status, Some("close")),
        "status and `connection` of the refusal, and those that are due"
    );
    assert!(
        connection.is_ended(),
        "the answer says close and the connection goes on"
    );
}

/// A piece of a stream, as text.
#[track_caller]
pub(super) fn text(chunk: Option<Vec<u8>>) -> String {
    let chunk = chunk.expect("the stream ends where a piece is due");
    String::from_utf8(chunk).expect("the pieces of a stream are text")
}
