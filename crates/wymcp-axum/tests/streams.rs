//! How a stream ends, as whoever sends its body sees it.

use std::{future::poll_fn, pin::Pin, time::Duration};

use axum::body::Body;
use http::Request;
use http_body::Body as _;
use serde_json::json;
use tower_service::Service as _;
use wymcp::{Context, Server, tool};

/// A call whose handler tells of its progress and then waits, so that what it tells goes out by itself.
fn call() -> Request<Body> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "steps", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": 3,
    }}});
    let request = Request::post("/").header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let request = request.header("mcp-protocol-version", "2026-07-28");
    let request = request.header("mcp-method", "tools/call");
    let request = request.header("mcp-name", "steps");
    request.body(Body::from(body.to_string())).unwrap()
}

#[tokio::test]
async fn the_end_of_a_stream_is_known_with_its_last_piece() {
    let steps = tool("steps").run_with_schema(
        json!({"type": "object"}),
        async |_: serde_json::Value, ctx: Context| {
            for step in [1.0, 2.0] {
                ctx.progress(step, None, None);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Ok("done")
        },
    );
    let server = Server::builder("steps", "1.0.0").tool(steps);
    let mut endpoint = wymcp_axum::endpoint(server.build().unwrap());
    let mut body = endpoint.call(call()).await.unwrap().into_body();
    let mut pieces = Vec::new();
    while !body.is_end_stream() {
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let piece = frame.expect("a piece").unwrap().into_data().unwrap();
        pieces.push(String::from_utf8(piece.to_vec()).unwrap());
    }
    assert_eq!(pieces.len(), 3, "{pieces:?}");
    assert!(pieces[2].contains("\"done\""), "{pieces:?}");
    let behind = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
    assert!(behind.is_none());
}
