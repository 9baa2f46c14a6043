//! Following cursors.

use proptest::prelude::*;
use serde_json::{Value, json};
use wymcp_core::{Decision, Head, Server, Tool, Turn};

use crate::oracle::judge;

/// One page of the tools.
fn page(server: &Server, cursor: &Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"cursor": cursor, "_meta": meta});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}).to_string();
    let headers = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
    ];
    let head = Head::new("POST", &headers);
    let Turn::Reply(reply) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
        unreachable!("a list is answered at once");
    };
    judge(body.as_bytes(), &reply.body);
    let mut body: Value = serde_json::from_slice(&reply.body).unwrap();
    body["result"].take()
}

proptest! {
    #[test]
    fn following_cursors_visits_everything_once_in_order_and_ends(count in 1..40_usize, size in 1..45_usize) {
        let names: Vec<String> = (0..count).map(|number| format!("tool-{number}")).collect();
        let server = names.iter().fold(Server::builder("many", "1"), |server, name| server.tool(Tool::new(name)));
        let server = server.page_size(size).without_help().build().unwrap();
        let (mut cursor, mut seen) = (Value::Null, Vec::new());
        for pages in 1.. {
            prop_assert!(pages <= count.div_ceil(size));
            let page = page(&server, &cursor);
            let tools = page["tools"].as_array().unwrap();
            prop_assert!((1..=size).contains(&tools.len()));
            seen.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
            match page.get("nextCursor") {
                None => break,
                Some(next) => cursor = next.clone(),
            }
        }
        prop_assert_eq!(seen, names);
    }
}
