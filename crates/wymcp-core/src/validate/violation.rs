//! One place that breaks the schema, and the words for it.

use std::fmt::Display;

use super::location::Location;

/// One place of a message that breaks the schema.
///
/// Never shows the value that stands there; the names of members are escaped and clipped.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Json, ProtocolVersion, Violation, validate};
///
/// let message = serde_json::json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": "secret"});
/// let refused = validate(ProtocolVersion::V2026_07_28, &Json::from(&message)).unwrap_err();
/// let Violation { instance_location, keyword, message, .. } = &refused.violations()[0];
/// assert_eq!((&**instance_location, *keyword, &**message), ("/params", "type", "must be an object"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Where, as a JSON pointer from the top of the message.
    pub instance_location: String,
    /// The keyword of the schema that is broken.
    pub keyword: &'static str,
    /// What to send instead.
    pub message: String,
}

impl Violation {
    /// A violation of a keyword at a place.
    pub(super) fn at(location: &Location<'_>, keyword: &Keyword<'_>) -> Self {
        Self {
            instance_location: location.to_string(),
            keyword: keyword.name(),
            message: keyword.sentence(),
        }
    }
}

/// A broken keyword of the protocol's schema, with what it asks for.
///
/// These are all the keywords that the schema uses; what they ask for is the schema's own text, never a peer's. Their
/// sentences serve every schema, a tool's as well.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keyword<'k> {
    /// The value is of none of these types, by their names in JSON Schema.
    Type(&'k [&'k str]),
    /// The object lacks these members.
    Required(&'k [&'k str]),
    /// The value is not this string.
    Const(&'k str),
    /// The value is none of these strings.
    Enum(&'k [&'k str]),
    /// The number is below this.
    Minimum(i64),
    /// The number is above this.
    Maximum(i64),
}

impl Keyword<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Type(_) => "type",
            Self::Required(_) => "required",
            Self::Const(_) => "const",
            Self::Enum(_) => "enum",
            Self::Minimum(_) => "minimum",
            Self::Maximum(_) => "maximum",
        }
    }

    fn sentence(&self) -> String {
        let quoted = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("\"{name}\"")).collect()
        };
        match self {
            Self::Type(types) => must_be_of(types.iter().copied()),
            Self::Required(members) => lacks(&quoted(members)),
            Self::Const(expected) => must_be(format_args!("\"{expected}\"")),
            Self::Enum(options) => must_be_one_of(quoted(options).join(", ")),
            Self::Minimum(limit) => at_least(limit),
            Self::Maximum(limit) => at_most(limit),
        }
    }
}

// What to send instead, as the predicate of a sentence whose subject is the place.

/// One of these types, by their names in JSON Schema. Always in one order, whoever names them.
pub(super) fn must_be_of<'t>(types: impl IntoIterator<Item = &'t str>) -> String {
    let mut types: Vec<&str> = types.into_iter().collect();
    // Accepted, but nothing to send where there is something else to send.
    if types.len() > 1 {
        types.retain(|name| *name != "null");
    }
    let named = TYPES.iter().filter(|(name, _)| types.contains(name));
    let named: Vec<&str> = named.map(|(_, words)| *words).collect();
    match named.split_last() {
        None => "must be of another type".to_owned(),
        Some((last, [])) => format!("must be {last}"),
        Some((last, others)) => format!("must be {} or {last}", others.join(", ")),
    }
}

const TYPES: [(&str, &str); 7] = [
    ("object", "an object"),
    ("array", "an array"),
    ("string", "a string"),
    ("number", "a number"),
    ("integer", "an integer"),
    ("boolean", "a boolean"),
    ("null", "null"),
];

/// These members are missing; their names come quoted.
pub(super) fn lacks(members: &[String]) -> String {
    match members {
        [member] => format!("is missing the required member {member}"),
        members => format!("is missing the required members {}", members.join(", ")),
    }
}

/// Exactly this value.
pub(super) fn must_be(expected: impl Display) -> String {
    format!("must be {expected}")
}

/// One of these values, which come listed.
pub(super) fn must_be_one_of(options: impl Display) -> String {
    format!("must be one of: {options}")
}

/// This number or more.
pub(super) fn at_least(limit: impl Display) -> String {
    format!("must be at least {limit}")
}

/// This number or less.
pub(super) fn at_most(limit: impl Display) -> String {
    format!("must be at most {limit}")
}
