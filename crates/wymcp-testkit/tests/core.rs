//! Every whole message of a case through the core alone: one pure function, no driver, no future.

use std::time::Duration;

use wymcp::{Event, Head, Reply};
use wymcp_core::{Authentication, LegacyTurn, Message, Server, Session, Turn};
use wymcp_testkit::{Answer, Case, CaseSession, fixture, in_process};

/// In 2026.
const NOW: Duration = Duration::from_secs(1_785_000_000);

/// What the core makes of a case; `None` where it takes a driver: a body that does not end, an authenticator, a session
/// that is to be kept, or to be read from.
fn received(case: &Case) -> Option<Result<Reply, String>> {
    let server = fixture::server(&case.server);
    if case.request.is_truncated() || case.server.ends_with("-authenticated") {
        return None;
    }
    let server = server.protocol();
    let session = case.session.as_ref();
    let session = session.and_then(|session| opened(&server, session));
    let (head, body) = (case.request.head(), &case.request.body);
    Some(match proceeded(&server, &head, body, session.as_ref()) {
        Turn::Reply(reply) | Turn::Legacy(LegacyTurn::Edit { reply, .. }) => Ok(reply),
        Turn::Call(call) => Err(format!("{} {}", call.method().name(), call.name())),
        Turn::Listen(_) | Turn::Cancel { .. } | Turn::Legacy(_) => return None,
    })
}

/// The session of a case as a value; `None` if it has ended.
fn opened(server: &Server, opening: &CaseSession) -> Option<Session> {
    let request = opening.initialize();
    let head = request.head();
    let turn = proceeded(server, &head, &request.body, None);
    let Turn::Legacy(LegacyTurn::Initialize(handshake)) = turn else {
        panic!("no session is opened")
    };
    let mut session = handshake.session().clone();
    for request in opening.preparations(NAMED) {
        let edit = match proceeded(server, &request.head(), &request.body, Some(&session)) {
            Turn::Legacy(LegacyTurn::Edit { edit, .. }) => edit,
            Turn::Legacy(LegacyTurn::End { .. }) => return None,
            _ => panic!("a preparation that prepares nothing"),
        };
        session.apply(&edit);
    }
    Some(session)
}

/// What a case writes for the id of its session.
const NAMED: &str = "{{session}}";

fn proceeded<'t>(
    server: &'t Server,
    head: &'t Head<'t>,
    body: &'t [u8],
    session: Option<&'t Session>,
) -> Turn<'t> {
    let message = server.admit(head);
    let message = message.and_then(|admitted| admitted.read(body));
    let authorized = match message.map(Message::authentication) {
        // The time decides whether a state still holds: here, a long time before the ends that are far away.
        Ok(Authentication::Open(authorized)) => authorized.at(NOW),
        Ok(_) => panic!("somebody is asked who it is"),
        Err(reply) => return Turn::Reply(reply),
    };
    match session.filter(|_| authorized.session_id() == Some(NAMED)) {
        Some(session) => authorized.in_session(session).proceed(),
        None => authorized.proceed(),
    }
}

#[test]
fn the_core_alone_answers_what_the_whole_server_answers() {
    let (mut replies, mut calls, mut driven) = (0, 0, 0);
    for case in Case::all() {
        match received(&case) {
            Some(Ok(reply)) => {
                replies += 1;
                let events = reply.events.clone();
                let is_plain = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
                let mut values = reply.headers.iter().map(|(_, value)| value);
                assert!(
                    values.all(|value| value.bytes().all(is_plain)),
                    "{}",
                    case.name
                );
                let answer = Answer::from(reply);
                assert_eq!(case.difference(Some(&answer)), None, "{}", case.name);
                assert_eq!(case.judge(&answer), Ok(()), "{}", case.name);
                assert_eq!(events, in_process(&case).events, "{}", case.name);
            }
            // The handler is the application's; that it is the right one shows in who starts.
            Some(Err(called)) => {
                calls += 1;
                let events = in_process(&case).events;
                let tool = events.iter().find_map(|event| match event {
                    Event::ToolStarted { call } | Event::ToolStopped { call, .. } => {
                        Some(format!("tools/call {}", call.tool))
                    }
                    _ => None,
                });
                // Events tell of tools alone.
                let expected = tool.unwrap_or_else(|| called.clone());
                assert_eq!(called, expected, "{}", case.name);
            }
            None => driven += 1,
        }
    }
    // Guards against a test that comes to skip what it is for.
    assert!(
        replies > 400 && calls > 20,
        "{replies} replies, {calls} calls, {driven} driven"
    );
}
