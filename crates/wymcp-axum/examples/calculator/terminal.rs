//! What the example reads from the command line, and says to the person who started it.

use std::{io::IsTerminal as _, process::ExitCode};

#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

/// Writes records to where they do not mix with what is said.
pub(crate) fn start_logging() {
    tracing_subscriber::fmt()
        .with_env_filter(std::env::var("RUST_LOG").as_deref().unwrap_or("info"))
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
}

pub(crate) fn port() -> Result<u16, String> {
    // Lossy: the strict iterator panics on an argument that is no Unicode.
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [] => Ok(3000),
        ["--port", port] => port
            .parse()
            .map_err(|_| format!("--port {port}: write a number from 0 to 65535")),
        _ => Err("usage: calculator [--port N]".to_owned()),
    }
}

/// Ends when the process is told to stop: by Ctrl-C, or by SIGTERM, which Docker, Kubernetes and systemd send.
pub(crate) async fn told_to_stop() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    if let Ok(mut terminated) = signal(SignalKind::terminate()) {
        tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
        return;
    }
    let _ = interrupted.await;
}

#[expect(
    clippy::print_stderr,
    reason = "this is what the person who started it reads"
)]
pub(crate) fn complain(fault: &str) -> ExitCode {
    eprintln!("{fault}");
    ExitCode::FAILURE
}

#[expect(
    clippy::print_stdout,
    reason = "this is what the person who started it reads"
)]
pub(crate) fn say_what_to_try(url: &str) {
    println!(
        r#"A calculator is served at {url}. Ctrl-C ends it.

Call it:

  curl {url} \
    -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' \
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: sum' \
    -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"sum","arguments":{{"a":19,"b":23}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}'

Add it to any client that speaks MCP over Streamable HTTP, in its configuration file:

  {{"mcpServers": {{"calculator": {{"type": "http", "url": "{url}"}}}}}}
"#
    );
}
