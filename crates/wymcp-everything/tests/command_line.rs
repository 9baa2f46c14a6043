//! The program as a person starts it: what it refuses to start with, and what its options do.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use wymcp_testkit::{Case, Connection};

const KEYS: &str = "WYMCP_SEALING_KEYS";

fn program(options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wymcp-everything"));
    command
        .args(options)
        .env_remove(KEYS)
        .env("RUST_LOG", "info")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// A program that serves, until the end of the test.
struct Running {
    child: Child,
    address: SocketAddr,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .find_map(|line| {
                let (_, address) = line.unwrap().split_once("serving http://").map(owned)?;
                address.strip_suffix("/mcp")?.parse().ok()
            })
            .unwrap();
        // Whoever writes to a pipe that nobody reads may stop.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// The answer to a call of `whoami`.
    fn whoami(&self, authorization: &str) -> wymcp_testkit::Answer {
        let case = format!(
            r#"# A call.
server: modern

POST /mcp HTTP/1.1
Host: localhost
Content-Type: application/json
MCP-Protocol-Version: 2026-07-28
Mcp-Method: tools/call
Mcp-Name: whoami
{authorization}
{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{
  "name": "whoami",
  "_meta": {{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {{}}}}
}}}}
---
no answer
"#
        );
        let request = Case::parse("everything/whoami", &case).unwrap().request;
        let mut connection = Connection::open(self.address).unwrap();
        connection.exchange(&request).unwrap().unwrap()
    }
}

fn owned((before, behind): (&str, &str)) -> (String, String) {
    (before.to_owned(), behind.to_owned())
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended by itself needs neither.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a program says that does not start.
fn complaint(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_malformed_key_is_named_and_not_shown() {
    let almost = "0f".repeat(31);
    for (keys, number) in [
        ("", 1),
        (&*almost, 1),
        (&format!("{almost}0f, {almost}"), 2),
    ] {
        let said = complaint(program(&["--port", "0"]).env(KEYS, keys));
        let place = format!("{KEYS}: key {number} is not 64 hexadecimal digits");
        assert!(
            said.contains(&place) && said.contains("openssl rand"),
            "{said}"
        );
        assert!(!said.contains("0f0f"), "{said}");
    }
}

#[test]
fn an_option_that_cannot_be_is_a_complaint() {
    for (options, said) in [
        (&["--port", "many"][..], "write a number from 0 to 65535"),
        (&["--port"], "usage: "),
        (&["--faster", "yes"], "usage: "),
        (
            &["--stdio", "--token", "s3cr3t"],
            "on standard input nobody is asked",
        ),
        (
            &["--stdio", "--port", "3001"],
            "standard input has neither a port nor a host framework",
        ),
        (
            &["--host-framework", "actix", "--stdio"],
            "standard input has neither a port nor a host framework",
        ),
        (
            &["--token", "white space"],
            "a token is not 1 to 512 characters",
        ),
    ] {
        let heard = complaint(&mut program(options));
        assert!(heard.contains(said), "{options:?}: {heard}");
        assert!(!heard.contains("s3cr3t"), "{heard}");
    }
}

#[test]
fn whoever_asks_for_help_gets_it_on_standard_output() {
    let mut asked = program(&["--help"]);
    let output = asked.stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.starts_with(b"usage: "), "{output:?}");
}

/// What Docker, Kubernetes and systemd send. A listener would keep the host up.
#[cfg(unix)]
#[test]
fn a_program_that_is_told_to_stop_ends_its_streams_and_itself() {
    for framework in ["axum", "actix"] {
        let options = ["--host-framework", framework, "--port", "0"];
        let mut server = Running::start(&mut program(&options));
        let mut connection = Connection::open(server.address).unwrap();
        let cases = Case::all();
        let listen = cases.iter().find(|case| case.name == "listen/tools");
        let listen = listen.unwrap().request.to_bytes();
        connection.open_stream(listen).unwrap();
        connection.next_chunk().unwrap().unwrap();
        let pid = server.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        let last = connection.next_chunk().unwrap().unwrap();
        let last = String::from_utf8(last).unwrap();
        assert!(
            last.contains("\"resultType\":\"complete\""),
            "{framework}: {last}"
        );
        let status = server.child.wait().unwrap();
        assert!(status.success(), "{framework}: {status}");
    }
}

#[test]
fn with_a_token_only_its_owner_comes_in() {
    for framework in ["axum", "actix"] {
        let options = [
            "--host-framework",
            framework,
            "--port",
            "0",
            "--token",
            "s3cr3t",
        ];
        let server = Running::start(program(&options).env(KEYS, "0f".repeat(32)));
        let refused = server.whoami("");
        assert_eq!(refused.status, 401, "{framework}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        assert_eq!(server.whoami("Authorization: Bearer s3cr4t\n").status, 401);
        let answered = server
            .whoami("Authorization: Bearer s3cr3t\n")
            .messages()
            .unwrap();
        assert_eq!(answered[0]["result"]["content"][0]["text"], "owner");
    }
}

/// Each answer goes past the judge of `Connection`, which knows the official schema of the revision.
#[test]
fn whatever_the_golden_cases_ask_it_gives_answers_of_the_official_schema() {
    let running = Running::start(&mut program(&["--port", "0"]));
    let mut answered = 0;
    for case in Case::all() {
        let request = &case.request;
        let body = String::from_utf8_lossy(&request.body);
        // What belongs to a session or opens one, what never ends, and what is never whole.
        let is_of_session = case.revision.is_some() || case.session.is_some();
        let is_other = ["initialize", "subscriptions/listen"].map(|method| body.contains(method));
        if is_of_session || is_other.contains(&true) || request.is_truncated() {
            continue;
        }
        let mut connection = Connection::open(running.address).unwrap();
        let answer = connection.exchange(request);
        let answer = answer.unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
        answered += usize::from(answer.is_some());
    }
    assert!(answered > 500, "{answered}");
}
