//! The methods in a session: those of every lane, and those that the modern one has no more.

use serde_json::json;

use super::{LegacyTurn, LegacyVersion, Session, SessionEdit, lane::Lane, params, project_result};
use crate::{
    authorized::run,
    door::Turn,
    method::{Method, Request},
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::{Json, Object, RequestId, read_own},
    untrusted::Untrusted,
};

/// The methods that end with the legacy lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    Ping,
    SetLevel,
    Subscribe,
    Unsubscribe,
}

impl Own {
    const ALL: [Self; 4] = [
        Self::Ping,
        Self::SetLevel,
        Self::Subscribe,
        Self::Unsubscribe,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::SetLevel => "logging/setLevel",
            Self::Subscribe => "resources/subscribe",
            Self::Unsubscribe => "resources/unsubscribe",
        }
    }

    /// What is declared is served, and nothing else.
    fn served(server: &Server) -> impl Iterator<Item = Self> {
        let settings = &server.settings;
        // A sealed session has no place for what a client sets.
        let keeps = settings.keeps_sessions();
        let listens = settings.changes && server.catalog.has_resources();
        Self::ALL.into_iter().filter(move |method| match method {
            Self::Ping => true,
            Self::SetLevel => keeps && settings.logging,
            Self::Subscribe | Self::Unsubscribe => keeps && listens,
        })
    }
}

/// The methods of every lane that this server serves in a session.
fn shared(server: &Server) -> impl Iterator<Item = Method> {
    Method::served(server).filter(|method| !matches!(method, Method::Discover | Method::Listen))
}

/// The answer to a `ping`.
pub(super) fn pong<'t>(id: &RequestId<'_>) -> Turn<'t> {
    Turn::Reply(Reply::result(id, json!({}), Vec::new()))
}

/// Stages 13 to 16: the answer to a request of a session.
pub(super) fn answer<'t>(
    lane: Lane<'t>,
    session: &'t Session,
    name: &str,
    id: RequestId<'t>,
    params: Object<'t>,
) -> Turn<'t> {
    let channel = lane.channel.in_session(session.version);
    let refuse = |rejection, id| {
        Turn::Reply(Reply::rejection(
            &rejection,
            channel,
            Known::Request(name, id),
        ))
    };
    let server = lane.server;
    if let Some(own) = Own::served(server).find(|own| own.name() == name) {
        let edit = match edit(own, server, session, &params) {
            Ok(Some(edit)) => edit,
            Ok(None) => return pong(&id),
            Err(rejection) => return refuse(rejection, &id),
        };
        let reply = Reply::result(&id, json!({}), Vec::new());
        return Turn::Legacy(LegacyTurn::Edit { edit, reply });
    }
    let Some(method) = shared(server).find(|method| method.name() == name) else {
        let names = shared(server).map(Method::name);
        let rejection = Rejection::MethodNotFound {
            method: Untrusted::new(name).to_string(),
            served: names.chain(Own::served(server).map(Own::name)).collect(),
            version: session.version.to_string(),
        };
        return refuse(rejection, &id);
    };
    let request = match request(lane, session, method, id, params) {
        Ok(request) => request,
        Err((id, rejection)) => return refuse(rejection, &id),
    };
    match run(method, request) {
        Turn::Reply(reply) => Turn::Reply(projected(session.version, method, reply)),
        turn => turn,
    }
}

fn edit(
    own: Own,
    server: &Server,
    session: &Session,
    params: &Object<'_>,
) -> Result<Option<SessionEdit>, Rejection> {
    Ok(match own {
        Own::Ping => None,
        Own::SetLevel => Some(SessionEdit::LogLevel(params::level(params)?)),
        Own::Unsubscribe => Some(SessionEdit::Unsubscribe(params::uri(params)?.into())),
        Own::Subscribe => {
            let uri = params::uri(params)?.to_owned();
            if !server.catalog.is_readable(&uri) {
                return Err(Rejection::UnknownResource { uri });
            }
            let limits = server.limits();
            let bytes: usize = session.subscriptions().map(String::len).sum();
            let is_new = session.subscriptions().all(|known| *known != uri);
            let is_full = session.subscriptions().len() >= limits.listener_resources
                || bytes.saturating_add(uri.len()) > limits.stream_bytes;
            if is_new && is_full {
                return Err(Rejection::TooBusy {
                    what: "resources are subscribed to",
                    settings: "limits.listener_resources and limits.stream_bytes settings",
                });
            }
            Some(SessionEdit::Subscribe(uri))
        }
    })
}

/// The request as the modern lane would have it.
fn request<'t>(
    lane: Lane<'t>,
    session: &'t Session,
    method: Method,
    id: RequestId<'t>,
    mut params: Object<'t>,
) -> Result<Request<'t>, (RequestId<'t>, Rejection)> {
    // What carries answers from one round to the next has no meaning here: a question is answered while the call waits.
    for member in ["requestState", "inputResponses"] {
        params.take(member);
    }
    if let Err(fault) = lane.server.schema.params(method.name(), &params) {
        return Err((id, Rejection::InvalidParams(fault)));
    }
    let mut sent = match params.take("_meta") {
        Some(Json::Object(meta)) => meta,
        _ => Object::default(),
    };
    if lane.is_batch() {
        sent.take("progressToken");
    }
    let is_kept = lane.server.settings.keeps_sessions();
    let can_ask = is_kept && session.is_ready() && lane.channel.streams();
    let channel = lane.channel.in_session(session.version);
    Ok(Request {
        server: lane.server,
        channel: if is_kept {
            channel.by_events_with_ids()
        } else {
            channel
        },
        id,
        params,
        meta: session.meta(sent, can_ask),
        principal: lane.principal,
        now: lane.now,
    })
}

/// An answer as a revision knows it. Errors are alike in all.
pub(crate) fn projected(version: LegacyVersion, method: Method, mut reply: Reply) -> Reply {
    let Ok(document) = read_own(&reply.body) else {
        return reply;
    };
    let Json::Object(members) = document.root else {
        return reply;
    };
    let members = members.into_members().map(|(name, value)| match &*name {
        "result" => (name, project_result(version, method.name(), value)),
        _ => (name, value),
    });
    reply.body = crate::text::to_bytes(&Json::Object(members.collect()));
    reply
}
