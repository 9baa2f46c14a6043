//! A server behind actix-web on a real socket.

use std::{
    net::{SocketAddr, TcpListener},
    sync::mpsc,
    thread::{self, JoinHandle},
    time::Duration,
};

use actix_web::{App, HttpServer, dev::ServerHandle, rt::System, web::ServiceConfig};
use wymcp::Server;
use wymcp_actix::endpoint;
use wymcp_testkit::{Adapter, Served};

/// The adapter under test, as an application mounts it: on two workers, without half-closed connections.
pub(crate) struct Actix;

impl Adapter for Actix {
    fn serve(&self, server: Server) -> Served {
        let host = Host::start(false, move |app| {
            app.route("/mcp", endpoint(server.clone()));
        });
        Served::new(host.address, host)
    }
}

/// A host that runs until this is dropped.
pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    /// Starts an application, which each worker configures for itself. By default actix-web keeps half-closed
    /// connections.
    pub(crate) fn start(
        keeps_half_closed: bool,
        configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (started, starts) = mpsc::channel();
        let thread = thread::spawn(move || {
            System::new().block_on(async move {
                let server = HttpServer::new(move || App::new().configure(configure.clone()))
                    .workers(2)
                    .disable_signals()
                    .h1_allow_half_closed(keeps_half_closed)
                    .tcp_nodelay(true)
                    // On a machine that is busy a thousand clients take longer than the usual five seconds.
                    .client_request_timeout(Duration::from_secs(60))
                    .listen_auto_h2c(listener)
                    .unwrap()
                    .run();
                started.send(server.handle()).unwrap();
                server.await.unwrap();
            });
        });
        Self {
            address,
            handle: starts.recv().unwrap(),
            thread: Some(thread),
        }
    }

    /// Tells the host to stop, and waits until it has: gracefully, once its connections are done.
    pub(crate) fn stop(&mut self, gracefully: bool) {
        // The command is on its way before its answer is awaited.
        drop(self.handle.stop(gracefully));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop(false);
    }
}
