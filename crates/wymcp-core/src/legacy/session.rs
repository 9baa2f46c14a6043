//! A session as a value: what the two sides have agreed on.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::LegacyVersion;
use crate::{
    exchange::Principal,
    fields::RequestMeta,
    log_level::LogLevel,
    text::{Json, Object, read_own},
    validate::key,
};

/// What a client and the server agreed on when it opened a session, and what the client has set since.
///
/// A value: a driver keeps it under the session's id, and gives it back with every message that names the id
/// ([`Authorized::in_session`](crate::Authorized::in_session)). It serializes, so that a store can be elsewhere.
///
/// # Examples
///
/// ```
/// use wymcp_core::{LegacyVersion, Session, SessionEdit};
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
/// let mut session: Session = handshake.session().clone();
/// assert_eq!(session.version(), LegacyVersion::NEWEST);
/// session.apply(&SessionEdit::Subscribe("docs://page".to_owned()));
/// assert_eq!(session.subscriptions().collect::<Vec<_>>(), ["docs://page"]);
///
/// let stored = serde_json::to_vec(&session).unwrap();
/// assert_eq!(serde_json::from_slice::<Session>(&stored).unwrap(), session);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub(crate) version: LegacyVersion,
    /// On whose behalf it was opened; nobody else can use it.
    principal: Option<String>,
    /// What the client can do, as the revision knows it: a text, since thousands are kept and few are looked at.
    capabilities: String,
    /// The client's name and its version, as they are shown.
    client: (String, String),
    log_level: Option<LogLevel>,
    subscriptions: BTreeSet<String>,
    /// Whether the client has said that it is ready to be asked.
    is_ready: bool,
}

/// A change of a session that a client asks for.
///
/// See [`Session`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionEdit {
    /// The client is ready: it can be asked.
    Ready,
    /// The least severe log records that it wants.
    LogLevel(LogLevel),
    /// It wants to hear of updates of a resource.
    Subscribe(String),
    /// It does not want to hear of them any more.
    Unsubscribe(String),
}

impl Session {
    pub(super) fn new(
        version: LegacyVersion,
        principal: &Principal,
        capabilities: &Object<'_>,
        client: (String, String),
    ) -> Self {
        let capabilities = super::project_client_capabilities(version, capabilities.clone());
        let capabilities = match Json::Object(capabilities).to_value() {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        Self {
            version,
            principal: principal.name().map(str::to_owned),
            capabilities: Value::Object(bounded(capabilities)).to_string(),
            client,
            log_level: None,
            subscriptions: BTreeSet::new(),
            is_ready: false,
        }
    }

    /// The revision that was agreed on.
    pub fn version(&self) -> LegacyVersion {
        self.version
    }

    /// The resources of whose updates the client wants to hear.
    pub fn subscriptions(&self) -> impl ExactSizeIterator<Item = &String> {
        self.subscriptions.iter()
    }

    /// Changes what the client has set.
    pub fn apply(&mut self, edit: &SessionEdit) {
        match edit {
            SessionEdit::Ready => self.is_ready = true,
            SessionEdit::LogLevel(level) => self.log_level = Some(*level),
            SessionEdit::Subscribe(uri) => drop(self.subscriptions.insert(uri.clone())),
            SessionEdit::Unsubscribe(uri) => drop(self.subscriptions.remove(uri)),
        }
    }

    pub(super) fn is_of(&self, principal: &Principal) -> bool {
        self.principal.as_deref() == principal.name()
    }

    pub(super) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// What a request of a modern revision would say of itself, which the session has said once for all of its own.
    pub(super) fn meta<'t>(&'t self, sent: Object<'t>, can_ask: bool) -> RequestMeta<'t> {
        let own = sent
            .into_members()
            .filter(|(name, _)| !name.starts_with(RESERVED));
        let mut said = vec![
            (
                key::PROTOCOL_VERSION,
                Json::String(self.version.as_str().into()),
            ),
            (key::CLIENT_INFO, Json::Object(self.client())),
            (
                key::CLIENT_CAPABILITIES,
                Json::Object(self.declared(can_ask)),
            ),
        ];
        if let Some(level) = self.log_level {
            said.push((key::LOG_LEVEL, Json::String(level.name().into())));
        }
        let said = said.into_iter().map(|(name, value)| (name.into(), value));
        RequestMeta::new(own.chain(said).collect())
    }

    fn declared(&self, can_ask: bool) -> Object<'_> {
        let counts = |name: &str| can_ask || !ASKED.contains(&name);
        match read_own(self.capabilities.as_bytes()).map(|document| document.root) {
            Ok(Json::Object(members)) => {
                let members = members.into_members();
                members.filter(|(name, _)| counts(name)).collect()
            }
            _ => Object::default(),
        }
    }

    fn client(&self) -> Object<'_> {
        let (name, version) = &self.client;
        [("name", name), ("version", version)]
            .map(|(member, text)| (member.into(), Json::String(text.as_str().into())))
            .into_iter()
            .collect()
    }
}

/// The capabilities by which a client can be asked something.
const ASKED: [&str; 3] = ["elicitation", "roots", "sampling"];

/// What no client of a legacy revision has to say in `_meta`.
const RESERVED: &str = "io.modelcontextprotocol/";

/// The most bytes of capabilities that are kept whole: a sealed session is a header's value with all that it holds.
const KEPT: usize = 4 * 1024;

/// Thousands of sessions are kept, each as long as its client pleases: a client that declares a book is kept by what the
/// protocol knows of it.
fn bounded(mut capabilities: Map<String, Value>) -> Map<String, Value> {
    let length =
        |value: &Map<String, Value>| serde_json::to_vec(value).map_or(usize::MAX, |it| it.len());
    if length(&capabilities) > KEPT {
        capabilities.retain(|name, _| ASKED.contains(&name.as_str()));
        for declared in capabilities.values_mut() {
            let parts = declared.as_object_mut().into_iter().flatten();
            parts.for_each(|(_, part)| *part = Value::Object(Map::new()));
        }
    }
    if length(&capabilities) > KEPT {
        capabilities
            .values_mut()
            .for_each(|declared| *declared = Value::Object(Map::new()));
    }
    capabilities
}
