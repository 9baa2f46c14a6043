//! What becomes of a connection after a refusal.

use super::{
    AnyAdapter, Scenario,
    requests::{
        JSON, answered, assert_echoes, assert_refused_for_good, assert_status, connect, echo,
        echoing, post,
    },
    scenarios,
};
use crate::panics::MEANT;

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    after_a_refusal_of_the_message_the_connection_goes_on,
    after_a_refusal_of_the_head_a_connection_with_a_body_to_come_ends,
    no_request_is_read_out_of_the_body_of_a_refused_one,
    after_a_refusal_of_a_head_without_a_body_the_connection_goes_on,
    a_function_for_events_that_panics_leaves_the_connection_usable,
];

fn after_a_refusal_of_the_message_the_connection_goes_on(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    for body in [
        "{",
        "[]",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    ] {
        connection
            .send(post(JSON, body.len() as u64, body))
            .unwrap();
        assert_eq!(answered(&mut connection).status, 400, "{body}");
        assert_echoes(&mut connection, 7, "four");
    }
}

fn after_a_refusal_of_the_head_a_connection_with_a_body_to_come_ends(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    for (headers, status) in [
        ("Host: evil.example\r\n", 403),
        ("Host: localhost\r\nOrigin: http://evil.example\r\n", 403),
        ("Host: localhost\r\nContent-Type: text/plain\r\n", 415),
        (
            "Host: localhost\r\nContent-Type: application/json\r\nAccept: text/html\r\n",
            406,
        ),
    ] {
        let mut connection = connect(&host);
        // Half of the body, so that the rest is outstanding.
        connection
            .send(post(headers, 100, &"x".repeat(50)))
            .unwrap();
        assert_refused_for_good(&mut connection, status);
    }
}

fn no_request_is_read_out_of_the_body_of_a_refused_one(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let smuggled = String::from_utf8(echo(1, "smuggled").to_bytes()).unwrap();
    let length = smuggled.len() as u64;
    let mut connection = connect(&host);
    connection
        .send(post("Host: evil.example\r\n", length, &smuggled))
        .unwrap();
    assert_refused_for_good(&mut connection, 403);
    // The same where the whole body stands before a refusal of the message.
    let mut connection = connect(&host);
    connection.send(post(JSON, length, &smuggled)).unwrap();
    assert_status(&mut connection, 400);
    assert_echoes(&mut connection, 2, "x");
}

fn after_a_refusal_of_a_head_without_a_body_the_connection_goes_on(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    let mut connection = connect(&host);
    let asked = "PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n";
    connection.send(asked).unwrap();
    assert_status(&mut connection, 405);
    assert_echoes(&mut connection, 2, "x");
}

fn a_function_for_events_that_panics_leaves_the_connection_usable(adapter: &AnyAdapter) {
    let panicking = echoing().on_event(|event| panic!("{MEANT} no counter for {event:?}"));
    let host = adapter.serve(panicking.build().unwrap());
    let mut connection = connect(&host);
    for id in 0..3 {
        assert_echoes(&mut connection, id, "four");
        connection.send(post(JSON, 1, "{")).unwrap();
        assert_status(&mut connection, 400);
    }
}
