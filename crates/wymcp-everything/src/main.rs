//! A server with every feature once: the fixture of the official conformance suite, and lines to copy.
//!
//! `cargo run -p wymcp-everything -- --port 3001` serves it on `/mcp`.

mod tools;

use std::error::Error;

use axum::{Router, serve::ListenerExt as _};
use tokio::net::TcpListener;
use wymcp::Server;

/// The whole server.
fn everything() -> Result<Server, wymcp::ConfigError> {
    let builder = Server::builder("everything", env!("CARGO_PKG_VERSION"))
        .title("Everything")
        .instructions("Each tool shows one feature of the protocol.");
    tools::all()
        .into_iter()
        .fold(builder, wymcp::ServerBuilder::tool)
        .build()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_env_filter(std::env::var("RUST_LOG").as_deref().unwrap_or("info"))
        .with_writer(std::io::stderr)
        .init();
    let app = Router::new().route_service("/mcp", wymcp_axum::endpoint(everything()?));
    let listener = TcpListener::bind(("127.0.0.1", port()?)).await?;
    tracing::info!("serving http://{}/mcp", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        if let Err(fault) = stream.set_nodelay(true) {
            tracing::debug!(%fault, "TCP_NODELAY stays off");
        }
    });
    axum::serve(listener, app)
        .with_graceful_shutdown(async {
            let _ = tokio::signal::ctrl_c().await;
        })
        .await?;
    Ok(())
}

fn port() -> Result<u16, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => Ok(3001),
        (Some("--port"), Some(port)) => Ok(port.parse()?),
        _ => Err("usage: wymcp-everything [--port N]".into()),
    }
}
