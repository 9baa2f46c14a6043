//! The same endpoint without axum's router, on hyper alone: `cargo run -p wymcp-axum --example hyper`.

use std::io;

use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::net::TcpListener;
use wymcp::{Context, NoArguments, Server, tool};
use wymcp_axum::endpoint;

#[tokio::main]
async fn main() -> io::Result<()> {
    let greet = tool("greet")
        .describe("Greets")
        .run(async |_: NoArguments, _: Context| Ok("Hello!"));
    let server = Server::builder("greeter", env!("CARGO_PKG_VERSION"))
        .tool(greet)
        .build()
        .map_err(io::Error::other)?;
    let listener = TcpListener::bind("127.0.0.1:3000").await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let service = TowerToHyperService::new(endpoint(server.clone()));
        tokio::spawn(async move {
            // What a client does to its connection is its own.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}
