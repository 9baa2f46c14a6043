//! The ceiling: a handler that reads the body and sends a fixed answer.
//!
//! `--answer FILE` sends that file's bytes instead of the built-in answer. With `--listeners` it sends event streams, on
//! which a request to `/change` puts an event for every client.

use std::convert::Infallible;
use std::error::Error;

use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event, Sse};
use axum::routing::post;
use axum::{Router, response::IntoResponse};
use futures_util::stream::{self, StreamExt as _};
use tokio::sync::broadcast;
use wymcp_peers::{arguments, call, host};

fn main() -> Result<(), Box<dyn Error>> {
    if arguments::flag("--listeners") {
        return listeners();
    }
    let answer = match arguments::value::<String>("--answer")? {
        Some(path) => Bytes::from(std::fs::read(path)?),
        None => Bytes::from_static(call::ANSWER.as_bytes()),
    };
    let handler = async move |_body: Bytes| {
        ([(CONTENT_TYPE, "application/json")], answer.clone()).into_response()
    };
    let service = post(handler).layer(DefaultBodyLimit::disable());
    host::serve(|| Ok(service), Router::new())
}

/// The bytes that a wymcp server sends for the same.
const ACKNOWLEDGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#;
const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#;

fn listeners() -> Result<(), Box<dyn Error>> {
    let changes = broadcast::Sender::new(16);
    let teller = changes.clone();
    let handler = async move |_body: Bytes| {
        let first = stream::once(async { ACKNOWLEDGED });
        let later = stream::unfold(changes.subscribe(), async |mut changes| {
            let () = changes.recv().await.ok()?;
            Some((CHANGED, changes))
        });
        Sse::new(
            first
                .chain(later)
                .map(|text| Ok::<_, Infallible>(Event::default().data(text))),
        )
    };
    let change = async move || drop(teller.send(()));
    host::serve(
        || Ok(post(handler)),
        Router::new().route("/change", post(change)),
    )
}
