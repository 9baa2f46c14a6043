//! Whatever a client answers to a question, it is an answer or it is asked again.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;
use wymcp::Event;
use wymcp_testkit::{Case, in_process};

/// A JSON text, with numbers that serde_json would not write itself.
fn json() -> impl Strategy<Value = String> {
    let numbers = [
        "0",
        "-0.0",
        "3.0",
        "1.5",
        "1e308",
        "1e-999",
        "98765432109876543210987",
    ];
    let leaf = prop_oneof![
        prop::sample::select(vec!["null", "true", "false", "[]", "{}"]).prop_map(str::to_owned),
        prop::sample::select(numbers.to_vec()).prop_map(str::to_owned),
        text(),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        let items = items.prop_map(|items| format!("[{}]", items.join(",")));
        prop_oneof![items, object(inner)]
    })
}

/// An object whose members are often those that an answer has.
fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec![
        "action",
        "content",
        "name",
        "city",
        "mail",
        "floor",
        "letters",
        "role",
        "model",
        "type",
        "text",
        "stopReason",
        "roots",
        "uri",
        "x",
    ]);
    prop::collection::btree_map(names, value, 0..6).prop_map(|members| {
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{name:?}:{value}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

fn text() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "accept",
        "decline",
        "cancel",
        "assistant",
        "user",
        "par",
        "a",
    ]);
    prop_oneof![known.prop_map(str::to_owned), ".{0,8}"]
        .prop_map(|text| Value::String(text).to_string())
}

/// What is close to an answer: one, and any members.
fn nearly() -> impl Strategy<Value = String> {
    let heads = prop::sample::select(vec![
        r#""action":"decline""#,
        r#""action":"cancel""#,
        r#""action":"accept","content":{"name":"Ada","city":"par","mail":"a@b.c"}"#,
        r#""role":"assistant","model":"m","content":{"type":"text"}"#,
        r#""role":"user","model":"m","content":[]"#,
        r#""roots":[{"uri":"file:///"}]"#,
    ]);
    (heads, json()).prop_map(|(head, more)| format!("{{{head},\"more\":{more}}}"))
}

/// The call of a case, with its answers replaced.
fn answered(case: &str, key: &str, answer: &str) -> Case {
    let mut cases = Case::all().into_iter();
    let mut case = cases.find(|known| known.name == case).unwrap();
    let body = String::from_utf8(case.request.body).unwrap();
    let mut responses = String::new();
    write!(
        responses,
        "\"inputResponses\":{{{key:?}:{answer}}},\"_meta\""
    )
    .unwrap();
    case.request.body = body.replacen("\"_meta\"", &responses, 1).into_bytes();
    case.request
        .headers
        .retain(|(name, _)| name != "Content-Length");
    case
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_answer_is_one_or_is_asked_again(answer in prop_oneof![json(), object(json()), nearly()]) {
        for (case, key) in [
            ("form", "person"),
            ("first-round", "where"),
            ("form-of-every-kind-of-field", "survey"),
            ("visit", "visit"),
            ("sampling", "summary"),
            ("sampling-with-tools", "time"),
            ("roots", "folders"),
            ("several-at-once", "title"),
            ("action", "sure"),
            ("prompt", "person"),
            ("resource", "person"),
        ] {
            let case = answered(&format!("input-required/{case}"), key, &answer);
            let outcome = in_process(&case);
            let sent = outcome.answer.unwrap();
            let body = sent.json().unwrap();
            let result = &body["result"];
            prop_assert_eq!(sent.status, 200, "{}: {}", case.name, body);
            let kind = result["resultType"].as_str().unwrap_or_default();
            prop_assert!(matches!(kind, "complete" | "input_required"), "{}: {}", case.name, body);
            prop_assert!(result.get("isError").is_none(), "{}: {}", case.name, body);
            let faulted = outcome.events.iter().any(|event| {
                matches!(event, Event::ToolFaulted { .. } | Event::MethodFaulted { .. })
            });
            prop_assert!(!faulted, "{}: {:?}", case.name, outcome.events);
        }
    }
}
