//! A server with every feature once: the fixture of the official conformance suite, and lines to copy.
//!
//! `cargo run -p wymcp-everything` serves it on `/mcp` of port 3001; `-- --port N` elsewhere, and port 0 takes a free one.

mod changes;
mod prompts;
mod questions;
mod resources;
mod tools;

use std::{io::IsTerminal as _, process::ExitCode, time::Duration};

use axum::{Router, serve::ListenerExt as _};
use tokio::net::TcpListener;
use wymcp::{Changes, Server, ServerBuilder};

/// For how long calls may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// The whole server.
fn everything() -> Result<Server, wymcp::ConfigError> {
    let changes = Changes::new();
    let builder = Server::builder("everything", env!("CARGO_PKG_VERSION"))
        .title("Everything")
        .logging()
        .changes(changes.clone())
        .instructions("Each tool, resource and prompt shows one feature of the protocol.");
    let tools = tools::all().into_iter();
    let tools = tools
        .chain(questions::tools())
        .chain(changes::tools(&changes));
    let builder = tools.fold(builder, ServerBuilder::tool);
    let builder = resources::register(builder);
    let prompts = prompts::all().into_iter().chain(questions::prompts());
    let builder = prompts.fold(builder, ServerBuilder::prompt);
    let server = builder.build()?;
    changes::learn(&server)?;
    Ok(server)
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => complain(&fault),
    }
}

async fn serve() -> Result<(), String> {
    tracing_subscriber::fmt()
        .with_env_filter(std::env::var("RUST_LOG").as_deref().unwrap_or("info"))
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    let server = everything().map_err(|fault| fault.to_string())?;
    let app = Router::new().route_service("/mcp", wymcp_axum::endpoint(server.clone()));
    let port = port()?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await;
    let listener =
        listener.map_err(|fault| format!("port {port}: {fault}. Choose another: --port N"))?;
    let address = listener.local_addr().map_err(|fault| fault.to_string())?;
    tracing::info!("serving http://{address}/mcp");
    let listener = listener.tap_io(|stream| {
        if let Err(fault) = stream.set_nodelay(true) {
            tracing::debug!(%fault, "TCP_NODELAY stays off");
        }
    });
    let (stop, stopping) = tokio::sync::oneshot::channel();
    let graceful = axum::serve(listener, app).with_graceful_shutdown(async move {
        let _ = stopping.await;
    });
    let signal = async move {
        let _ = tokio::signal::ctrl_c().await;
        // A client that listens would keep the server up for as long as it likes.
        server.shutdown(GRACE);
        let _ = stop.send(());
        // And so would one that never reads its answer.
        tokio::time::sleep(GRACE + Duration::from_secs(1)).await;
    };
    tokio::select! {
        end = graceful => end.map_err(|fault| fault.to_string()),
        () = signal => Ok(()),
    }
}

fn port() -> Result<u16, String> {
    // Lossy: the strict iterator panics on an argument that is no Unicode.
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    match arguments.as_slice() {
        [] => Ok(3001),
        [option, port] if option == "--port" => port
            .parse()
            .map_err(|_| format!("--port {port:?}: write a number from 0 to 65535")),
        _ => Err("usage: wymcp-everything [--port N]".to_owned()),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "this is what the person who started it reads"
)]
fn complain(fault: &str) -> ExitCode {
    eprintln!("{fault}");
    ExitCode::FAILURE
}
