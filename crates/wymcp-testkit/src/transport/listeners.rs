//! Clients that listen for changes, and a server on which everything can change.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wymcp::{
    Changes, Context, NoArguments, Server, ServerBuilder, prompt, resource, resource_template, tool,
};

use super::requests::{Request, connect, text};
use crate::{Connection, Served};

pub(super) fn listening(notifications: &Value, token: Option<&str>) -> Vec<u8> {
    let params = json!({"notifications": notifications});
    let request = Request::new("subscriptions/listen", params).id("s1");
    match token {
        Some(token) => request.header("Authorization", token).to_bytes(),
        None => request.to_bytes(),
    }
}

/// Listens, and has heard that it is heard.
pub(super) fn listen(host: &Served, notifications: &Value) -> Connection {
    listen_as(host, notifications, None)
}

pub(super) fn listen_as(host: &Served, notifications: &Value, token: Option<&str>) -> Connection {
    let mut connection = connect(host);
    let head = connection.open_stream(listening(notifications, token));
    let head = head.unwrap().to_ascii_lowercase();
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    let first = messages(&mut connection);
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(first[0]["method"], ACKNOWLEDGED);
    assert_eq!(&first[0]["params"]["notifications"], notifications);
    connection
}

/// What one chunk says.
pub(super) fn messages(connection: &mut Connection) -> Vec<Value> {
    let piece = text(connection.next_chunk().unwrap());
    let events = piece.split_terminator("\n\n");
    events
        .map(|event| serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap())
        .collect()
}

/// The one change that one chunk tells of.
pub(super) fn change(connection: &mut Connection) -> Value {
    let mut told = messages(connection);
    assert_eq!(told.len(), 1, "{told:?}");
    let told = told.remove(0);
    assert_eq!(told["params"]["_meta"][SUBSCRIPTION_ID], "s1");
    told
}

/// Nothing more, but how it ended.
pub(super) fn assert_ends(connection: &mut Connection) {
    let last = messages(connection);
    assert_eq!(last.len(), 1, "{last:?}");
    assert_eq!(last[0]["id"], "s1");
    assert_eq!(last[0]["result"]["resultType"], "complete");
    assert_eq!(last[0]["result"]["_meta"][SUBSCRIPTION_ID], "s1");
    let more = connection.next_chunk().unwrap();
    assert_eq!(more, None, "the stream goes on after its answer");
}

/// A server on which everything can change, and a tool that tells of a change.
pub(super) fn changing(changes: &Changes) -> ServerBuilder {
    let told = changes.clone();
    let rename = tool("rename").run(move |_: NoArguments, _: Context| {
        told.tools_changed();
        async { Ok("renamed") }
    });
    let plan = prompt("plan").run(async |_: NoArguments, _: Context| Ok("Plan it."));
    let files = resource_template("file:///{+path}", "files")
        .read(async |_: BTreeMap<String, String>, _: Context| Ok("a file"));
    Server::builder("changing", "1.0.0")
        .tool(rename)
        .prompt(plan)
        .resource(resource("docs://page", "page").text("A page"))
        .resource_template(files)
        .changes(changes.clone())
}

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
