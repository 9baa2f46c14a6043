//! Many requests on one connection.

use std::time::{Duration, Instant};

use super::{
    AnyAdapter, Scenario,
    requests::{assert_echoed, assert_echoes, assert_status, connect, echo, echoing},
    scenarios,
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    pipelined_requests_are_answered_in_order,
    a_refusal_among_pipelined_requests_keeps_its_place,
    calls_on_one_connection_wait_for_no_acknowledgment,
    ten_thousand_requests_on_one_connection_are_all_answered,
];

fn pipelined_requests_are_answered_in_order(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    let texts: Vec<String> = (0..50).map(|length| "x".repeat(length)).collect();
    let requests = (0..)
        .zip(&texts)
        .map(|(id, text)| echo(id, text).to_bytes());
    connection
        .send(requests.collect::<Vec<_>>().concat())
        .unwrap();
    for (id, text) in (0..).zip(&texts) {
        assert_echoed(&mut connection, id, text);
    }
}

fn a_refusal_among_pipelined_requests_keeps_its_place(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    let put = b"PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec();
    let requests = [echo(1, "a").to_bytes(), put, echo(2, "bb").to_bytes()];
    connection.send(requests.concat()).unwrap();
    assert_echoed(&mut connection, 1, "a");
    assert_status(&mut connection, 405);
    assert_echoed(&mut connection, 2, "bb");
}

fn calls_on_one_connection_wait_for_no_acknowledgment(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    let began = Instant::now();
    for id in 0..50 {
        assert_echoes(&mut connection, id, "x");
    }
    // Each would take 40 ms, all of them 2 s, if a small write waited for the acknowledgment of an earlier one.
    let took = began.elapsed();
    assert!(took < Duration::from_millis(1500), "{took:?}");
}

fn ten_thousand_requests_on_one_connection_are_all_answered(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    for id in 0..10_000 {
        assert_echoes(&mut connection, id, "x");
    }
}
