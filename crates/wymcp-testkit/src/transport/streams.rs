//! Streamed answers: what arrives when.

use std::{sync::Arc, thread, time::Duration};

use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};
use wymcp::{Context, Limits, Server, tool};

use super::{
    AnyAdapter, Scenario,
    requests::{answered, assert_status, call, connect, text},
    scenarios,
    watched::{Events, holding},
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    what_is_said_arrives_before_the_answer_and_the_answer_ends_the_stream_in_one_piece,
    a_quiet_stream_says_that_it_is_alive,
    what_another_thread_says_is_heard_while_the_handler_waits,
];

fn what_is_said_arrives_before_the_answer_and_the_answer_ends_the_stream_in_one_piece(
    adapter: &AnyAdapter,
) {
    let release = Arc::new(Notify::new());
    let (server, events) = Events::of(holding(&release));
    let host = adapter.serve(server);
    let mut connection = connect(&host);
    let asked = call("hold", &json!({})).curious();
    let head = connection.open_stream(asked.to_bytes()).unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    assert!(text(connection.next_chunk().unwrap()).contains("notifications/progress"));
    release.notify_one();
    let last = text(connection.next_chunk().unwrap());
    assert!(
        last.contains("released") && last.ends_with("\n\n"),
        "{last}"
    );
    let more = connection.next_chunk().unwrap();
    assert_eq!(more, None, "the stream goes on after its answer");
    events.wait_for(1, "StreamClosed { cancelled: false");
    // The connection is as good as new.
    let unknown = call("unknown", &json!({}));
    connection.send(unknown.to_bytes()).unwrap();
    assert_status(&mut connection, 200);
}

fn a_quiet_stream_says_that_it_is_alive(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(20);
    let host = adapter.serve(holding(&release).limits(limits).build().unwrap());
    let mut connection = connect(&host);
    let asked = call("hold", &json!({})).curious();
    connection.open_stream(asked.to_bytes()).unwrap();
    assert!(text(connection.next_chunk().unwrap()).contains("notifications/progress"));
    for _ in 0..3 {
        assert_eq!(text(connection.next_chunk().unwrap()), ":\n\n");
    }
    release.notify_one();
    let mut piece = text(connection.next_chunk().unwrap());
    while piece == ":\n\n" {
        piece = text(connection.next_chunk().unwrap());
    }
    assert!(piece.contains("released"), "{piece}");
}

fn what_another_thread_says_is_heard_while_the_handler_waits(adapter: &AnyAdapter) {
    let spawning = tool("spawning").run_with_schema(
        json!({"type": "object"}),
        async |_: Value, context: Context| {
            let (done, spoken) = oneshot::channel::<()>();
            thread::spawn(move || {
                for step in 1..=3_u8 {
                    context.progress(f64::from(step), None, None);
                    thread::sleep(Duration::from_millis(5));
                }
                drop(done);
            });
            let _ = spoken.await;
            Ok("done")
        },
    );
    let builder = Server::builder("spawning", "1.0.0").tool(spawning);
    let host = adapter.serve(builder.build().unwrap());
    let mut connection = connect(&host);
    let asked = call("spawning", &json!({})).curious();
    connection.send(asked.to_bytes()).unwrap();
    let messages = answered(&mut connection).messages().unwrap();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert_eq!(messages[3]["result"]["content"][0]["text"], "done");
}
