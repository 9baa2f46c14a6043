//! Whatever a tool says arrives: valid JSON that decodes to the same.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use wymcp_core::{Content, Decision, Fault, Outcome, Reply, StructuredContent, ToolResult, Turn};

use crate::{
    generators::{Request, call, json_value, unicode},
    oracle::{SERVER, judge},
};

/// The reply to a call whose tool ends so.
fn finish(outcome: Outcome) -> Reply {
    let request = Request::of(&call(7.into(), "echo", json!({})));
    let head = request.head();
    match SERVER.receive(&head, &request.body, Decision::anonymous()) {
        Turn::Call(call) => {
            let reply = call.finish(outcome, Duration::from_millis(1));
            judge(&request.body, &reply.body);
            reply
        }
        turn => panic!("no call: {turn:?}"),
    }
}

/// The result that a client reads.
fn result(outcome: Outcome) -> Value {
    let reply = finish(outcome);
    assert_eq!(reply.status, 200);
    let text = String::from_utf8(reply.body).unwrap();
    assert!(
        !text.contains(['\n', '\r', '\u{2028}', '\u{2029}']),
        "one line: {text}"
    );
    let mut message: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&message["jsonrpc"], &message["id"]),
        (&json!("2.0"), &json!(7))
    );
    message["result"].take()
}

proptest! {
    #[test]
    fn every_text_arrives(texts in prop::collection::vec(unicode(), 0..5), is_error in any::<bool>()) {
        let mut tool_result = ToolResult::new(texts.iter().map(Content::text));
        tool_result.is_error = is_error;
        let result = result(Outcome::Tool(tool_result));
        let read: Vec<&str> = result["content"].as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap()).collect();
        prop_assert_eq!(read, texts);
        prop_assert_eq!(result.get("isError"), is_error.then_some(&json!(true)));
        prop_assert_eq!(&result["resultType"], "complete");
    }

    #[test]
    fn every_structured_value_arrives_twice(value in json_value()) {
        let structured = StructuredContent::new(&value).unwrap();
        let result = result(Outcome::Tool(ToolResult::structured(structured)));
        prop_assert_eq!(&result["structuredContent"], &value);
        let text = result["content"][0]["text"].as_str().unwrap();
        prop_assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), &value);
    }

    #[test]
    fn every_byte_of_an_image_arrives(bytes in prop::collection::vec(any::<u8>(), 0..50), media_type in unicode()) {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        let result = result(Outcome::Tool(ToolResult::new([Content::image(&bytes, &*media_type)])));
        let block = &result["content"][0];
        prop_assert_eq!(STANDARD.decode(block["data"].as_str().unwrap()).unwrap(), bytes);
        prop_assert_eq!(&block["mimeType"], &media_type);
    }

    #[test]
    fn no_member_of_the_application_replaces_the_servers_name(name in unicode(), value in json_value()) {
        let mut tool_result = ToolResult::text("a");
        for key in [&*name, "io.modelcontextprotocol/serverInfo"] {
            tool_result.meta.insert(key.to_owned(), value.clone());
        }
        let result = result(Outcome::Tool(tool_result));
        prop_assert_eq!(&result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "laws");
        prop_assert_eq!(&result["_meta"][&name], &value);
    }

    #[test]
    fn no_fault_reaches_the_peer(secret in "[a-z]{12}") {
        for fault in [
            Fault::Panic(secret.clone()),
            Fault::Internal(secret.clone()),
            Fault::Unencodable(secret.clone()),
            Fault::OutputSchema(secret.clone()),
        ] {
            let reply = finish(Outcome::Fault(fault));
            prop_assert!(!String::from_utf8(reply.body).unwrap().contains(&secret));
            let told = format!("{:?}", reply.events);
            prop_assert!(told.contains(&secret));
        }
    }
}
