//! wymcp as an application uses it, every check on.

use std::{error::Error, time::Duration};

use axum::Router;
use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{Context, Limits, Server, tool};
use wymcp_peers::{arguments, host};

#[derive(Deserialize, JsonSchema)]
struct Sum {
    a: i64,
    b: i64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut limits = Limits::default();
    // For the check of sessions, which waits for their ends.
    if let Some(seconds) = arguments::value("--idle")? {
        limits.session_idle = Duration::from_secs(seconds);
        limits.session_opening = limits.session_idle;
    }
    host::serve(move || {
        let server = Server::builder("calculator", "1.0.0")
            .limits(limits)
            .tool(
                tool("sum")
                    .describe("Adds two numbers")
                    .run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)),
            )
            .build()?;
        Ok(Router::new().route_service("/mcp", wymcp_axum::endpoint(server)))
    })
}
