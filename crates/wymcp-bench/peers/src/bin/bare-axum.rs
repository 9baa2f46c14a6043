//! The ceiling: an axum handler that reads the body and sends a fixed answer.

use std::error::Error;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use wymcp_peers::{arguments, call, host};

/// `--answer FILE` sends that file's bytes instead of the built-in answer.
fn main() -> Result<(), Box<dyn Error>> {
    let answer = match arguments::value::<String>("--answer")? {
        Some(path) => Bytes::from(std::fs::read(path)?),
        None => Bytes::from_static(call::ANSWER.as_bytes()),
    };
    host::serve(|| {
        let handler = async move |_body: Bytes| {
            ([(CONTENT_TYPE, "application/json")], answer.clone()).into_response()
        };
        Ok(Router::new().route("/mcp", post(handler)))
    })
}
