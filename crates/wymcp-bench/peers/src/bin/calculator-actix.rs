//! The calculator in actix-web, every check on.

use std::{error::Error, net::Ipv4Addr};

use actix_web::{App, HttpServer};
use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{Context, Server, tool};
use wymcp_peers::arguments;

#[derive(Deserialize, JsonSchema)]
struct Sum {
    a: i64,
    b: i64,
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where to listen: --port NUMBER")?;
    let server = Server::builder("calculator", "1.0.0")
        .tool(
            tool("sum")
                .describe("Adds two numbers")
                .run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)),
        )
        .build()?;
    let app = move || App::new().route("/mcp", wymcp_actix::endpoint(server.clone()));
    let host = HttpServer::new(app)
        .workers(1)
        .h1_allow_half_closed(false)
        .tcp_nodelay(true)
        .bind((Ipv4Addr::LOCALHOST, port))?;
    Ok(host.run().await?)
}
