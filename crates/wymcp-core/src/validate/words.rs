//! How a broken rule reads: what to send instead, never what was sent.

use std::fmt::Write as _;

use super::Violation;
use crate::{limits::Limits, text::ArgumentsError};

/// What a tool's caller, a model, is told when its arguments break the schema.
///
/// Several lines of text: each names the argument, the rule and what is expected. `help` is its last line: how the tool
/// explains itself.
pub(crate) fn for_model(tool: &str, violations: &[Violation], help: Option<String>) -> String {
    let mut text = format!(
        "The arguments of the tool {} do not fit its input schema, so it did not run. Correct these and call it again:",
        quoted(tool)
    );
    for violation in violations.iter().take(Limits::DISTILLED_ERRORS) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n- arguments{} {}",
            violation.instance_location, violation.message
        );
    }
    if violations.len() > Limits::DISTILLED_ERRORS {
        text.push_str("\n- and more");
    }
    if let Some(help) = help {
        let _ = write!(text, "\n{help}");
    }
    text
}

/// What a tool's caller, a model, is told when its arguments fit the schema and not the type that the tool reads them
/// into. `within` is where what it reads stands in the arguments.
pub(crate) fn unheld_for_model(
    tool: &str,
    within: &str,
    fault: &ArgumentsError,
    help: Option<String>,
) -> String {
    let mut text = format!(
        "The tool {} cannot take these arguments, so it did not run. Correct this and call it again:\n- {}",
        quoted(tool),
        fault.under(&format!("arguments{within}"))
    );
    if let Some(help) = help {
        let _ = write!(text, "\n{help}");
    }
    text
}

/// How to ask for the explanation of a tool, or of one of its actions.
pub(crate) fn help_with(tool: &str, action: Option<&str>) -> String {
    match action {
        None => format!(
            "Call the tool \"help\" with {{\"tool\": {}}} for its explanation.",
            quoted(tool)
        ),
        Some(action) => format!(
            "Call the tool \"help\" with {{\"tool\": {}, \"action\": {}}} for its explanation.",
            quoted(tool),
            quoted(action)
        ),
    }
}

/// A name as a JSON string, so that a model can copy it.
pub(crate) fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

#[cfg(feature = "json-schema")]
pub(crate) use kinds::{Shown, one_of, word};

#[cfg(feature = "json-schema")]
mod kinds {
    use std::fmt;

    use jsonschema::{
        JsonType,
        error::{TypeKind, ValidationErrorKind as Kind},
    };
    use serde_json::Value;

    use crate::{
        untrusted::Untrusted,
        validate::violation::{self, lacks, must_be, must_be_of, must_be_one_of},
    };

    /// The most options of an `enum`, and the most names, that a sentence lists.
    const LISTED: usize = 16;

    /// The keyword that is broken and what to send instead, as the end of a sentence that begins with the place.
    pub(crate) fn word(kind: &Kind) -> (&'static str, String) {
        match kind {
            Kind::Type { kind } => (
                "type",
                must_be_of(types(kind).iter().map(|name| name.as_str())),
            ),
            Kind::Enum { options } => (
                "enum",
                one_of(options.as_array().map(Vec::as_slice).unwrap_or_default()),
            ),
            Kind::Constant { expected_value } => ("const", must_be(Shown(expected_value))),
            Kind::Required { property } => ("required", lacks(&[Shown(property).to_string()])),
            Kind::AdditionalProperties { unexpected } => {
                ("additionalProperties", names(unexpected))
            }
            Kind::UnevaluatedProperties { unexpected } => {
                ("unevaluatedProperties", unevaluated(unexpected))
            }
            Kind::PropertyNames { error } => (
                "propertyNames",
                format!("has a member whose name {}", word(error.kind()).1),
            ),
            Kind::Pattern { pattern } => (
                "pattern",
                format!("must match the pattern {}", Untrusted::new(pattern)),
            ),
            Kind::RegexEngineFailure { .. } | Kind::BacktrackLimitExceeded { .. } => {
                ("pattern", "must match a simpler text".to_owned())
            }
            Kind::Format { format } => (
                "format",
                format!("must have the format {}", Untrusted::new(format)),
            ),
            Kind::AnyOf { context } => (
                "anyOf",
                format!("must match one of its {} allowed forms", context.len()),
            ),
            Kind::OneOfNotValid { context } => (
                "oneOf",
                format!("must match one of its {} allowed forms", context.len()),
            ),
            Kind::OneOfMultipleValid { .. } => (
                "oneOf",
                "must match only one of its allowed forms, and matches several".to_owned(),
            ),
            Kind::Not { .. } => ("not", "has a form that is not allowed".to_owned()),
            Kind::FalseSchema => ("falseSchema", "is not allowed here".to_owned()),
            Kind::UniqueItems => ("uniqueItems", "must not repeat an item".to_owned()),
            Kind::Contains => (
                "contains",
                "must hold the demanded number of matching items".to_owned(),
            ),
            _ => size(kind),
        }
    }

    /// The rules about sizes and amounts.
    fn size(kind: &Kind) -> (&'static str, String) {
        match kind {
            Kind::Maximum { limit } => ("maximum", violation::at_most(Shown(limit))),
            Kind::Minimum { limit } => ("minimum", violation::at_least(Shown(limit))),
            Kind::ExclusiveMaximum { limit } => (
                "exclusiveMaximum",
                format!("must be below {}", Shown(limit)),
            ),
            Kind::ExclusiveMinimum { limit } => (
                "exclusiveMinimum",
                format!("must be above {}", Shown(limit)),
            ),
            Kind::MultipleOf { multiple_of } => {
                ("multipleOf", format!("must be a multiple of {multiple_of}"))
            }
            Kind::MaxLength { limit } => ("maxLength", at_most(*limit, "character")),
            Kind::MinLength { limit } => ("minLength", at_least(*limit, "character")),
            Kind::MaxItems { limit } => ("maxItems", at_most(*limit, "item")),
            Kind::MinItems { limit } => ("minItems", at_least(*limit, "item")),
            Kind::MaxProperties { limit } => ("maxProperties", at_most(*limit, "member")),
            Kind::MinProperties { limit } => ("minProperties", at_least(*limit, "member")),
            Kind::AdditionalItems { limit } => (
                "additionalItems",
                at_most(u64::try_from(*limit).unwrap_or(u64::MAX), "item"),
            ),
            Kind::UnevaluatedItems { .. } => (
                "unevaluatedItems",
                "has items that no part of the schema admits as they are".to_owned(),
            ),
            Kind::ContentEncoding { content_encoding } => (
                "contentEncoding",
                format!("must be encoded as {}", Untrusted::new(content_encoding)),
            ),
            Kind::ContentMediaType { content_media_type } => (
                "contentMediaType",
                format!("must hold {}", Untrusted::new(content_media_type)),
            ),
            _ => ("schema", "breaks the schema".to_owned()),
        }
    }

    fn at_most(limit: u64, unit: &str) -> String {
        format!("must have at most {limit} {unit}{}", plural(limit))
    }

    fn at_least(limit: u64, unit: &str) -> String {
        format!("must have at least {limit} {unit}{}", plural(limit))
    }

    fn plural(count: u64) -> &'static str {
        if count == 1 { "" } else { "s" }
    }

    fn types(kind: &TypeKind) -> Vec<JsonType> {
        match kind {
            TypeKind::Single(one) => vec![*one],
            TypeKind::Multiple(set) => set.into_iter().collect(),
        }
    }

    /// Members that no part of the schema admits, which need not be the members' fault: a part that is broken speaks for
    /// none of them.
    fn unevaluated(unexpected: &[String]) -> String {
        let listed = listed(unexpected);
        format!("has members that no part of the schema admits as they are: {listed}")
    }

    /// Members that the schema does not know.
    fn names(unexpected: &[String]) -> String {
        let noun = match unexpected.len() {
            1 => "an unexpected member",
            _ => "unexpected members",
        };
        format!("has {noun}: {}", listed(unexpected))
    }

    /// Names that a peer sent.
    fn listed(names: &[String]) -> String {
        let mut shown: Vec<String> = names
            .iter()
            .take(LISTED)
            .map(|name| format!("\"{}\"", Untrusted::new(name)))
            .collect();
        if names.len() > LISTED {
            shown.push("…".to_owned());
        }
        shown.join(", ")
    }

    /// A value of the schema in one line, clipped.
    pub(crate) struct Shown<'v>(pub(crate) &'v Value);

    impl fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.0 {
                Value::String(text) => write!(f, "\"{}\"", Untrusted::new(text)),
                value => Untrusted::new(&value.to_string()).fmt(f),
            }
        }
    }

    /// One of these values of the schema.
    pub(crate) fn one_of(options: &[Value]) -> String {
        let mut listed: Vec<String> = options
            .iter()
            .take(LISTED)
            .map(|option| Shown(option).to_string())
            .collect();
        if options.len() > LISTED {
            listed.push("…".to_owned());
        }
        must_be_one_of(listed.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violation(location: &str) -> Violation {
        Violation {
            instance_location: location.to_owned(),
            keyword: "maximum",
            message: "must be at most 10".to_owned(),
        }
    }

    #[test]
    fn a_model_reads_what_to_change_and_where_to_learn_more() {
        assert_eq!(
            for_model("sum", &[violation("/b")], Some(help_with("sum", None))),
            "The arguments of the tool \"sum\" do not fit its input schema, so it did not run. Correct these and call it \
             again:\n- arguments/b must be at most 10\nCall the tool \"help\" with {\"tool\": \"sum\"} for its \
             explanation."
        );
        assert!(!for_model("sum", &[violation("/b")], None).contains("help"));
    }

    #[test]
    fn a_model_reads_no_more_than_the_limit() {
        let text = for_model("sum", &vec![violation("/b"); 40], None);
        assert_eq!(text.matches("arguments/b").count(), 32);
        assert!(text.ends_with("\n- and more"));
    }
}
