//! Every case, in process.

use std::{env, error::Error, fs, path::Path};

use wymcp::{Event, RejectionReason};
use wymcp_testkit::{Case, Outcome, in_process};

/// Set, the answers of this implementation are written into the cases that differ.
const BLESS: &str = "WYMCP_BLESS";

#[test]
fn every_case_is_answered_as_written() -> Result<(), Box<dyn Error>> {
    let mut failures = Vec::new();
    for case in Case::all() {
        let outcome = in_process(&case);
        // A wrong reason is a fault of the implementation or of the case, and is never written down.
        if let Some(fault) = wrong_events(&case, &outcome.events) {
            failures.push(format!("{}: {fault}", case.name));
        } else if let Some(difference) = case.difference(outcome.answer.as_ref()) {
            if env::var_os(BLESS).is_some() {
                write_down(&case, &outcome)?;
            } else {
                failures.push(format!("{}: {difference}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{} cases fail\n\n{}", failures.len(), failures.join("\n\n"));
    Ok(())
}

#[test]
fn every_reason_has_a_case() {
    let cases = Case::all();
    let without: Vec<&RejectionReason> =
        RejectionReason::ALL.iter().filter(|reason| cases.iter().all(|case| case.reason != Some(**reason))).collect();
    assert!(without.is_empty(), "no case shows {without:?}");
}

#[test]
fn every_file_is_a_case() -> Result<(), Box<dyn Error>> {
    let cases = Case::all();
    for rule in fs::read_dir(folder())? {
        for file in fs::read_dir(rule?.path())? {
            let file = file?.path();
            let name = file.strip_prefix(folder())?.with_extension("").to_string_lossy().replace('\\', "/");
            assert!(cases.iter().any(|case| case.name == name), "{} is not read", file.display());
        }
    }
    Ok(())
}

#[test]
fn the_same_request_is_answered_the_same_twice() {
    for case in Case::all() {
        assert_eq!(in_process(&case).answer, in_process(&case).answer, "{}", case.name);
    }
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
        return Some(format!("refused for {reasons:?} in the place of {:?}", case.reason));
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
    shown.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}
