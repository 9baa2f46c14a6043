//! How often a turn allocates: the one cost that is the same on every machine and in every run.

#![expect(
    clippy::print_stdout,
    reason = "the table is read by whoever runs the bench"
)]

use wymcp_bench::{Request, server, server_of};

#[test]
fn a_turn_allocates_no_more_than_its_bound() {
    let server = server();
    println!(
        "{:<30} {:>11} {:>9}  bound",
        "a turn", "allocations", "bytes"
    );
    let mut over = Vec::new();
    for request in Request::all() {
        // What is made at its first need and kept is not a turn's cost.
        drop(request.turn(&server));
        let counted = allocation_counter::measure(|| drop(request.turn(&server)));
        println!(
            "{:<30} {:>11} {:>9}  {}",
            request.name, counted.count_total, counted.bytes_total, request.allocations
        );
        if counted.count_total > request.allocations {
            over.push(request.name);
        }
    }
    assert!(over.is_empty(), "allocates more than its bound: {over:?}");
}

#[test]
fn a_list_of_ten_thousand_tools_allocates_as_often_as_one_of_two() {
    let list = Request::list();
    let [few, many] = [2, 10_000].map(|tools| {
        let server = server_of(tools);
        drop(list.turn(&server));
        allocation_counter::measure(|| drop(list.turn(&server))).count_total
    });
    assert_eq!(few, many);
}

#[test]
fn each_request_is_answered_as_its_name_says() {
    let server = server();
    let answer = |request: &Request| {
        let reply = request.turn(&server);
        (
            reply.status.as_u16(),
            String::from_utf8(reply.body).unwrap(),
        )
    };
    let (status, body) = answer(&Request::call());
    assert_eq!(status, 200);
    assert!(body.contains(r#""text":"42""#), "{body}");
    for request in Request::large()
        .into_iter()
        .chain([Request::list(), Request::discover()])
        .chain([
            Request::one_string("3 MB: one string", 50 * 64 * 1024),
            Request::small_members("3 MB: small members", 50 * 64 * 1024),
        ])
    {
        let (status, body) = answer(&request);
        assert_eq!(status, 200);
        assert!(!body.contains("isError"), "{}: {body}", request.name);
    }
    for request in Request::refused() {
        let (status, body) = answer(&request);
        assert!(
            status >= 400 || body.contains("isError"),
            "{}",
            request.name
        );
    }
}
