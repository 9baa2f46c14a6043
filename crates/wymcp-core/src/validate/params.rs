//! What each method of revision 2026-07-28 asks of its params.

use super::{
    Distilled,
    check::{
        Check, array_of_strings, boolean, members, object, object_of_strings, one_of, required,
        string,
    },
    location::Location,
};
use crate::text::{Json, Object};

/// The params of one method.
struct Method {
    name: &'static str,
    /// What the protocol's schema calls them.
    definition: &'static str,
    check: fn(&Object<'_>) -> Check,
}

const fn method(
    name: &'static str,
    definition: &'static str,
    check: fn(&Object<'_>) -> Check,
) -> Method {
    Method {
        name,
        definition,
        check,
    }
}

const METHODS: &[Method] = &[
    method("tools/call", "CallToolParams", call_tool),
    method("tools/list", "ListParams", list),
    method("server/discover", "DiscoverParams", discover),
    method("resources/read", "ReadResourceParams", read_resource),
    method("resources/list", "ListParams", list),
    method("resources/templates/list", "ListParams", list),
    method("prompts/get", "GetPromptParams", prompt),
    method("prompts/list", "ListParams", list),
    method("completion/complete", "CompleteParams", complete),
    method("subscriptions/listen", "ListenParams", listen),
];

fn named(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// Checks the params of a method, `_meta` apart. Those of a method that the revision does not know pass: the method
/// table answers it.
pub(crate) fn params(method: &str, params: &Object<'_>) -> Result<(), Distilled> {
    match named(method) {
        Some(method) => (method.check)(params).map_err(Distilled::from),
        None => Ok(()),
    }
}

/// What the protocol's schema calls the params of a method.
pub(super) fn definition(method: &str) -> Option<&'static str> {
    named(method).map(|method| method.definition)
}

/// What the protocol's schema calls the params of all methods.
#[cfg(feature = "json-schema")]
pub(super) fn definitions() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.definition)
}

/// The methods that the revision knows.
#[cfg(all(test, feature = "json-schema"))]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.name)
}

#[expect(clippy::unnecessary_wraps, reason = "the table's signature")]
fn discover(_params: &Object<'_>) -> Check {
    Ok(())
}

fn list(params: &Object<'_>) -> Check {
    match params.present("cursor") {
        Some(cursor) => string(cursor, &Location::PARAMS.member("cursor")).map(drop),
        None => Ok(()),
    }
}

fn call_tool(params: &Object<'_>) -> Check {
    required(params, &["name"], &Location::PARAMS)?;
    for (name, value) in params.iter() {
        let at = Location::PARAMS.member(name);
        match name {
            "name" => string(value, &at).map(drop)?,
            "arguments" if !value.is_null() => object(value, &at).map(drop)?,
            _ => retry(name, value, &at)?,
        }
    }
    Ok(())
}

fn read_resource(params: &Object<'_>) -> Check {
    required(params, &["uri"], &Location::PARAMS)?;
    for (name, value) in params.iter() {
        let at = Location::PARAMS.member(name);
        match name {
            "uri" => string(value, &at).map(drop)?,
            _ => retry(name, value, &at)?,
        }
    }
    Ok(())
}

fn prompt(params: &Object<'_>) -> Check {
    required(params, &["name"], &Location::PARAMS)?;
    for (name, value) in params.iter() {
        let at = Location::PARAMS.member(name);
        match name {
            "name" => string(value, &at).map(drop)?,
            "arguments" if !value.is_null() => object_of_strings(value, &at)?,
            _ => retry(name, value, &at)?,
        }
    }
    Ok(())
}

/// A member that a request carries when it is sent again with answers. What stands inside `inputResponses` is judged
/// by the questions that read it.
fn retry(name: &str, value: &Json<'_>, at: &Location<'_>) -> Check {
    match name {
        "inputResponses" if !value.is_null() => object(value, at).map(drop),
        "requestState" if !value.is_null() => string(value, at).map(drop),
        _ => Ok(()),
    }
}

fn complete(params: &Object<'_>) -> Check {
    required(params, &["ref", "argument"], &Location::PARAMS)?;
    for (name, value) in params.iter() {
        let at = Location::PARAMS.member(name);
        match name {
            "ref" => reference(value, &at)?,
            "argument" => members(value, &["name", "value"], &["name", "value"], &at)?,
            "context" if !value.is_null() => {
                if let Some(arguments) = object(value, &at)?.get("arguments") {
                    object_of_strings(arguments, &at.member("arguments"))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whose argument is completed.
fn reference(value: &Json<'_>, at: &Location<'_>) -> Check {
    let reference = object(value, at)?;
    required(reference, &["type"], at)?;
    let kind = reference.get("type").unwrap_or(&Json::Null);
    match one_of(kind, &["ref/prompt", "ref/resource"], &at.member("type"))? {
        "ref/prompt" => members(value, &["name"], &["name", "title"], at),
        _ => members(value, &["uri"], &["uri"], at),
    }
}

fn listen(params: &Object<'_>) -> Check {
    required(params, &["notifications"], &Location::PARAMS)?;
    let here = Location::PARAMS.member("notifications");
    let filter = params.get("notifications").unwrap_or(&Json::Null);
    for (name, value) in object(filter, &here)?.iter() {
        let at = here.member(name);
        match name {
            "toolsListChanged" | "promptsListChanged" | "resourcesListChanged" => {
                boolean(value, &at)?;
            }
            "resourceSubscriptions" => array_of_strings(value, &at)?,
            _ => {}
        }
    }
    Ok(())
}
