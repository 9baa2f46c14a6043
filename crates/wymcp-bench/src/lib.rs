//! The requests whose cost is measured, and the server that answers them.

use std::{hint::black_box, time::Duration};

use serde_json::{Value, json};
use wymcp_core::{Decision, Head, Json, Outcome, Reply, Server, Tool, ToolResult, Turn};

/// One request: the lines of its head and its body.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is measured on it.
    pub name: &'static str,
    /// The most allocations of its turn.
    pub allocations: u64,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// What every request says about itself.
const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The size of the large bodies, in bytes.
const LARGE: usize = 64 * 1024;

impl Request {
    /// The call that everything is measured against: a sum of two integers.
    pub fn call() -> Self {
        Self::new(
            "tools/call",
            12,
            "tools/call",
            Some(("sum", r#"{"a":19,"b":23}"#)),
        )
    }

    /// The list of the tools.
    pub fn list() -> Self {
        Self::new("tools/list", 12, "tools/list", None)
    }

    /// Who the server is.
    pub fn discover() -> Self {
        Self::new("server/discover", 12, "server/discover", None)
    }

    /// Calls with 64 KiB of arguments: one string, one string full of escapes, one object of small members, one array
    /// of small objects.
    pub fn large() -> [Self; 4] {
        let escapes = json!("line\n".repeat(LARGE / 6));
        let objects = (0..LARGE / 28)
            .map(|at| json!({"id": at, "name": "item"}))
            .collect();
        [
            Self::one_string("64 KiB: one string", LARGE),
            Self::measure("64 KiB: one string, escapes", 40, &escapes),
            Self::small_members("64 KiB: small members", LARGE),
            Self::measure("64 KiB: small objects", 3_000, &Value::Array(objects)),
        ]
    }

    /// All of them, but for the ones of other sizes.
    pub fn all() -> Vec<Self> {
        let usual = [Self::call(), Self::list(), Self::discover()];
        let more = Self::large().into_iter().chain(Self::refused());
        usual.into_iter().chain(more).collect()
    }

    /// A call with one plain string of about so many bytes.
    pub fn one_string(name: &'static str, bytes: usize) -> Self {
        Self::measure(name, 12, &json!("a".repeat(bytes)))
    }

    /// A call with one object of small members, of about so many bytes.
    pub fn small_members(name: &'static str, bytes: usize) -> Self {
        let members = (0..bytes / 13)
            .map(|at| (format!("m{at:05}"), json!(at % 1000)))
            .collect();
        Self::measure(name, 40, &Value::Object(members))
    }

    /// A container is one allocation and one for each time that it doubles; scalars are none.
    fn measure(name: &'static str, allocations: u64, data: &Value) -> Self {
        let arguments = json!({"data": data}).to_string();
        let tool = Some(("measure", arguments.as_str()));
        Self::new(name, allocations, "tools/call", tool)
    }

    /// Requests that are refused, each at another stage.
    pub fn refused() -> [Self; 5] {
        let mut host = Self {
            name: "refused: host",
            allocations: 24,
            ..Self::call()
        };
        host.set("host", "evil.example.com");
        let mut text = Self {
            name: "refused: bad JSON",
            allocations: 24,
            ..Self::call()
        };
        text.body.pop();
        let mut header = Self {
            name: "refused: wrong header",
            allocations: 24,
            ..Self::call()
        };
        header.set("mcp-method", "tools/list");
        let method = Self::new("refused: unknown method", 30, "tools/nothing", None);
        let arguments = Self::new(
            "refused: bad arguments",
            40,
            "tools/call",
            Some(("sum", r#"{"a":19,"b":"23"}"#)),
        );
        [host, text, header, method, arguments]
    }

    /// `tool` is the called tool with its arguments, as JSON.
    fn new(name: &'static str, allocations: u64, method: &str, tool: Option<(&str, &str)>) -> Self {
        let mut headers = vec![
            ("host", "127.0.0.1:3000".to_owned()),
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json, text/event-stream".to_owned()),
            ("mcp-protocol-version", "2026-07-28".to_owned()),
            ("mcp-method", method.to_owned()),
        ];
        let mut called = String::new();
        if let Some((tool, arguments)) = tool {
            headers.push(("mcp-name", tool.to_owned()));
            called = format!(r#""name":"{tool}","arguments":{arguments},"#);
        }
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{called}"_meta":{META}}}}}"#
        );
        headers.push(("content-length", body.len().to_string()));
        Self {
            name,
            allocations,
            headers,
            body: body.into_bytes(),
        }
    }

    fn set(&mut self, header: &str, value: &str) {
        for line in self.headers.iter_mut().filter(|(name, _)| *name == header) {
            value.clone_into(&mut line.1);
        }
    }

    /// The yardstick: the body, read into serde_json's own tree.
    pub fn parse(&self) -> Option<Value> {
        serde_json::from_slice(black_box(&self.body)).ok()
    }

    /// One whole turn: from the lines of the head to the finished bytes of the answer, the handler in place.
    pub fn turn(&self, server: &Server) -> Reply {
        let head = Head::new("POST", black_box(&self.headers));
        match server.receive(&head, black_box(&self.body), Decision::anonymous()) {
            Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply,
            Turn::Call(call) => {
                let text = match &**call.name() {
                    "sum" => add(call.arguments()),
                    _ => measure(call.arguments()),
                };
                call.finish(Outcome::Tool(ToolResult::text(text)), Duration::ZERO)
            }
            Turn::Listen(subscription) => subscription.finish(server),
            Turn::Legacy(_) => unreachable!("the modern revisions are spoken alone"),
        }
    }
}

/// A server of two tools, every check on.
///
/// # Panics
///
/// When the definition is faulty.
pub fn server() -> Server {
    server_of(2)
}

/// A server of so many tools: the two that the requests call, and others like the first.
///
/// # Panics
///
/// When the definition is faulty.
pub fn server_of(tools: usize) -> Server {
    let integer = json!({"type": "integer"});
    let sum = |name: &str| {
        Tool::new(name)
            .describe("Adds two integers")
            .input_schema(json!({
                "type": "object",
                "properties": {"a": integer, "b": integer},
                "required": ["a", "b"],
                "additionalProperties": false,
            }))
    };
    let measure = Tool::new("measure").describe("Counts what it is given").input_schema(json!({
        "type": "object",
        "properties": {"data": {
            "type": ["string", "array", "object"],
            "additionalProperties": integer,
            "items": {"type": "object", "properties": {"id": integer, "name": {"type": "string"}}},
        }},
        "required": ["data"],
    }));
    let first = Server::builder("bench", "1.0.0")
        .tool(sum("sum"))
        .tool(measure);
    (2..tools)
        .fold(first, |builder, at| builder.tool(sum(&format!("sum-{at}"))))
        .build()
        .expect("the definition is sound")
}

fn add(arguments: &Json<'_>) -> String {
    let integer = |name| {
        arguments
            .as_object()?
            .get(name)?
            .as_number()?
            .safe_integer()
    };
    match (integer("a"), integer("b")) {
        (Some(a), Some(b)) => (a + b).to_string(),
        _ => "no integers".to_owned(),
    }
}

fn measure(arguments: &Json<'_>) -> String {
    let size = match arguments
        .as_object()
        .and_then(|arguments| arguments.get("data"))
    {
        Some(Json::String(text)) => text.len(),
        Some(Json::Array(items)) => items.len(),
        Some(Json::Object(members)) => members.len(),
        _ => 0,
    };
    size.to_string()
}
