//! A server with every feature once: the fixture of the official conformance suite, and lines to copy.
//!
//! `cargo run -p wymcp-everything` serves it on `/mcp` of port 3001, in axum; `-- --port N` elsewhere, and port 0 takes a
//! free one; `-- --host-framework actix` in actix-web; `-- --stdio` on standard input and output. `-- --token TOKEN` lets
//! nobody in who does not send it. The environment variable `WYMCP_SEALING_KEYS` may hold the keys of requestState.

mod arguments;
mod hosts;
mod settings;
mod sealing;
mod relay;
mod tools;
mod content;
mod structured;
mod calendar;
mod questions;
mod elicitation;
mod form;
mod sampling;
mod changes;
mod resources;
mod prompts;

use std::{io::IsTerminal as _, process::ExitCode};

use arguments::{Arguments, Host};
use wymcp::{ConfigError, Server, ServerBuilder};

/// The whole server, on top of its settings.
fn everything(settings: ServerBuilder) -> Result<Server, ConfigError> {
    let changes = relay::changes();
    let builder = settings.logging().changes(changes.clone());
    let others = [
        content::report(),
        structured::weather(),
        calendar::calendar(),
        form::order(),
        sampling::advise(),
    ];
    let tools = tools::all().into_iter();
    let tools = tools
        .chain(others)
        .chain(questions::tools())
        .chain(elicitation::tools())
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
    if arguments::ask_for_help() {
        return say(arguments::USAGE);
    }
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
    let Arguments { host, port, token } = Arguments::read()?;
    let settings = sealing::sealed(settings::described())?;
    let settings = match token {
        Some(token) => settings::guarded(settings, &token),
        None => Ok(settings),
    };
    let server = settings.and_then(everything);
    let server = server.map_err(|fault| fault.to_string())?;
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
    clippy::print_stdout,
    reason = "this is what the person who started it reads"
)]
fn say(words: &str) -> ExitCode {
    println!("{words}");
    ExitCode::SUCCESS
}

#[expect(
    clippy::print_stderr,
    reason = "this is what the person who started it reads"
)]
fn complain(fault: &str) -> ExitCode {
    eprintln!("{fault}");
    ExitCode::FAILURE
}
