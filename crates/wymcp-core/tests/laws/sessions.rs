//! On a server with sessions too any request has one answer, in which no id comes back but its own.

use proptest::{
    collection::vec,
    prelude::{Just, ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest},
    sample::select,
};
use serde_json::json;

use crate::{
    dual::{LIVE, Lookup, answer, session},
    generators::{Request, line, request, unicode},
};

/// Requests of the modern lane, and what clients of sessions send.
fn any_request() -> impl Strategy<Value = Request> {
    let version = prop_oneof![
        3 => Just(Vec::new()),
        3 => select(vec!["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28", ""])
            .prop_map(|version| vec![line("MCP-Protocol-Version", version)]),
    ];
    let named = prop_oneof![
        4 => Just(vec![line("Mcp-Session-Id", LIVE)]),
        1 => select(vec!["", "nope"]).prop_map(|id| vec![line("Mcp-Session-Id", id)]),
        1 => Just(vec![line("Mcp-Session-Id", LIVE), line("mcp-session-id", LIVE)]),
        1 => Just(Vec::new()),
    ];
    let method = select(vec![
        "ping",
        "initialize",
        "tools/list",
        "tools/call",
        "resources/subscribe",
        "logging/setLevel",
        "notifications/initialized",
        "notifications/cancelled",
        "server/discover",
        "no/such",
    ]);
    let verb = prop_oneof![6 => Just("POST"), 1 => Just("GET"), 1 => Just("DELETE")];
    (request(), version, named, method, verb, vec(0..4_u8, 0..4)).prop_map(
        |(mut request, version, named, method, verb, elements)| {
            if let Ok(mut message) = serde_json::from_slice::<serde_json::Value>(&request.body)
                && message.is_object()
            {
                message["method"] = method.into();
                if !elements.is_empty() {
                    // The judge takes two answers of one id for one answer too many.
                    let numbered = |at: usize| {
                        let mut element = message.clone();
                        if at > 0 && (message["id"].is_string() || message["id"].is_number()) {
                            element["id"] = format!("e{at}").into();
                        }
                        element
                    };
                    let element = |(at, kind): (usize, &u8)| match kind {
                        0 => numbered(at),
                        1 => json!({"jsonrpc": "2.0", "method": method}),
                        2 => json!({"jsonrpc": "2.0", "id": 7, "result": {}}),
                        _ => json!(7),
                    };
                    message = elements.iter().enumerate().map(element).collect();
                }
                request.body = message.to_string().into_bytes();
            }
            if request.method == "POST" {
                verb.clone_into(&mut request.method);
            }
            request
                .headers
                .retain(|(name, _)| name != "MCP-Protocol-Version");
            request.headers.extend(version);
            request.headers.extend(named);
            request
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_request_of_a_server_with_sessions_has_one_answer(request in any_request(), version in select(vec!["2025-11-25", "2025-03-26"])) {
        let session = session(version).unwrap();
        answer(&request.head(), &request.body, &session);
    }

    #[test]
    fn no_code_of_the_modern_lane_is_said_in_a_session(request in any_request()) {
        let session = session("2025-11-25").unwrap();
        let mut request = request;
        request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("MCP-Protocol-Version"));
        request.headers.push(line("MCP-Protocol-Version", "2025-11-25"));
        let names_session = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("Mcp-Session-Id"));
        let discovers = String::from_utf8_lossy(&request.body).contains("server/discover");
        let reply = answer(&request.head(), &request.body, &session);
        if names_session && !discovers {
            let body = String::from_utf8_lossy(&reply.body).into_owned();
            prop_assert!(!body.contains("\"code\":-3202"), "{}", body);
        }
    }

    #[test]
    fn every_id_of_a_session_comes_back(text in unicode(), number in -9_007_199_254_740_991_i64..=9_007_199_254_740_991) {
        let session = session("2025-06-18").unwrap();
        for id in [json!(text), json!(number)] {
            for (method, is_refused) in [("ping", false), ("tools/list", false), ("no/such", true)] {
                let message = json!({"jsonrpc": "2.0", "id": id, "method": method});
                let mut request = Request::of(&message);
                request.headers.extend(Lookup::Live.line());
                let reply = answer(&request.head(), &request.body, &session);
                prop_assert_eq!(reply.status.as_u16(), 200);
                let message: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
                prop_assert_eq!(&message["id"], &id);
                prop_assert_eq!(message.get("error").is_some(), is_refused);
            }
        }
    }
}
