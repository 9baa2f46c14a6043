//! Messages in their order, one a line: JSON as an event, a colon for a comment, anything else as what a handler says.

use std::sync::LazyLock;

use serde_json::{Value, json};
use wymcp_core::{Decision, Head, LogLevel, Outbox, Server, Tool, Turn, sse};

use crate::oracle::judge;

static CHATTY: LazyLock<Server> = LazyLock::new(|| {
    let builder = Server::builder("chatty", "1").tool(Tool::new("talk"));
    builder.logging().build().unwrap()
});

pub(crate) fn sse(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut is_quiet = false;
    let mut messages = Vec::new();
    for line in text.split('\n') {
        let message = serde_json::from_str(line).ok();
        if line == ":" {
            is_quiet = true;
        } else if let Some(message) = message {
            messages.push((is_quiet, message));
            is_quiet = false;
        } else {
            check_said(line, line);
        }
    }
    let messages: Vec<_> = messages
        .iter()
        .map(|(is_quiet, it)| (*is_quiet, it))
        .collect();
    check_events(&messages);
    check_said(&text, "all");
}

/// The data of each event, by the rules of WHATWG HTML: a line ends at CR, LF or both, an empty line ends an event, and a
/// line that begins with a colon is skipped.
fn events(stream: &str) -> Vec<String> {
    let stream = stream.replace("\r\n", "\n").replace('\r', "\n");
    let (mut events, mut data) = (Vec::new(), Vec::new());
    for line in stream.split('\n') {
        if line.is_empty() {
            if !data.is_empty() {
                events.push(data.join("\n"));
            }
            data.clear();
        } else if let Some(value) = line.strip_prefix("data:") {
            data.push(value.strip_prefix(' ').unwrap_or(value).to_owned());
        } else {
            assert!(line.starts_with(':'), "a field that nobody sends: {line}");
        }
    }
    assert!(data.is_empty(), "an event without its end");
    events
}

/// That each message comes out of its stream as it went in, also behind a comment.
pub(crate) fn check_events(messages: &[(bool, &Value)]) {
    let mut stream = Vec::new();
    for (is_quiet, message) in messages {
        if *is_quiet {
            stream.extend_from_slice(sse::KEEP_ALIVE);
        }
        stream.extend(sse::event(message.to_string().as_bytes()));
    }
    let read = events(&String::from_utf8(stream).unwrap());
    let due: Vec<String> = messages
        .iter()
        .map(|(_, message)| message.to_string())
        .collect();
    assert_eq!(read, due);
}

/// That a text which a handler says ends no event, and is what is read.
pub(crate) fn check_said(text: &str, logger: &str) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": text,
    });
    let params = json!({"name": "talk", "_meta": meta});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let headers = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "talk"),
    ];
    let head = Head::new("POST", &headers);
    let Turn::Call(call) = CHATTY.receive(&head, body.as_bytes(), Decision::anonymous()) else {
        unreachable!("the message passes every stage");
    };
    let mut outbox = Outbox::of(&call);
    outbox.progress(1.0, None, Some(text));
    outbox.record(LogLevel::Info, Some(logger), text).unwrap();
    let stream = String::from_utf8(outbox.drain()).unwrap();
    assert!(!stream.contains(['\u{2028}', '\u{2029}']), "{stream}");
    let said = events(&stream);
    for message in &said {
        judge(body.as_bytes(), message.as_bytes());
    }
    let read: Vec<Value> = said
        .iter()
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(read.len(), 2);
    assert_eq!(&read[0]["params"]["progressToken"], &json!(text));
    assert_eq!(&read[0]["params"]["message"], &json!(text));
    assert_eq!(&read[1]["params"]["data"], &json!(text));
    assert_eq!(&read[1]["params"]["logger"], &json!(logger));
}
