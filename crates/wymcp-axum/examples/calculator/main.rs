//! A calculator that any MCP client can call: `cargo run -p wymcp-axum --example calculator`.
//!
//! `--port N` serves elsewhere than on 3000; port 0 takes a free one.

mod calculator;
mod terminal;

use std::{process::ExitCode, time::Duration};

use axum::{Router, serve::ListenerExt as _};
use tokio::net::TcpListener;

/// For how long calls may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => terminal::complain(&fault),
    }
}

async fn serve() -> Result<(), String> {
    terminal::start_logging();
    let server = calculator::calculator().map_err(|fault| fault.to_string())?;
    let app = Router::new().route_service("/mcp", wymcp_axum::endpoint(server.clone()));
    let port = terminal::port()?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await;
    let listener =
        listener.map_err(|fault| format!("port {port}: {fault}. Choose another: --port N"))?;
    let address = listener.local_addr().map_err(|fault| fault.to_string())?;
    terminal::say_what_to_try(&format!("http://{address}/mcp"));
    // Without this a small answer may wait 40 ms for the acknowledgment of an earlier one.
    let listener = listener.tap_io(|stream| {
        if let Err(fault) = stream.set_nodelay(true) {
            tracing::debug!(%fault, "TCP_NODELAY stays off");
        }
    });
    let stopped = async move {
        terminal::told_to_stop().await;
        server.shutdown(GRACE);
    };
    let outcome = axum::serve(listener, app)
        .with_graceful_shutdown(stopped)
        .await;
    outcome.map_err(|fault| fault.to_string())
}
