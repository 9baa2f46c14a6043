//! Clients that read slowly, or not at all.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::Poll,
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use wymcp::{Context, Limits, LogLevel, RunnableTool, Server, tool};

use crate::{Connection, Served};

use super::{
    AnyAdapter, Scenario,
    requests::{answered, assert_echoes, call, connect, echoing, limited},
    scenarios,
    watched::Events,
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    a_reader_that_is_slow_costs_a_bounded_queue_and_gets_the_newest_progress_and_the_answer,
    a_reader_that_takes_nothing_is_taken_for_gone,
    a_call_that_nobody_reads_ends_at_its_deadline,
    a_call_that_nobody_reads_ends_when_the_server_does,
    a_reader_that_stops_and_goes_on_hears_the_rest_in_order,
    a_reader_that_leaves_a_long_answer_holds_nobody_up_and_gets_it_whole,
];

fn a_reader_that_is_slow_costs_a_bounded_queue_and_gets_the_newest_progress_and_the_answer(
    adapter: &AnyAdapter,
) {
    let mut limits = Limits::default();
    limits.stream_messages = 8;
    let eager = tool("eager").run_with_schema(
        json!({"type": "object"}),
        async |_: Value, context: Context| {
            // Said at once, before anybody can pick it up.
            for step in 1..=1_000_u16 {
                context.log(LogLevel::Info, None, &step)?;
                context.progress(f64::from(step), None, None);
            }
            Ok("done")
        },
    );
    let builder = Server::builder("eager", "1.0.0").limits(limits).logging();
    let (server, events) = Events::of(builder.tool(eager));
    let host = adapter.serve(server);
    let mut connection = connect(&host);
    let asked = call("eager", &json!({})).curious();
    connection.send(asked.to_bytes()).unwrap();
    let messages = answered(&mut connection).messages().unwrap();
    assert_eq!(messages.len(), 9);
    let progress = |message: &&Value| message["method"] == "notifications/progress";
    let newest = messages.iter().rfind(progress).unwrap();
    assert_eq!(newest["params"]["progress"], 1_000);
    assert_eq!(messages[8]["result"]["content"][0]["text"], "done");
    let record = |message: &&Value| message["method"] == "notifications/message";
    let dropped = 1_000 - messages.iter().filter(record).count();
    events.wait_for(
        1,
        &format!("StreamClosed {{ cancelled: false, dropped: {dropped}"),
    );
}

/// Says numbered records of 64 KiB for as long as it may, and counts them.
fn endless(said: &Arc<AtomicU64>) -> RunnableTool {
    let said = Arc::clone(said);
    tool("endless").run_with_schema(
        json!({"type": "object"}),
        move |_: Value, context: Context| {
            let said = Arc::clone(&said);
            async move {
                let filler = "x".repeat(64 * 1024);
                loop {
                    let number = said.fetch_add(1, Ordering::Relaxed);
                    context.log(LogLevel::Info, None, &(number, &filler))?;
                    yield_now().await;
                }
                #[expect(unreachable_code, reason = "it is the type of the answer")]
                Ok("never")
            }
        },
    )
}

async fn yield_now() {
    let mut yielded = false;
    poll_fn(|context| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A stream of `endless` whose reader has read its beginning, and no more.
fn unread(host: &Served) -> Connection {
    let mut connection = connect(host);
    let asked = call("endless", &json!({})).curious();
    connection.open_stream(asked.to_bytes()).unwrap();
    connection
}

fn a_reader_that_takes_nothing_is_taken_for_gone(adapter: &AnyAdapter) {
    let said = Arc::new(AtomicU64::new(0));
    let limits = limited(|limits| limits.write_timeout = Duration::from_millis(300));
    let builder = Server::builder("endless", "1.0.0").logging().limits(limits);
    let (server, events) = Events::of(builder.tool(endless(&said)));
    let host = adapter.serve(server);
    let connection = unread(&host);
    events.wait_for(1, "ToolCancelled");
    events.wait_for(1, "StreamClosed { cancelled: true");
    drop(connection);
}

fn a_call_that_nobody_reads_ends_at_its_deadline(adapter: &AnyAdapter) {
    let said = Arc::new(AtomicU64::new(0));
    let limits = limited(|limits| limits.call_deadline = Some(Duration::from_millis(300)));
    let builder = Server::builder("endless", "1.0.0").logging().limits(limits);
    let (server, events) = Events::of(builder.tool(endless(&said)));
    let host = adapter.serve(server);
    let connection = unread(&host);
    events.wait_for(1, "ToolFaulted");
    drop(connection);
}

fn a_call_that_nobody_reads_ends_when_the_server_does(adapter: &AnyAdapter) {
    let said = Arc::new(AtomicU64::new(0));
    let builder = Server::builder("endless", "1.0.0").logging();
    let (server, events) = Events::of(builder.tool(endless(&said)));
    let host = adapter.serve(server.clone());
    let connection = unread(&host);
    server.shutdown(Duration::from_millis(100));
    events.wait_for(1, "ToolFaulted");
    drop(connection);
}

fn a_reader_that_stops_and_goes_on_hears_the_rest_in_order(adapter: &AnyAdapter) {
    let said = Arc::new(AtomicU64::new(0));
    let builder = Server::builder("endless", "1.0.0").logging();
    let host = adapter.serve(builder.tool(endless(&said)).build().unwrap());
    let mut connection = unread(&host);
    thread::sleep(Duration::from_millis(200));
    // More than can have waited for it: what found no room was dropped.
    let enough = said.load(Ordering::Relaxed) + 100;
    let mut last = None;
    while last < Some(enough) {
        let piece = connection.next_chunk().unwrap().expect("a piece");
        for event in String::from_utf8(piece).unwrap().split_terminator("\n\n") {
            let event: Value = serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap();
            let number = event["params"]["data"][0].as_u64();
            assert!(number > last, "{number:?} comes after {last:?}");
            last = number;
        }
    }
}

fn a_reader_that_leaves_a_long_answer_holds_nobody_up_and_gets_it_whole(adapter: &AnyAdapter) {
    let long = tool("long")
        .run_with_schema(json!({"type": "object"}), async |_: Value, _: Context| {
            Ok("x".repeat(8 * 1024 * 1024))
        });
    let host = adapter.serve(echoing().tool(long).build().unwrap());
    let mut leaving = connect(&host);
    leaving.send(call("long", &json!({})).to_bytes()).unwrap();
    for id in 0..10 {
        assert_echoes(&mut connect(&host), id, "xx");
    }
    let body = answered(&mut leaving).json().unwrap();
    let text = body["result"]["content"][0]["text"].as_str();
    assert_eq!(text.map(str::len), Some(8 * 1024 * 1024));
}
