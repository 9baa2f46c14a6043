//! Requests as adapters hand them in.

use serde_json::{Value, json};
use wymcp_core::{Head, sentinel};

/// A request as an adapter hands it in.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A request whose headers say what its body says.
    pub(crate) fn of(message: &Value) -> Self {
        let mut headers = vec![
            line("Host", "localhost:3000"),
            line("Content-Type", "application/json"),
            line("Accept", "application/json, text/event-stream"),
        ];
        let params = &message["params"];
        if let Some(version) = params["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str() {
            headers.push(line("MCP-Protocol-Version", version));
        }
        if let Some(method) = message["method"].as_str() {
            headers.push(line("Mcp-Method", method));
        }
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            headers.push(line("Mcp-Name", &sentinel::encode(name)));
        }
        Self {
            method: "POST".to_owned(),
            headers,
            body: message.to_string().into_bytes(),
        }
    }

    pub(crate) fn head(&self) -> Head<'_> {
        Head::new(&self.method, &self.headers)
    }
}

pub(crate) fn line(name: &str, value: &str) -> (String, Vec<u8>) {
    (name.to_owned(), value.as_bytes().to_vec())
}

/// A call of a tool of the fixture.
#[expect(
    clippy::needless_pass_by_value,
    reason = "reads better where it is called"
)]
pub(crate) fn call(id: Value, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": tool,
        "arguments": arguments,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }})
}

/// A call that every check admits.
pub(crate) fn valid_call() -> Value {
    call(json!(7), "sum", json!({"a": 19, "b": 23}))
}

/// A header's value without the white space around it.
pub(crate) fn trim(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}
