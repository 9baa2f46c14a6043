//! Checks an adapter for hyper, over sockets: `cargo run -p wymcp-testkit --example adapter`.

mod respond;

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpListener, runtime::Runtime, task::JoinSet};
use wymcp::Server;
use wymcp_testkit::{Adapter, Served, check_adapter, check_transport};

fn main() {
    let hyper = Hyper(Runtime::new().unwrap());
    check_adapter(&hyper);
    check_transport(&hyper);
}

struct Hyper(Runtime);

impl Adapter for Hyper {
    fn serve(&self, server: Server) -> Served {
        let listener = self
            .0
            .block_on(TcpListener::bind(("127.0.0.1", 0)))
            .unwrap();
        let address = listener.local_addr().unwrap();
        // A set of tasks ends them when it is dropped: the guard that stops this server.
        let mut serving = JoinSet::new();
        serving.spawn_on(serve(listener, server), self.0.handle());
        Served::new(address, serving)
    }
}

async fn serve(listener: TcpListener, server: Server) {
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let server = server.clone();
        let service = service_fn(move |request| respond::respond(server.clone(), request));
        let mut http = http1::Builder::new();
        connections.spawn(
            http.timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service),
        );
    }
}
