//! A server that is edited while its clients list, page, call and listen.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, ScopedJoinHandle},
};

use serde_json::{Value, json};
use tokio::sync::Notify;
use wymcp::{Changes, Context, Edit, NoArguments, RunnableTool, Server, tool};

use super::{
    AnyAdapter, Scenario,
    listeners::{change, listen},
    requests::{Request, answered, call, connect, result, text},
    scenarios,
    watched::hold,
};
use crate::Connection;

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    edits_disturb_nobody_who_lists_and_reach_whoever_calls_or_listens,
    a_call_in_flight_ends_on_the_tool_that_an_edit_took_out,
];

/// How many tools are there all the while.
const LASTING: usize = 10;

/// How often a client reads the list to its end.
const READINGS: usize = 30;

fn named(name: &str) -> RunnableTool {
    let said = name.to_owned();
    tool(name).run(move |_: NoArguments, _: Context| {
        let said = said.clone();
        async move { Ok(said) }
    })
}

fn lasting() -> impl Iterator<Item = String> {
    (0..LASTING).map(|number| format!("lasting-{number}"))
}

/// Lists page by page; one page holds a part of the tools.
fn names(connection: &mut Connection) -> Vec<String> {
    let (mut names, mut params) = (Vec::new(), json!({}));
    loop {
        let asked = Request::new("tools/list", params);
        connection.send(asked.to_bytes()).unwrap();
        let page = answered(connection).json().unwrap()["result"].take();
        let tools = page["tools"].as_array().unwrap().iter();
        names.extend(tools.map(|tool| tool["name"].as_str().unwrap().to_owned()));
        if page["nextCursor"].is_null() {
            return names;
        }
        params = json!({"cursor": page["nextCursor"]});
    }
}

fn assert_unknown(connection: &mut Connection, name: &str) {
    connection.send(call(name, &json!({})).to_bytes()).unwrap();
    let body = answered(connection).json().unwrap();
    let unknown = format!("Unknown tool: {name}");
    assert_eq!(body["error"]["message"], unknown, "{body}");
}

fn edits_disturb_nobody_who_lists_and_reach_whoever_calls_or_listens(adapter: &AnyAdapter) {
    let builder = Server::builder("edited", "1.0.0").changes(Changes::new());
    let builder = lasting().fold(builder, |builder, name| builder.tool(named(&name)));
    let server = builder.page_size(3).without_help().build().unwrap();
    let host = adapter.serve(server.clone());
    let listener = listen(&host, &json!({"toolsListChanged": true}));
    let [asking, calling, one, other] = [(); 4].map(|()| connect(&host));
    let read = AtomicBool::new(false);
    thread::scope(|scope| {
        let listening = scope.spawn(|| hear_of_the_last(listener, asking));
        let editing = scope.spawn(|| edit_until(&read, &server, calling));
        let reading = [one, other].map(|reader| scope.spawn(|| read_again_and_again(reader)));
        let readings = reading.map(ScopedJoinHandle::join);
        read.store(true, Ordering::Relaxed);
        let edits = editing.join().unwrap();
        let seen: usize = readings.into_iter().map(Result::unwrap).sum();
        assert!(seen > 0 && edits > 1, "{edits} edits, {seen} guests seen");
        server.edit(Edit::new().tool(named("last"))).unwrap();
        let told = listening.join().unwrap();
        assert!(
            (1..=edits + 1).contains(&told),
            "told {told} times of {edits} edits"
        );
    });
}

/// In each reading is whatever was there all the while, once and in its order. Gives back in how many there was a guest.
fn read_again_and_again(mut connection: Connection) -> usize {
    let readings = (0..READINGS).map(|_| {
        let (mut guests, there): (Vec<_>, Vec<_>) = names(&mut connection)
            .into_iter()
            .partition(|name| name.starts_with("guest-"));
        assert!(there.iter().eq(&lasting().collect::<Vec<_>>()), "{there:?}");
        let seen = guests.len();
        guests.sort_unstable();
        guests.dedup();
        assert_eq!(guests.len(), seen, "a tool was listed twice");
        seen
    });
    readings.filter(|seen| *seen > 0).count()
}

/// One guest comes and the one before goes, until everything was read. Gives back how often.
fn edit_until(read: &AtomicBool, server: &Server, mut connection: Connection) -> usize {
    let mut edits = 0;
    while !read.load(Ordering::Relaxed) {
        let (leaving, coming) = (format!("guest-{edits}"), format!("guest-{}", edits + 1));
        let edit = Edit::new().remove_tool(&leaving).tool(named(&coming));
        server.edit(edit).unwrap();
        edits += 1;
        let asked = call(&coming, &json!({}));
        connection.send(asked.to_bytes()).unwrap();
        assert_eq!(result(&mut connection), (json!(1), Value::String(coming)));
        assert_unknown(&mut connection, &leaving);
    }
    edits
}

/// Whoever is told asks again, and so finds the last tool, though not each edit is told apart. Gives back how often it
/// was told.
fn hear_of_the_last(mut listener: Connection, mut connection: Connection) -> usize {
    for told in 1.. {
        let heard = change(&mut listener);
        assert_eq!(heard["method"], "notifications/tools/list_changed");
        connection
            .send(call("last", &json!({})).to_bytes())
            .unwrap();
        if answered(&mut connection).json().unwrap()["result"].is_object() {
            return told;
        }
    }
    unreachable!("it is told of the last edit, or waits too long")
}

fn a_call_in_flight_ends_on_the_tool_that_an_edit_took_out(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let builder = Server::builder("edited", "1.0.0").tool(hold(&release));
    let server = builder.build().unwrap();
    let host = adapter.serve(server.clone());
    let mut connection = connect(&host);
    let asked = call("hold", &json!({})).curious();
    connection.open_stream(asked.to_bytes()).unwrap();
    connection.next_chunk().unwrap();
    server.edit(Edit::new().remove_tool("hold")).unwrap();
    assert_unknown(&mut connect(&host), "hold");
    release.notify_one();
    let last = text(connection.next_chunk().unwrap());
    assert!(last.contains("released"), "{last}");
}
