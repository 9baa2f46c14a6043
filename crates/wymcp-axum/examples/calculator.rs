//! A calculator that any MCP client can call: `cargo run -p wymcp-axum --example calculator`.
//!
//! `--port N` serves elsewhere than on 3000; port 0 takes a free one.

use std::{io::IsTerminal as _, process::ExitCode};

use axum::{Router, serve::ListenerExt as _};
use tokio::net::TcpListener;
use wymcp::{Context, Server, ToolAnnotations, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    /// The first summand
    a: i64,
    /// The second summand
    b: i64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Quotient {
    /// What is divided
    dividend: f64,
    /// What it is divided by
    divisor: f64,
}

pub(crate) fn calculator() -> Result<Server, wymcp::ConfigError> {
    let pure = ToolAnnotations::default().read_only(true).open_world(false);
    Server::builder("calculator", env!("CARGO_PKG_VERSION"))
        .instructions("Adds and divides numbers.")
        .tool(
            tool("sum")
                .describe("Adds two integers")
                .annotations(pure.clone())
                .run(async |args: Sum, _ctx: Context| {
                    args.a
                        .checked_add(args.b)
                        .ok_or_else(|| wymcp::Error::new("The sum is too large"))
                }),
        )
        .tool(
            tool("quotient")
                .describe("Divides two numbers")
                .annotations(pure)
                .run(async |args: Quotient, _ctx: Context| {
                    if args.divisor == 0.0 {
                        return Err(wymcp::Error::new(
                            "Nothing can be divided by 0; choose another divisor",
                        ));
                    }
                    Ok(args.dividend / args.divisor)
                }),
        )
        .build()
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
    let server = calculator().map_err(|fault| fault.to_string())?;
    let app = Router::new().route_service("/mcp", wymcp_axum::endpoint(server));
    let port = port()?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await;
    let listener =
        listener.map_err(|fault| format!("port {port}: {fault}. Choose another: --port N"))?;
    let address = listener.local_addr().map_err(|fault| fault.to_string())?;
    say_what_to_try(&format!("http://{address}/mcp"));
    // Without this a small answer may wait 40 ms for the acknowledgment of an earlier one.
    let listener = listener.tap_io(|stream| {
        if let Err(fault) = stream.set_nodelay(true) {
            tracing::debug!(%fault, "TCP_NODELAY stays off");
        }
    });
    let stopped = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    let outcome = axum::serve(listener, app)
        .with_graceful_shutdown(stopped)
        .await;
    outcome.map_err(|fault| fault.to_string())
}

fn port() -> Result<u16, String> {
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

#[expect(
    clippy::print_stderr,
    reason = "this is what the person who started it reads"
)]
fn complain(fault: &str) -> ExitCode {
    eprintln!("{fault}");
    ExitCode::FAILURE
}

#[expect(
    clippy::print_stdout,
    reason = "this is what the person who started it reads"
)]
fn say_what_to_try(url: &str) {
    println!(
        r#"A calculator is served at {url}. Ctrl-C ends it.

Call it:

  curl {url} \
    -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' \
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: sum' \
    -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"sum","arguments":{{"a":19,"b":23}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}'

Add it to a client that speaks MCP 2026-07-28 over Streamable HTTP, in its configuration file:

  {{"mcpServers": {{"calculator": {{"type": "http", "url": "{url}"}}}}}}
"#
    );
}
