//! A schema of a tool's arguments, and arguments, each a line of JSON.

use serde_json::Value;
use wymcp_core::{Decision, Server, Tool, Turn};

use crate::{
    oracle::judge,
    requests::{Request, call},
};

pub(crate) fn tool_schema(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (schema, arguments) = text.split_once('\n').unwrap_or((&text, "{}"));
    let Ok(schema) = serde_json::from_str::<Value>(schema) else {
        return;
    };
    let tool = Tool::new("tool").input_schema(schema.clone());
    let Ok(server) = Server::builder("server", "1").tool(tool).build() else {
        return;
    };
    // Nobody retrieves anything here: without its features the crate cannot.
    let plain = jsonschema::options()
        .should_validate_formats(false)
        .build(&schema)
        .expect("what is compiled here is a schema");
    let Ok(arguments @ Value::Object(_)) = serde_json::from_str(arguments) else {
        return;
    };
    if schema.to_string().contains("x-mcp-header") {
        return;
    }
    let due = plain.is_valid(&arguments);
    let request = Request::of(&call(7.into(), "tool", arguments.clone()));
    let head = request.head();
    match server.receive(&head, &request.body, Decision::anonymous()) {
        Turn::Call(_) => assert!(due, "{arguments} does not fit {schema}"),
        Turn::Reply(reply) => {
            judge(&request.body, &reply.body);
            let shown = String::from_utf8_lossy(&reply.body);
            let is_of_reader = reply.status == 400;
            assert!(!due || is_of_reader, "{arguments} fits {schema}: {shown}");
        }
        other => panic!("{other:?}"),
    }
}
