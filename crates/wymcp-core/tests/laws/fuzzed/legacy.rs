//! What a client does in a session, a step a line: `open REVISION`, `ready`, `ping`, `list`, `call`, `level NAME`,
//! `subscribe URI`, `unsubscribe URI`, `cancel ID`, `answer ID`, `batch`, `attach`, `end`; behind `strange` without naming
//! its session, and behind a revision as one of that.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wymcp_core::{
    Authorized, LegacyTurn, LegacyVersion, LogLevel, RejectionReason, Session, SessionEdit, Turn,
};

use crate::{
    dual::{self, LIVE},
    requests::{Request, line},
};

/// A session in other words.
struct Model {
    version: LegacyVersion,
    level: Option<LogLevel>,
    subscriptions: BTreeSet<String>,
}

#[derive(Default)]
struct Play {
    /// What a driver keeps, and what it should be.
    kept: Option<(Session, Model)>,
}

/// What a step comes to.
#[derive(Debug, PartialEq)]
enum Came {
    Refused(RejectionReason),
    Answered,
    Called(Option<LogLevel>),
    Edited(SessionEdit),
    Cancelled(String),
    ClientAnswered(String),
    Attached,
    Ended,
    Opened(LegacyVersion),
    Batch(usize),
}

pub(crate) fn legacy(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut play = Play::default();
    for line in text.lines().take(40) {
        play.step(line);
    }
}

impl Play {
    fn step(&mut self, line: &str) {
        let (names, step) = match line.strip_prefix("strange ") {
            Some(step) => (false, step),
            None => (true, line),
        };
        let (version, step) = match step.split_once(' ') {
            Some((version, step)) if LegacyVersion::named(version).is_some() => {
                (Some(version), step)
            }
            _ => (None, step),
        };
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        let Some(sent) = message(word, rest) else {
            return;
        };
        let due = self.due(word, rest, names, version);
        let request = request(word, &sent, names && word != "open", version);
        let came = self.send(&request, word == "open");
        assert_eq!(came, due, "{line:?} {sent}");
        self.check();
    }

    /// What the pages say.
    fn due(&mut self, word: &str, rest: &str, names: bool, version: Option<&str>) -> Came {
        if word == "open" {
            return Came::Opened(LegacyVersion::named(rest).unwrap_or(LegacyVersion::NEWEST));
        }
        if word == "ping" && !names {
            return Came::Answered;
        }
        if !names {
            return Came::Refused(match word {
                "batch" => RejectionReason::InvalidMessage,
                _ => RejectionReason::SessionMissing,
            });
        }
        let Some((_, model)) = &mut self.kept else {
            return Came::Refused(RejectionReason::SessionUnknown);
        };
        if version.is_some_and(|version| version != model.version.as_str()) {
            return Came::Refused(RejectionReason::SessionVersionMismatch);
        }
        match word {
            "ready" => Came::Edited(SessionEdit::Ready),
            "call" => Came::Called(model.level),
            "level" => match LogLevel::parse(rest) {
                Some(level) => {
                    model.level = Some(level);
                    Came::Edited(SessionEdit::LogLevel(level))
                }
                None => Came::Refused(RejectionReason::InvalidParams),
            },
            "subscribe" if rest == "a:1" => {
                model.subscriptions.insert(rest.to_owned());
                Came::Edited(SessionEdit::Subscribe(rest.to_owned()))
            }
            "subscribe" => Came::Refused(RejectionReason::UnknownResource),
            "unsubscribe" => {
                model.subscriptions.remove(rest);
                Came::Edited(SessionEdit::Unsubscribe(rest.to_owned()))
            }
            "cancel" => Came::Cancelled(rest.to_owned()),
            "answer" => Came::ClientAnswered(rest.to_owned()),
            "batch" if model.version.as_str() == "2025-03-26" => Came::Batch(2),
            "batch" => Came::Refused(RejectionReason::InvalidMessage),
            "attach" => Came::Attached,
            "end" => Came::Ended,
            _ => Came::Answered,
        }
    }

    fn send(&mut self, request: &Request, opens: bool) -> Came {
        let session = self.kept.as_ref().map(|(session, _)| session.clone());
        let head = request.head();
        let authorized = dual::authorized(&head, &request.body, session.as_ref());
        let turn = authorized.map_or_else(Turn::Reply, Authorized::proceed);
        let session_of = |turn: &Turn<'_>| match turn {
            Turn::Legacy(LegacyTurn::Initialize(handshake)) => Some(handshake.session().clone()),
            _ => None,
        };
        let opened = session_of(&turn).filter(|_| opens);
        let came = came(&turn);
        let reply = dual::ended(turn);
        dual::judge_by(
            session
                .as_ref()
                .map_or(LegacyVersion::NEWEST, Session::version)
                .as_str(),
            &request.body,
            &reply,
        );
        let status = reply.status.as_u16();
        assert!(
            matches!(status, 200 | 202 | 204 | 400 | 404 | 409),
            "{reply:?}"
        );
        match &came {
            Came::Opened(version) => {
                let model = Model {
                    version: *version,
                    level: None,
                    subscriptions: BTreeSet::new(),
                };
                self.kept = opened.map(|session| (session, model));
            }
            Came::Edited(edit) => {
                if let Some((session, _)) = &mut self.kept {
                    session.apply(edit);
                }
            }
            Came::Ended => self.kept = None,
            _ => {}
        }
        came
    }

    /// That what is kept is what it should be, and can be kept elsewhere.
    fn check(&self) {
        let Some((session, model)) = &self.kept else {
            return;
        };
        assert_eq!(session.version(), model.version);
        assert!(session.subscriptions().eq(&model.subscriptions));
        let stored = serde_json::to_vec(session).unwrap();
        assert_eq!(
            serde_json::from_slice::<Session>(&stored).unwrap(),
            *session
        );
    }
}

fn came(turn: &Turn<'_>) -> Came {
    match turn {
        Turn::Reply(reply) => match &*dual::refusals(reply) {
            [] => Came::Answered,
            [reason] => Came::Refused(*reason),
            more => panic!("a refusal is recorded once: {more:?}"),
        },
        Turn::Call(call) => {
            assert!(call.is_in_session());
            Came::Called(call.meta().log_level())
        }
        Turn::Legacy(turn) => match turn {
            LegacyTurn::Initialize(handshake) => Came::Opened(handshake.session().version()),
            LegacyTurn::Edit { edit, .. } => Came::Edited(edit.clone()),
            LegacyTurn::Answer { id, .. } => Came::ClientAnswered(id.to_string()),
            LegacyTurn::Cancel { id, .. } => Came::Cancelled(id.to_string()),
            LegacyTurn::Attach(_) => Came::Attached,
            LegacyTurn::End { .. } => Came::Ended,
            LegacyTurn::Batch(batch) => Came::Batch(batch.turns.len()),
        },
        other => panic!("{other:?}"),
    }
}

/// What is sent for a step; nothing where the word is none.
fn message(word: &str, rest: &str) -> Option<Value> {
    let request = |method: &str, params: Value| {
        Some(json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
    };
    let id = || rest.parse::<u32>().ok();
    match word {
        "open" => request(
            "initialize",
            json!({
                "protocolVersion": rest,
                "capabilities": {},
                "clientInfo": {"name": "c", "version": "1"},
            }),
        ),
        "ready" => Some(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})),
        "ping" => request("ping", json!({})),
        "list" => request("tools/list", json!({})),
        "call" => request("tools/call", json!({"name": "sum", "arguments": {"a": 1}})),
        "level" => request("logging/setLevel", json!({"level": rest})),
        "subscribe" => request("resources/subscribe", json!({"uri": rest})),
        "unsubscribe" => request("resources/unsubscribe", json!({"uri": rest})),
        "cancel" => Some(json!({
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": id()?},
        })),
        "answer" => Some(json!({"jsonrpc": "2.0", "id": id()?, "result": {}})),
        "batch" => Some(json!([message("ping", "")?, message("ready", "")?])),
        "attach" | "end" => Some(Value::Null),
        _ => None,
    }
}

fn request(word: &str, message: &Value, names: bool, version: Option<&str>) -> Request {
    let mut request = Request::of(message);
    let verb = match word {
        "attach" => "GET",
        "end" => "DELETE",
        _ => "POST",
    };
    verb.clone_into(&mut request.method);
    if message.is_null() {
        request.body.clear();
    }
    if names {
        request.headers.push(line("Mcp-Session-Id", LIVE));
    }
    request
        .headers
        .extend(version.map(|version| line("MCP-Protocol-Version", version)));
    request
}
