//! Where the sealed states in the cases come from: each is made again here, with a time and a nonce of its own.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use wymcp::{BearerTokens, Challenge, Decision, Principal};
use wymcp_core::{InputRequired, Moment, Outcome, Turn};
use wymcp_testkit::{Answer, Case, fixture};

/// How a state is made.
struct Sealed {
    key: u8,
    /// When, in seconds since the start of 1970; it holds for ten minutes.
    at: u64,
    owner: Option<&'static str>,
    answered: Value,
}

impl Default for Sealed {
    /// By the server's first key, to hold for centuries, with the answer to the first question of `trip`.
    fn default() -> Self {
        Self {
            key: 7,
            at: 9_000_000_000,
            owner: None,
            answered: json!({"where": {"action": "accept", "content": {"city": "par"}}}),
        }
    }
}

fn case(name: &str) -> Case {
    let mut cases = Case::all().into_iter();
    let case = cases.find(|case| case.name == format!("input-required/{name}"));
    case.unwrap_or_else(|| panic!("no case is named {name}"))
}

fn body(case: &Case) -> Value {
    serde_json::from_slice(&case.request.body).unwrap()
}

/// The state that goes with the request of a case.
fn state(made_for: &str, sealed: Sealed) -> String {
    let Sealed {
        key,
        at,
        owner,
        answered,
    } = sealed;
    let case = case(made_for);
    let mut request = case.request.clone();
    let mut body = body(&case);
    for carried in ["requestState", "inputResponses"] {
        body["params"].as_object_mut().unwrap().remove(carried);
    }
    let mut builder = fixture::builder(&case.server)
        .unwrap()
        .sealing_keys([[key; 32]]);
    let mut decision = Decision::anonymous();
    if let Some(owner) = owner {
        let tokens = BearerTokens::new([("anything", owner)]).unwrap();
        builder = builder.authenticate(tokens, Challenge::bearer());
        request
            .headers
            .push(("Authorization".to_owned(), b"Bearer anything".to_vec()));
        decision = Decision::Granted(Principal::named(owner));
    }
    let server = builder.build().unwrap();
    let (head, body) = (request.head(), body.to_string());
    let protocol = server.protocol();
    let Turn::Call(call) = protocol.receive(&head, body.as_bytes(), decision) else {
        panic!("{made_for} is no call");
    };
    let Value::Object(answered) = answered else {
        panic!("answers are an object");
    };
    let required = InputRequired {
        questions: BTreeMap::new(),
        answered,
        moment: Moment {
            now: Duration::from_secs(at),
            entropy: [key; 24],
        },
    };
    let reply = call.finish(Outcome::InputRequired(required), Duration::ZERO);
    let answer = Answer::from(reply);
    assert_eq!(answer.judge(body.as_bytes()), Ok(()), "{made_for}");
    answer.json().unwrap()["result"]["requestState"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The state of a case that holds the answer of `greet` and everything like it.
fn person(made_for: &str) -> String {
    let answered = json!({"person": {"action": "accept", "content": {"name": "Ada"}}});
    state(
        made_for,
        Sealed {
            answered,
            ..Sealed::default()
        },
    )
}

#[test]
fn every_state_in_a_case_is_made_like_this() {
    let usual = || state("first-round", Sealed::default());
    let sure = json!({"sure": {"action": "accept", "content": {"sure": true}}});
    let diary = || Sealed {
        answered: sure.clone(),
        ..Sealed::default()
    };
    let tampered = usual().replacen("zmX", "zmY", 1);
    let mut truncated = usual();
    truncated.pop();
    let states = [
        ("state-with-second-answer", usual()),
        ("state-without-answers", usual()),
        ("state-with-wrong-answer", usual()),
        ("state-and-another-first-answer", usual()),
        (
            "state-of-no-answers",
            state(
                "first-round",
                Sealed {
                    answered: json!({}),
                    ..Sealed::default()
                },
            ),
        ),
        (
            "state-of-these-arguments",
            state("state-of-these-arguments", Sealed::default()),
        ),
        ("state-of-other-arguments", usual()),
        ("state-of-another-tool", state("form", Sealed::default())),
        (
            "state-of-another-principal",
            state(
                "first-round",
                Sealed {
                    owner: Some("alice"),
                    ..Sealed::default()
                },
            ),
        ),
        (
            "state-expired",
            state(
                "first-round",
                Sealed {
                    at: 1_000_000_000,
                    ..Sealed::default()
                },
            ),
        ),
        ("state-tampered", tampered),
        ("state-truncated", truncated),
        ("state-padded", usual() + "="),
        (
            "state-of-an-unknown-key",
            state(
                "first-round",
                Sealed {
                    key: 9,
                    ..Sealed::default()
                },
            ),
        ),
        (
            "state-of-an-old-key",
            state(
                "first-round",
                Sealed {
                    key: 3,
                    ..Sealed::default()
                },
            ),
        ),
        ("state-of-a-prompt", person("state-of-a-prompt")),
        (
            "state-of-another-prompt-argument",
            person("state-of-a-prompt"),
        ),
        ("state-of-a-resource", person("resource")),
        (
            "state-of-a-resource-of-a-template",
            person("resource-of-a-template"),
        ),
        ("state-of-another-address", person("resource-of-a-template")),
        ("state-of-an-action", state("action", diary())),
        (
            "state-of-an-action-with-its-default",
            state("action", diary()),
        ),
    ];
    let others: Vec<String> = states
        .into_iter()
        .filter(|(name, state)| body(&case(name))["params"]["requestState"] != **state)
        .map(|(name, state)| format!("{name}: {state}"))
        .collect();
    assert!(others.is_empty(), "other states:\n{}", others.join("\n"));
}
