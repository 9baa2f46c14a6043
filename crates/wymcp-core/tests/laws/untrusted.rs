//! Whatever a peer writes, what is shown of it is one short line without control or bidirectional characters.
//!
//! The oracle checks every message and every event; this file puts hostile text wherever some of it is shown.

use proptest::prelude::*;
use serde_json::json;
use wymcp_core::{RejectionReason, Untrusted};

use crate::{
    generators::{Request, call, hostile_text, line},
    oracle::{answer, assert_line, refusal},
};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

proptest! {
    #[test]
    fn hostile_text_is_shown_as_a_line(text in hostile_text(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_line(&Untrusted::new(&text).to_string());
        assert_line(&Untrusted::bytes(&bytes).to_string());
    }

    #[test]
    fn hostile_text_in_the_head_is_shown_as_a_line(text in hostile_text()) {
        let usual = Request::of(&call(7.into(), "sum", json!({"a": 1, "b": 2})));
        let mut request = usual.clone();
        request.method.clone_from(&text);
        answer(&request.head(), &request.body);
        for name in ["Host", "Origin", "Content-Type", "Content-Encoding", "Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] {
            let mut request = usual.clone();
            request.headers.retain(|(other, _)| other != name);
            request.headers.push(line(name, &text));
            answer(&request.head(), &request.body);
        }
    }

    #[test]
    fn hostile_text_in_the_body_is_shown_as_a_line(text in hostile_text(), other in hostile_text()) {
        let usual = call(7.into(), "sum", json!({"a": 1, "b": 2}));
        for pointer in [
            "/id",
            "/method",
            "/jsonrpc",
            "/params",
            "/params/name",
            "/params/arguments",
            "/params/_meta",
            "/params/_meta/io.modelcontextprotocol~1protocolVersion",
            "/params/_meta/io.modelcontextprotocol~1clientCapabilities",
        ] {
            let mut message = usual.clone();
            *message.pointer_mut(pointer).unwrap() = json!(text);
            let request = Request::of(&message);
            answer(&request.head(), &request.body);

            // Text as the name of a member, beside the values that are refused for it.
            *message.pointer_mut(pointer).unwrap() = json!({&text: {&other: [1, {"sampling": text}]}});
            let request = Request::of(&message);
            answer(&request.head(), &request.body);
        }
        let mut message = usual.clone();
        message["params"]["_meta"][&text] = json!(1);
        message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({&text: text, "name": 1});
        message["params"]["inputResponses"] = json!({&text: 1});
        message["params"]["cursor"] = json!(text);
        let request = Request::of(&message);
        answer(&request.head(), &request.body);

        for method in ["tools/list", "server/discover", "initialize"] {
            message["method"] = json!(method);
            message["params"]["cursor"] = json!(text);
            message["params"]["protocolVersion"] = json!(text);
            let request = Request::of(&message);
            answer(&request.head(), &request.body);
        }
        for arguments in [json!({"tool": text}), json!({"tool": "sum", "action": text}), json!({&text: 1})] {
            let request = Request::of(&call(json!(other), "help", arguments));
            answer(&request.head(), &request.body);
        }
    }

    #[test]
    fn hostile_text_as_a_doubled_member_is_shown_as_a_line(text in hostile_text()) {
        let request = Request::of(&call(7.into(), "sum", json!({})));
        let name = json!(text).to_string();
        let body = String::from_utf8(request.body.clone()).unwrap().replacen(
            "\"arguments\":{}",
            &format!("\"arguments\":{{{name}:1,{name}:2}}"),
            1,
        );
        let reply = answer(&request.head(), body.as_bytes());
        prop_assert_eq!(refusal(&reply), Some(RejectionReason::DuplicateMember));
    }
}

#[test]
fn a_deep_path_of_long_names_is_a_bounded_line() {
    let name = "\u{10ffff}".repeat(1000);
    for place in ["clientInfo", "clientCapabilities", "logLevel"] {
        let mut deep = json!({"sampling": 1, "name": [name]});
        for _ in 0..90 {
            deep = json!({&name: deep, "elicitation": 1});
        }
        let mut message = call(json!(name), "sum", json!({}));
        message["params"]["_meta"][format!("io.modelcontextprotocol/{place}")] = deep;
        assert_eq!(message["params"]["_meta"][VERSION], "2026-07-28");
        let request = Request::of(&message);
        answer(&request.head(), &request.body);
    }
}
