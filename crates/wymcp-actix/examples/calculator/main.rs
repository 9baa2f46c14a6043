//! A calculator that any MCP client can call: `cargo run -p wymcp-actix --example calculator`.
//!
//! `--port N` serves elsewhere than on 3000; port 0 takes a free one.

mod calculator;
mod terminal;

use std::{process::ExitCode, time::Duration};

use actix_web::{App, HttpServer};
use wymcp_actix::endpoint;

/// For how long calls may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

#[actix_web::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => terminal::complain(&fault),
    }
}

async fn serve() -> Result<(), String> {
    terminal::start_logging();
    let server = calculator::calculator().map_err(|fault| fault.to_string())?;
    let port = terminal::port()?;
    let stopping = server.clone();
    let host = HttpServer::new(move || App::new().route("/mcp", endpoint(server.clone())))
        // So that the handler of a client that hangs up is dropped.
        .h1_allow_half_closed(false)
        // Without this a small answer may wait 40 ms for the acknowledgment of an earlier one.
        .tcp_nodelay(true)
        // In the place of the signals that actix-web minds by itself.
        .shutdown_signal(async move {
            terminal::told_to_stop().await;
            stopping.shutdown(GRACE);
        })
        .bind(("127.0.0.1", port))
        .map_err(|fault| format!("port {port}: {fault}. Choose another: --port N"))?;
    for address in host.addrs() {
        terminal::say_what_to_try(&format!("http://{address}/mcp"));
    }
    host.run().await.map_err(|fault| fault.to_string())
}
