//! A calculator that a client starts by itself: `cargo run -p wymcp-stdio --example calculator-stdio`, then a message a line.

mod calculator;

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    // Standard output belongs to the protocol.
    tracing_subscriber::fmt()
        .with_env_filter(std::env::var("RUST_LOG").as_deref().unwrap_or("info"))
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .init();
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => complain(&fault),
    }
}

async fn serve() -> Result<(), String> {
    let server = calculator::calculator().map_err(|fault| fault.to_string())?;
    let outcome = wymcp_stdio::serve(server).await;
    outcome.map_err(|fault| fault.to_string())
}

#[expect(
    clippy::print_stderr,
    reason = "this is what the person who started it reads"
)]
fn complain(fault: &str) -> ExitCode {
    eprintln!("{fault}");
    ExitCode::FAILURE
}
