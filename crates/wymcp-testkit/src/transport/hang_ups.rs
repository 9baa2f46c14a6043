//! Clients that go away before their answer has come, whole or by half.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::sync::Notify;

use super::{
    AnyAdapter, Scenario,
    requests::{assert_echoes, call, connect, echoing},
    scenarios,
    watched::{Events, Handler, holding},
};
use crate::Connection;

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    a_client_that_goes_away_in_the_middle_of_a_call_drops_its_handler,
    a_client_that_closes_its_half_in_the_middle_of_a_call_drops_its_handler,
    a_client_that_goes_away_in_the_middle_of_a_stream_ends_its_call,
    a_client_that_closes_its_half_in_the_middle_of_a_stream_ends_its_call,
    a_handler_is_dropped_within_100_ms_of_its_client_going_away,
    a_connection_whose_client_has_closed_its_half_ends_when_it_is_idle,
];

/// Goes away, and leaves the rest to the operating system.
fn go_away(connection: Connection) {
    drop(connection);
}

/// Closes its own half; whoever sees that ends the connection.
fn close_half(mut connection: Connection) {
    connection.end_sending().unwrap();
    assert!(connection.is_ended(), "the connection goes on");
}

fn a_client_that_goes_away_in_the_middle_of_a_call_drops_its_handler(adapter: &AnyAdapter) {
    leave_a_call(adapter, go_away);
}

fn a_client_that_closes_its_half_in_the_middle_of_a_call_drops_its_handler(adapter: &AnyAdapter) {
    leave_a_call(adapter, close_half);
}

fn leave_a_call(adapter: &AnyAdapter, leave: fn(Connection)) {
    let (builder, handler) = Handler::of_endless_tool(echoing());
    let host = adapter.serve(builder.build().unwrap());
    let mut connection = connect(&host);
    let asked = call("endless", &json!({}));
    connection.send(asked.to_bytes()).unwrap();
    handler.wait_for_start();
    leave(connection);
    handler.wait_for_drop();
}

fn a_client_that_goes_away_in_the_middle_of_a_stream_ends_its_call(adapter: &AnyAdapter) {
    leave_a_stream(adapter, go_away);
}

fn a_client_that_closes_its_half_in_the_middle_of_a_stream_ends_its_call(adapter: &AnyAdapter) {
    leave_a_stream(adapter, close_half);
}

fn leave_a_stream(adapter: &AnyAdapter, leave: fn(Connection)) {
    let (server, events) = Events::of(holding(&Arc::new(Notify::new())));
    let host = adapter.serve(server);
    let mut connection = connect(&host);
    let asked = call("hold", &json!({})).curious();
    connection.open_stream(asked.to_bytes()).unwrap();
    connection.next_chunk().unwrap();
    leave(connection);
    events.wait_for(1, "ToolCancelled");
    events.wait_for(1, "StreamClosed { cancelled: true");
}

/// How often clients go away, in each of the four ways.
const HANG_UPS: usize = 21;

fn a_handler_is_dropped_within_100_ms_of_its_client_going_away(adapter: &AnyAdapter) {
    let (builder, handler) = Handler::of_endless_tool(echoing());
    let host = adapter.serve(builder.build().unwrap());
    for (how, leave, streams) in [
        ("in the middle of a call", go_away as fn(_), false),
        ("in the middle of a stream", go_away, true),
        ("by half, in the middle of a call", close_half, false),
        ("by half, in the middle of a stream", close_half, true),
    ] {
        let mut took: Vec<Duration> = (0..HANG_UPS)
            .map(|_| {
                let mut connection = connect(&host);
                let asked = call("endless", &json!({}));
                if streams {
                    let asked = asked.curious();
                    connection.open_stream(asked.to_bytes()).unwrap();
                    connection.next_chunk().unwrap();
                } else {
                    connection.send(asked.to_bytes()).unwrap();
                }
                handler.wait_for_start();
                let since = Instant::now();
                leave(connection);
                handler.wait_for_drop();
                since.elapsed()
            })
            .collect();
        took.sort_unstable();
        // Most of them, since this machine may do something else for a while.
        let median = took[HANG_UPS / 2];
        assert!(
            median < Duration::from_millis(100),
            "{how} it takes {median:?}, at most {:?}",
            took.last()
        );
    }
}

fn a_connection_whose_client_has_closed_its_half_ends_when_it_is_idle(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    assert_echoes(&mut connection, 1, "x");
    close_half(connection);
}
