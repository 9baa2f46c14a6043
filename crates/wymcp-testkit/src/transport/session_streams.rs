//! Streams of sessions: a session's own, and those of calls, which outlive the connections that read them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::sync::Notify;
use wymcp::{
    Changes, Context, LegacyVersion, NoArguments, RunnableTool, Server, ServerBuilder, tool,
};

use super::{
    AnyAdapter, Scenario,
    listeners::changing,
    requests::{echoing, limited},
    scenarios,
    session::{Session, request, served, text_of},
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    the_sessions_own_stream_has_one_connection_at_a_time,
    a_client_that_comes_back_gets_what_it_has_missed_and_the_answer,
    a_connection_that_comes_back_takes_the_place_of_the_one_before,
    a_handler_hangs_up_and_its_client_comes_back_for_the_answer,
    a_handler_hangs_up_on_no_client_that_would_not_come_back,
    an_answer_that_nobody_has_read_outlives_those_that_were_read,
    a_quiet_session_hears_that_its_stream_is_alive,
    an_event_of_another_session_or_of_none_is_as_good_as_no_event,
    nothing_is_left_behind_the_last_event_of_an_ended_stream,
    changes_reach_the_sessions_that_want_to_hear_of_them,
    the_servers_end_ends_a_sessions_own_stream,
];

fn the_sessions_own_stream_has_one_connection_at_a_time(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let host = adapter.serve(changing(&changes).build().unwrap());
    let session = Session::open(&host);
    let mut own = session.listen(None);
    let primed = own.next().unwrap();
    assert!(
        primed.message.is_none() && !primed.id.is_empty(),
        "{primed:?}"
    );
    assert_eq!(session.refused_stream(None).status, 409);
    changes.tools_changed();
    assert_eq!(own.message()["method"], "notifications/tools/list_changed");
    drop(own);
    let again = session.listen_soon(None).next().unwrap();
    assert!(
        again.message.is_none() && again.id != primed.id,
        "{again:?}"
    );
}

/// Says progress, waits for a sign, says some more, and ends.
fn telling(released: &Arc<Notify>) -> RunnableTool {
    let released = Arc::clone(released);
    tool("tell").run(move |_: NoArguments, ctx: Context| {
        let released = Arc::clone(&released);
        async move {
            ctx.progress(1.0, None, None);
            released.notified().await;
            ctx.progress(2.0, None, None);
            ctx.progress(3.0, None, None);
            Ok("told")
        }
    })
}

fn a_client_that_comes_back_gets_what_it_has_missed_and_the_answer(adapter: &AnyAdapter) {
    let released = Arc::new(Notify::new());
    let builder = Server::builder("telling", "1.0.0").tool(telling(&released));
    let (host, events) = served(adapter, builder);
    let session = Session::open(&host);
    let mut stream = session.stream(&session.call(7, "tell"));
    assert!(stream.next().unwrap().message.is_none());
    let first = stream.next().unwrap();
    drop(stream);
    released.notify_one();
    events.wait_for(1, "ToolStopped");
    let mut stream = session.resume(&session.call(7, "tell"), &first.id);
    let rest: Vec<_> = std::iter::from_fn(|| stream.next()).collect();
    let told = rest.iter().filter_map(|event| event.message.as_ref());
    let told: Vec<_> = told.collect();
    assert_eq!(told.len(), 3, "{rest:?}");
    assert_eq!(told[0]["params"]["progress"], 2);
    assert_eq!(
        (&told[2]["id"], text_of(told[2])),
        (&json!(7), &json!("told"))
    );
    let ids: Vec<_> = rest.iter().map(|event| &event.id).collect();
    assert!(!ids.contains(&&first.id), "{ids:?}");
}

fn a_connection_that_comes_back_takes_the_place_of_the_one_before(adapter: &AnyAdapter) {
    let released = Arc::new(Notify::new());
    let builder = Server::builder("telling", "1.0.0").tool(telling(&released));
    let host = adapter.serve(builder.build().unwrap());
    let session = Session::open(&host);
    let mut before = session.stream(&session.call(7, "tell"));
    let _ = before.next().unwrap();
    let first = before.next().unwrap();
    let mut after = session.resume(&session.call(7, "tell"), &first.id);
    assert!(before.next().is_none(), "the older connection goes on");
    released.notify_one();
    assert_eq!(after.message()["params"]["progress"], 2);
}

/// Says something if it is to, hangs up, and answers when it may.
fn leaving(released: &Arc<Notify>, says: bool) -> ServerBuilder {
    let released = Arc::clone(released);
    let leave = tool("leave").run(move |_: NoArguments, ctx: Context| {
        let released = Arc::clone(&released);
        async move {
            if says {
                ctx.progress(1.0, None, None);
            }
            ctx.hang_up();
            released.notified().await;
            Ok("late")
        }
    });
    let done = Arc::new(Notify::new());
    done.notify_one();
    Server::builder("leaving", "1.0.0")
        .tool(leave)
        .tool(telling(&done))
}

fn a_handler_hangs_up_and_its_client_comes_back_for_the_answer(adapter: &AnyAdapter) {
    let released = Arc::new(Notify::new());
    let host = adapter.serve(leaving(&released, false).build().unwrap());
    let session = Session::open(&host);
    for _ in 0..5 {
        let mut stream = session.stream(&session.call(7, "leave"));
        let primed = stream.next().unwrap();
        assert!(stream.next().is_none(), "the connection stays");
        // It comes back before there is an answer, and hears the end with it.
        let mut stream = session.resume(&session.call(7, "leave"), &primed.id);
        released.notify_one();
        assert_eq!(text_of(&stream.message()), "late");
        let since = Instant::now();
        assert!(stream.next().is_none());
        assert!(since.elapsed() < Duration::from_secs(3), "it is late");
    }
}

fn a_handler_hangs_up_on_no_client_that_would_not_come_back(adapter: &AnyAdapter) {
    let released = Arc::new(Notify::new());
    let host = adapter.serve(leaving(&released, true).build().unwrap());
    let session = Session::open_as(&host, LegacyVersion::V2025_06_18, None);
    let mut stream = session.stream(&session.call(7, "leave"));
    assert_eq!(stream.message()["method"], "notifications/progress");
    released.notify_one();
    assert_eq!(text_of(&stream.message()), "late");
}

fn an_answer_that_nobody_has_read_outlives_those_that_were_read(adapter: &AnyAdapter) {
    let released = Arc::new(Notify::new());
    let (host, events) = served(adapter, leaving(&released, false));
    let session = Session::open(&host);
    let mut stream = session.stream(&session.call(7, "leave"));
    let primed = stream.next().unwrap();
    assert!(stream.next().is_none());
    released.notify_one();
    events.wait_for(1, "ToolStopped");
    for id in 0..40 {
        released.notify_one();
        let _ = session.post(&session.call(id, "leave"));
    }
    let mut stream = session.resume(&session.call(7, "leave"), &primed.id);
    assert_eq!(text_of(&stream.message()), "late");
}

fn a_quiet_session_hears_that_its_stream_is_alive(adapter: &AnyAdapter) {
    let limits = limited(|limits| limits.keep_alive = Duration::from_millis(20));
    let host = adapter.serve(echoing().limits(limits).build().unwrap());
    let session = Session::open(&host);
    let mut own = session.listen(None);
    assert!(own.next().is_some());
    for _ in 0..3 {
        assert_eq!(own.comment(), ":");
    }
}

fn an_event_of_another_session_or_of_none_is_as_good_as_no_event(adapter: &AnyAdapter) {
    let (host, events) = served(adapter, echoing());
    let (one, other) = (Session::open(&host), Session::open(&host));
    let of_other = other.listen(None).next().unwrap().id;
    for last in [&*of_other, "1", "0-0-0", "\u{e9}", ""] {
        let mut own = one.listen_soon(Some(last));
        let primed = own.next().unwrap();
        let mark = |id: &str| id.split('-').next().unwrap().to_owned();
        assert_ne!(mark(&primed.id), mark(&of_other), "{last:?}");
    }
    events.wait_for(5, "LastEventIdIgnored");
}

fn nothing_is_left_behind_the_last_event_of_an_ended_stream(adapter: &AnyAdapter) {
    let released = Arc::new(Notify::new());
    released.notify_one();
    let builder = Server::builder("telling", "1.0.0").tool(telling(&released));
    let (host, events) = served(adapter, builder);
    let session = Session::open(&host);
    let whole = session.post(&session.call(7, "tell"));
    let whole = String::from_utf8(whole.body).unwrap();
    let mut ids = whole.lines().filter_map(|line| line.strip_prefix("id: "));
    let last = ids.next_back().unwrap();
    // A client that came back to nothing would come back for ever.
    let mut own = session.listen(Some(last));
    assert!(own.next().unwrap().message.is_none());
    events.wait_for(1, "LastEventIdIgnored");
}

fn changes_reach_the_sessions_that_want_to_hear_of_them(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let host = adapter.serve(changing(&changes).build().unwrap());
    let (session, other) = (Session::open(&host), Session::open(&host));
    let (mut own, mut others) = (session.listen(None), other.listen(None));
    let subscribe = |method: &str, uri: &str| {
        let asked = request(1, method, json!({"uri": uri}));
        session.post(&asked).json().unwrap()
    };
    assert_eq!(
        subscribe("resources/subscribe", "docs://page")["result"],
        json!({})
    );
    let unknown = subscribe("resources/subscribe", "docs://nothing/at/all");
    assert_eq!(unknown["error"]["code"], -32002);
    changes.resource_updated("docs://page");
    changes.resource_updated("docs://other");
    changes.tools_changed();
    let updated = own.message();
    assert_eq!(updated["params"], json!({"uri": "docs://page"}));
    assert_eq!(own.message()["method"], "notifications/tools/list_changed");
    assert_eq!(
        others.message()["method"],
        "notifications/tools/list_changed"
    );
    assert_eq!(
        subscribe("resources/unsubscribe", "docs://page")["result"],
        json!({})
    );
    changes.resource_updated("docs://page");
    changes.prompts_changed();
    assert_eq!(
        own.message()["method"],
        "notifications/prompts/list_changed"
    );

    // What nobody reads is told once for each time that the connection seemed to read, and kept for whoever comes back.
    let last = own.id.clone();
    drop(own);
    for _ in 0..1_000 {
        changes.tools_changed();
    }
    changes.prompts_changed();
    let mut own = session.listen_soon(Some(&last));
    let mut told = 0;
    while own.message()["method"] == "notifications/tools/list_changed" {
        told += 1;
    }
    assert!((1..500).contains(&told), "{told} times");
}

fn the_servers_end_ends_a_sessions_own_stream(adapter: &AnyAdapter) {
    let server = echoing().build().unwrap();
    let host = adapter.serve(server.clone());
    let session = Session::open(&host);
    let mut own = session.listen(None);
    assert!(own.next().is_some());
    server.shutdown(Duration::ZERO);
    assert!(own.next().is_none());
}
