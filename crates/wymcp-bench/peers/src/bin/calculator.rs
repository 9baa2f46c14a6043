//! The calculator in axum. A request to `/change` tells its listeners of a change. With `--in-process` it also prints what
//! the whole turn of the core costs.

use std::error::Error;
use std::hint::black_box;

use axum::{Router, routing::post};
use wymcp::Changes;
use wymcp_bench::Request;
use wymcp_peers::{arguments, calculator, host, in_process};

fn main() -> Result<(), Box<dyn Error>> {
    if arguments::flag("--in-process") {
        let (server, call) = (wymcp_bench::server(), Request::call());
        let nanoseconds = in_process::turn(|| drop(black_box(call.turn(&server))));
        print!("turn_ns={nanoseconds:.0} ");
    }
    let changes = Changes::new();
    let server = calculator::server(changes.clone())?;
    let change = async move || changes.tools_changed();
    host::serve(
        || Ok(wymcp_axum::endpoint(server)),
        Router::new().route("/change", post(change)),
    )
}
