//! The session that a case is of, and how it is opened.

use std::str::FromStr;

use serde_json::{Value, json};
use wymcp_core::LegacyVersion;

use crate::{Answer, Request, case::revision};

/// The session that a case is of: what has happened in it before the case begins.
///
/// Written as a revision and, behind it, what is not as usual: `2025-11-25 at debug of bob`. See the [crate](crate) for all
/// of it.
///
/// # Examples
///
/// ```
/// use wymcp_core::LegacyVersion;
/// use wymcp_testkit::CaseSession;
///
/// let session: CaseSession = "2025-06-18 opening of bob".parse()?;
/// assert_eq!(session.version(), LegacyVersion::V2025_06_18);
/// assert!("2025-06-18 wide open".parse::<CaseSession>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseSession {
    version: LegacyVersion,
    state: State,
    /// Whether the client declares nothing that it can do.
    is_bare: bool,
    level: Option<String>,
    principal: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The client has not said that it is ready.
    Opening,
    Ready,
    /// Another connection reads its stream.
    Listening,
    Ended,
}

impl FromStr for CaseSession {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(' ');
        let mut session = Self {
            version: revision(words.next().unwrap_or_default())?,
            state: State::Ready,
            is_bare: false,
            level: None,
            principal: None,
        };
        while let Some(word) = words.next() {
            let mut named = || words.next().map(str::to_owned);
            match word {
                "opening" => session.state = State::Opening,
                "listening" => session.state = State::Listening,
                "ended" => session.state = State::Ended,
                "bare" => session.is_bare = true,
                "at" => session.level = named(),
                "of" => session.principal = named(),
                _ => return Err(format!("a session is not {word}")),
            }
        }
        Ok(session)
    }
}

impl CaseSession {
    /// The revision that is agreed on.
    pub fn version(&self) -> LegacyVersion {
        self.version
    }

    /// Whether it goes on while the case is answered.
    pub(crate) fn is_live(&self) -> bool {
        self.state != State::Ended
    }

    /// The request that opens it.
    pub fn initialize(&self) -> Request {
        let capabilities = if self.is_bare {
            json!({})
        } else {
            json!({
                "roots": {"listChanged": true},
                "sampling": {"tools": {}, "context": {}},
                "elicitation": {"form": {}, "url": {}},
            })
        };
        self.post(
            None,
            &json!({"jsonrpc": "2.0", "id": "open", "method": "initialize", "params": {
                "protocolVersion": self.version,
                "capabilities": capabilities,
                "clientInfo": {"name": "case", "version": "1.0.0"},
            }}),
        )
    }

    /// What is sent behind it, one after the other, in the session of this id.
    pub fn preparations(&self, id: &str) -> Vec<Request> {
        let mut sent = Vec::new();
        let mut post = |message| sent.push(self.post(Some(id), &message));
        if self.state != State::Opening {
            post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        if let Some(level) = &self.level {
            let params = json!({"level": level});
            post(
                json!({"jsonrpc": "2.0", "id": "level", "method": "logging/setLevel", "params": params}),
            );
        }
        if self.state == State::Ended {
            sent.push(self.request("DELETE", Some(id), Vec::new()));
        }
        sent
    }

    /// How many answers come to what opens it.
    pub(crate) fn answers(&self) -> usize {
        1 + usize::from(self.level.is_some())
    }

    /// The request of a connection that stays while the case is answered.
    pub(crate) fn listener(&self, id: &str) -> Option<Request> {
        let is_listening = self.state == State::Listening;
        is_listening.then(|| self.request("GET", Some(id), Vec::new()))
    }

    fn post(&self, id: Option<&str>, message: &Value) -> Request {
        self.request("POST", id, message.to_string().into_bytes())
    }

    fn request(&self, method: &str, id: Option<&str>, body: Vec<u8>) -> Request {
        let token = self
            .principal
            .as_ref()
            .map(|it| format!("Bearer token-of-{it}"));
        let named = [("Mcp-Session-Id", id), ("Authorization", token.as_deref())];
        let named = named
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        let usual = [
            ("Host", "localhost"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let headers: Vec<_> = usual.into_iter().chain(named).collect();
        Request::new(method, &headers, body)
    }
}

/// The id that an answer to `initialize` gives.
pub(crate) fn session_id(answer: Option<Answer>) -> Result<String, String> {
    let answer = answer.ok_or("no session is opened: no answer")?;
    let id = answer.header("mcp-session-id").map(str::to_owned);
    id.ok_or_else(|| format!("no session is opened: {answer}"))
}
