//! How every server in axum is hosted: one thread, `TCP_NODELAY`.

use std::convert::Infallible;
use std::error::Error;
use std::net::Ipv4Addr;

use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tower_service::Service;

use crate::{arguments, in_process};

/// Serves `service` as `/mcp` of `127.0.0.1:<--port>` on the thread that calls, with the routes of `beside`, until the
/// process ends. With `--in-process` it is called without a socket instead, and its cost printed.
///
/// `service` is made inside the runtime, because some look for one when they are built.
///
/// # Errors
///
/// No `--port`, or a port that is taken.
pub fn serve<S, B>(
    service: impl FnOnce() -> Result<S, Box<dyn Error>>,
    beside: Router,
) -> Result<(), Box<dyn Error>>
where
    S: Service<Request, Response = Response<B>, Error = Infallible>,
    S: Clone + Send + Sync + 'static,
    S::Future: Send,
    Response<B>: IntoResponse,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut service = service()?;
        if arguments::flag("--in-process") {
            let nanoseconds = in_process::service(&mut service).await?;
            println!("service_ns={nanoseconds:.0}");
            return Ok(());
        }
        let port: u16 = arguments::value("--port")?.ok_or("say where to listen: --port NUMBER")?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        // axum does not set it. An answer written in two parts then waits 40 ms for the peer's
        // delayed acknowledgement.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                eprintln!("TCP_NODELAY was refused: {error}");
            }
        });
        let router = beside.route_service("/mcp", service);
        axum::serve(listener, router).await?;
        Ok(())
    })
}
