//! The program on its own standard input and output, as a client starts it.
#![cfg(unix)]

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use wymcp_testkit::Answer;

/// The grace of a server that is told nothing else.
const GRACE: Duration = Duration::from_secs(10);

fn start(input: impl Into<Stdio>, output: impl Into<Stdio>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wymcp-everything"));
    let command = command.arg("--stdio").env("RUST_LOG", "warn");
    let command = command.stdin(input).stdout(output).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The exit code, and what was said to whoever started it.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > GRACE + Duration::from_secs(5) {
            child.kill().unwrap();
            panic!("the program goes on");
        }
        thread::sleep(Duration::from_millis(10));
    };
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    (status.code(), said)
}

fn call(id: usize) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "whoami", "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string() + "\n"
}

/// The id that a line answers, which has to be right.
fn answered(line: &str) -> u64 {
    let message: Value = serde_json::from_str(line).unwrap();
    let id = message["id"].as_u64().unwrap();
    let request = call(usize::try_from(id).unwrap());
    let headers = [("content-type", "application/json")];
    let answer = Answer::new(200, headers, line.as_bytes().to_vec());
    answer.judge(request.as_bytes()).unwrap();
    assert_eq!(message["result"]["isError"], Value::Null, "{line}");
    id
}

#[test]
fn it_answers_lines_and_ends_with_its_input_whatever_stands_between() {
    let mut child = start(Stdio::piped(), Stdio::piped());
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for id in 0..20 {
        input
            .write_all(b"Hello?\n\xFF\n[]\n{\"id\": null}\n\n")
            .unwrap();
        input.write_all(call(id).as_bytes()).unwrap();
        assert_eq!(answered(&output.next().unwrap().unwrap()), id as u64);
    }
    let began = Instant::now();
    drop(input);
    assert!(output.next().is_none());
    assert_eq!(ended(child).0, Some(0));
    assert!(began.elapsed() < GRACE / 2, "{:?}", began.elapsed());
}

#[test]
fn it_ends_within_its_grace_though_nobody_reads() {
    let mut child = start(Stdio::piped(), Stdio::piped());
    let mut input = child.stdin.take().unwrap();
    for id in 0..2000 {
        input.write_all(call(id).as_bytes()).unwrap();
    }
    drop(input);
    // It stays open, and nobody reads it.
    let output = child.stdout.take().unwrap();
    assert_eq!(ended(child).0, Some(0));
    drop(output);
}

#[test]
fn it_waits_for_streams_that_do_not_block() {
    let (mut client, server) = UnixStream::pair().unwrap();
    server.set_nonblocking(true).unwrap();
    let output: OwnedFd = server.try_clone().unwrap().into();
    let child = start(OwnedFd::from(server), output);
    let count = 3000;
    let mut input = client.try_clone().unwrap();
    let writing = thread::spawn(move || {
        // By then it has found nothing to read.
        thread::sleep(Duration::from_millis(200));
        for id in 0..count {
            input.write_all(call(id).as_bytes()).unwrap();
        }
        input
    });
    // By then there was no room for its answers.
    thread::sleep(Duration::from_secs(1));
    let mut output = BufReader::new(&mut client).lines();
    let answers = output.by_ref().take(count);
    let mut ids: Vec<u64> = answers.map(|line| answered(&line.unwrap())).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..count as u64).collect::<Vec<_>>());
    let input = writing.join().unwrap();
    input.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(output.next().is_none());
    let (code, said) = ended(child);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn it_complains_of_an_input_that_cannot_be_read() {
    let child = start(File::open("/").unwrap(), Stdio::piped());
    let (code, said) = ended(child);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("directory"), "{said}");
}
