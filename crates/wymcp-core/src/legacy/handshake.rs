//! `initialize`: a client and the server agree on a revision, and a session is open.

use std::{fmt, time::Duration};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{LegacySessions, LegacyVersion, Session, params, project_info, session_id};
use crate::{
    catalog::Capabilities,
    channel::Channel,
    exchange::{Moment, Principal},
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::{Json, Object, RequestId},
};

/// A client that wants to open a session, and what was agreed on with it.
///
/// The driver keeps the session under an id that nobody can guess, and sends the id with the reply.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use wymcp_core::{Handshake, LegacyVersion, Moment, Reply};
///
/// /// Opens the session, if there is room.
/// fn open(handshake: Handshake<'_>, room: usize, moment: &Moment) -> Reply {
///     match handshake.session_id(moment).filter(|_| room > 0) {
///         Some(id) => handshake.accept(Some(id)),
///         None => handshake.refuse_busy(),
///     }
/// }
///
/// # use wymcp_core::{Decision, Head, LegacySessions, LegacyTurn, Server, Turn};
/// # let server = Server::builder("dual", "1.0.0").legacy(LegacySessions::Kept).build()?;
/// # let headers = [("host", "localhost"), ("content-type", "application/json")];
/// # let head = Head::new("POST", &headers);
/// # let hello = br#"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
/// #     "capabilities": {"elicitation": {}}, "clientInfo": {"name": "c", "version": "1"}}}"#;
/// # let Turn::Legacy(LegacyTurn::Initialize(handshake)) = server.receive(&head, hello, Decision::anonymous()) else {
/// #     unreachable!("a session is asked for");
/// # };
/// assert_eq!(handshake.session().version(), LegacyVersion::V2025_11_25);
/// // `random` are 24 bytes that never come again.
/// # let (now, random) = (Duration::from_secs(1_785_000_000), [7; 24]);
/// let reply = open(*handshake, 9, &Moment { now, entropy: random });
/// assert!(reply.headers.contains(&("mcp-session-id", "07".repeat(24).into())));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Handshake<'t> {
    server: &'t Server,
    channel: Channel<'t>,
    id: RequestId<'t>,
    session: Session,
}

impl fmt::Debug for Handshake<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handshake")
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

impl<'t> Handshake<'t> {
    pub(super) fn new(
        server: &'t Server,
        channel: Channel<'t>,
        id: RequestId<'t>,
        params: &Object<'_>,
        principal: &Principal,
    ) -> Result<Self, (RequestId<'t>, Rejection)> {
        let hello = match params::hello(params) {
            Ok(hello) => hello,
            Err(rejection) => return Err((id, rejection)),
        };
        let client = (hello.name, hello.client_version);
        Ok(Self {
            server,
            channel: channel.in_session(hello.version),
            id,
            session: Session::new(hello.version, principal, hello.capabilities, client),
        })
    }

    /// The session, as it begins.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// An id for the session: a random one, or on a server of [`LegacySessions::Sealed`] the session under its seal, until
    /// [`Limits::session_idle`](crate::Limits::session_idle) has passed.
    ///
    /// The entropy of the moment is never used twice.
    pub fn session_id(&self, moment: &Moment) -> Option<String> {
        match self.server.settings.legacy {
            Some(LegacySessions::Sealed) => session_id::sealed(&self.session, self.server, moment),
            _ => Some(session_id::random(&moment.entropy)),
        }
    }

    /// The answer, with the id of the session where there is one: on a line there is none.
    pub fn accept(self, session_id: Option<String>) -> Reply {
        let Self {
            server,
            id,
            session,
            ..
        } = self;
        let result = Agreed {
            protocol_version: session.version,
            capabilities: capabilities(server),
            server_info: info(session.version, server),
            instructions: server.settings.instructions.as_deref(),
        };
        let mut reply = Reply::result(&id, result, Vec::new());
        if let Some(session_id) = session_id {
            reply.headers.push((SESSION_ID, session_id.into()));
        }
        reply
    }

    /// The answer when there is no room for another session.
    pub fn refuse_busy(self) -> Reply {
        let busy = Rejection::TooBusy {
            what: "sessions are open",
            settings: "limits.sessions setting",
        };
        Reply::rejection(&busy, self.channel, Known::Request(METHOD, &self.id))
    }
}

/// The session that an id is, on a server of [`LegacySessions::Sealed`]; `None` for an id that is none of its own, or whose
/// time has passed.
///
/// # Examples
///
/// ```
/// use std::{fmt, time::Duration};
///
/// use wymcp_core::{Keyring, LegacySessions, Server, sealed_session};
///
/// # if !cfg!(feature = "sealing") { return Ok(()); }
/// let keyring = Keyring::new([[7; 32]]).unwrap();
/// let server = Server::builder("replica", "1.0.0").sealed_with(keyring).legacy(LegacySessions::Sealed).build()?;
/// assert_eq!(sealed_session(&server, "AAAA", Duration::from_secs(1_785_000_000)), None);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub fn sealed_session(server: &Server, id: &str, now: Duration) -> Option<Session> {
    session_id::opened(server, id, now)
}

/// The method that opens a session.
pub(super) const METHOD: &str = "initialize";

/// The header that carries the id of a session.
const SESSION_ID: &str = "mcp-session-id";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Agreed<'a> {
    protocol_version: LegacyVersion,
    capabilities: Map<String, Value>,
    server_info: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
}

/// What the server can do in a session: the same as elsewhere, but for what a sealed one has no place for.
fn capabilities(server: &Server) -> Map<String, Value> {
    let derived = json!(Capabilities::of(&server.catalog, &server.settings));
    let Value::Object(mut members) = derived else {
        return Map::new();
    };
    members.remove("extensions");
    if !server.settings.keeps_sessions() {
        members.remove("logging");
        for kind in members.values_mut().filter_map(Value::as_object_mut) {
            kind.clear();
        }
    }
    members
}

fn info(version: LegacyVersion, server: &Server) -> Value {
    let info = json!(server.info().info);
    project_info(version, Json::from(&info)).to_value()
}
