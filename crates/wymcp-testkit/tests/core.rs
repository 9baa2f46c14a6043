//! Every whole message of a case through the core alone: one pure function, no driver, no future.

use std::time::Duration;

use wymcp::{Event, Reply};
use wymcp_core::{Authentication, Message, Turn};
use wymcp_testkit::{Answer, Case, fixture, in_process};

/// In 2026.
const NOW: Duration = Duration::from_secs(1_785_000_000);

/// What the core makes of a case; `None` where it takes a driver: a body that does not end, an authenticator.
fn received(case: &Case) -> Option<Result<Reply, String>> {
    let server = fixture::server(&case.server);
    if case.request.is_truncated() || case.server == "modern-authenticated" {
        return None;
    }
    let head = case.request.head();
    let protocol = server.protocol();
    let message = protocol.admit(&head);
    let message = message.and_then(|admitted| admitted.read(&case.request.body));
    let turn = match message.map(Message::authentication) {
        // The time decides whether a state still holds: here, a long time before the ends that are far away.
        Ok(Authentication::Open(authorized)) => authorized.at(NOW).proceed(),
        Ok(_) => panic!("{} asks who it is", case.server),
        Err(reply) => Turn::Reply(reply),
    };
    Some(match turn {
        Turn::Reply(reply) => Ok(reply),
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
                assert_eq!(answer.judge(&case.request.body), Ok(()), "{}", case.name);
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
