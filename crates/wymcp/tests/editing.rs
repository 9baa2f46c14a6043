//! A running server whose offer changes: what requests find before, during and after an edit.
#![cfg(feature = "editing")]

mod common;

use std::{
    sync::{Arc, Mutex},
    thread,
};

use common::{call, judge, text};
use serde_json::{Value, json};
use tokio::sync::Notify;
use wymcp::{
    Change, Changes, ConfigError, Context, Decision, Edit, Head, NoArguments, Relay, RunnableTool,
    Server, ServerBuilder, prompt, resource, resource_template, tool,
};
use wymcp_core::Turn;

/// The result of a method that the core answers, or its error.
fn ask(server: &Server, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", method),
    ];
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let protocol = server.protocol();
    let head = Head::new("POST", &headers);
    let Turn::Reply(reply) = protocol.receive(&head, body.as_bytes(), Decision::anonymous()) else {
        panic!("{method} is answered by the core");
    };
    let mut answer: Value = serde_json::from_slice(&reply.body).unwrap();
    judge(body.as_bytes(), &answer).unwrap();
    let member = ["result", "error"]
        .into_iter()
        .find(|it| answer.get(it).is_some());
    answer[member.unwrap()].take()
}

/// What a list shows.
fn listed(server: &Server, method: &str, member: &str, key: &str) -> Vec<String> {
    let result = ask(server, method, json!({}));
    let items = result[member]
        .as_array()
        .unwrap_or_else(|| panic!("{result}"));
    let names = items
        .iter()
        .map(|item| item[key].as_str().unwrap().to_owned());
    names.collect()
}

fn tools(server: &Server) -> Vec<String> {
    listed(server, "tools/list", "tools", "name")
}

fn says(name: &str, said: &'static str) -> RunnableTool {
    tool(name).run(move |_: NoArguments, _: Context| async move { Ok(said) })
}

fn plugins() -> ServerBuilder {
    Server::builder("plugins", "1.0.0")
}

#[tokio::test]
async fn what_an_edit_adds_and_removes_is_so_in_lists_in_calls_and_in_the_help_tool() {
    let server = plugins()
        .tool(says("a", "first"))
        .tool(says("b", "second"))
        .build()
        .unwrap();
    let edit = Edit::new()
        .remove_tool("a")
        .remove_tool("never-there")
        .tool(says("c", "third"));
    server.edit(edit).unwrap();
    assert_eq!(tools(&server), ["b", "c", "help"]);
    assert_eq!(text(&call(&server, &[], "c", json!({})).await.1), "third");
    let (_, gone) = call(&server, &[], "a", json!({})).await;
    assert_eq!(gone["error"]["code"], -32602, "{gone}");
    let (_, help) = call(&server, &[], "help", json!({})).await;
    let help: Value = serde_json::from_str(text(&help)).unwrap();
    let explained = help["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["tool"]);
    assert_eq!(explained.collect::<Vec<_>>(), ["b", "c"]);

    server
        .edit(Edit::new().remove_tool("b").tool(says("b", "anew")))
        .unwrap();
    assert_eq!(tools(&server), ["c", "b", "help"]);
    assert_eq!(text(&call(&server, &[], "b", json!({})).await.1), "anew");
}

#[test]
fn an_edit_with_a_fault_changes_nothing() {
    let server = plugins().tool(says("a", "")).build().unwrap();
    let taken = Edit::new()
        .remove_tool("help")
        .tool(says("b", ""))
        .tool(says("a", ""));
    let fault = server.edit(taken).unwrap_err();
    assert!(
        matches!(&fault, ConfigError::Tool { tool, field, .. } if tool == "a" && field == "name"),
        "{fault}"
    );
    let reserved = server.edit(Edit::new().tool(says("help", ""))).unwrap_err();
    assert!(reserved.to_string().contains("reserved"), "{reserved}");
    assert_eq!(tools(&server), ["a", "help"]);
}

#[tokio::test]
async fn a_call_in_flight_ends_on_what_it_began_on() {
    let (started, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tells, waits) = (Arc::clone(&started), Arc::clone(&go_on));
    let slow = tool("slow").run(move |_: NoArguments, _: Context| {
        let (tells, waits) = (Arc::clone(&tells), Arc::clone(&waits));
        async move {
            tells.notify_one();
            waits.notified().await;
            Ok("done")
        }
    });
    let server = plugins().tool(slow).build().unwrap();
    let calling = call(&server, &[], "slow", json!({}));
    let editing = async {
        started.notified().await;
        server.edit(Edit::new().remove_tool("slow")).unwrap();
        assert_eq!(
            call(&server, &[], "slow", json!({})).await.1["error"]["code"],
            -32602
        );
        go_on.notify_one();
    };
    let ((_, body), ()) = tokio::join!(calling, editing);
    assert_eq!(text(&body), "done");
}

#[test]
fn what_was_declared_stays_declared_and_an_empty_list_is_an_empty_list() {
    let complete = async |_: wymcp::Completing, _: Context| Ok(vec!["x".to_owned()]);
    let pages = resource_template("docs://{page}", "pages")
        .complete("page", complete)
        .read(async |_: NoArguments, _: Context| Ok(""));
    let summary = prompt("summary").run(async |_: NoArguments, _: Context| Ok(""));
    let server = plugins()
        .without_help()
        .tool(says("a", ""))
        .resource_template(pages)
        .prompt(summary)
        .build()
        .unwrap();
    let before = ask(&server, "server/discover", json!({}))["capabilities"].take();
    server
        .edit(
            Edit::new()
                .remove_tool("a")
                .remove_resource_template("docs://{page}")
                .remove_prompt("summary"),
        )
        .unwrap();
    assert_eq!(
        ask(&server, "server/discover", json!({}))["capabilities"],
        before
    );
    for (method, member) in [
        ("tools/list", "tools"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ] {
        assert_eq!(
            ask(&server, method, json!({}))[member],
            json!([]),
            "{method}"
        );
    }
}

#[test]
fn what_will_come_can_be_declared_before() {
    let server = plugins()
        .declare_tools()
        .declare_resources()
        .declare_prompts()
        .changes(Changes::new())
        .build()
        .unwrap();
    let discovery = ask(&server, "server/discover", json!({}));
    let all = json!({
        "tools": {"listChanged": true},
        "resources": {"listChanged": true, "subscribe": true},
        "prompts": {"listChanged": true},
    });
    assert_eq!(discovery["capabilities"], all);
    assert_eq!(ask(&server, "tools/list", json!({}))["tools"], json!([]));
    server.edit(Edit::new().tool(says("a", ""))).unwrap();
    assert_eq!(tools(&server), ["a", "help"]);
}

#[test]
fn a_cursor_means_the_same_place_after_an_edit() {
    let server = plugins()
        .page_size(2)
        .without_help()
        .tool(says("a", ""))
        .tool(says("b", ""))
        .tool(says("c", ""))
        .build()
        .unwrap();
    let first = ask(&server, "tools/list", json!({}));
    server
        .edit(
            Edit::new()
                .remove_tool("a")
                .remove_tool("c")
                .tool(says("d", ""))
                .tool(says("e", "")),
        )
        .unwrap();
    let second = ask(
        &server,
        "tools/list",
        json!({"cursor": first["nextCursor"]}),
    );
    let names = second["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["d", "e"]);
    assert_eq!(second["nextCursor"], Value::Null);
}

/// Keeps what is published.
struct Kept(Arc<Mutex<Vec<Change>>>);

impl Relay for Kept {
    fn publish(&self, change: &Change) {
        self.0.lock().unwrap().push(change.clone());
    }
}

#[test]
fn listeners_are_told_of_the_lists_that_changed_and_of_no_other() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let server = plugins()
        .changes(Changes::through(Kept(Arc::clone(&told))))
        .tool(says("a", ""))
        .build()
        .unwrap();
    let taken = || std::mem::take(&mut *told.lock().unwrap());
    server.edit(Edit::new().remove_tool("never-there")).unwrap();
    assert_eq!(taken(), []);
    server.edit(Edit::new().tool(says("a", ""))).unwrap_err();
    assert_eq!(taken(), []);
    server
        .edit(Edit::new().remove_tool("a").tool(says("a", "")))
        .unwrap();
    assert_eq!(taken(), [Change::Tools]);
    let manual = resource("docs://manual", "manual").text("");
    let summary = prompt("summary").run(async |_: NoArguments, _: Context| Ok(""));
    server
        .edit(Edit::new().resource(manual).prompt(summary))
        .unwrap();
    assert_eq!(taken(), [Change::Prompts, Change::Resources]);
}

#[test]
fn no_edit_of_many_at_once_is_lost() {
    let server = plugins().build().unwrap();
    thread::scope(|threads| {
        for thread in 0..4 {
            let server = &server;
            threads.spawn(move || {
                for number in 0..25 {
                    let name = format!("t{thread}-{number}");
                    server.edit(Edit::new().tool(says(&name, ""))).unwrap();
                    if number % 2 == 0 {
                        server.edit(Edit::new().remove_tool(name)).unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(tools(&server).len(), 4 * 12 + 1);
}

#[tokio::test]
async fn code_that_panics_when_it_is_taken_out_reaches_nobody() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let bomb = Arc::new(Bomb);
    let go_on = Arc::new(Notify::new());
    let waits = Arc::clone(&go_on);
    let armed = tool("armed").run(move |_: NoArguments, _: Context| {
        let _bomb = &bomb;
        let waits = Arc::clone(&waits);
        async move {
            waits.notified().await;
            Ok("fine")
        }
    });
    let server = plugins().tool(armed).build().unwrap();
    let calling = call(&server, &[], "armed", json!({}));
    let editing = async {
        // The call holds the last of it.
        tokio::task::yield_now().await;
        server.edit(Edit::new().remove_tool("armed")).unwrap();
        go_on.notify_one();
    };
    let ((_, body), ()) = tokio::join!(calling, editing);
    assert_eq!(text(&body), "fine");
    assert_eq!(tools(&server), [""; 0]);
}

/// Edits its server when it is let go.
struct Editor(Server);

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.0.edit(Edit::new().remove_tool("x"));
    }
}

#[test]
fn code_that_edits_when_it_is_taken_out_does_not_wait_for_itself() {
    let server = plugins().tool(says("a", "")).build().unwrap();
    let guarded = |name| {
        let editor = Arc::new(Editor(server.clone()));
        tool(name).run(move |_: NoArguments, _: Context| {
            let _editor = &editor;
            async { Ok("") }
        })
    };
    server
        .edit(Edit::new().tool(guarded("p")).tool(says("a", "")))
        .unwrap_err();
    server
        .edit(Edit::new().tool(guarded("p")).remove_tool("p"))
        .unwrap();
    server.edit(Edit::new().tool(guarded("q"))).unwrap();
    server.edit(Edit::new().remove_tool("q")).unwrap();
    assert_eq!(tools(&server), ["a", "help"]);
}

#[test]
fn several_codes_that_panic_when_they_are_taken_out_reach_nobody() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let armed = |name| {
        let bomb = Arc::new(Bomb);
        tool(name).run(move |_: NoArguments, _: Context| {
            let _bomb = &bomb;
            async { Ok("") }
        })
    };
    let server = plugins()
        .tool(armed("a"))
        .tool(armed("b"))
        .tool(says("c", ""))
        .build()
        .unwrap();
    server
        .edit(Edit::new().tool(armed("d")).tool(says("c", "")))
        .unwrap_err();
    server
        .edit(Edit::new().tool(armed("d")).remove_tool("d"))
        .unwrap();
    server
        .edit(Edit::new().remove_tool("a").remove_tool("b"))
        .unwrap();
    assert_eq!(tools(&server), ["c", "help"]);
}

#[test]
fn servers_that_were_made_of_one_differ_in_what_each_was_given() {
    use wymcp_core::{Edit, Tool};
    let base = plugins().tool(says("a", "")).build().unwrap().protocol();
    let with = |name: &str| base.edited(Edit::new().tool(Tool::new(name))).unwrap();
    let (x, y) = (with("x"), with("y"));
    assert_eq!(y.changes_since(&x), [Change::Tools]);
    assert_eq!(x.changes_since(&x.edited(Edit::new()).unwrap()), []);
    let passed = base.edited(Edit::new().tool(Tool::new("x")).remove_tool("x"));
    assert_eq!(passed.unwrap().changes_since(&base), []);
}
