//! What is said before an answer comes out of its stream as it went in.

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::{collection::vec, prelude::any, proptest};
use serde_json::{Value, json};
use wymcp_core::{Decision, Head, LogLevel, Outbox, Server, Tool, Turn, sse};

use crate::{
    generators::{json_value, unicode},
    oracle::judge,
};

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

proptest! {
    #[test]
    fn every_message_comes_out_of_its_stream_as_it_went_in(
        messages in vec(json_value(), 0..6),
        breaks in vec(any::<bool>(), 6),
    ) {
        let mut stream = Vec::new();
        for (message, is_quiet) in messages.iter().zip(breaks) {
            if is_quiet {
                stream.extend_from_slice(sse::KEEP_ALIVE);
            }
            stream.extend(sse::event(message.to_string().as_bytes()));
        }
        let read = events(&String::from_utf8(stream).unwrap());
        let read: Vec<Value> = read.iter().map(|data| serde_json::from_str(data).unwrap()).collect();
        prop_assert_eq!(read, messages);
    }

    #[test]
    fn no_text_of_a_handler_ends_its_event(text in unicode(), logger in unicode()) {
        let server = Server::builder("chatty", "1").tool(Tool::new("talk")).logging().build().unwrap();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/logLevel": "debug",
            "progressToken": text,
        });
        let params = json!({"name": "talk", "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        let headers = [
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "talk"),
        ];
        let head = Head::new("POST", &headers);
        let Turn::Call(call) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
            unreachable!("the message passes every stage");
        };
        let mut outbox = Outbox::of(&call);
        outbox.progress(1.0, None, Some(&text));
        outbox.record(LogLevel::Info, Some(&logger), &text).unwrap();
        let stream = String::from_utf8(outbox.drain()).unwrap();
        let breaks_lines = stream.contains(['\u{2028}', '\u{2029}']);
        prop_assert!(!breaks_lines);
        let said = events(&stream);
        for message in &said {
            judge(body.as_bytes(), message.as_bytes());
        }
        let read: Vec<Value> = said.iter().map(|data| serde_json::from_str(data).unwrap()).collect();
        prop_assert_eq!(read.len(), 2);
        prop_assert_eq!(&read[0]["params"]["progressToken"], &json!(text));
        prop_assert_eq!(&read[0]["params"]["message"], &json!(text));
        prop_assert_eq!(&read[1]["params"]["data"], &json!(text));
        prop_assert_eq!(&read[1]["params"]["logger"], &json!(logger));
    }
}
