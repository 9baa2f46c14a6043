//! Every golden body, cut at each byte and with each byte replaced by the ones that hurt most: never a panic, always an
//! answer of the table.
//!
//! `cargo test` takes a share of the cases, always the same; `WYMCP_SWEEP=whole` takes them all, which `.ci/run sweep`
//! does.

#![expect(
    clippy::print_stdout,
    reason = "the figure is read by whoever runs the sweep"
)]

mod sessions;

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;
use sessions::{authorized, opened};
use wymcp::{Event, RejectionReason, Reply};
use wymcp_core::{LegacyTurn, Server, Session, Turn, code};
use wymcp_testkit::{Case, fixture};

/// NUL, a quote, a bracket, and what is no UTF-8.
const HOSTILE: [u8; 4] = [0x00, 0x22, 0x7B, 0xFF];

/// How many places of a long body are tried: the first ones, and then some of the rest at equal distances.
const PLACES: usize = 2_048;

/// A body of megabytes has few places, so that no case takes as long as all others.
const BYTES: usize = 2 * 1024 * 1024;

/// `cargo test` takes one case of so many.
const SHARE: usize = 12;

#[test]
fn every_golden_body_cut_or_corrupted_anywhere_is_answered() {
    let is_whole = std::env::var("WYMCP_SWEEP").is_ok_and(|it| it == "whole");
    let cases: Vec<Case> = Case::all()
        .into_iter()
        .filter(|case| is_whole || share(&case.name) == 0)
        .collect();
    let servers: BTreeMap<&str, Arc<Server>> = cases
        .iter()
        .map(|case| (&*case.server, fixture::server(&case.server).protocol()))
        .collect();
    let (next, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = sweep(case, &servers[&*case.server]);
            answered.fetch_add(count, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap();
        }
    });
    // Guards against a sweep that comes to skip what it is for.
    let answered = answered.into_inner();
    assert!(answered > cases.len() * 500, "only {answered} bodies");
    println!("{answered} bodies of {} cases", cases.len());
}

/// The number of the share that a case is of. By its name: a new case moves no other one.
fn share(name: &str) -> usize {
    let sum = name
        .bytes()
        .fold(0, |sum: usize, byte| sum * 31 % 65_521 + usize::from(byte));
    sum % SHARE
}

/// Answers every body that a case's becomes, and says how many.
fn sweep(case: &Case, server: &Server) -> usize {
    let body = &case.request.body;
    // One that opens no session is a case without.
    let session = case.session.as_ref();
    let session = session.and_then(|session| opened(server, session).ok().flatten());
    let tried = (BYTES / body.len().max(1)).clamp(4, PLACES);
    let step = (body.len() / tried).max(1);
    let places = (0..body.len()).filter(|at| *at < tried / 2 || at % step == 0);
    let mut count = 0;
    let mut try_it = |changed: &[u8], how: &dyn Fn() -> String| {
        count += 1;
        let verdict = catch_unwind(AssertUnwindSafe(|| {
            judge(case, server, session.as_ref(), changed)
        }));
        let fault = match verdict {
            Ok(Ok(())) => return,
            Ok(Err(fault)) => fault,
            Err(_) => "it panics".to_owned(),
        };
        panic!("{}, {}: {fault}", case.name, how());
    };
    for at in places {
        try_it(&body[..at], &|| format!("cut at {at}"));
        try_it(&body[at..], &|| format!("begun at {at}"));
        let mut changed = body.clone();
        for byte in HOSTILE {
            changed[at] = byte;
            try_it(&changed, &|| format!("with {byte:#04x} at {at}"));
        }
    }
    count
}

/// What is wrong with the answer to a body under the head of a case.
fn judge(
    case: &Case,
    server: &Server,
    session: Option<&Session>,
    body: &[u8],
) -> Result<(), String> {
    let Some(reply) = reply(case, server, session, body) else {
        return Ok(());
    };
    let refused: Vec<RejectionReason> = reply.events.iter().filter_map(refusal).collect();
    let text = String::from_utf8_lossy(&reply.body);
    match *refused {
        // A batch is answered as one, whatever becomes of its messages.
        _ if text.starts_with('[') && reply.status == 200 => Ok(()),
        [] if reply.status == 202 && text.is_empty() => Ok(()),
        [] if reply.status == 200 => judge_success(&text, body),
        [reason] => judge_refusal(case, &reply, reason, body),
        _ => Err(format!("{refused:?}")),
    }
    .map_err(|fault| format!("{fault}: {} {text}", reply.status))
}

/// A result goes back under the id that was sent.
fn judge_success(answer: &str, body: &[u8]) -> Result<(), String> {
    let answer: Value = serde_json::from_str(answer).map_err(|fault| fault.to_string())?;
    (answer["id"] == sent(body)["id"] && !answer["id"].is_null())
        .then_some(())
        .ok_or("a success under another id".to_owned())
}

/// What a body says. A leading mark of the byte order is skipped by the server, and known to no other reader.
fn sent(body: &[u8]) -> Value {
    let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    serde_json::from_slice(text).unwrap_or_default()
}

fn judge_refusal(
    case: &Case,
    reply: &Reply,
    reason: RejectionReason,
    body: &[u8],
) -> Result<(), String> {
    let row = reason.row();
    // A legacy client is told of what is wrong with its message in an answer like any other.
    let is_legacy = case.server.starts_with("dual") && reply.status == 200;
    if reply.body.is_empty() {
        let says_nothing = reply.status == row.status || reply.status == 202;
        return says_nothing
            .then_some(())
            .ok_or(format!("no body for {reason:?}"));
    }
    let answer: Value = serde_json::from_slice(&reply.body).map_err(|fault| fault.to_string())?;
    let sent = sent(body);
    let is_its_id = answer["id"].is_null() || answer["id"] == sent["id"];
    let has_a_legacy_code = is_legacy
        && reason == RejectionReason::UnknownResource
        && answer["error"]["code"] == code::RESOURCE_NOT_FOUND;
    let is_of_the_row = (reply.status == row.status || is_legacy)
        && (answer["error"]["code"] == row.code || has_a_legacy_code);
    (is_its_id && is_of_the_row)
        .then_some(())
        .ok_or(format!("not the row of {reason:?}"))
}

fn refusal(event: &Event) -> Option<RejectionReason> {
    match event {
        Event::Rejected { reason, .. } | Event::AuthRejected { reason, .. } => Some(*reason),
        Event::AuthFailed { .. } => Some(RejectionReason::Unauthenticated),
        _ => None,
    }
}

/// The core's answer; `None` where a handler, a stream or a session follows.
fn reply(case: &Case, server: &Server, session: Option<&Session>, body: &[u8]) -> Option<Reply> {
    let head = case.request.head();
    let turn = match authorized(server, &head, body, session) {
        Ok(authorized) => authorized.proceed(),
        Err(reply) => Turn::Reply(reply),
    };
    match turn {
        Turn::Reply(reply) | Turn::Legacy(LegacyTurn::Edit { reply, .. }) => Some(reply),
        Turn::Call(_) | Turn::Listen(_) | Turn::Cancel { .. } | Turn::Legacy(_) => None,
    }
}
