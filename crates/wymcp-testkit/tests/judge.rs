//! The suite itself: it finds an adapter that is wrong.

use std::{
    env,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    panic::catch_unwind,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use wymcp::Server;
use wymcp_testkit::{
    Adapter, Case, Connection, LineAdapter, Served, check_adapter, check_lines, check_parity,
    check_transport,
};

/// Answers every request alike, and keeps no connection.
struct Stubborn(&'static str);

impl Adapter for Stubborn {
    fn serve(&self, _: Server) -> Served {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let answer = self.0;
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_over);
        let serving = thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 1024]);
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        let serving = Some(serving);
        let stop = Stop {
            address,
            is_over,
            serving,
        };
        Served::new(address, stop)
    }
}

/// Ends the server when it is dropped.
struct Stop {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    serving: Option<JoinHandle<()>>,
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // It looks when the next connection comes.
        let _ = Connection::open(self.address);
        let _ = self.serving.take().map(JoinHandle::join);
    }
}

/// What a check says that must fail.
fn complaint(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panicked = catch_unwind(check).unwrap_err();
    panicked.downcast_ref::<String>().cloned().unwrap()
}

fn verdict(answer: &'static str) -> String {
    complaint(|| check_adapter(&Stubborn(answer)))
}

/// Whether a verdict is about a case: the first ten with what went wrong, the others by their names.
fn blames(verdict: &str, case: &Case) -> bool {
    let (whole, name) = (format!("{}: ", case.name), format!("{} too", case.name));
    let mut lines = verdict.lines();
    lines.any(|line| line.starts_with(&whole) || line == name)
}

#[test]
fn an_adapter_that_always_answers_the_same_fails_with_every_case_named() {
    let verdict = verdict("HTTP/1.1 202 Accepted\r\n\r\n");
    for case in Case::all() {
        // Those that it passes by chance fail since it does not keep the connection.
        assert!(blames(&verdict, &case), "{}", case.name);
    }
    let first = &Case::all()[0];
    let Case { name, about, .. } = first;
    assert!(verdict.contains(&format!("{name}: {about}\n(cases/{name}.http)\n")));
    let request = &first.request;
    let line = format!(
        "sent:\n{} {} {}\n",
        request.method, request.target, request.version
    );
    assert!(verdict.contains(&line), "{verdict}");
    assert_eq!(verdict.matches("\nsent:\n").count(), 10);
}

#[test]
fn an_adapter_that_never_answers_fails_but_where_no_answer_is_due() {
    let verdict = verdict("");
    for case in Case::all() {
        assert_eq!(
            blames(&verdict, &case),
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

/// Answers with a line that is no message.
struct Greeting;

impl LineAdapter for Greeting {
    fn serve(&self, _: Server, _: Vec<u8>) -> Vec<u8> {
        b"hello\n".to_vec()
    }
}

#[test]
fn a_line_that_is_no_message_is_shown() {
    let verdict = complaint(|| check_lines(&Greeting));
    assert!(verdict.contains("a line that is no JSON"), "{verdict}");
    assert!(verdict.contains(": hello\n"), "{verdict}");
}

#[test]
fn a_table_that_differs_is_told_by_its_rows() {
    let table =
        "| sent | me |\n|---|---|\n| nothing unusual | 200 server |\n| a wish | 200 server |\n";
    let verdict = complaint(|| check_parity(&Stubborn(""), table, "me"));
    for words in [
        "\nrow \"nothing unusual\": the table says 200 server, it answers no answer\n",
        "\nrow \"no `Host`\" is not in the table: it answers no answer\n",
        "\nrow \"a wish\": nothing is sent for it\n",
    ] {
        assert!(verdict.contains(words), "{verdict}");
    }
    let verdict = complaint(|| check_parity(&Stubborn(""), table, "you"));
    assert!(
        verdict.starts_with("the page has no column `you`"),
        "{verdict}"
    );
}

#[test]
fn a_server_that_says_nothing_is_told_with_what_was_awaited_and_sent() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let mut connection = Connection::open(listener.local_addr().unwrap()).unwrap();
    connection.send("GET /mcp HTTP/1.1\r\n\r\n").unwrap();
    let fault = connection.receive().unwrap_err().to_string();
    assert_eq!(
        fault,
        "nothing within 10 s; waited for the head of an answer; sent: GET /mcp HTTP/1.1 |  | "
    );
}

/// The word is of the whole process, so this test runs another one in a process of its own.
#[test]
fn a_scenario_that_nobody_has_fails() {
    let another = "an_adapter_that_always_answers_the_same_fails_every_scenario";
    let mut tests = Command::new(env::current_exe().unwrap());
    tests
        .args(["--exact", another])
        .env("WYMCP_SCENARIO", "misspelled");
    let outcome = tests.output().unwrap();
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(!outcome.status.success(), "{said}");
    assert!(
        said.contains("no scenario has \"misspelled\" in its name"),
        "{said}"
    );
}
