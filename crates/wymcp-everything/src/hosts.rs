//! The frameworks that can host the server, each until Ctrl-C or SIGTERM.

use std::time::Duration;

use actix_web::{App, HttpServer};
use axum::{Router, serve::ListenerExt as _};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use wymcp::Server;

/// For how long calls may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

pub(crate) async fn axum(server: Server, port: u16) -> Result<(), String> {
    let app = Router::new().route_service("/mcp", wymcp_axum::endpoint(server.clone()));
    let listener = TcpListener::bind(("127.0.0.1", port)).await;
    let listener = listener.map_err(|fault| is_taken(port, &fault))?;
    let address = listener.local_addr().map_err(|fault| fault.to_string())?;
    tracing::info!("serving http://{address}/mcp");
    let listener = listener.tap_io(|stream| {
        if let Err(fault) = stream.set_nodelay(true) {
            tracing::debug!(%fault, "TCP_NODELAY stays off");
        }
    });
    let (stop, stopping) = tokio::sync::oneshot::channel();
    let graceful = axum::serve(listener, app).with_graceful_shutdown(async move {
        let _ = stopping.await;
    });
    let signal = async move {
        told_to_stop(server).await;
        let _ = stop.send(());
        // A client that never reads its answer would keep the host up, too.
        tokio::time::sleep(GRACE + Duration::from_secs(1)).await;
    };
    tokio::select! {
        end = graceful => end.map_err(|fault| fault.to_string()),
        () = signal => Ok(()),
    }
}

pub(crate) async fn actix(server: Server, port: u16) -> Result<(), String> {
    let stopping = server.clone();
    let app = move || App::new().route("/mcp", wymcp_actix::endpoint(server.clone()));
    let host = HttpServer::new(app)
        .h1_allow_half_closed(false)
        .tcp_nodelay(true)
        .shutdown_signal(told_to_stop(stopping))
        .shutdown_timeout(GRACE.as_secs() + 1)
        .bind(("127.0.0.1", port))
        .map_err(|fault| is_taken(port, &fault))?;
    for address in host.addrs() {
        tracing::info!("serving http://{address}/mcp");
    }
    host.run().await.map_err(|fault| fault.to_string())
}

/// Ends with Ctrl-C or SIGTERM, and begins the end of the server: a client that listens would keep the host up for as long
/// as it likes.
async fn told_to_stop(server: Server) {
    signaled().await;
    server.shutdown(GRACE);
}

async fn signaled() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    if let Ok(mut terminated) = signal(SignalKind::terminate()) {
        tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
        return;
    }
    let _ = interrupted.await;
}

fn is_taken(port: u16, fault: &std::io::Error) -> String {
    format!("port {port}: {fault}. Choose another: --port N")
}
