//! Messages of a case and of its session through the core alone.

use std::time::Duration;

use wymcp::{Head, Reply};
use wymcp_core::{Authentication, Authorized, Decision, LegacyTurn, Server, Session, Turn};
use wymcp_testkit::{Answer, CaseSession};

/// In 2026.
const NOW: Duration = Duration::from_secs(1_785_000_000);

/// The session of a case as a value; `None` if it has ended.
pub(crate) fn opened(server: &Server, opening: &CaseSession) -> Result<Option<Session>, Reply> {
    let request = opening.initialize();
    let head = request.head();
    let turn = authorized(server, &head, &request.body, None)?.proceed();
    let Turn::Legacy(LegacyTurn::Initialize(handshake)) = turn else {
        panic!("an initialize that opens nothing")
    };
    let mut session = handshake.session().clone();
    for request in opening.preparations(NAMED) {
        let head = request.head();
        let edit = match authorized(server, &head, &request.body, Some(&session))?.proceed() {
            Turn::Legacy(LegacyTurn::Edit { edit, reply }) => {
                Answer::from(reply)
                    .judge_by(opening.version(), &request.body)
                    .unwrap();
                edit
            }
            Turn::Legacy(LegacyTurn::End { .. }) => return Ok(None),
            _ => panic!("a preparation that prepares nothing"),
        };
        session.apply(&edit);
    }
    Ok(Some(session))
}

/// What a case writes for the id of its session.
const NAMED: &str = "{{session}}";

/// A message of whoever sends it, in the session that it names.
pub(crate) fn authorized<'t>(
    server: &'t Server,
    head: &'t Head<'t>,
    body: &'t [u8],
    session: Option<&'t Session>,
) -> Result<Authorized<'t>, Reply> {
    let authorized = match server.admit(head)?.read(body)?.authentication() {
        // The time decides whether a state still holds: here, a long time before the ends that are far away.
        Authentication::Open(authorized) => authorized.at(NOW),
        Authentication::Refused(reply) => return Err(reply),
        Authentication::Asked(somebody) => somebody.decide(Decision::anonymous())?.at(NOW),
    };
    Ok(
        match session.filter(|_| authorized.session_id() == Some(NAMED)) {
            Some(session) => authorized.in_session(session),
            None => authorized,
        },
    )
}
