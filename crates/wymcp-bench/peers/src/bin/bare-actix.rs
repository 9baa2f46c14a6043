//! The ceiling of actix-web: a handler that reads the body and sends a fixed answer.

use std::{error::Error, net::Ipv4Addr};

use actix_web::{
    App, HttpResponse, HttpServer,
    web::{Bytes, post},
};
use wymcp_peers::{arguments, call};

/// `--answer FILE` sends that file's bytes instead of the built-in answer.
#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where to listen: --port NUMBER")?;
    let answer = match arguments::value::<String>("--answer")? {
        Some(path) => Bytes::from(std::fs::read(path)?),
        None => Bytes::from_static(call::ANSWER.as_bytes()),
    };
    let app = move || {
        let answer = answer.clone();
        let handler = move |_body: Bytes| {
            let answer = answer.clone();
            async move {
                HttpResponse::Ok()
                    .content_type("application/json")
                    .body(answer)
            }
        };
        App::new().route("/mcp", post().to(handler))
    };
    let host = HttpServer::new(app)
        .workers(1)
        .h1_allow_half_closed(false)
        .tcp_nodelay(true)
        .bind((Ipv4Addr::LOCALHOST, port))?;
    Ok(host.run().await?)
}
