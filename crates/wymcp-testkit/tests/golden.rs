//! Every case, in process.

use std::{env, error::Error, fs, path::Path, sync::LazyLock};

use serde_json::Value;
use wymcp::{Event, RejectionReason};
use wymcp_core::code;
use wymcp_testkit::{Answer, Case, Outcome, in_process};

/// Set, the answers of this implementation are written into the cases that differ.
const BLESS: &str = "WYMCP_BLESS";

/// Every case with what it came to.
static RUN: LazyLock<Vec<(Case, Outcome)>> = LazyLock::new(|| {
    let cases = Case::all().into_iter();
    cases
        .map(|case| (case.clone(), in_process(&case)))
        .collect()
});

#[test]
fn every_case_is_answered_as_written() -> Result<(), Box<dyn Error>> {
    let mut failures = Vec::new();
    for (case, outcome) in &*RUN {
        // A wrong reason is a fault of the implementation or of the case, and is never written down.
        if let Some(fault) = wrong_events(case, &outcome.events) {
            failures.push(format!("{}: {fault}", case.name));
        } else if let Some(difference) = case.difference(outcome.answer.as_ref()) {
            if env::var_os(BLESS).is_some() {
                write_down(case, outcome)?;
            } else {
                failures.push(format!("{}: {difference}", case.name));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} cases fail\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    Ok(())
}

#[test]
fn every_reason_has_a_case() {
    let cases = Case::all();
    let without: Vec<&RejectionReason> = RejectionReason::ALL
        .iter()
        .filter(|reason| cases.iter().all(|case| case.reason != Some(**reason)))
        .collect();
    assert!(without.is_empty(), "no case shows {without:?}");
}

#[test]
fn every_file_is_a_case() -> Result<(), Box<dyn Error>> {
    let cases = Case::all();
    for rule in fs::read_dir(folder())? {
        for file in fs::read_dir(rule?.path())? {
            let file = file?.path();
            let name = file
                .strip_prefix(folder())?
                .with_extension("")
                .to_string_lossy()
                .replace('\\', "/");
            assert!(
                cases.iter().any(|case| case.name == name),
                "{} is not read",
                file.display()
            );
        }
    }
    Ok(())
}

/// The table is written once, in the core; here it is held against every case.
#[test]
fn a_refusal_answers_as_its_row_says() -> Result<(), Box<dyn Error>> {
    for case in Case::all() {
        let (Some(reason), Some(answer)) = (case.reason, &case.answer) else {
            continue;
        };
        let row = reason.row();
        let is_in_session = case.revision.is_some();
        let is_of_a_method = matches!(
            reason,
            RejectionReason::MethodNotFound
                | RejectionReason::InvalidParams
                | RejectionReason::MissingClientCapability
        );
        let messages = answer.numbered_messages();
        let last = messages.as_ref().and_then(|messages| messages.last());
        // Once a stream is open, an error is its last event; in a batch it is one of several.
        let is_stream = answer.header("content-type") == Some("text/event-stream");
        let is_batch = last.is_some_and(Value::is_array);
        let status = if is_stream || is_batch || is_in_session && is_of_a_method {
            200
        } else {
            row.status.as_u16()
        };
        assert_eq!(answer.status, status, "{}", case.name);
        if answer.body.is_empty() {
            continue;
        }
        let last = last.ok_or("no message")?;
        let answers = last
            .as_array()
            .map_or(std::slice::from_ref(last), Vec::as_slice);
        let codes: Vec<&Value> = answers
            .iter()
            .filter_map(|answer| answer.pointer("/error/code"))
            .collect();
        let code = match reason {
            // A result, for the model.
            RejectionReason::MissingClientCapability if is_in_session && codes.is_empty() => {
                let says_so = |answer: &Value| answer["result"]["isError"] == true;
                assert!(answers.iter().any(says_so), "{}", case.name);
                continue;
            }
            RejectionReason::MissingClientCapability if is_in_session => code::INVALID_PARAMS,
            RejectionReason::UnknownResource if is_in_session && !completes(&case) => {
                code::RESOURCE_NOT_FOUND
            }
            _ => row.code,
        };
        assert_eq!(codes, [code], "{}", case.name);
    }
    Ok(())
}

/// A template is no resource.
fn completes(case: &Case) -> bool {
    String::from_utf8_lossy(&case.request.body).contains("completion/complete")
}

#[test]
fn every_answer_is_one_message_and_its_texts_for_humans_are_one_line() -> Result<(), Box<dyn Error>>
{
    for (case, outcome) in &*RUN {
        let Some(answer) = &outcome.answer else {
            continue;
        };
        if answer.status == 202 || case.request.method == "HEAD" {
            assert!(answer.body.is_empty(), "{}", case.name);
            continue;
        }
        // The client of an unknown session is told by the status; a stream of a session need not end with an answer.
        let is_empty = answer.body.is_empty();
        if is_empty && (answer.status == 204 || answer.status == 404)
            || case.request.method == "GET" && answer.status == 200
        {
            continue;
        }
        let mut messages = answer.numbered_messages().ok_or("no messages")?;
        let message = messages.pop().ok_or("no message")?;
        let content_type = answer.header("content-type");
        match messages.as_slice() {
            [] => assert_eq!(content_type, Some("application/json"), "{}", case.name),
            said => {
                assert_eq!(content_type, Some("text/event-stream"), "{}", case.name);
                // In a session the client can be asked something.
                let may_ask = case.session.is_some();
                let are_said = said
                    .iter()
                    .all(|it| it["method"].is_string() && (may_ask || it.get("id").is_none()));
                assert!(are_said, "{}", case.name);
            }
        }
        let messages = message
            .as_array()
            .map_or(std::slice::from_ref(&message), Vec::as_slice);
        assert!(!messages.is_empty(), "{}", case.name);
        messages
            .iter()
            .for_each(|message| check_response(case, message));
    }
    Ok(())
}

fn check_response(case: &Case, message: &Value) {
    assert_eq!(message["jsonrpc"], "2.0", "{}", case.name);
    assert!(message.get("id").is_some(), "{}", case.name);
    assert!(
        message.get("result").is_some() != message.get("error").is_some(),
        "{}",
        case.name
    );
    if let Some(text) = message["error"]["message"].as_str() {
        assert!(
            !text.chars().any(char::is_control) && text.chars().count() < 600,
            "{}: {text}",
            case.name
        );
    }
}

#[test]
fn what_could_end_a_line_is_an_escape_in_every_body() -> Result<(), Box<dyn Error>> {
    for (case, outcome) in &*RUN {
        let Some(answer) = &outcome.answer else {
            continue;
        };
        let is_stream = answer.header("content-type") == Some("text/event-stream");
        let body = std::str::from_utf8(&answer.body)?;
        let raw = |char: char| {
            let ends_an_event = is_stream && char == '\n';
            char < ' ' && !ends_an_event || matches!(char, '\u{2028}' | '\u{2029}')
        };
        assert!(!body.contains(raw), "{}: {body:?}", case.name);
    }
    Ok(())
}

#[test]
fn a_refused_message_runs_nothing() {
    for (case, outcome) in RUN.iter().filter(|(case, _)| case.reason.is_some()) {
        let ran = outcome
            .events
            .iter()
            .any(|event| matches!(event, Event::ToolStarted { .. }));
        // Only a handler that runs can find that it lacks a capability; the events tell of tools alone.
        let lacks = case.reason == Some(RejectionReason::MissingClientCapability);
        let of_a_tool = String::from_utf8_lossy(&case.request.body).contains("\"tools/call\"");
        assert_eq!(ran, lacks && of_a_tool, "{}", case.name);
    }
}

/// The fixtures' tokens begin with `token-`; faults and refused values are `hunter2`.
#[test]
fn secrets_reach_no_answer_and_no_event() {
    for (case, Outcome { answer, events, .. }) in &*RUN {
        let answer = answer.as_ref().map(ToString::to_string).unwrap_or_default();
        assert!(
            !answer.contains("token-") && !answer.contains("hunter2"),
            "{}: {answer}",
            case.name
        );
        assert!(
            !format!("{events:?}").contains("token-"),
            "{}: {events:?}",
            case.name
        );
    }
}

#[test]
fn the_same_request_is_answered_the_same_twice() {
    for (case, outcome) in &*RUN {
        let again = in_process(case).answer;
        // No two states are the same, and no two sessions.
        if again.as_ref().is_some_and(is_sealed) || outcome.answer.as_ref().is_some_and(is_named) {
            assert_eq!(case.difference(again.as_ref()), None, "{}", case.name);
            assert_ne!(again, outcome.answer, "{}", case.name);
        } else {
            assert_eq!(again, outcome.answer, "{}", case.name);
        }
    }
}

fn is_sealed(answer: &Answer) -> bool {
    let messages = answer.messages().unwrap_or_default();
    messages
        .iter()
        .any(|message| message["result"]["requestState"].is_string())
}

/// Whether an answer has a name that no other one has: of a session, or of an event.
fn is_named(answer: &Answer) -> bool {
    let body = String::from_utf8_lossy(&answer.body);
    answer.header("mcp-session-id").is_some() || body.starts_with("id: ")
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"))
}

fn write_down(case: &Case, outcome: &Outcome) -> Result<(), Box<dyn Error>> {
    let path = folder().join(format!("{}.http", case.name));
    let text = fs::read_to_string(&path)?;
    fs::write(path, Case::with_answer(&text, outcome.answer.as_ref()))?;
    Ok(())
}

/// What is wrong with the events: a refusal has exactly one, with its reason, and what is not refused has none.
fn wrong_events(case: &Case, events: &[Event]) -> Option<String> {
    let reasons: Vec<RejectionReason> = events.iter().filter_map(refusal).collect();
    if reasons != Vec::from_iter(case.reason) {
        return Some(format!(
            "refused for {reasons:?} in the place of {:?}",
            case.reason
        ));
    }
    let kinds: Vec<String> = events.iter().map(kind).collect();
    let expected = case.events.as_ref()?;
    (kinds != *expected).then(|| format!("recorded {kinds:?} in the place of {expected:?}"))
}

fn refusal(event: &Event) -> Option<RejectionReason> {
    match event {
        Event::Rejected { reason, .. } | Event::AuthRejected { reason, .. } => Some(*reason),
        Event::AuthFailed { .. } => Some(RejectionReason::Unauthenticated),
        _ => None,
    }
}

/// The name of the event's variant.
fn kind(event: &Event) -> String {
    let shown = format!("{event:?}");
    shown
        .split([' ', '(', '{'])
        .next()
        .unwrap_or_default()
        .to_owned()
}
