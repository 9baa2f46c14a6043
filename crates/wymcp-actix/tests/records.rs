//! What clients that go away leave in the log of a host.

mod support;

use std::{
    io,
    sync::{Arc, Mutex},
};

use support::Actix;
use tracing::Level;
use wymcp_testkit::{Adapter as _, Case, Connection, fixture};

/// Keeps what is written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

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
    let mut count = 0;
    for case in broken_off {
        let served = Actix.serve(fixture::server(&case.server));
        let mut connection = Connection::open(served.address()).unwrap();
        assert_eq!(connection.exchange(&case.request).unwrap(), None);
        count += 1;
    }
    assert!(count > 0);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines.len() == 1 && text.contains("this is written"),
        "{text}"
    );
}
