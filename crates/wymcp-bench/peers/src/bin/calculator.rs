//! wymcp as an application uses it, every check on.

use std::error::Error;

use axum::Router;
use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{Context, Server, tool};
use wymcp_peers::host;

#[derive(Deserialize, JsonSchema)]
struct Sum {
    a: i64,
    b: i64,
}

fn main() -> Result<(), Box<dyn Error>> {
    host::serve(|| {
        let server = Server::builder("calculator", "1.0.0")
            .tool(
                tool("sum")
                    .describe("Adds two numbers")
                    .run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)),
            )
            .build()?;
        Ok(Router::new().route_service("/mcp", wymcp_axum::endpoint(server)))
    })
}
