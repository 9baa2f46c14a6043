//! The gate's rules about names, which examples and defaults of a definition keep as well.

use serde_json::{Value, json};

use super::action::Action;
use crate::{limits::Limits, text::Object, untrusted::Untrusted};

/// A refusal with a code that a program can read.
#[derive(Debug)]
pub(super) struct CallError {
    pub(super) error: &'static str,
    pub(super) message: String,
    pub(super) details: Vec<(&'static str, Value)>,
}

/// The gate's rule about what stands beside `action` and `data`.
pub(super) fn check_arguments(arguments: &Object<'_>) -> Result<(), CallError> {
    let names = arguments.iter().map(|(name, _)| name);
    let unknown: Vec<&str> = names
        .filter(|name| !["action", "data"].contains(name))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let message =
        "Arguments are action and data, nothing else; put the values of the action into data";
    Err(unknown_params(&unknown, message))
}

/// The gate's rules about the members of `data`, in their order.
pub(super) fn check_members(action: &Action, data: &Object<'_>) -> Result<(), CallError> {
    let is_missing = |name: &&String| data.present(name).is_none();
    let missing: Vec<&String> = action.required.iter().filter(is_missing).collect();
    if !missing.is_empty() {
        let mut details = vec![("missing", json!(missing))];
        details.extend(about(action));
        return Err(CallError {
            error: "missing_required_fields",
            message: format!("data lacks {}. Send every required field", joined(&missing)),
            details,
        });
    }
    let groups = &action.required_one_of;
    if !groups.is_empty()
        && !groups
            .iter()
            .any(|group| !group.iter().any(|name| is_missing(&name)))
    {
        return Err(CallError {
            error: "missing_required_group",
            message: "data completes none of the groups in required_one_of. Send every field of one group".to_owned(),
            details: vec![("required_one_of", json!(groups))],
        });
    }
    let names = data.iter().map(|(name, _)| name);
    let unknown: Vec<&str> = names
        .filter(|name| !action.properties.contains_key(*name))
        .collect();
    if !unknown.is_empty() {
        let mut known: Vec<&String> = action.properties.keys().collect();
        known.sort();
        let message = if known.is_empty() {
            "The action takes no data; leave it out".to_owned()
        } else {
            format!("data may have only {}", joined(&known))
        };
        return Err(unknown_params(&unknown, &message));
    }
    Ok(())
}

pub(super) fn about(action: &Action) -> Vec<(&'static str, Value)> {
    vec![
        ("action", json!(action.name)),
        ("input_schema", action.data_schema()),
    ]
}

/// Names that a caller made up: escaped, clipped, and no more than an answer shows.
fn unknown_params(unknown: &[&str], message: &str) -> CallError {
    let shown = unknown.iter().take(Limits::DISTILLED_ERRORS);
    let shown: Vec<String> = shown.map(|name| Untrusted::new(name).to_string()).collect();
    CallError {
        error: "unknown_params",
        message: message.to_owned(),
        details: vec![("unknown", json!(shown))],
    }
}

fn joined(names: &[&String]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(", ")
}
