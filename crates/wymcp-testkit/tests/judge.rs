//! The suite itself: it finds an adapter that is wrong.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    panic::catch_unwind,
    thread,
};

use wymcp::Server;
use wymcp_testkit::{Adapter, Case, Served, check_adapter, check_transport};

/// Answers every request alike, and keeps no connection.
struct Stubborn(&'static str);

impl Adapter for Stubborn {
    fn serve(&self, _: Server) -> Served {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let answer = self.0;
        let serving = thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 1024]);
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Served::new(address, serving)
    }
}

fn verdict(answer: &'static str) -> String {
    let panicked = catch_unwind(|| check_adapter(&Stubborn(answer))).unwrap_err();
    panicked.downcast_ref::<String>().cloned().unwrap()
}

#[test]
fn an_adapter_that_always_answers_the_same_fails_with_every_case_named() {
    let verdict = verdict("HTTP/1.1 202 Accepted\r\n\r\n");
    for case in Case::all() {
        // Those that it passes by chance fail since it does not keep the connection.
        assert!(
            verdict.contains(&format!("{}: ", case.name)),
            "{}",
            case.name
        );
    }
}

#[test]
fn an_adapter_that_never_answers_fails_but_where_no_answer_is_due() {
    let verdict = verdict("");
    for case in Case::all() {
        assert_eq!(
            verdict.contains(&format!("{}: ", case.name)),
            case.answer.is_some(),
            "{}",
            case.name
        );
    }
}

#[test]
fn an_adapter_that_always_answers_the_same_fails_every_scenario() {
    let adapter = Stubborn("HTTP/1.1 202 Accepted\r\n\r\n");
    let panicked = catch_unwind(|| check_transport(&adapter)).unwrap_err();
    let verdict = panicked.downcast_ref::<String>().unwrap();
    let (failed, rest) = verdict.split_once(" of ").unwrap();
    assert!(
        rest.starts_with(&format!("{failed} scenarios fail")),
        "{verdict}"
    );
}
