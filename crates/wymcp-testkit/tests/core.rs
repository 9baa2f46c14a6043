//! Every whole message of a case through the core alone: one pure function, no driver, no future.

mod sessions;

use sessions::{authorized, opened};
use wymcp::{Event, Reply};
use wymcp_core::{LegacyTurn, Turn};
use wymcp_testkit::{Answer, Case, fixture, in_process};

/// What the core makes of a case; `None` where it takes a driver: a body that does not end, an authenticator, a session
/// that is to be kept, or to be read from.
fn received(case: &Case) -> Option<Result<Reply, String>> {
    let server = fixture::server(&case.server);
    if case.request.is_truncated() || case.server.ends_with("-authenticated") {
        return None;
    }
    let server = server.protocol();
    let session = case
        .session
        .as_ref()
        .map(|session| opened(&server, session));
    let session = match session.transpose() {
        Ok(session) => session.flatten(),
        Err(refusal) => panic!("{}: no session is opened: {refusal:?}", case.name),
    };
    let head = case.request.head();
    let turn = match authorized(&server, &head, &case.request.body, session.as_ref()) {
        Ok(authorized) => authorized.proceed(),
        Err(reply) => Turn::Reply(reply),
    };
    Some(match turn {
        Turn::Reply(reply) | Turn::Legacy(LegacyTurn::Edit { reply, .. }) => Ok(reply),
        Turn::Call(call) => Err(format!("{} {}", call.method().name(), call.name())),
        Turn::Listen(_) | Turn::Cancel { .. } | Turn::Legacy(_) => return None,
    })
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
