//! What a call of an action-dispatched tool must pass before its handler runs.

use std::sync::Arc;

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::json;

use super::{
    action::Action,
    action_rules::{CallError, about, check_arguments, check_members},
    action_set::{ActionSet, Compiled},
};
use crate::{
    limits::Limits,
    text::{Json, Object},
    untrusted::Untrusted,
    validate::{Violation, words},
};

/// A call that passed the gate.
#[derive(Debug)]
pub(crate) struct ActionCall<'a> {
    /// The action's name.
    pub(crate) action: Arc<str>,
    /// Its data, an object, with the defaults of what it left out.
    pub(crate) data: Json<'a>,
}

/// Why a call did not pass; the text of a result with `isError`.
#[derive(Debug)]
pub(crate) struct GateError {
    tool: String,
    action: Option<String>,
    refusal: GateRefusal,
}

#[derive(Debug)]
enum GateRefusal {
    Error(CallError),
    /// Values that break their schemas, under `/data`.
    Values(Vec<Violation>),
}

impl GateError {
    /// The action, if the call chose one before it was refused.
    pub(crate) fn action(&self) -> Option<Arc<str>> {
        self.action.as_deref().map(Into::into)
    }

    /// The text that the model reads. With `help` it says how to learn more.
    pub(crate) fn text(&self, help: bool) -> String {
        let help = help.then(|| words::help_with(&self.tool, self.action.as_deref()));
        match &self.refusal {
            GateRefusal::Values(violations) => words::for_model(&self.tool, violations, help),
            GateRefusal::Error(error) => {
                let text = Rendered { error, help };
                String::from_utf8(crate::text::to_bytes(&text)).unwrap_or_default()
            }
        }
    }
}

struct Rendered<'e> {
    error: &'e CallError,
    help: Option<String>,
}

/// The members always in this order: `error`, `message`, what belongs to the error, `help`.
impl Serialize for Rendered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("error", self.error.error)?;
        map.serialize_entry("message", &self.error.message)?;
        for (name, value) in &self.error.details {
            map.serialize_entry(name, value)?;
        }
        if let Some(help) = &self.help {
            map.serialize_entry("help", help)?;
        }
        map.end()
    }
}

impl ActionSet {
    /// Takes a call's arguments through the gate.
    ///
    /// # Errors
    ///
    /// The first rule that the arguments break.
    pub(crate) fn gate<'a>(&self, mut arguments: Object<'a>) -> Result<ActionCall<'a>, GateError> {
        check_arguments(&arguments)
            .map_err(|error| self.refuse(None, GateRefusal::Error(error)))?;
        let compiled = self
            .chosen(arguments.get("action"))
            .map_err(|error| self.refuse(None, GateRefusal::Error(error)))?;
        let action = &compiled.action;
        let refuse = |refusal| self.refuse(Some(action), refusal);
        let data = match arguments.take("data") {
            None | Some(Json::Null) => Object::default(),
            Some(Json::Object(data)) => data,
            Some(_) => {
                return Err(refuse(GateRefusal::Error(CallError {
                    error: "invalid_data",
                    message: "data is no object. Send an object that fits input_schema".to_owned(),
                    details: about(action),
                })));
            }
        };
        check_members(action, &data).map_err(|error| refuse(GateRefusal::Error(error)))?;
        let data = Json::Object(data.without_nulls());
        let mut violations = compiled.values.violations(&data, Limits::TOLD_VIOLATIONS);
        if !violations.is_empty() {
            for violation in &mut violations {
                violation.instance_location.insert_str(0, "/data");
            }
            return Err(refuse(GateRefusal::Values(violations)));
        }
        Ok(ActionCall {
            action: action.name.as_str().into(),
            data: with_defaults(compiled, data),
        })
    }

    fn chosen(&self, action: Option<&Json<'_>>) -> Result<&Compiled, CallError> {
        let named = action.and_then(Json::as_str);
        named.and_then(|name| self.find(name)).ok_or_else(|| {
            let valid: Vec<&str> = self.names().collect();
            CallError {
                error: "unknown_action",
                message: match named {
                    Some(name) => format!(
                        "There is no action {}. Name one of valid_actions",
                        Untrusted::new(name)
                    ),
                    None => {
                        "action is not there or no string. Name one of valid_actions".to_owned()
                    }
                },
                details: vec![("valid_actions", json!(valid))],
            }
        })
    }

    fn refuse(&self, action: Option<&Action>, refusal: GateRefusal) -> GateError {
        GateError {
            tool: self.tool.clone(),
            action: action.map(|action| action.name.clone()),
            refusal,
        }
    }
}

fn with_defaults<'a>(compiled: &Compiled, data: Json<'a>) -> Json<'a> {
    let Json::Object(mut members) = data else {
        return data;
    };
    for (name, value) in &compiled.defaults {
        if !members.contains(name) {
            members.put(name, value.clone());
        }
    }
    Json::Object(members)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn orders() -> ActionSet {
        let find = Action::new("find", "Finds orders")
            .property("customer", json!({"type": "string"}))
            .property("number", json!({"type": "integer"}))
            .property("limit", json!({"type": "integer", "minimum": 1}))
            .required_one_of([["customer"], ["number"]])
            .default("limit", json!(10));
        let cancel = Action::new("cancel", "Cancels an order")
            .property("number", json!({"type": "integer"}))
            .required(["number"]);
        ActionSet::compile("orders", &[find, cancel, Action::new("ping", "Answers")]).unwrap()
    }

    fn object(value: &Value) -> Object<'_> {
        match Json::from(value) {
            Json::Object(object) => object,
            _ => Object::default(),
        }
    }

    fn refused(arguments: &Value) -> Value {
        let orders = orders();
        let error = orders.gate(object(arguments)).unwrap_err();
        serde_json::from_str(&error.text(true)).unwrap()
    }

    #[test]
    fn the_first_broken_rule_answers() {
        for (arguments, error, detail, value) in [
            (
                json!({"action": "cancel", "x\n": 1, "data": 2}),
                "unknown_params",
                "unknown",
                json!(["x\\n"]),
            ),
            (
                json!({"data": 2}),
                "unknown_action",
                "valid_actions",
                json!(["cancel", "find", "ping"]),
            ),
            (
                json!({"action": 7}),
                "unknown_action",
                "valid_actions",
                json!(["cancel", "find", "ping"]),
            ),
            (
                json!({"action": "Find"}),
                "unknown_action",
                "valid_actions",
                json!(["cancel", "find", "ping"]),
            ),
            (
                json!([]),
                "unknown_action",
                "valid_actions",
                json!(["cancel", "find", "ping"]),
            ),
            (
                json!({"action": "cancel", "data": [1]}),
                "invalid_data",
                "action",
                json!("cancel"),
            ),
            (
                json!({"action": "cancel", "data": {"x": 1}}),
                "missing_required_fields",
                "missing",
                json!(["number"]),
            ),
            (
                json!({"action": "cancel", "data": {"number": null}}),
                "missing_required_fields",
                "missing",
                json!(["number"]),
            ),
            (
                json!({"action": "cancel"}),
                "missing_required_fields",
                "action",
                json!("cancel"),
            ),
            (
                json!({"action": "find", "data": {"x": 1}}),
                "missing_required_group",
                "required_one_of",
                json!([["customer"], ["number"]]),
            ),
            (
                json!({"action": "find", "data": {"number": "1", "x": 1}}),
                "unknown_params",
                "unknown",
                json!(["x"]),
            ),
            (
                json!({"action": "ping", "data": {"x": 1}}),
                "unknown_params",
                "unknown",
                json!(["x"]),
            ),
        ] {
            let refused = refused(&arguments);
            assert_eq!(refused["error"], error, "{arguments}");
            assert_eq!(refused[detail], value, "{arguments}");
            assert!(
                refused["message"].is_string() && refused["help"].is_string(),
                "{refused}"
            );
        }
    }

    #[test]
    fn the_members_of_a_refusal_stand_in_a_fixed_order() {
        let orders = orders();
        let arguments = json!({"action": "cancel"});
        let text = orders.gate(object(&arguments)).unwrap_err().text(true);
        let position = |name: &str| text.find(&format!("\"{name}\":")).unwrap();
        assert!(text.starts_with("{\"error\":\"missing_required_fields\",\"message\":"));
        assert!(position("missing") < position("action"));
        assert!(position("input_schema") < position("help"));
        let unhelped = orders.gate(object(&arguments)).unwrap_err().text(false);
        assert!(!unhelped.contains("\"help\""));
    }

    #[cfg(feature = "json-schema")]
    #[test]
    fn values_that_break_their_schema_are_told_under_data() {
        let orders = orders();
        let arguments = json!({"action": "find", "data": {"number": "1", "limit": 0}});
        let text = orders.gate(object(&arguments)).unwrap_err().text(true);
        assert!(
            text.contains("arguments/data/limit must be at least 1"),
            "{text}"
        );
        assert!(
            text.contains("arguments/data/number must be an integer"),
            "{text}"
        );
    }

    #[test]
    fn defaults_are_merged_into_what_passed() {
        let orders = orders();
        for (arguments, action, data) in [
            (
                json!({"action": "find", "data": {"number": 2.0}}),
                "find",
                json!({"number": 2.0, "limit": 10}),
            ),
            (
                json!({"action": "find", "data": {"customer": "Ada", "limit": 3}}),
                "find",
                json!({"customer": "Ada", "limit": 3}),
            ),
            (json!({"action": "ping"}), "ping", json!({})),
            (json!({"action": "ping", "data": null}), "ping", json!({})),
            (json!({"action": "ping", "data": {}}), "ping", json!({})),
        ] {
            let call = orders.gate(object(&arguments)).unwrap();
            assert_eq!((&*call.action, call.data.to_value()), (action, data));
        }
    }

    #[test]
    fn null_reads_as_absent_whatever_the_schema_says_of_it() {
        for schema in [
            json!({"type": ["integer", "null"]}),
            json!({"type": "integer"}),
        ] {
            let action = Action::new("find", "Finds orders")
                .property("limit", schema)
                .property("page", json!({"type": "integer"}))
                .default("limit", json!(10));
            let orders = ActionSet::compile("orders", &[action]).unwrap();
            let arguments = json!({"action": "find", "data": {"limit": null, "page": null}});
            let call = orders.gate(object(&arguments)).unwrap();
            assert_eq!(call.data.to_value(), json!({"limit": 10}));
        }
    }
}
