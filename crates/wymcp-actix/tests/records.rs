//! What clients that go away leave in the log of a host.

mod support;

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use support::{Actix, Host};
use tracing::Level;
use wymcp_actix::endpoint;
use wymcp_testkit::{Adapter as _, Case, Connection, fixture};

/// Keeps what is written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_body_that_breaks_off_is_no_error_of_the_host() {
    let written = Written::default();
    let writer = written.clone();
    tracing_subscriber::fmt()
        .with_max_level(Level::WARN)
        .with_writer(move || writer.clone())
        .init();
    tracing::warn!("this is written");
    let cases = Case::all();
    let broken_off = cases.iter().filter(|case| case.answer.is_none());
    let broken_off: Vec<_> = broken_off.collect();
    assert!(!broken_off.is_empty());
    for case in &broken_off {
        let served = Actix.serve(fixture::server(&case.server));
        break_off(served.address(), case);
    }
    let text = written.text();
    assert!(
        text.lines().count() == 1 && text.contains("this is written"),
        "{text}"
    );
    // Where half-closed connections are kept it is one, so this is where it would be seen.
    for case in &broken_off {
        let server = fixture::server(&case.server);
        let host = Host::start(true, move |app| {
            app.route("/mcp", endpoint(server.clone()));
        });
        break_off(host.address, case);
    }
    let text = written.text();
    assert!(text.contains("ERROR"), "{text}");
}

fn break_off(address: SocketAddr, case: &Case) {
    let mut connection = Connection::open(address).unwrap();
    assert_eq!(connection.exchange(&case.request).unwrap(), None);
}
