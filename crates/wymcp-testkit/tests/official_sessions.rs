//! The judge of answers, by the revisions with sessions: it admits what each of them has, and refuses what another has.
//!
//! Where the official schemas are not at hand (see `Answer::judge`) nothing is refused, and the same tests show that.

use std::{
    env,
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
};

use serde_json::{Value, json};
use wymcp_core::LegacyVersion;
use wymcp_testkit::{Answer, Connection};

/// Whether the official schemas are at hand.
fn is_judged() -> bool {
    env::var_os("MCP_SCHEMA_DIR").is_some()
}

fn verdict(version: LegacyVersion, request: &str, message: &Value) -> Result<(), String> {
    let body = message.to_string().into_bytes();
    let answer = Answer::new(200, [("content-type", "application/json")], body);
    answer.judge_by(version, request.as_bytes())
}

fn request(method: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method}).to_string()
}

/// A right message by its name, and the request that it comes on behalf of.
fn right(version: LegacyVersion, name: &str) -> (String, Value) {
    let (method, part) = match name {
        "initialize" => (
            "initialize",
            json!({"result": {
                "protocolVersion": version.as_str(),
                "capabilities": {"tools": {"listChanged": true}, "logging": {}},
                "serverInfo": {"name": "s", "version": "1"},
            }}),
        ),
        "ping" => ("ping", json!({"result": {}})),
        "subscribe" => ("resources/subscribe", json!({"result": {}})),
        "tools" => (
            "tools/list",
            json!({"result": {"tools": [{
                "name": "t",
                "inputSchema": {"type": "object", "x-example": 1},
                "annotations": {"readOnlyHint": true},
            }]}}),
        ),
        "call" => (
            "tools/call",
            json!({"result": {
                "content": [{"type": "text", "text": "a", "annotations": {"priority": 1}}],
                "_meta": {"com.example/a": 1},
            }}),
        ),
        "read" => (
            "resources/read",
            json!({"result": {"contents": [{"uri": "a:b", "text": ""}]}}),
        ),
        "completion" => (
            "completion/complete",
            json!({"result": {"completion": {"values": ["a"], "hasMore": false}}}),
        ),
        "error" => (
            "tools/call",
            json!({"error": {"code": -32602, "message": "no such tool", "data": {"a": 1}}}),
        ),
        "progress" => (
            "tools/call",
            json!({"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}),
        ),
        "record" => (
            "tools/call",
            json!({"method": "notifications/message", "params": {"level": "info", "data": 1}}),
        ),
        "sampling" => (
            "tools/call",
            json!({"id": "s-1", "method": "sampling/createMessage", "params": {
                "maxTokens": 1,
                "messages": [{"role": "user", "content": {"type": "text", "text": "?"}}],
            }}),
        ),
        "roots" => ("tools/call", json!({"id": "s-1", "method": "roots/list"})),
        "form" => (
            "tools/call",
            json!({"id": "s-1", "method": "elicitation/create", "params": {
                "message": "?",
                "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
            }}),
        ),
        "page" => (
            "tools/call",
            json!({"id": "s-1", "method": "elicitation/create", "params": {
                "mode": "url", "message": "?", "url": "https://a.example/", "elicitationId": "e-1",
            }}),
        ),
        _ => panic!("no message is named {name}"),
    };
    let mut message = json!({"jsonrpc": "2.0"});
    if part.get("method").is_none() {
        message["id"] = 1.into();
    }
    let members = message.as_object_mut().unwrap();
    members.extend(part.as_object().unwrap().clone());
    (request(method), message)
}

/// In each line the name of a message, where in it, what stands there in the place of what is right, and the revision
/// that knows it so: from then on it is right.
const FAULTS: &str = r#"# The envelope.
ping /jsonrpc "1.0" never
ping /id 2 never
ping /id null never
ping /result absent never
ping /result [] never
error /error/message absent never
error /error/code "-32602" never
error /error/hint "a" never
error /id 1.5 never

# What the newest revision has.
ping /result/resultType "complete" never
subscribe /result/_meta {"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}} never
tools /result/ttlMs 0 never
tools /result/cacheScope "private" never
call /result/resultType "complete" never
call /result/_meta/io.modelcontextprotocol~1serverInfo {"name":"s","version":"1"} never
call /result/structuredContent [1] never
initialize /result/capabilities/extensions {} never
initialize /result/supportedVersions [] never
record /params/_meta {"io.modelcontextprotocol/subscriptionId":1} never

# Opening.
initialize /result/protocolVersion "2024-11-05" never
initialize /result/serverInfo/version absent never
initialize /result/capabilities/tools/listChanged "yes" never
initialize /result/serverInfo/title "S" 2025-06-18
initialize /result/serverInfo/websiteUrl "https://a.example/" 2025-11-25

# Results.
tools /result/tools/0/inputSchema/type "array" never
tools /result/tools/0/inputSchema/properties {"a":true} never
tools /result/tools/0/outputSchema {"type":"array"} never
tools /result/tools/0/annotations/icons [] never
tools /result/tools/0/title "T" 2025-06-18
tools /result/tools/0/_meta {} 2025-06-18
tools /result/tools/0/outputSchema {"type":"object"} 2025-06-18
tools /result/tools/0/icons [] 2025-11-25
call /result/content absent never
call /result/content/0/type "picture" never
call /result/content/0 {"type":"resource_link","uri":"a:b","name":"a"} 2025-06-18
call /result/content/0/_meta {} 2025-06-18
call /result/content/0/annotations/lastModified "2026-07-28" 2025-06-18
call /result/structuredContent {"a":1} 2025-06-18
read /result/contents/0/text absent never
read /result/contents/0/uri "b" never
read /result/contents/0/_meta {} 2025-06-18
completion /result/completion/more true never

# Notifications.
progress /method "notifications/progressed" never
progress /method "notifications/roots/list_changed" never
progress /method "notifications/subscriptions/acknowledged" never
progress /id 1 never
progress /params/progressToken absent never
progress /params/step 1 never
record /params/level "loud" never
record /params/_meta {"com.example/a":1} 2025-03-26

# Questions.
sampling /id absent never
sampling /id null never
sampling /method "tools/list" never
sampling /params/maxTokens absent never
sampling /params/mode "form" never
sampling /params/messages/0/role "system" never
sampling /params/messages/0/content [] 2025-11-25
sampling /params/messages/0/content/type "tool_use" never
sampling /params/tools [] 2025-11-25
roots /params {"_meta":{}} 2025-03-26
form /params/message absent never
form /params/requestedSchema/properties/a/oneOf [] 2025-11-25
form /params/requestedSchema/properties/a/type "object" never
form /params/mode "form" 2025-11-25
form /params/requestedSchema/properties/a/default "b" 2025-11-25
form /params/requestedSchema/properties/a {"type":"array","items":{"type":"string","enum":["a"]}} 2025-11-25
page /params/elicitationId absent never
page /params/url "b" never
"#;

/// The first revision that has a message.
fn since(name: &str) -> LegacyVersion {
    match name {
        "page" => LegacyVersion::V2025_11_25,
        "form" => LegacyVersion::V2025_06_18,
        _ => LegacyVersion::V2025_03_26,
    }
}

#[test]
fn each_revision_refuses_what_it_does_not_know_and_admits_what_it_does() {
    let faults = FAULTS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in faults {
        let (rest, known) = line.rsplit_once(' ').unwrap();
        let mut words = rest.splitn(3, ' ');
        let [name, pointer, wrong] = [(); 3].map(|()| words.next().unwrap());
        for version in LegacyVersion::ALL {
            let (request, mut message) = right(*version, name);
            let is_known = since(name) <= *version;
            let right = verdict(*version, &request, &message);
            assert_eq!(
                right.is_ok(),
                is_known || !is_judged(),
                "{version} {name}: {right:?}"
            );

            let (parent, member) = pointer.rsplit_once('/').unwrap();
            let member = member.replace("~1", "/");
            match message.pointer_mut(parent).unwrap() {
                Value::Array(items) => items[0] = serde_json::from_str(wrong).unwrap(),
                parent if wrong == "absent" => {
                    assert!(
                        parent.as_object_mut().unwrap().remove(&member).is_some(),
                        "{line}"
                    );
                }
                parent => parent[member] = serde_json::from_str(wrong).unwrap(),
            }
            let is_right = is_known && LegacyVersion::named(known).is_some_and(|it| it <= *version);
            let verdict = verdict(*version, &request, &message);
            assert_eq!(
                verdict.is_ok(),
                is_right || !is_judged(),
                "{version} {line}: {verdict:?}"
            );
        }
    }
}

#[test]
fn an_error_may_say_that_no_id_is_known() {
    for version in LegacyVersion::ALL {
        let (request, mut message) = right(*version, "error");
        for request in [&*request, "", "{", "[]", r#"{"method": "ping"}"#] {
            message["id"] = Value::Null;
            assert_eq!(verdict(*version, request, &message), Ok(()));
        }
    }
}

#[test]
fn what_comes_without_a_request_comes_by_a_stream_that_a_client_opened() {
    let notification = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
    for version in LegacyVersion::ALL {
        for name in ["progress", "sampling", "roots"] {
            let (_, message) = right(*version, name);
            assert_eq!(verdict(*version, "", &message), Ok(()), "{name}");
            let refused = verdict(*version, notification, &message);
            assert_eq!(refused.is_err(), is_judged(), "{name}");
        }
        for request in [
            "",
            notification,
            &request("tools/execute"),
            &request("server/discover"),
        ] {
            let (_, message) = right(*version, "ping");
            assert_eq!(
                verdict(*version, request, &message).is_err(),
                is_judged(),
                "{request}"
            );
        }
    }
}

#[test]
fn a_batch_is_answered_by_a_batch_in_the_revision_that_has_them() {
    let requests = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "2", "method": "tools/list"},
        7,
    ]);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    let list = json!({"jsonrpc": "2.0", "id": "2", "result": {"tools": []}});
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "no"}});
    let progress = right(LegacyVersion::V2025_03_26, "progress").1;
    let swapped = json!({"jsonrpc": "2.0", "id": "2", "result": {"tools": 1}});
    for (answer, is_right) in [
        (json!([ping, list, error]), true),
        (json!([error]), true),
        (error.clone(), true),
        (json!([]), false),
        (ping.clone(), false),
        (progress.clone(), false),
        (json!([ping, progress]), false),
        (json!([ping, ping]), false),
        (json!([ping, swapped]), false),
        (json!([{"jsonrpc": "2.0", "id": 3, "result": {}}]), false),
    ] {
        for version in LegacyVersion::ALL {
            let has_batches = *version == LegacyVersion::V2025_03_26;
            let is_right = is_right && (has_batches || answer.is_object());
            let verdict = verdict(*version, &requests.to_string(), &answer);
            assert_eq!(
                verdict.is_ok(),
                is_right || !is_judged(),
                "{version} {answer}: {verdict:?}"
            );
        }
    }
    let alone = json!([ping]);
    let refused = verdict(LegacyVersion::V2025_03_26, &request("ping"), &alone);
    assert_eq!(refused.is_err(), is_judged());
}

#[test]
fn a_connection_of_a_session_judges_by_its_revision_and_reads_numbered_events() {
    for (version, is_right) in [
        (Some(LegacyVersion::V2025_11_25), true),
        (Some(LegacyVersion::V2025_06_18), false),
        (None, false),
    ] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let (_, page) = right(LegacyVersion::V2025_11_25, "page");
            let events = format!("id: 1\nretry: 9\ndata: \n\nid: 2\ndata: {page}\n\n");
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
            let chunk = format!("{head}{:x}\r\n{events}\r\n", events.len());
            stream.write_all(chunk.as_bytes()).unwrap();
        });
        let mut connection = Connection::open(address).unwrap();
        if let Some(version) = version {
            connection = connection.of_session(version);
        }
        let call = request("tools/call");
        let length = call.len();
        let sent = format!("POST /mcp HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{call}");
        connection.open_stream(sent).unwrap();
        // The newest revision has no numbered events, whatever is in them.
        let is_right = is_right || version.is_some() && !is_judged();
        assert_eq!(connection.next_chunk().is_ok(), is_right, "{version:?}");
    }
}
