//! The suite that judges an adapter of lines: every case whose answer does not hang on a head.

use serde_json::Value;
use wymcp::{RejectionReason, Server};
use wymcp_core::LegacyVersion;

use crate::{
    Case, CaseSession, Request, adapter::assert_none_fail, answer::admits, fixture, official,
    placeholder::SESSION, redaction,
};

/// An adapter under test whose messages are lines: standard input and output, say.
pub trait LineAdapter {
    /// Serves on this input to its end, and gives back what was written.
    fn serve(&self, server: Server, input: Vec<u8>) -> Vec<u8>;
}

/// Sends the body of every case as a line, and holds the lines that come back against the messages of the case's answer.
///
/// Left out are the cases that are about a head, or about whose request it is. What has no id that could be answered is
/// not: nothing may come back.
///
/// # Panics
///
/// When the lines differ, after all cases have run: the text lists every one.
///
/// # Examples
///
/// The test of an adapter, whole:
///
/// ```no_run
/// use wymcp::Server;
/// use wymcp_testkit::{LineAdapter, check_lines};
///
/// struct MyAdapter;
///
/// impl LineAdapter for MyAdapter {
///     fn serve(&self, server: Server, input: Vec<u8>) -> Vec<u8> {
///         my_host(server, input)
///     }
/// }
///
/// /// Where the host serves the adapter.
/// fn my_host(server: Server, input: Vec<u8>) -> Vec<u8> { todo!() }
///
/// check_lines(&MyAdapter);
/// ```
pub fn check_lines(adapter: &impl LineAdapter) {
    redaction::watched(|| check_cases(adapter));
    redaction::assert_it_looks();
}

fn check_cases(adapter: &impl LineAdapter) {
    let mut failures = Vec::new();
    let cases = Case::all();
    let of_lines: Vec<&Case> = cases.iter().filter(|case| is_of_lines(case)).collect();
    let count = of_lines.len();
    assert!(count > cases.len() / 2, "only {count} cases are of lines");
    for case in of_lines {
        if let Err(fault) = check(case, adapter) {
            failures.push((case, fault));
        }
    }
    assert_none_fail(&failures, count);
}

/// Whether the body alone decides the answer.
fn is_of_lines(case: &Case) -> bool {
    let is_of_the_head = case.reason.is_some_and(RejectionReason::is_of_http);
    let request = &case.request;
    // A client of lines takes whatever is said before an answer.
    let takes_streams = request.head().accepts("text", "event-stream");
    let has_a_principal = header(request, "authorization").is_some();
    // A version in the header is heard beside that of an `initialize`.
    let initializes = serde_json::from_slice(&request.body)
        .is_ok_and(|body: Value| body["method"] == "initialize");
    let has_a_version = initializes && header(request, "mcp-protocol-version").is_some();
    // The one session of lines has no id.
    let is_of_its_session = match &case.session {
        Some(session) => session.is_live() && header(request, "mcp-session-id") == Some(SESSION),
        None => header(request, "mcp-session-id").is_none(),
    };
    !is_of_the_head
        && is_of_its_session
        && !is_sorted_by_its_head(case)
        && takes_streams
        && !has_a_version
        && !has_a_principal
        && case.answer.is_some()
        && !request.is_truncated()
        && one_line(&request.body).is_some()
}

/// What a line says of an answer: nothing of what has no id.
fn of_a_line(answer: Value) -> Option<Value> {
    match answer {
        Value::Array(answers) => Some(answers.into_iter().filter_map(of_a_line).collect()),
        answer if answer.get("error").is_some() && answer["id"].is_null() => None,
        answer => Some(answer),
    }
}

/// Whether the header sorts a message otherwise than what it says itself.
fn is_sorted_by_its_head(case: &Case) -> bool {
    let is_legacy = |name: &str| LegacyVersion::named(name).is_some();
    let body: Value = serde_json::from_slice(&case.request.body).unwrap_or_default();
    let said = body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
    let says_modern = said.is_some_and(|name| !is_legacy(name));
    let header = header(&case.request, "mcp-protocol-version");
    case.server.starts_with("dual") && header.is_some_and(|name| is_legacy(name) == says_modern)
}

fn header<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    let mut lines = request.headers.iter();
    let (_, value) = lines.find(|(line, _)| line.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(value).ok().map(str::trim)
}

/// A body without its line breaks, if they only lay it out.
fn one_line(body: &[u8]) -> Option<Vec<u8>> {
    let line: Vec<u8> = body
        .iter()
        .map(|byte| if *byte == b'\n' { b' ' } else { *byte })
        .collect();
    let is_layout = serde_json::from_slice::<Value>(body).is_ok();
    (is_layout || line == body).then_some(line)
}

fn check(case: &Case, adapter: &impl LineAdapter) -> Result<(), String> {
    let body = one_line(&case.request.body).unwrap_or_default();
    redaction::note(&case.request);
    let mut input = Vec::new();
    let session = case.session.as_ref();
    let opening = session.map_or_else(Vec::new, |session| {
        let preparations = session.preparations("").into_iter();
        [session.initialize()]
            .into_iter()
            .chain(preparations)
            .collect()
    });
    for line in opening.iter().map(|request| &request.body).chain([&body]) {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let output = adapter.serve(fixture::server(&case.server), input);
    let text = std::str::from_utf8(&output).map_err(|fault| fault.to_string())?;
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(format!("the last line has no end: {text}"));
    }
    let messages = text.lines().map(|line| {
        let message = serde_json::from_str(line);
        message.map_err(|fault| format!("a line that is no JSON ({fault}): {line}"))
    });
    let mut messages = messages.collect::<Result<Vec<Value>, String>>()?;
    // What opened the session is none of the case's.
    messages.drain(..messages.len().min(session.map_or(0, CaseSession::answers)));
    for message in &messages {
        match case.revision {
            Some(version) => official::judge_by(version.as_str(), &body, message)?,
            None => official::judge(&body, message)?,
        }
    }
    // Only lines say so before the end of a subscription.
    messages.retain(|message| message["method"] != "notifications/cancelled");
    let answer = case.answer.iter().filter(|answer| !answer.body.is_empty());
    let expected = answer.flat_map(|answer| answer.numbered_messages().unwrap_or_default());
    let expected: Vec<Value> = expected.filter_map(of_a_line).collect();
    let same = messages.len() == expected.len()
        && expected
            .iter()
            .zip(&messages)
            .all(|(expected, message)| admits(expected, message));
    if same {
        return Ok(());
    }
    let expected = expected.iter().map(Value::to_string).collect::<Vec<_>>();
    Err(format!(
        "expected:\n{}\nwritten:\n{text}",
        expected.join("\n")
    ))
}
