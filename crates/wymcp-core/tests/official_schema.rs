//! Our schema of what a client may send against the official schema of the revision.
//!
//! Runs when the environment variable `MCP_SCHEMA_DIR` names a folder that holds `2026-07-28/schema.json`, as the
//! folder `schema` of the specification's repository does.
#![cfg(feature = "json-schema")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod messages;

use std::{collections::BTreeMap, env, fs, path::Path};

use jsonschema::{Draft, Validator};
use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    test_runner::TestRunner,
};
use serde_json::{Value, json};
use wymcp_core::{Json, ProtocolVersion, validate};

const MESSAGES: usize = 20_000;

/// A documented difference between our schema and the official one.
struct Departure {
    name: &'static str,
    /// Whether ours accepts what the official schema refuses.
    looser: bool,
    /// Takes what the schemas differ about out of a message; says whether there was any.
    repair: fn(&mut Value) -> bool,
    /// A message that the schemas differ about, as a change of a valid call.
    example: fn(&mut Value),
}

/// The list of `schemas/README.md`, in its order.
const DEPARTURES: &[Departure] = &[
    Departure {
        name: "a null optional reads as absent",
        looser: true,
        repair: |message| {
            let optional = [
                "arguments",
                "cursor",
                "requestState",
                "inputResponses",
                "context",
            ];
            let params = optional.map(|name| remove_null(message, "/params", name));
            let token = remove_null(message, "/params/_meta", "progressToken");
            token || params.contains(&true)
        },
        example: |message| message["params"]["arguments"] = Value::Null,
    },
    Departure {
        name: "the values of inputResponses are not judged",
        looser: true,
        repair: |message| empty(message, "/params/inputResponses"),
        example: |message| message["params"]["inputResponses"] = json!({"question": 42}),
    },
    Departure {
        name: "of clientInfo, name and version are judged",
        looser: true,
        repair: |message| {
            let unjudged = ["title", "description", "websiteUrl", "icons"];
            let info = message.pointer_mut("/params/_meta/io.modelcontextprotocol~1clientInfo");
            let Some(Value::Object(info)) = info else {
                return false;
            };
            let had = info.len();
            info.retain(|name, _| !unjudged.contains(&name.as_str()));
            info.len() < had
        },
        example: |message| {
            message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({"name": "client", "version": "1", "title": null});
        },
    },
    Departure {
        name: "a capability's settings are not judged",
        looser: true,
        repair: |message| {
            let capabilities = "/params/_meta/io.modelcontextprotocol~1clientCapabilities";
            let Some(capabilities) = message.pointer_mut(capabilities) else {
                return false;
            };
            let mut changed = false;
            for part in [
                "/elicitation/form",
                "/elicitation/url",
                "/sampling/context",
                "/sampling/tools",
            ] {
                changed |= empty(capabilities, part);
            }
            for group in ["/experimental", "/extensions"] {
                let group = capabilities
                    .pointer_mut(group)
                    .and_then(Value::as_object_mut);
                for (_, settings) in group.into_iter().flatten() {
                    changed |= empty(settings, "");
                }
            }
            changed
        },
        example: |message| {
            message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                json!({"extensions": {"com.example/a": {"ratio": 0.5}}});
        },
    },
    Departure {
        name: "an unknown method is left to the method table",
        looser: true,
        repair: |message| {
            let known = "server/discover tools/list tools/call resources/list \
                 resources/templates/list resources/read prompts/list prompts/get \
                 completion/complete subscriptions/listen";
            let Some(method) = message.get("method").and_then(Value::as_str) else {
                return false;
            };
            if known.split(' ').any(|known| known == method) {
                return false;
            }
            message["method"] = "server/discover".into();
            true
        },
        example: |message| message["method"] = "tasks/get".into(),
    },
    Departure {
        name: "an integer id or progressToken is safe",
        looser: false,
        repair: |message| {
            let id = replace_unsafe(message, "/id");
            replace_unsafe(message, "/params/_meta/progressToken") || id
        },
        example: |message| message["id"] = 9_007_199_254_740_992_i64.into(),
    },
];

fn remove_null(message: &mut Value, pointer: &str, name: &str) -> bool {
    let Some(Value::Object(object)) = message.pointer_mut(pointer) else {
        return false;
    };
    let null = object.get(name).is_some_and(Value::is_null);
    if null {
        object.remove(name);
    }
    null
}

fn empty(value: &mut Value, pointer: &str) -> bool {
    let Some(Value::Object(object)) = value.pointer_mut(pointer) else {
        return false;
    };
    let had = !object.is_empty();
    object.clear();
    had
}

fn replace_unsafe(message: &mut Value, pointer: &str) -> bool {
    let Some(value) = message.pointer_mut(pointer) else {
        return false;
    };
    let beyond = value
        .as_f64()
        .is_some_and(|number| number.fract() == 0.0 && number.abs() > 9_007_199_254_740_991.0);
    if beyond {
        *value = 7.into();
    }
    beyond
}

fn call() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "sum", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }}})
}

fn compiled(mut schema: Value, root: Option<&str>) -> Validator {
    if let Some(root) = root {
        schema["$ref"] = format!("#/$defs/{root}").into();
    }
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .build(&schema)
        .unwrap()
}

/// The official schema of any client's request, if the environment says where it is.
fn official() -> Option<Validator> {
    let Some(folder) = env::var_os("MCP_SCHEMA_DIR") else {
        eprintln!("skipped: MCP_SCHEMA_DIR does not name the folder of the official schemas");
        return None;
    };
    let path = Path::new(&folder).join("2026-07-28/schema.json");
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {}: {fault}", path.display()));
    let schema = serde_json::from_str(&text).unwrap();
    Some(compiled(schema, Some("ClientRequest")))
}

fn ours() -> Validator {
    let schema = serde_json::from_str(include_str!("../schemas/2026-07-28.json")).unwrap();
    compiled(schema, None)
}

#[test]
fn the_schemas_agree_but_for_the_documented_departures() {
    let Some(official) = official() else { return };
    let ours = ours();
    let mut runner = TestRunner::deterministic();
    let strategy = messages::message();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut verdicts = [0_usize; 2];
    for _ in 0..MESSAGES {
        let message = strategy.new_tree(&mut runner).unwrap().current();
        let accepted = ours.is_valid(&message);
        verdicts[usize::from(accepted)] += 1;
        if accepted == official.is_valid(&message) {
            continue;
        }
        // Without all that is documented the schemas agree: nothing else made the difference.
        let mut rest = message.clone();
        for departure in DEPARTURES.iter().filter(|known| known.looser == accepted) {
            if (departure.repair)(&mut rest) {
                *seen.entry(departure.name).or_default() += 1;
            }
        }
        let judge = if accepted { &official } else { &ours };
        assert!(
            judge.is_valid(&rest),
            "an undocumented departure: {message}"
        );
    }
    eprintln!(
        "{} refused, {} accepted, {seen:?}",
        verdicts[0], verdicts[1]
    );
    assert!(verdicts.iter().all(|count| *count > MESSAGES / 10));
    for departure in DEPARTURES {
        assert!(
            seen.contains_key(departure.name),
            "never seen: {}",
            departure.name
        );
    }
}

#[test]
fn every_documented_departure_is_one() {
    let Some(official) = official() else { return };
    let ours = ours();
    assert!(ours.is_valid(&call()) && official.is_valid(&call()));
    for Departure {
        name,
        looser,
        repair,
        example,
    } in DEPARTURES
    {
        let mut message = call();
        example(&mut message);
        assert_eq!(ours.is_valid(&message), *looser, "{name}");
        assert_eq!(official.is_valid(&message), !looser, "{name}");
        assert!(repair(&mut message), "{name}");
        assert!(
            ours.is_valid(&message) && official.is_valid(&message),
            "{name}"
        );
    }
}

#[test]
fn the_function_refuses_what_the_schema_refuses_of_a_request() {
    let ours = ours();
    let mut runner = TestRunner::deterministic();
    let strategy = messages::message();
    for _ in 0..MESSAGES / 20 {
        let message = strategy.new_tree(&mut runner).unwrap().current();
        // Of a notification nothing is asked.
        if message.get("method").is_some_and(Value::is_string) && message.get("id").is_none() {
            continue;
        }
        let verdict = validate(ProtocolVersion::V2026_07_28, &Json::from(&message));
        assert_eq!(
            verdict.is_ok(),
            ours.is_valid(&message),
            "{message}: {verdict:?}"
        );
    }
}
