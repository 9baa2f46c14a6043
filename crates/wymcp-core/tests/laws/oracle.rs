//! What must hold of every answer, whatever was sent. Panics where it does not.

use std::{sync::LazyLock, time::Duration};

use serde_json::json;
use wymcp_core::{
    Action, Decision, Document, Event, Head, Json, Limits, Outcome, RejectionReason, Reply, Server,
    TextFault, Tool, ToolResult, Turn, read,
};

use crate::{
    naive::{Naive, answer_id, bracket_depth},
    official,
};

/// A server with every kind of tool once.
pub(crate) static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let number = json!({"type": "integer"});
    let sum = Tool::new("sum")
        .describe("Adds two numbers")
        .input_schema(json!({
            "type": "object",
            "properties": {"a": number, "b": number},
            "required": ["a", "b"],
        }));
    let mirrored = Tool::new("mirrored").describe("Mirrors its arguments").input_schema(json!({
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
            "place": {"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}},
        },
    }));
    let add = Action::new("add", "Adds a note")
        .property("text", json!({"type": "string"}))
        .required(["text"]);
    let find = Action::new("find", "Finds notes")
        .property("word", json!({"type": "string", "pattern": "^[a-z]+$"}))
        .property("limit", json!({"type": "integer", "minimum": 1}))
        .required_one_of([["word"], ["limit"]])
        .default("limit", json!(10));
    let notes = Tool::new("notes")
        .describe("Keeps notes")
        .actions([add, find]);
    Server::builder("laws", "1.0.0")
        .tool(sum)
        .tool(mirrored)
        .tool(notes)
        .tool(Tool::new("echo").describe("Takes anything"))
        .page_size(3)
        .build()
        .expect("the fixture is well defined")
});

/// Answers a request and checks everything about the answer that can be checked without knowing it.
pub(crate) fn answer(head: &Head<'_>, body: &[u8]) -> Reply {
    let (reply, called) = run(head, body);
    assert_eq!(
        run(head, body),
        (reply.clone(), called),
        "the same input, another answer"
    );

    let row = refusal(&reply).map(RejectionReason::row);
    if head.method() == "HEAD" {
        assert!(reply.body.is_empty(), "an answer to HEAD has a body");
    } else if reply.status == 202 {
        assert!(
            reply.body.is_empty()
                && reply.headers.is_empty()
                && matches!(reply.events.as_slice(), [Event::Accepted { .. }]),
            "{reply:?}"
        );
    } else {
        check_body(&reply, body, row.map(|row| row.code));
    }
    match row {
        Some(row) => assert_eq!(reply.status, row.status),
        None => assert!(reply.status == 200 || reply.status == 202, "{reply:?}"),
    }
    if called {
        assert_eq!(reply.status, 200);
    }
    check_shown(&reply);
    reply
}

/// Reads a body strictly, and holds the verdict against the naive reference.
pub(crate) fn json_text(body: &[u8], limits: &Limits) -> Result<(), TextFault> {
    let strict = read(body, limits);
    let naive = Naive::read(body);
    match (&strict, &naive) {
        (
            Ok(Document {
                root, duplicate, ..
            }),
            Some(naive),
        ) => {
            assert!(
                naive.depth() <= limits.depth && naive.values() <= limits.values,
                "a limit is passed"
            );
            assert_eq!(duplicate.is_some(), naive.has_duplicate(), "duplicates");
            assert!(same(root, naive), "{root:?} is not {naive:?}");
        }
        (Err(TextFault::TooDeep(_)), _) => {
            assert!(bracket_depth(body) > limits.depth, "not too deep");
        }
        (Err(TextFault::TooManyValues(_)), Some(naive)) => {
            assert!(naive.values() > limits.values, "not too many");
        }
        // What stands behind a limit that was passed may be anything.
        (Err(TextFault::Malformed(_) | TextFault::TooManyValues(_)), None) => {}
        _ => panic!("{strict:?}, and the reference says {naive:?}"),
    }
    strict.map(drop)
}

/// Whether a tree says the same as the reference, member for member.
fn same(json: &Json<'_>, naive: &Naive) -> bool {
    match (json, naive) {
        (Json::Null, Naive::Null) => true,
        (Json::Bool(a), Naive::Bool(b)) => a == b,
        (Json::Number(a), Naive::Number(b)) => {
            serde_json::to_string(a).ok() == serde_json::to_string(b).ok()
        }
        (Json::String(a), Naive::String(b)) => a == b,
        (Json::Array(a), Naive::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Naive::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((name, a), (other, b))| name == other && same(a, b))
        }
        _ => false,
    }
}

/// The answer, and whether a tool was called on the way.
fn run(head: &Head<'_>, body: &[u8]) -> (Reply, bool) {
    match SERVER.receive(head, body, Decision::anonymous()) {
        Turn::Reply(reply) => (reply, false),
        Turn::Call(call) => (
            call.finish(Outcome::Tool(ToolResult::text("done")), Duration::ZERO),
            true,
        ),
        Turn::Listen(_) | Turn::Cancel { .. } | Turn::Legacy(_) => {
            unreachable!("nothing changes here, and the modern revisions are spoken alone")
        }
    }
}

/// The reason of a refusal, of which there is one event.
pub(crate) fn refusal(reply: &Reply) -> Option<RejectionReason> {
    let mut reasons = reply.events.iter().filter_map(|event| match event {
        Event::Rejected { reason, .. } => Some(*reason),
        Event::MethodFaulted { .. } | Event::ToolFaulted { .. } => {
            panic!("a fault of the server: {event:?}")
        }
        _ => None,
    });
    let reason = reasons.next();
    assert_eq!(reasons.next(), None, "a refusal is recorded once");
    reason
}

/// One JSON-RPC message with the id that the request allows it, and an error exactly when there was a refusal.
fn check_body(reply: &Reply, request: &[u8], code: Option<i32>) {
    let text = std::str::from_utf8(&reply.body).expect("an answer is UTF-8");
    assert!(
        !text.contains(['\u{2028}', '\u{2029}', '\n', '\r']),
        "{text}"
    );
    let media_types: Vec<_> = reply
        .headers
        .iter()
        .filter(|(name, _)| *name == "content-type")
        .collect();
    assert!(
        matches!(&*media_types, [(_, value)] if value == "application/json"),
        "{:?}",
        reply.headers
    );

    judge(request, text.as_bytes());
    let message = Naive::read(text.as_bytes()).expect("an answer is JSON");
    assert!(!message.has_duplicate(), "{text}");
    let Naive::Object(members) = &message else {
        panic!("no object: {text}")
    };
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "jsonrpc",
            "id",
            if code.is_some() { "error" } else { "result" }
        ],
        "{text}"
    );
    assert_eq!(message.named("jsonrpc"), [&Naive::String("2.0".to_owned())]);

    let sent = Naive::read(request);
    let expected = match refusal(reply) {
        Some(reason) if is_before_the_message(reason) => None,
        _ => sent.as_ref().and_then(answer_id),
    };
    let echoed = message.named("id")[0];
    assert!(
        expected.unwrap_or(&Naive::Null).same(echoed),
        "the id {expected:?} comes back as {echoed:?}"
    );

    if let Some(code) = code {
        let error = message.named("error")[0];
        assert_eq!(error.named("code"), [&Naive::Number(code.into())]);
        let [Naive::String(line)] = &*error.named("message") else {
            panic!("no message: {text}")
        };
        assert_line(line);
    }
}

/// Hands a message of an answer to the judge, who has the official schema if it is at hand.
pub(crate) fn judge(request: &[u8], message: &[u8]) {
    let message = serde_json::from_slice(message).expect("an answer is JSON");
    official::judge(request, &message).unwrap();
}

/// Whether a refusal comes before there is a message that could have an id.
fn is_before_the_message(reason: RejectionReason) -> bool {
    use RejectionReason as Reason;
    matches!(
        reason,
        Reason::HostNotAllowed
            | Reason::HostMalformed
            | Reason::OriginNotAllowed
            | Reason::OriginDuplicated
            | Reason::CrossSite
            | Reason::MethodNotAllowed
            | Reason::UnsupportedMediaType
            | Reason::NotAcceptable
            | Reason::BodyTooLarge
            | Reason::BodyTimeout
            | Reason::MalformedJson
            | Reason::JsonTooComplex
    )
}

/// Everything that an operator is shown.
fn check_shown(reply: &Reply) {
    for (name, value) in &reply.headers {
        assert!(
            value.bytes().all(|byte| matches!(byte, b' '..=b'~')),
            "{name}: {value}"
        );
    }
    for event in &reply.events {
        match event {
            Event::Rejected {
                request, detail, ..
            } => {
                assert_line(detail);
                request
                    .http_method
                    .iter()
                    .for_each(|method| assert_line(method));
                request.method.iter().for_each(|method| assert_line(method));
                request
                    .request_id
                    .iter()
                    .for_each(|id| assert_line(&id.to_string()));
            }
            Event::Accepted { request } => {
                request.method.iter().for_each(|method| assert_line(method));
            }
            Event::ToolStopped { call, .. } => {
                assert_line(&call.tool);
                assert_line(&call.request_id.to_string());
            }
            Event::HelpCalled { tool, action, .. } => tool
                .iter()
                .chain(action)
                .for_each(|shown| assert_line(shown)),
            other => panic!("an event that nothing here causes: {other:?}"),
        }
    }
}

/// One line, bounded, that no terminal and no log reader takes for anything else.
pub(crate) fn assert_line(text: &str) {
    assert!(
        text.chars().count() <= LINE_CHARS,
        "{} characters: {text}",
        text.chars().count()
    );
    let unsafe_char = |char: char| {
        char.is_control()
            || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    assert!(!text.contains(unsafe_char), "{text:?}");
}

/// Two clipped texts whose every character is shown as its longest escape, and the sentence around them.
const LINE_CHARS: usize = 2 * 128 * "\\u{10ffff}".len() + 512;
