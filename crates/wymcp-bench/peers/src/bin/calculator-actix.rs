//! The calculator in actix-web.

use std::{error::Error, net::Ipv4Addr};

use actix_web::{App, HttpServer};
use wymcp::Changes;
use wymcp_peers::{arguments, calculator};

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where to listen: --port NUMBER")?;
    let server = calculator::server(Changes::new())?;
    let app = move || App::new().route("/mcp", wymcp_actix::endpoint(server.clone()));
    let host = HttpServer::new(app)
        .workers(1)
        .h1_allow_half_closed(false)
        .tcp_nodelay(true)
        .bind((Ipv4Addr::LOCALHOST, port))?;
    Ok(host.run().await?)
}
