//! On a server with sessions too any request has one answer, in which no id comes back but its own.

use std::{sync::LazyLock, time::Duration};

use proptest::{
    collection::vec,
    prelude::{Just, ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest},
    sample::select,
};
use serde_json::json;
use wymcp_core::{
    Authentication, Batch, Event, Head, LegacySessions, LegacyTurn, Message, Outcome,
    RejectionReason, Reply, Server, Session, SessionEdit, Tool, ToolResult, Turn,
};

use crate::{
    generators::{Request, line, request, unicode},
    naive::{Naive, answer_id},
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

const LIVE: &str = "5f3a";

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
pub(crate) fn session(version: &str) -> Session {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version,
        "capabilities": {"sampling": {}},
        "clientInfo": {"name": "c", "version": "1"},
    }});
    let request = Request::of(&body);
    let head = request.head();
    let Turn::Legacy(LegacyTurn::Initialize(handshake)) = received(&head, &request.body, None)
    else {
        panic!("no session of {version} is opened")
    };
    let mut session = handshake.session().clone();
    session.apply(&SessionEdit::Ready);
    session
}

/// What a message comes to, with a session for whoever names it.
pub(crate) fn received<'t>(
    head: &'t Head<'t>,
    body: &'t [u8],
    session: Option<&'t Session>,
) -> Turn<'t> {
    let message = DUAL.admit(head).and_then(|admitted| admitted.read(body));
    let authorized = match message.map(Message::authentication) {
        Ok(Authentication::Open(authorized)) => authorized,
        Ok(_) => unreachable!("nobody is asked who it is"),
        Err(reply) => return Turn::Reply(reply),
    };
    match session.filter(|_| authorized.session_id() == Some(LIVE)) {
        Some(session) => authorized.in_session(session).proceed(),
        None => authorized.proceed(),
    }
}

/// The answer of a driver that does nothing.
fn ended(turn: Turn<'_>) -> Reply {
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

fn refusals(reply: &Reply) -> Vec<RejectionReason> {
    let reasons = reply.events.iter().filter_map(|event| match event {
        Event::Rejected { reason, .. } => Some(*reason),
        _ => None,
    });
    reasons.collect()
}

/// Requests of the modern lane, and what clients of sessions send.
fn any_request() -> impl Strategy<Value = Request> {
    let version = prop_oneof![
        3 => Just(Vec::new()),
        3 => select(vec!["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28", ""])
            .prop_map(|version| vec![line("MCP-Protocol-Version", version)]),
    ];
    let named = prop_oneof![
        4 => Just(vec![line("Mcp-Session-Id", LIVE)]),
        1 => select(vec!["", "nope"]).prop_map(|id| vec![line("Mcp-Session-Id", id)]),
        1 => Just(vec![line("Mcp-Session-Id", LIVE), line("mcp-session-id", LIVE)]),
        1 => Just(Vec::new()),
    ];
    let method = select(vec![
        "ping",
        "initialize",
        "tools/list",
        "tools/call",
        "resources/subscribe",
        "logging/setLevel",
        "notifications/initialized",
        "notifications/cancelled",
        "server/discover",
        "no/such",
    ]);
    let verb = prop_oneof![6 => Just("POST"), 1 => Just("GET"), 1 => Just("DELETE")];
    (request(), version, named, method, verb, vec(0..4_u8, 0..4)).prop_map(
        |(mut request, version, named, method, verb, elements)| {
            if let Ok(mut message) = serde_json::from_slice::<serde_json::Value>(&request.body)
                && message.is_object()
            {
                message["method"] = method.into();
                if !elements.is_empty() {
                    let element = |kind: &u8| match kind {
                        0 => message.clone(),
                        1 => json!({"jsonrpc": "2.0", "method": method}),
                        2 => json!({"jsonrpc": "2.0", "id": 7, "result": {}}),
                        _ => json!(7),
                    };
                    message = elements.iter().map(element).collect();
                }
                request.body = message.to_string().into_bytes();
            }
            if request.method == "POST" {
                verb.clone_into(&mut request.method);
            }
            request
                .headers
                .retain(|(name, _)| name != "MCP-Protocol-Version");
            request.headers.extend(version);
            request.headers.extend(named);
            request
        },
    )
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

fn check(reply: &Reply, request: &Request) {
    let reasons = refusals(reply);
    let status = reply.status.as_u16();
    assert!(
        [200, 202, 204, 400, 403, 404, 405, 406, 409, 413, 415, 503].contains(&status),
        "{reply:?}"
    );
    let sent = Naive::read(&request.body);
    if reply.body.is_empty() {
        let is_gone = reasons == [RejectionReason::SessionUnknown];
        let may_be_empty = status == 202 || status == 204 || request.method == "HEAD" || is_gone;
        assert!(may_be_empty, "{reply:?}");
        return;
    }
    let answer = Naive::read(&reply.body).expect("an answer is JSON");
    match (&answer, &sent) {
        (Naive::Array(answers), Some(Naive::Array(asked))) => {
            assert_eq!(status, 200);
            assert!(!answers.is_empty() && answers.len() <= asked.len());
            let asked: Vec<&Naive> = asked.iter().collect();
            answers
                .iter()
                .for_each(|answer| check_answer(answer, &asked));
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_request_of_a_server_with_sessions_has_one_answer(request in any_request(), version in select(vec!["2025-11-25", "2025-03-26"])) {
        let session = session(version);
        let head = request.head();
        let reply = ended(received(&head, &request.body, Some(&session)));
        check(&reply, &request);
        let again = ended(received(&head, &request.body, Some(&session)));
        prop_assert_eq!(again, reply);
    }

    #[test]
    fn no_code_of_the_modern_lane_is_said_in_a_session(request in any_request()) {
        let session = session("2025-11-25");
        let mut request = request;
        request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("MCP-Protocol-Version"));
        request.headers.push(line("MCP-Protocol-Version", "2025-11-25"));
        let names_session = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("Mcp-Session-Id"));
        let discovers = String::from_utf8_lossy(&request.body).contains("server/discover");
        let reply = ended(received(&request.head(), &request.body, Some(&session)));
        if names_session && !discovers {
            let body = String::from_utf8_lossy(&reply.body).into_owned();
            prop_assert!(!body.contains("\"code\":-3202"), "{}", body);
        }
    }

    #[test]
    fn every_id_of_a_session_comes_back(text in unicode(), number in -9_007_199_254_740_991_i64..=9_007_199_254_740_991) {
        let session = session("2025-06-18");
        for id in [json!(text), json!(number)] {
            for (method, is_refused) in [("ping", false), ("tools/list", false), ("no/such", true)] {
                let message = json!({"jsonrpc": "2.0", "id": id, "method": method});
                let mut request = Request::of(&message);
                request.headers.extend(Lookup::Live.line());
                let reply = ended(received(&request.head(), &request.body, Some(&session)));
                prop_assert_eq!(reply.status.as_u16(), 200);
                let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
                prop_assert_eq!(&answer["id"], &id);
                prop_assert_eq!(answer.get("error").is_some(), is_refused);
            }
        }
    }
}
