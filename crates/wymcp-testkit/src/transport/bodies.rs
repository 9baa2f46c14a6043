//! Bodies that are long, slow, or never come.

use std::{thread, time::Duration};

use wymcp::{Limits, ServerBuilder};

use super::{
    AnyAdapter, PATIENCE, Scenario,
    requests::{
        JSON, assert_echoed, assert_echoes, assert_refused_for_good, assert_status, connect, echo,
        echoing, post,
    },
    scenarios,
    watched::Events,
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    the_limit_of_the_server_holds_where_the_frameworks_own_is_lower,
    a_body_as_long_as_the_limit_passes_and_one_byte_more_does_not,
    a_body_over_the_limit_is_refused_before_it_is_sent,
    chunks_over_the_limit_are_refused_before_the_rest_is_sent,
    a_client_that_asks_before_it_sends_is_told_to_go_on,
    a_body_that_stalls_is_answered_and_the_connection_ends,
    a_body_that_never_begins_is_answered_and_the_connection_ends,
    a_client_that_sends_byte_by_byte_does_not_outlast_the_timeout,
    a_body_that_comes_byte_by_byte_in_time_is_served,
    a_client_that_goes_away_in_its_body_gets_no_answer_and_the_server_lives,
];

/// A server that waits so long for a body.
fn hurried(timeout: Duration) -> ServerBuilder {
    let mut limits = Limits::default();
    limits.body_timeout = timeout;
    echoing().limits(limits)
}

fn the_limit_of_the_server_holds_where_the_frameworks_own_is_lower(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    for length in [300 * 1024, 3 * 1024 * 1024] {
        assert_echoes(&mut connection, 1, &"x".repeat(length));
    }
}

fn a_body_as_long_as_the_limit_passes_and_one_byte_more_does_not(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let limit = Limits::default().body_bytes;
    let around = echo(1, "").body().len();
    let mut connection = connect(&host);
    assert_echoes(&mut connection, 1, &"x".repeat(limit - around));
    let over = echo(1, &"x".repeat(limit - around + 1));
    connection.send(over.to_bytes()).unwrap();
    assert_status(&mut connection, 413);
}

fn a_body_over_the_limit_is_refused_before_it_is_sent(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    // Nothing more comes: who reads it to the end never answers.
    for length in [5 * 1024 * 1024, 1_000_000_000_000] {
        let mut connection = connect(&host);
        connection.send(post(JSON, length, "{")).unwrap();
        assert_refused_for_good(&mut connection, 413);
    }
}

fn chunks_over_the_limit_are_refused_before_the_rest_is_sent(adapter: &AnyAdapter) {
    let mut limits = Limits::default();
    limits.body_bytes = 100_000;
    let host = adapter.serve(echoing().limits(limits).build().unwrap());
    let mut connection = connect(&host);
    let head = echo(1, "").head();
    connection
        .send(format!("{head}Transfer-Encoding: chunked\r\n\r\n"))
        .unwrap();
    let chunk = format!("{:x}\r\n{}\r\n", 1000, "x".repeat(1000));
    connection.send(chunk.repeat(100)).unwrap();
    connection.send("1\r\nx\r\n").unwrap();
    assert_refused_for_good(&mut connection, 413);
}

fn a_client_that_asks_before_it_sends_is_told_to_go_on(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    let asked = echo(1, "four").header("Expect", "100-continue");
    let (head, body) = (asked.head(), asked.body());
    let length = body.len();
    let told = connection.open_stream(format!("{head}Content-Length: {length}\r\n\r\n"));
    assert!(told.unwrap().starts_with("HTTP/1.1 100 "));
    connection.send(body).unwrap();
    assert_echoed(&mut connection, 1, "four");
    assert_echoes(&mut connection, 2, "x");
}

fn a_body_that_stalls_is_answered_and_the_connection_ends(adapter: &AnyAdapter) {
    let host = adapter.serve(hurried(Duration::from_millis(100)).build().unwrap());
    let mut connection = connect(&host);
    connection.send(post(JSON, 100, "{")).unwrap();
    assert_refused_for_good(&mut connection, 408);
}

fn a_body_that_never_begins_is_answered_and_the_connection_ends(adapter: &AnyAdapter) {
    let host = adapter.serve(hurried(Duration::from_millis(100)).build().unwrap());
    let mut connection = connect(&host);
    connection.send(post(JSON, 100, "")).unwrap();
    assert_refused_for_good(&mut connection, 408);
}

/// A byte each 40 ms of 200 stands for one each second of 5.
const BETWEEN_BYTES: Duration = Duration::from_millis(40);

fn a_client_that_sends_byte_by_byte_does_not_outlast_the_timeout(adapter: &AnyAdapter) {
    let host = adapter.serve(hurried(5 * BETWEEN_BYTES).build().unwrap());
    let mut connection = connect(&host);
    connection.send(post(JSON, 1000, "{")).unwrap();
    for _ in 0..10 {
        thread::sleep(BETWEEN_BYTES);
        connection.send(" ").unwrap();
    }
    assert_status(&mut connection, 408);
}

fn a_body_that_comes_byte_by_byte_in_time_is_served(adapter: &AnyAdapter) {
    let host = adapter.serve(hurried(PATIENCE).build().unwrap());
    let mut connection = connect(&host);
    for byte in echo(1, "slow").to_bytes() {
        connection.send([byte]).unwrap();
        thread::sleep(Duration::from_millis(1));
    }
    assert_echoed(&mut connection, 1, "slow");
}

fn a_client_that_goes_away_in_its_body_gets_no_answer_and_the_server_lives(adapter: &AnyAdapter) {
    let (server, events) = Events::of(echoing());
    let host = adapter.serve(server);
    for _ in 0..3 {
        let mut connection = connect(&host);
        connection.send(post(JSON, 100, &"x".repeat(50))).unwrap();
        connection.end_sending().unwrap();
        let answer = connection.receive().unwrap();
        assert_eq!(answer, None, "an answer to a body that breaks off");
        // And one that is not there to be answered.
        let mut connection = connect(&host);
        connection.send(post(JSON, 100, "{")).unwrap();
        drop(connection);
    }
    assert_echoes(&mut connect(&host), 1, "alive");
    let seen = events.all();
    let of_messages = seen
        .iter()
        .filter(|event| !event.starts_with("BodyIncomplete"));
    let kinds = of_messages.filter_map(|event| event.split(' ').next());
    let kinds: Vec<&str> = kinds.collect();
    assert_eq!(
        kinds,
        ["ToolStarted", "ToolStopped"],
        "only the last is a message: {seen:?}"
    );
}
