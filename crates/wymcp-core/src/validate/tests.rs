//! The typed checks against the compiled schema, on messages of every method.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{limits::Limits, text::read};

#[path = "../../tests/messages/mod.rs"]
mod messages;

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn refusal(text: &str) -> Distilled {
    let document = read(text.as_bytes(), &Limits::default()).unwrap();
    validate(ProtocolVersion::V2026_07_28, &document.root).unwrap_err()
}

fn request(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

#[test]
fn a_legacy_client_is_told_which_metadata_to_send() {
    for params in [json!({}), Value::Null] {
        let refused = refusal(&request("tools/list", &params).to_string());
        assert_eq!(
            refused.to_string(),
            "/params is missing the required member \"_meta\""
        );
    }
}

#[test]
fn the_version_is_asked_for_alone() {
    let judged = |meta: Value| {
        let params = json!({ "_meta": meta });
        let params = Json::from(&params);
        let version = protocol_version(params.as_object()).map(ToOwned::to_owned);
        version.map_err(|refused| refused.violations()[0].instance_location.clone())
    };
    let key = "io.modelcontextprotocol/protocolVersion";
    assert_eq!(
        judged(json!({key: "2031-01-01"})),
        Ok("2031-01-01".to_owned())
    );
    assert_eq!(judged(json!({})), Err("/params/_meta".to_owned()));
    assert_eq!(judged(json!(null)), Err("/params/_meta".to_owned()));
    assert_eq!(
        judged(json!({key: 7})),
        Err("/params/_meta/io.modelcontextprotocol~1protocolVersion".to_owned())
    );
    assert_eq!(
        protocol_version(None).unwrap_err().violations()[0].instance_location,
        "/params"
    );
}

#[test]
fn framing_comes_before_metadata_and_metadata_before_params() {
    let mut message = request("tools/call", &json!({}));
    message["jsonrpc"] = 2.into();
    assert_eq!(
        refusal(&message.to_string()).to_string(),
        "/jsonrpc must be \"2.0\""
    );
    message["jsonrpc"] = "2.0".into();
    message["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    assert_eq!(
        refusal(&message.to_string()).to_string(),
        "/params/_meta is missing the required member \"io.modelcontextprotocol/clientCapabilities\""
    );
    message["params"]["_meta"] = meta();
    assert_eq!(
        refusal(&message.to_string()).to_string(),
        "/params is missing the required member \"name\""
    );
}

#[test]
fn an_id_that_no_answer_could_carry_back_breaks_the_framing() {
    for id in [
        "null",
        "true",
        "[]",
        "1.5",
        "9007199254740992",
        "1e20",
        "-1e20",
    ] {
        let refused = refusal(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#));
        assert_eq!(refused.violations()[0].instance_location, "/id", "{id}");
    }
}

#[test]
fn a_notification_is_asked_nothing() {
    let message = json!({"method": "notifications/cancelled", "params": 7});
    assert!(validate(ProtocolVersion::V2026_07_28, &Json::from(&message)).is_ok());
    assert_eq!(refusal("[]").to_string(), "The message must be an object");
}

#[cfg(feature = "json-schema")]
#[test]
fn every_violation_is_named_in_the_order_of_the_document() {
    let text = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params":
            {{"requestState": 1, "arguments": {{"z": 1, "a~/": 2, "": 3}}, "name": null, "_meta": {}}}}}"#,
        meta()
    );
    let refused = refusal(&text);
    let places: Vec<&str> = refused
        .violations()
        .iter()
        .map(|violation| &*violation.instance_location)
        .collect();
    assert_eq!(
        places,
        [
            "/params/requestState",
            "/params/arguments/z",
            "/params/arguments/a~0~1",
            "/params/arguments/",
            "/params/name"
        ]
    );
    assert_eq!(
        refused.to_string(),
        "/params/requestState must be a string (and 4 more)"
    );
}

#[cfg(feature = "json-schema")]
#[test]
fn a_place_with_two_violations_has_one_entry() {
    let params =
        json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {}, "_meta": meta()});
    let refused = refusal(&request("completion/complete", &params).to_string());
    assert_eq!(refused.violations().len(), 1);
    assert_eq!(
        refused.to_string(),
        "/params/argument is missing the required members \"name\", \"value\""
    );
}

#[cfg(feature = "json-schema")]
#[test]
fn a_message_of_very_many_violations_is_told_a_bounded_number() {
    let uris = vec![Value::Null; 20_000];
    let params = json!({"notifications": {"resourceSubscriptions": uris}, "_meta": meta()});
    let refused = refusal(&request("subscriptions/listen", &params).to_string());
    assert_eq!(refused.violations().len(), Limits::DISTILLED_ERRORS);
    assert_eq!(
        refused.to_string(),
        "/params/notifications/resourceSubscriptions/0 must be a string (and at least 32 more)"
    );
}

#[test]
fn a_refusal_shows_no_value_and_no_raw_name() {
    let arguments = json!({"\u{1b}[2J\n": {"secret": "hunter2"}});
    let params = json!({"name": "p", "arguments": arguments, "_meta": meta()});
    let refused = refusal(&request("prompts/get", &params).to_string());
    assert_eq!(
        refused.to_string(),
        r"/params/arguments/\u{1b}[2J\n must be a string"
    );
    assert!(!refused.data().to_string().contains("hunter2"));
}

/// JSON text whose members stand in an order of the salt's choice.
fn shuffled(value: &Value, salt: u64) -> String {
    match value {
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(name, _)| {
                let bytes = name.bytes().map(u64::from);
                bytes.fold(salt, |sum, byte| sum.rotate_left(5).wrapping_mul(31) ^ byte)
            });
            let members = members
                .into_iter()
                .map(|(name, value)| format!("{}:{}", json!(name), shuffled(value, salt)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| shuffled(item, salt));
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        _ => value.to_string(),
    }
}

#[cfg(feature = "json-schema")]
mod both_ways {
    use super::*;
    use crate::{
        text::Object,
        validate::{compiled::Definitions, location::Location},
    };

    /// What the typed check and the compiled schema say of a part of a message.
    fn agree(
        compiled: &Definitions,
        definition: &str,
        instance: &Object<'_>,
        at: &Location<'_>,
        typed: &Result<(), Distilled>,
    ) {
        let violations = compiled.violations(definition, instance, at);
        let first = typed.as_ref().err().map(|refused| &refused.violations()[0]);
        let text = || Json::Object(instance.clone()).to_value();
        assert_eq!(first, violations.first(), "{definition}: {}", text());
    }

    #[test]
    fn the_typed_check_and_the_compiled_schema_agree_on_every_part() {
        let compiled = Definitions::default();
        let config = ProptestConfig {
            cases: 4000,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        proptest!(config, |(message in messages::message(), salt in any::<u64>())| {
            let text = shuffled(&message, salt);
            let document = read(text.as_bytes(), &Limits::default()).unwrap();
            let Some(message) = document.root.as_object() else {
                return Ok(());
            };
            agree(&compiled, "Framing", message, &Location::Message, &framing(message));
            let Some(members) = message.get("params").and_then(Json::as_object) else {
                return Ok(());
            };
            let meta = request_meta(Some(members));
            agree(&compiled, "RequestParams", members, &Location::PARAMS, &meta);
            prop_assert!(meta.is_err() || protocol_version(Some(members)).is_ok());
            for method in params::names() {
                let typed = params(method, members);
                let definition = params::definition(method).unwrap();
                agree(&compiled, definition, members, &Location::PARAMS, &typed);
            }
        });
    }

    #[test]
    fn every_part_of_the_schema_compiles() {
        let compiled = Definitions::default();
        assert!(compiled.compile_all());
    }
}

#[cfg(not(feature = "json-schema"))]
proptest! {
    #[test]
    fn without_the_schema_a_refusal_is_one_violation(message in messages::message(), salt in any::<u64>()) {
        let text = shuffled(&message, salt);
        let document = read(text.as_bytes(), &Limits::default()).unwrap();
        if let Err(refused) = validate(ProtocolVersion::V2026_07_28, &document.root) {
            prop_assert_eq!(refused.violations().len(), 1);
        }
    }
}
