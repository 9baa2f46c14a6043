//! A server behind axum on a real socket.

use axum::{Router, serve::ListenerExt as _};
use tokio::{net::TcpListener, runtime::Runtime, task::JoinHandle};
use wymcp::Server;
use wymcp_testkit::{Adapter, Served};

/// The adapter under test, as an application mounts it.
pub(crate) struct Axum(Runtime);

impl Axum {
    pub(crate) fn new() -> Self {
        Self(Runtime::new().unwrap())
    }

    /// Serves an application, wherever the endpoint stands in it.
    pub(crate) fn serve_app(&self, app: Router) -> Served {
        let listener = self
            .0
            .block_on(TcpListener::bind(("127.0.0.1", 0)))
            .unwrap();
        let address = listener.local_addr().unwrap();
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        let task = self
            .0
            .spawn(async { axum::serve(listener, app).await.unwrap() });
        Served::new(address, Stop(task))
    }
}

impl Adapter for Axum {
    fn serve(&self, server: Server) -> Served {
        self.serve_app(Router::new().route_service("/mcp", wymcp_axum::endpoint(server)))
    }
}

/// Ends the server when it is dropped.
struct Stop(JoinHandle<()>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
