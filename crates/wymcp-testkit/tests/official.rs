//! The judge of answers: it refuses what the official schema refuses, and everything that a test reads goes past it.
//!
//! Where the official schema is not at hand (see `Answer::judge`) nothing is refused, and the same tests show that.

use std::{
    env,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    thread,
};

use serde_json::{Value, json};
use wymcp_core::sse;
use wymcp_testkit::{Answer, Case, Connection};

/// Whether the official schema is at hand.
fn is_judged() -> bool {
    env::var_os("MCP_SCHEMA_DIR").is_some()
}

fn case(name: &str) -> Case {
    let mut cases = Case::all().into_iter();
    let case = cases.find(|case| case.name == name);
    case.unwrap_or_else(|| panic!("no case is named {name}"))
}

fn messages_of(case: &Case) -> Value {
    let answer = case.answer.as_ref();
    answer.and_then(Answer::messages).expect("an answer").into()
}

/// The verdict about a case's answer with other messages in it.
fn verdict(case: &Case, messages: &[Value]) -> Result<(), String> {
    let mut answer = case.answer.clone().expect("an answer");
    answer.body = if answer.header("content-type") == Some("text/event-stream") {
        let events = messages
            .iter()
            .map(|message| sse::event(message.to_string().as_bytes()));
        events.flatten().collect()
    } else {
        messages[0].to_string().into_bytes()
    };
    answer.judge(&case.request.body)
}

/// In each line a case, where in the messages of its answer, and what stands there in the place of what is right.
const FAULTS: &str = r#"# The envelope.
tools-list/everything /0/jsonrpc "1.0"
tools-list/everything /0/id {}
tools-list/everything /0/result absent
tools-list/everything /0/result/_meta []

# Discovery.
discover/tools /0/result/capabilities/tools true
discover/tools /0/result/capabilities absent
discover/tools /0/result/supportedVersions "2026-07-28"
discover/tools /0/result/ttlMs -1

# Lists.
tools-list/everything /0/result/ttlMs -1
tools-list/everything /0/result/ttlMs 0.5
tools-list/everything /0/result/cacheScope "shared"
tools-list/everything /0/result/resultType "input_required"
tools-list/everything /0/result/tools/0/name absent
tools-list/everything /0/result/tools/0/inputSchema/type "array"
tools-list/first-page /0/result/nextCursor 1
prompts-list/everything /0/result/prompts absent
resources-list/everything /0/result/resources/0/uri "no address"
resources-templates-list/everything /0/result/resourceTemplates {}
resources-templates-list/everything /0/result/resourceTemplates/0/uriTemplate "docs://{page"

# Results of handlers.
tools-call/contents /0/result/content absent
tools-call/contents /0/result/content/1/type "picture"
tools-call/contents /0/result/content/2/mimeType absent
tools-call/contents /0/result/content/4/resource/uri absent
tools-call/contents /0/result/isError "no"
resources-read/text /0/result/contents/0/text absent
resources-read/text /0/result/cacheScope absent
prompts-get/text /0/result/messages/0/role "system"
completion/many /0/result/completion/values/100 "one more"

# Questions.
input-required/form /0/result/resultType "question"
input-required/form /0/result/requestState 1
input-required/form /0/result/inputRequests/person/method "ask"
input-required/form /0/result/inputRequests/person/params/message absent

# Errors.
tools-call/unknown-tool /0/error/message absent
tools-call/unknown-tool /0/error/code "-32602"
tools-call/unknown-tool /0/id 1.5
tools-call/capability-missing /0/error/data absent
tools-call/capability-missing /0/error/data/requiredCapabilities ["sampling"]
version/header-1900-meta-1900 /0/error/data/supported absent

# Notifications.
streams/progress /0/method "notifications/progressed"
streams/progress /0/method "notifications/roots/list_changed"
streams/progress /0/id 1
streams/progress /0/params/progressToken absent
streams/progress /0/params/progress "half"
streams/all-records /0/params/level "loud"
streams/all-records /0/params/data absent
listen/everything /0/params/notifications absent
listen/everything /0/params/notifications/toolsListChanged "yes"
listen/everything /0/params/_meta/io.modelcontextprotocol~1subscriptionId 1.5
listen/nothing-that-can-come /1/result/_meta absent
"#;

#[test]
fn an_answer_with_one_fault_is_refused() {
    let faults = FAULTS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in faults {
        let mut words = line.splitn(3, ' ');
        let [name, pointer, wrong] = [(); 3].map(|()| words.next().unwrap());
        let wrong: Option<Value> =
            (wrong != "absent").then(|| serde_json::from_str(wrong).unwrap());
        let case = case(name);
        let mut messages = messages_of(&case);
        assert_eq!(
            verdict(&case, messages.as_array().unwrap()),
            Ok(()),
            "{line}"
        );
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        let member = member.replace("~1", "/");
        match (messages.pointer_mut(parent), wrong) {
            (Some(Value::Object(members)), None) => {
                assert!(members.remove(&member).is_some(), "{line}");
            }
            (Some(Value::Object(members)), Some(wrong)) => drop(members.insert(member, wrong)),
            (Some(Value::Array(items)), Some(wrong)) => items.push(wrong),
            _ => panic!("{line}: nothing is there"),
        }
        let verdict = verdict(&case, messages.as_array().unwrap());
        assert_eq!(verdict.is_err(), is_judged(), "{line}");
    }
}

#[test]
fn a_refusal_names_the_method_the_place_and_what_is_violated() {
    let case = case("tools-list/everything");
    let mut messages = messages_of(&case);
    messages[0]["result"]["ttlMs"] = json!(-1);
    let expected = "not valid by the official schema, in answer to tools/list: \
                    /ListToolsResult/ttlMs: -1 is less than the minimum of 0";
    let expected = is_judged().then(|| expected.to_owned());
    let verdict = verdict(&case, messages.as_array().unwrap());
    assert_eq!(verdict.err(), expected);
}

#[test]
fn no_answer_of_any_case_may_lack_what_every_answer_has() {
    let mut seen = [0; 2];
    for case in Case::all() {
        let answer = case.answer.as_ref();
        let Some(mut messages) = answer.and_then(Answer::messages) else {
            continue;
        };
        // A session's answers have other judges, and a stream may say nothing.
        let Some(last) = messages.last_mut().filter(|_| case.revision.is_none()) else {
            continue;
        };
        let (kind, member) = if last.get("error").is_some() {
            ("error", "message")
        } else if last.get("result").is_some() {
            ("result", "resultType")
        } else {
            continue;
        };
        seen[usize::from(kind == "result")] += 1;
        last[kind].as_object_mut().unwrap().remove(member);
        let verdict = verdict(&case, &messages);
        assert_eq!(verdict.is_err(), is_judged(), "{}", case.name);
    }
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

#[test]
fn what_is_no_request_of_the_revision_gets_an_error_and_nothing_else() {
    let answer = case("tools-list/everything").answer.unwrap();
    let progress = case("streams/progress").answer.unwrap();
    let error = case("tools-call/unknown-tool").answer.unwrap();
    for request in [
        "",
        "{",
        "[]",
        r#"{"id": null, "method": "tools/list"}"#,
        r#"{"method": "tools/list"}"#,
        r#"{"id": 1, "method": "initialize"}"#,
        r#"{"id": 1, "method": "notifications/progress"}"#,
    ] {
        assert_eq!(
            answer.judge(request.as_bytes()).is_err(),
            is_judged(),
            "{request}"
        );
        assert_eq!(
            progress.judge(request.as_bytes()).is_err(),
            is_judged(),
            "{request}"
        );
        assert_eq!(error.judge(request.as_bytes()), Ok(()), "{request}");
    }
}

/// A host that answers whatever it is asked with these bytes.
fn host(answer: &'static str) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1024]);
        stream.write_all(answer.as_bytes()).unwrap();
    });
    address
}

const REQUEST: &str = "POST /mcp HTTP/1.1\r\nContent-Length: 46\r\n\r\n\
                       {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

#[test]
fn a_connection_hands_out_no_answer_that_is_refused() {
    let mut connection = Connection::open(host(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 38\r\n\r\n\
         {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ } } ",
    ))
    .unwrap();
    connection.send(REQUEST).unwrap();
    assert_eq!(connection.receive().is_err(), is_judged());
}

#[test]
fn a_connection_judges_each_event_of_an_open_stream_wherever_it_is_cut() {
    let mut connection = Connection::open(host(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
         7\r\ndata: {\r\n16\r\n\"jsonrpc\":\"2.0\",\"id\":1\r\n10\r\n,\"result\":{}}\n\n:\r\n",
    ))
    .unwrap();
    connection.open_stream(REQUEST).unwrap();
    assert_eq!(connection.next_chunk().unwrap().unwrap(), b"data: {");
    assert!(connection.next_chunk().unwrap().is_some());
    assert_eq!(connection.next_chunk().is_err(), is_judged());
}
