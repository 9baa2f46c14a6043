//! Which lane a message takes: every combination of what says so, against the rule in other words.

use wymcp_core::{Authorized, RejectionReason, Reply, Turn};

use serde_json::{Value, json};

use crate::{
    dual::{Lookup, authorized, session},
    generators::{Request, line},
    official,
    oracle::refusal,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Nothing,
    /// The revision of the session.
    Legacy,
    /// Another one with sessions.
    OtherLegacy,
    Modern,
    Unknown,
    Repeated,
    Malformed,
    NoText,
}

const HEADERS: [Says; 7] = [
    Says::Nothing,
    Says::Legacy,
    Says::OtherLegacy,
    Says::Modern,
    Says::Unknown,
    Says::Repeated,
    Says::Malformed,
];

const METAS: [Says; 5] = [
    Says::Nothing,
    Says::Legacy,
    Says::Modern,
    Says::Unknown,
    Says::NoText,
];

const ASKED: [Says; 4] = [Says::Nothing, Says::Legacy, Says::Modern, Says::Unknown];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Modern,
    Legacy,
}

impl Says {
    fn text(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::OtherLegacy => "2025-03-26",
            Self::Modern => "2026-07-28",
            _ => "2024-11-05",
        }
    }

    fn lines(self) -> Vec<(String, Vec<u8>)> {
        let one = |text| line("MCP-Protocol-Version", text);
        match self {
            Self::Nothing => Vec::new(),
            Self::Repeated => vec![one("2025-11-25"), one("2025-11-25")],
            Self::Malformed => vec![("MCP-Protocol-Version".to_owned(), vec![0xE9])],
            says => vec![one(says.text())],
        }
    }

    fn value(self) -> Option<Value> {
        match self {
            Self::Nothing => None,
            Self::NoText => Some(json!(20_251_125)),
            says => Some(json!(says.text())),
        }
    }

    fn is_legacy(self) -> bool {
        matches!(self, Self::Legacy | Self::OtherLegacy)
    }
}

/// The rule as the page says it: the first sentence that fits decides.
fn lane_by_the_page(
    method: &str,
    header: Says,
    meta: Says,
    names_session: bool,
    asked: Says,
) -> Lane {
    if method == "server/discover" {
        return Lane::Modern;
    }
    let header_is_of_no_session = matches!(
        header,
        Says::Modern | Says::Unknown | Says::Repeated | Says::Malformed
    );
    if header_is_of_no_session {
        return Lane::Modern;
    }
    if method == "initialize" {
        let is_modern = header == Says::Nothing && meta == Says::Modern && !asked.is_legacy();
        return if is_modern {
            Lane::Modern
        } else {
            Lane::Legacy
        };
    }
    let is_modern = if header == Says::Nothing {
        matches!(meta, Says::Modern | Says::Unknown)
    } else {
        meta == Says::Modern && !names_session
    };
    if is_modern {
        Lane::Modern
    } else {
        Lane::Legacy
    }
}

/// The lane that shows in what comes of a message.
fn lane_shown(turn: &Turn<'_>) -> Lane {
    use RejectionReason as Reason;
    let reply = match turn {
        Turn::Legacy(_) => return Lane::Legacy,
        Turn::Reply(reply) => reply,
        other => panic!("{other:?}"),
    };
    match refusal(reply) {
        Some(Reason::SessionMissing | Reason::SessionUnknown | Reason::SessionVersionMismatch) => {
            Lane::Legacy
        }
        // Only there these are a whole answer of HTTP.
        Some(Reason::InvalidParams | Reason::MethodNotFound) if reply.status == 200 => Lane::Legacy,
        Some(
            Reason::HeaderMismatch
            | Reason::MissingProtocolField
            | Reason::UnsupportedProtocolVersion
            | Reason::MethodNotFound,
        ) => Lane::Modern,
        Some(other) => panic!("{other:?}"),
        None => {
            let body: Value = serde_json::from_slice(&reply.body).unwrap();
            let is_modern = body["result"].get("resultType").is_some();
            if is_modern {
                Lane::Modern
            } else {
                Lane::Legacy
            }
        }
    }
}

fn judge_lane(lane: Lane, request: &[u8], reply: &Reply) {
    let answer = serde_json::from_slice(&reply.body).unwrap();
    let verdict = match lane {
        Lane::Modern => official::judge(request, &answer),
        Lane::Legacy => official::judge_by(Says::Legacy.text(), request, &answer),
    };
    verdict.unwrap();
}

fn message(method: &str, meta: Says, asked: Says) -> Value {
    let mut params = json!({"capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    if let Some(asked) = asked.value() {
        params["protocolVersion"] = asked;
    }
    if let Some(version) = meta.value() {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn request(message: &Value, header: Says, lookup: Lookup) -> Request {
    let mut request = Request::of(message);
    request
        .headers
        .retain(|(name, _)| name != "MCP-Protocol-Version");
    request.headers.extend(header.lines());
    request.headers.extend(lookup.line());
    request
}

/// Calls back with every combination of the signs.
fn for_all(mut check: impl FnMut(&str, Says, Says, Lookup, Says, &Turn<'_>)) {
    let session = session("2025-11-25").unwrap();
    for method in ["initialize", "server/discover", "tools/list"] {
        for header in HEADERS {
            for meta in METAS {
                for asked in ASKED {
                    for lookup in [Lookup::None, Lookup::Live, Lookup::Ended] {
                        let message = message(method, meta, asked);
                        let request = request(&message, header, lookup);
                        let head = request.head();
                        let authorized = authorized(&head, &request.body, Some(&session));
                        let turn = authorized.map_or_else(Turn::Reply, Authorized::proceed);
                        if let Turn::Reply(reply) = &turn {
                            judge_lane(lane_shown(&turn), &request.body, reply);
                        }
                        check(method, header, meta, lookup, asked, &turn);
                    }
                }
            }
        }
    }
}

#[test]
fn every_combination_of_signs_takes_the_lane_that_the_page_says() {
    let mut count = [0; 2];
    for_all(|method, header, meta, lookup, asked, turn| {
        let due = lane_by_the_page(method, header, meta, lookup != Lookup::None, asked);
        let shown = lane_shown(turn);
        assert_eq!(
            shown, due,
            "{method}, header {header:?}, _meta {meta:?}, {lookup:?}, asks for {asked:?}"
        );
        count[usize::from(due == Lane::Legacy)] += 1;
    });
    // Guards against a table in which all is alike.
    assert!(count.iter().all(|count| *count > 200), "{count:?}");
}

#[test]
fn in_the_legacy_lane_the_session_decides_what_comes_next() {
    for_all(|method, header, meta, lookup, asked, turn| {
        let is_legacy = lane_shown(turn) == Lane::Legacy;
        if method != "tools/list" || !is_legacy {
            return;
        }
        let Turn::Reply(reply) = turn else {
            panic!("{turn:?}")
        };
        let due = match (lookup, header) {
            (Lookup::None, _) => Some(RejectionReason::SessionMissing),
            (Lookup::Ended, _) => Some(RejectionReason::SessionUnknown),
            (Lookup::Live, Says::OtherLegacy) => Some(RejectionReason::SessionVersionMismatch),
            (Lookup::Live, _) => None,
        };
        assert_eq!(
            refusal(reply),
            due,
            "header {header:?}, _meta {meta:?}, {lookup:?}, asks for {asked:?}"
        );
    });
}
