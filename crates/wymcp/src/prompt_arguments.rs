//! The arguments of a prompt, out of the type that its code takes.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wymcp_core::PromptArgument;

use crate::{members::members, schema};

/// The field of a prompt that is at fault; what is wrong with it, and what to write.
type FieldFault = (String, &'static str);

/// An argument for each member of a type, in the order of their declaration where the type tells it, else in that of
/// their names; and what is wrong with the type, if no texts can fill it.
pub(crate) fn arguments<A: DeserializeOwned + JsonSchema>()
-> (Vec<PromptArgument>, Option<FieldFault>) {
    let schema = schema::inlined::<A>();
    if !schema::admits_objects(&schema, &schema) {
        let fault = "are no object; let a struct be their type, and NoArguments for none";
        return (Vec::new(), Some(("arguments".to_owned(), fault)));
    }
    let declared = members::<A>();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut properties: Vec<(&String, &Value)> = properties.collect();
    properties.sort_by_key(|(name, _)| {
        let position = declared.iter().position(|known| known == name);
        position.unwrap_or(usize::MAX)
    });
    let fault = properties
        .iter()
        .find(|(_, member)| !is_read_from_text(member, &schema, DEPTH))
        .map(|(name, _)| (format!("arguments/{name}"), NO_TEXT));
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|known| known == name))
    };
    let argument = |(name, member): (&String, &Value)| {
        let mut argument = PromptArgument::new(name);
        if let Some(description) = member["description"].as_str() {
            argument = argument.describe(description);
        }
        if required(name) {
            argument = argument.required();
        }
        argument
    };
    (properties.into_iter().map(argument).collect(), fault)
}

const NO_TEXT: &str = "is of a type that no text can be read as, and arguments of prompts are texts; make it a String, a \
                       number, a bool or an enum of unit variants, or read it from a String in the code";

/// How many references and unions are followed: a schema by hand may turn in circles.
const DEPTH: u8 = 16;

/// Whether there is a text that a member is read from, given its schema, which is part of a whole.
fn is_read_from_text(schema: &Value, whole: &Value, depth: u8) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    let is_scalar = |kind: &str| ["string", "integer", "number", "boolean"].contains(&kind);
    let is_text = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
    let kinds = match &schema["type"] {
        Value::String(kind) => is_scalar(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is_scalar),
        _ => true,
    };
    let values = schema["enum"].as_array();
    let branches = ["oneOf", "anyOf"].map(|union| schema[union].as_array());
    let mut branches = branches.into_iter().flatten();
    let reference = schema["$ref"].as_str();
    let target = reference
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|at| whole.pointer(at));
    kinds
        && values.is_none_or(|values| values.iter().any(is_text))
        && schema.get("const").is_none_or(is_text)
        && target.is_none_or(|target| is_read_from_text(target, whole, depth))
        && branches.all(|branches| {
            let mut branches = branches.iter();
            branches.any(|branch| is_read_from_text(branch, whole, depth))
        })
}

#[cfg(test)]
mod tests {
    #![expect(dead_code, reason = "only the schemas of the types are of interest")]

    use std::{collections::BTreeMap, net::IpAddr, path::PathBuf, time::Duration};

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    enum Size {
        Small,
        Large,
    }

    #[derive(Deserialize, JsonSchema)]
    enum Shape {
        Point,
        Circle(f64),
    }

    #[derive(Deserialize, JsonSchema)]
    struct Name(String);

    #[derive(Deserialize, JsonSchema)]
    struct Node {
        next: Option<Box<Node>>,
    }

    /// What is wrong with a struct of one member of a type.
    fn fault<T: DeserializeOwned + JsonSchema>() -> Option<String> {
        #[derive(Deserialize, JsonSchema)]
        struct One<T> {
            member: T,
        }
        let (arguments, fault) = arguments::<One<T>>();
        assert_eq!(arguments.len(), 1);
        fault.map(|(field, _)| field)
    }

    #[test]
    fn a_member_is_what_a_text_can_be_read_as() {
        for (name, fault) in [
            ("a text", fault::<String>()),
            ("a character", fault::<char>()),
            ("an integer", fault::<u8>()),
            ("a number", fault::<f32>()),
            ("a boolean", fault::<bool>()),
            ("an enum", fault::<Size>()),
            ("an enum with one unit variant", fault::<Shape>()),
            ("a text of another name", fault::<Name>()),
            ("an option of an integer", fault::<Option<i64>>()),
            ("an option of an enum", fault::<Option<Size>>()),
            ("an address", fault::<IpAddr>()),
            ("a path", fault::<PathBuf>()),
            ("anything", fault::<Value>()),
        ] {
            assert_eq!(fault, None, "{name}");
        }
        for (name, fault) in [
            ("a list", fault::<Vec<String>>()),
            ("an option of a list", fault::<Option<Vec<String>>>()),
            ("a pair", fault::<(String, u8)>()),
            ("nothing", fault::<()>()),
            ("a map", fault::<BTreeMap<String, String>>()),
            ("a struct", fault::<Node>()),
            ("a duration", fault::<Duration>()),
        ] {
            assert_eq!(fault.as_deref(), Some("arguments/member"), "{name}");
        }
        let (_, of_a_recursive_type) = arguments::<Node>();
        assert_eq!(of_a_recursive_type.unwrap().0, "arguments/next");
    }

    #[test]
    fn a_schema_that_turns_in_circles_is_left_to_the_reader() {
        let whole = json!({"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}});
        assert!(is_read_from_text(
            &json!({"$ref": "#/$defs/a"}),
            &whole,
            DEPTH
        ));
    }

    #[test]
    fn what_is_no_object_has_no_arguments() {
        for (name, fault) in [
            ("a text", arguments::<String>().1),
            ("a list", arguments::<Vec<String>>().1),
            ("an enum", arguments::<Size>().1),
        ] {
            assert_eq!(fault.unwrap().0, "arguments", "{name}");
        }
        assert_eq!(arguments::<BTreeMap<String, String>>().1, None);
        assert_eq!(arguments::<crate::NoArguments>().1, None);
    }
}
