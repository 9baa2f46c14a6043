//! What must hold of every answer of a server with sessions. Panics where it does not.

use std::{sync::LazyLock, time::Duration};

use serde_json::json;
use wymcp_core::{
    Authentication, Authorized, Batch, Event, Head, LegacySessions, LegacyTurn, Outcome,
    RejectionReason, Reply, Server, Session, SessionEdit, Tool, ToolResult, Turn,
};

use crate::{
    naive::{Naive, answer_id},
    official,
    requests::{Request, line},
};

/// A server with sessions, of which every kind of edit is served.
static DUAL: LazyLock<Server> = LazyLock::new(|| {
    let sum = Tool::new("sum").input_schema(json!({"type": "object", "required": ["a"]}));
    Server::builder("dual", "1.0.0")
        .tool(sum)
        .resource(wymcp_core::Resource::new("a:1", "one"))
        .logging()
        .changes()
        .legacy(LegacySessions::Kept)
        .build()
        .unwrap()
});

/// What becomes of the session that a message names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// It names none.
    None,
    Live,
    Ended,
}

pub(crate) const LIVE: &str = "5f3a";

impl Lookup {
    pub(crate) fn line(self) -> Option<(String, Vec<u8>)> {
        match self {
            Self::None => None,
            Self::Live => Some(line("Mcp-Session-Id", LIVE)),
            Self::Ended => Some(line("Mcp-Session-Id", "ended")),
        }
    }
}

/// A session of a revision, whose client is ready.
pub(crate) fn session(version: &str) -> Result<Session, Reply> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version,
        "capabilities": {"sampling": {}},
        "clientInfo": {"name": "c", "version": "1"},
    }});
    let request = Request::of(&body);
    let head = request.head();
    let turn = authorized(&head, &request.body, None)?.proceed();
    let Turn::Legacy(LegacyTurn::Initialize(handshake)) = turn else {
        panic!("no session of {version} is opened")
    };
    let mut session = handshake.session().clone();
    session.apply(&SessionEdit::Ready);
    Ok(session)
}

/// A message, with a session for whoever names it.
pub(crate) fn authorized<'t>(
    head: &'t Head<'t>,
    body: &'t [u8],
    session: Option<&'t Session>,
) -> Result<Authorized<'t>, Reply> {
    let message = DUAL.admit(head)?.read(body)?;
    let Authentication::Open(authorized) = message.authentication() else {
        unreachable!("nobody is asked who it is")
    };
    Ok(
        match session.filter(|_| authorized.session_id() == Some(LIVE)) {
            Some(session) => authorized.in_session(session),
            None => authorized,
        },
    )
}

/// Answers a request in a session, and checks everything about the answer that can be checked without knowing it.
pub(crate) fn answer(head: &Head<'_>, body: &[u8], session: &Session) -> Reply {
    let reply = run(head, body, session);
    assert_eq!(
        run(head, body, session),
        reply,
        "the same input, another answer"
    );
    check(&reply, head.method(), body);
    judge_by(session.version().as_str(), body, &reply);
    reply
}

fn run(head: &Head<'_>, body: &[u8], session: &Session) -> Reply {
    match authorized(head, body, Some(session)) {
        Ok(authorized) => ended(authorized.proceed()),
        Err(reply) => reply,
    }
}

/// The answer of a driver that does nothing.
pub(crate) fn ended(turn: Turn<'_>) -> Reply {
    match turn {
        Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply,
        Turn::Call(call) => call.finish(Outcome::Tool(ToolResult::text("done")), Duration::ZERO),
        Turn::Listen(subscription) => subscription.refuse_busy(),
        Turn::Legacy(turn) => match turn {
            LegacyTurn::Initialize(handshake) => handshake.accept(Some(LIVE.to_owned())),
            LegacyTurn::Edit { reply, .. }
            | LegacyTurn::Answer { reply, .. }
            | LegacyTurn::Cancel { reply, .. }
            | LegacyTurn::End { reply } => reply,
            LegacyTurn::Attach(attachment) => attachment.refuse_taken(),
            LegacyTurn::Batch(batch) => Batch::finish(batch.turns.into_iter().map(ended).collect()),
        },
    }
}

pub(crate) fn refusals(reply: &Reply) -> Vec<RejectionReason> {
    let reasons = reply.events.iter().filter_map(|event| match event {
        Event::Rejected { reason, .. } => Some(*reason),
        _ => None,
    });
    reasons.collect()
}

/// Holds one answer against what any message may be answered with.
fn check_answer(answer: &Naive, asked: &[&Naive]) {
    let names: Vec<&str> = match answer {
        Naive::Object(members) => members.iter().map(|(name, _)| &**name).collect(),
        other => panic!("no object: {other:?}"),
    };
    assert!(
        matches!(&*names, ["jsonrpc", "id", "result" | "error"]),
        "{names:?}"
    );
    let id = answer.named("id")[0];
    let is_asked = asked
        .iter()
        .any(|asked| answer_id(asked).is_some_and(|known| known.same(id)));
    assert!(is_asked || *id == Naive::Null, "{id:?} was never sent");
    if names[2] == "result" {
        assert!(is_asked, "a result of nothing");
    }
}

/// Holds an answer against the schemas of both lanes: that it is of the right one, other laws say.
pub(crate) fn judge_by(version: &str, request: &[u8], reply: &Reply) {
    // The judge takes two answers of one id for one answer too many.
    if reply.body.is_empty() || has_repeated_ids(request) {
        return;
    }
    let message: serde_json::Value =
        serde_json::from_slice(&reply.body).expect("an answer is JSON");
    // Where a session is opened, it is of the revision that the answer names.
    let opened = message["result"]["protocolVersion"].as_str();
    let version = opened.unwrap_or(version);
    let verdict = official::judge_by(version, request, &message);
    if let Err(fault) = verdict {
        official::judge(request, &message)
            .unwrap_or_else(|other| panic!("{fault}, and in the other lane {other}"));
    }
}

/// Whether two messages of a batch have one id.
fn has_repeated_ids(body: &[u8]) -> bool {
    let Some(Naive::Array(batch)) = Naive::read(body) else {
        return false;
    };
    let ids: Vec<&Naive> = batch.iter().filter_map(answer_id).collect();
    let is_repeated = |(at, id): (usize, &&Naive)| ids[..at].iter().any(|other| other.same(id));
    ids.iter().enumerate().any(is_repeated)
}

fn check(reply: &Reply, method: &str, body: &[u8]) {
    let reasons = refusals(reply);
    let status = reply.status.as_u16();
    assert!(
        [200, 202, 204, 400, 403, 404, 405, 406, 409, 413, 415, 503].contains(&status),
        "{reply:?}"
    );
    let sent = Naive::read(body);
    if reply.body.is_empty() {
        let is_gone = reasons == [RejectionReason::SessionUnknown];
        let may_be_empty = status == 202 || status == 204 || method == "HEAD" || is_gone;
        assert!(may_be_empty, "{reply:?}");
        return;
    }
    let answer = Naive::read(&reply.body).expect("an answer is JSON");
    match (&answer, &sent) {
        (Naive::Array(answers), Some(Naive::Array(asked))) => {
            assert_eq!(status, 200);
            assert!(!answers.is_empty() && answers.len() <= asked.len());
            let asked: Vec<&Naive> = asked.iter().collect();
            for answer in answers {
                check_answer(answer, &asked);
            }
            assert!(reasons.len() <= answers.len());
        }
        (answer, sent) => {
            let asked: Vec<&Naive> = sent.iter().collect();
            check_answer(answer, &asked);
            assert!(reasons.len() <= 1, "{reasons:?}");
            let is_error = !answer.named("error").is_empty();
            assert_eq!(is_error, !reasons.is_empty(), "{reply:?}");
        }
    }
}
