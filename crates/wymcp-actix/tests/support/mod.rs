//! A server behind actix-web on a real socket.

use std::{
    net::TcpListener,
    sync::mpsc,
    thread::{self, JoinHandle},
};

use actix_web::{App, HttpServer, dev::ServerHandle, rt::System, web::ServiceConfig};
use wymcp::Server;
use wymcp_actix::endpoint;
use wymcp_testkit::{Adapter, Served};

/// The adapter under test, as an application mounts it: on two workers, without half-closed connections.
pub(crate) struct Actix;

impl Actix {
    /// Serves an application, which each worker configures for itself.
    pub(crate) fn serve_app(
        configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    ) -> Served {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (started, starts) = mpsc::channel();
        let thread = thread::spawn(move || {
            System::new().block_on(async move {
                let server = HttpServer::new(move || App::new().configure(configure.clone()))
                    .workers(2)
                    .disable_signals()
                    .h1_allow_half_closed(false)
                    .tcp_nodelay(true)
                    .listen_auto_h2c(listener)
                    .unwrap()
                    .run();
                started.send(server.handle()).unwrap();
                server.await.unwrap();
            });
        });
        let handle = starts.recv().unwrap();
        Served::new(address, Stop(handle, Some(thread)))
    }
}

impl Adapter for Actix {
    fn serve(&self, server: Server) -> Served {
        Self::serve_app(move |app| {
            app.route("/mcp", endpoint(server.clone()));
        })
    }
}

/// Ends the server when it is dropped.
struct Stop(ServerHandle, Option<JoinHandle<()>>);

impl Drop for Stop {
    fn drop(&mut self) {
        // The command is on its way before its answer is awaited.
        drop(self.0.stop(false));
        if let Some(thread) = self.1.take() {
            let _ = thread.join();
        }
    }
}
