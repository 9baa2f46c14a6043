//! What the suite takes for granted of the adapter's own side: that a server ends.

use std::{thread, time::Instant};

use super::{
    AnyAdapter, PATIENCE, Scenario,
    requests::{assert_echoes, connect, echoing},
    scenarios,
};
use crate::Connection;

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] =
    scenarios![a_server_that_is_dropped_takes_no_more_connections];

fn a_server_that_is_dropped_takes_no_more_connections(adapter: &AnyAdapter) {
    let host = adapter.serve(echoing().build().unwrap());
    assert_echoes(&mut connect(&host), 1, "x");
    let address = host.address();
    drop(host);
    let since = Instant::now();
    while Connection::open(address).is_ok() {
        assert!(
            since.elapsed() < PATIENCE,
            "the guard of `Served` is dropped, and {address} still takes connections"
        );
        thread::sleep(PATIENCE / 1000);
    }
}
