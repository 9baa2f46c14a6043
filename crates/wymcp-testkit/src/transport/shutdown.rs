//! What the end of a server leaves to its clients.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::sync::Notify;

use super::{
    AnyAdapter, Scenario,
    requests::{assert_echoes, call, connect, echoing, text},
    scenarios,
    watched::{Events, holding},
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    a_shutdown_ends_a_call_that_does_not_end_with_an_answer,
    a_shutdown_leaves_a_call_the_time_that_it_needs,
    a_call_that_comes_after_a_shutdown_is_answered_while_the_host_takes_it,
];

fn a_shutdown_ends_a_call_that_does_not_end_with_an_answer(adapter: &AnyAdapter) {
    let (server, events) = Events::of(holding(&Arc::new(Notify::new())));
    let host = adapter.serve(server.clone());
    let mut connection = connect(&host);
    let asked = call("hold", &json!({})).curious();
    connection.open_stream(asked.to_bytes()).unwrap();
    connection.next_chunk().unwrap();
    server.shutdown(Duration::from_millis(20));
    let last = text(connection.next_chunk().unwrap());
    assert!(
        last.contains("Tool hold failed to answer this call"),
        "{last}"
    );
    let more = connection.next_chunk().unwrap();
    assert_eq!(more, None, "the stream goes on after its answer");
    events.wait_for(1, "ToolFaulted");
}

fn a_shutdown_leaves_a_call_the_time_that_it_needs(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let server = holding(&release).build().unwrap();
    let host = adapter.serve(server.clone());
    let mut connection = connect(&host);
    let asked = call("hold", &json!({})).curious();
    connection.open_stream(asked.to_bytes()).unwrap();
    connection.next_chunk().unwrap();
    server.shutdown(Duration::from_secs(60));
    release.notify_one();
    assert!(text(connection.next_chunk().unwrap()).contains("released"));
}

fn a_call_that_comes_after_a_shutdown_is_answered_while_the_host_takes_it(adapter: &AnyAdapter) {
    let server = echoing().build().unwrap();
    let host = adapter.serve(server.clone());
    let mut connection = connect(&host);
    assert_echoes(&mut connection, 1, "x");
    server.shutdown(Duration::ZERO);
    assert_echoes(&mut connection, 2, "x");
    assert_echoes(&mut connect(&host), 3, "x");
}
