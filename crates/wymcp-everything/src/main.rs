//! A server with every feature once: the fixture of the official conformance suite, and lines to copy.
//!
//! `cargo run -p wymcp-everything` serves it on `/mcp` of port 3001, in axum; `-- --port N` elsewhere, and port 0 takes a
//! free one; `-- --host-framework actix` in actix-web; `-- --stdio` on standard input and output.

mod arguments;
mod changes;
mod hosts;
mod prompts;
mod questions;
mod resources;
mod tools;

use std::{io::IsTerminal as _, process::ExitCode};

use arguments::{Arguments, Host};
use wymcp::{Changes, Server, ServerBuilder};

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
    let Arguments { host, port } = Arguments::read()?;
    match host {
        Host::Axum => hosts::axum(server, port).await,
        Host::Actix => hosts::actix(server, port).await,
        Host::Stdio => {
            let outcome = wymcp_stdio::serve(server).await;
            outcome.map_err(|fault| fault.to_string())
        }
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
