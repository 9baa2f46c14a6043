//! How often a turn allocates: the one cost that is the same on every machine and in every run.

#![expect(
    clippy::print_stdout,
    reason = "the table is read by whoever runs the bench"
)]

use wymcp_bench::{Request, server};

#[test]
fn a_turn_allocates_no_more_than_its_bound() {
    let server = server();
    let requests = [Request::call()]
        .into_iter()
        .chain(Request::large())
        .chain(Request::refused())
        .chain([Request::list(), Request::discover()]);
    println!("{:<30} {:>11} {:>8}  bound", "", "allocations", "bytes");
    for request in requests {
        // What is made at the first need is not a turn's cost.
        drop(request.turn(&server));
        let counted = allocation_counter::measure(|| drop(request.turn(&server)));
        println!(
            "{:<30} {:>11} {:>8}  {}",
            request.name, counted.count_total, counted.bytes_total, request.allocations
        );
        assert!(
            counted.count_total <= request.allocations,
            "{}",
            request.name
        );
    }
}
