//! Stages 11 to 16 in the legacy lane.

use std::time::Duration;

use super::{
    Attachment, Batch, ClientAnswer, EventId, Handshake, LegacyTurn, Session, SessionEdit,
    handshake, method,
};
use crate::{
    authorized::cancelled,
    channel::Channel,
    door::Turn,
    exchange::Principal,
    head::{Head, Singleton},
    message::{Content, Message},
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::{Classified, Json, Object, RequestId, RequestMessage},
    untrusted::Untrusted,
};

/// What a message of the lane is about, beside what it says.
pub(super) struct Lane<'t> {
    pub(super) server: &'t Server,
    pub(super) channel: Channel<'t>,
    pub(super) principal: Principal,
    pub(super) now: Option<Duration>,
    /// The one that the message names, if the driver has it.
    session: Option<&'t Session>,
    is_batch: bool,
}

/// Everything that is left to do with a message of the legacy lane.
pub(crate) fn proceed<'t>(
    message: Message<'t>,
    principal: Principal,
    now: Option<Duration>,
    session: Option<&'t Session>,
) -> Turn<'t> {
    let lane = Lane {
        server: message.server,
        channel: message.channel,
        principal,
        now,
        session,
        is_batch: false,
    };
    match message.content {
        Content::Message(message) => lane.take(message),
        Content::Get => lane.attach(),
        Content::Delete => lane.end(),
    }
}

impl<'t> Lane<'t> {
    pub(super) fn is_batch(&self) -> bool {
        self.is_batch
    }

    fn take(self, message: Classified<'t>) -> Turn<'t> {
        match message {
            Classified::Request(request) => self.request(request),
            Classified::Notification(json) => self.notification(&json),
            Classified::UnidentifiedRequest(json) => {
                self.refuse(&Rejection::InvalidId, Known::Other(&json))
            }
            Classified::Unknown(Json::Array(items)) if !self.is_batch => self.batch(items),
            Classified::Unknown(json) => match answer(&json) {
                Some((id, answer)) => self.answer(&json, id, answer),
                None => self.refuse(&Rejection::InvalidMessage, Known::Other(&json)),
            },
        }
    }

    fn refuse(&self, rejection: &Rejection, known: Known<'_>) -> Turn<'t> {
        Turn::Reply(Reply::rejection(rejection, self.channel, known))
    }

    /// Stage 12: the session that the message is of.
    fn gate(&self) -> Result<&'t Session, Rejection> {
        let sent = self.channel.head().map(Head::session_id);
        match sent {
            Some(Singleton::Absent) => return Err(Rejection::SessionMissing),
            Some(Singleton::Repeated) => {
                let header = "Mcp-Session-Id";
                return Err(Rejection::HeaderDuplicated { header });
            }
            Some(Singleton::Value(_) | Singleton::Malformed(_)) | None => {}
        }
        let session = self.session.filter(|it| it.is_of(&self.principal));
        let session = session.ok_or(Rejection::SessionUnknown)?;
        let version = self.channel.head().map(Head::protocol_version);
        match version {
            Some(Singleton::Value(version)) if version != session.version.as_str() => {
                Err(Rejection::SessionVersionMismatch {
                    sent: Untrusted::new(version).to_string(),
                    negotiated: session.version,
                })
            }
            _ => Ok(session),
        }
    }

    fn request(self, mut request: RequestMessage<'t>) -> Turn<'t> {
        if let Err(fault) = self.server.schema.framing(&request.members) {
            let known = Known::Request(&request.method, &request.id);
            return self.refuse(&Rejection::InvalidFraming(fault), known);
        }
        let params = match request.members.take("params") {
            Some(Json::Object(params)) => params,
            _ => Object::default(),
        };
        let (name, id) = (&*request.method, request.id);
        match name {
            handshake::METHOD if self.is_batch => {
                let known = Known::Request(name, &id);
                return self.refuse(
                    &invalid_batch("initialize is no part of a batch. Send it alone"),
                    known,
                );
            }
            handshake::METHOD => return self.initialize(id, &params),
            "ping" if self.names_no_session() => return method::pong(&id),
            _ => {}
        }
        match self.gate() {
            Ok(session) => method::answer(self, session, name, id, params),
            Err(rejection) => self.refuse(&rejection, Known::Request(name, &id)),
        }
    }

    /// Clients probe by a `ping` of no session whether anybody is there.
    fn names_no_session(&self) -> bool {
        match self.channel.head() {
            Some(head) => head.session_id() == Singleton::Absent,
            None => self.session.is_none(),
        }
    }

    fn initialize(self, id: RequestId<'t>, params: &Object<'_>) -> Turn<'t> {
        match Handshake::new(self.server, self.channel, id, params, &self.principal) {
            Ok(handshake) => Turn::Legacy(LegacyTurn::Initialize(Box::new(handshake))),
            Err((id, rejection)) => {
                // Of a session that there is not: of the newest revision's.
                let channel = self.channel.in_session(super::LegacyVersion::NEWEST);
                let known = Known::Request(handshake::METHOD, &id);
                Turn::Reply(Reply::rejection(&rejection, channel, known))
            }
        }
    }

    fn notification(&self, json: &Json<'t>) -> Turn<'t> {
        let known = Known::Other(json);
        let Some(members) = json.as_object() else {
            return self.refuse(&Rejection::InvalidMessage, known);
        };
        if let Err(fault) = self.server.schema.framing(members) {
            return self.refuse(&Rejection::InvalidFraming(fault), known);
        }
        if let Err(rejection) = self.gate() {
            return self.refuse(&rejection, known);
        }
        let reply = Reply::accepted(self.channel, known);
        match members.get("method").and_then(Json::as_str) {
            Some("notifications/initialized") => {
                let edit = SessionEdit::Ready;
                Turn::Legacy(LegacyTurn::Edit { edit, reply })
            }
            Some("notifications/cancelled") => match cancelled(json) {
                Some(id) => Turn::Legacy(LegacyTurn::Cancel { id, reply }),
                None => Turn::Reply(reply),
            },
            _ => Turn::Reply(reply),
        }
    }

    fn answer(
        &self,
        json: &Json<'_>,
        id: Option<RequestId<'static>>,
        answer: ClientAnswer,
    ) -> Turn<'t> {
        let known = Known::Other(json);
        if let Err(rejection) = self.gate() {
            return self.refuse(&rejection, known);
        }
        let reply = Reply::accepted(self.channel, known);
        match id {
            Some(id) => Turn::Legacy(LegacyTurn::Answer { id, answer, reply }),
            // No question has an id that is none: of what the client could not read, say.
            None => Turn::Reply(reply),
        }
    }

    fn batch(self, items: Vec<Json<'t>>) -> Turn<'t> {
        let fault = match self.gate() {
            Ok(session) if session.version.has_batches() => match items.len() {
                0 => Some("The batch is empty. Send a message".to_owned()),
                1..=Batch::MOST => None,
                more => Some(format!(
                    "The batch has {more} messages. Send at most {}",
                    Batch::MOST
                )),
            },
            Ok(session) => Some(format!(
                "Revision {} has no batches. Send one message",
                session.version
            )),
            Err(Rejection::SessionMissing) => {
                Some("A batch is of a session. Send one message".to_owned())
            }
            Err(rejection) => return self.refuse(&rejection, Known::Body),
        };
        if let Some(fault) = fault {
            return self.refuse(&invalid_batch(fault), Known::Body);
        }
        let turns = items.into_iter().map(|item| {
            let lane = Lane {
                server: self.server,
                channel: self.channel.in_batch(),
                principal: self.principal.clone(),
                now: self.now,
                session: self.session,
                is_batch: true,
            };
            lane.take(Classified::new(item))
        });
        let turns = turns.collect();
        Turn::Legacy(LegacyTurn::Batch(Batch { turns }))
    }

    fn attach(self) -> Turn<'t> {
        if let Err(rejection) = self.gate() {
            return self.refuse(&rejection, Known::Body);
        }
        let sent = self
            .channel
            .head()
            .map_or(Singleton::Absent, Head::last_event_id);
        let last_event = match sent {
            Singleton::Value(id) => EventId::parse(id),
            _ => None,
        };
        let is_ignored = sent != Singleton::Absent && last_event.is_none();
        Turn::Legacy(LegacyTurn::Attach(Box::new(Attachment {
            last_event,
            is_ignored,
        })))
    }

    fn end(self) -> Turn<'t> {
        match self.gate() {
            Ok(_) => Turn::Legacy(LegacyTurn::End {
                reply: Reply::ended(),
            }),
            Err(rejection) => self.refuse(&rejection, Known::Body),
        }
    }
}

fn invalid_batch(fault: impl Into<String>) -> Rejection {
    let fault = fault.into();
    Rejection::InvalidBatch { fault }
}

/// The id, if it is one, and what is answered, if a message is a client's answer to a question.
fn answer(json: &Json<'_>) -> Option<(Option<RequestId<'static>>, ClientAnswer)> {
    let members = json.as_object()?;
    let id = RequestId::of(members.get("id")?).map(RequestId::into_owned);
    match (members.get("result"), members.get("error")) {
        (Some(result), None) => Some((id, Ok(result.to_value()))),
        (None, Some(error)) => {
            let message = error
                .as_object()
                .and_then(|error| error.get("message")?.as_str());
            let message = Untrusted::new(message.unwrap_or_default()).to_string();
            Some((id, Err(message)))
        }
        _ => None,
    }
}
