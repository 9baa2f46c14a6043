//! One place that breaks the schema, and the words for it.

use super::location::Location;

/// One place of a message that breaks the schema.
///
/// Never shows the value that stands there; the names of members are escaped and clipped.
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
            message: words_for_keyword(keyword),
        }
    }
}

/// A broken keyword of the protocol's schema, with what it asks for.
///
/// These are all the keywords that the schema uses; what they ask for is the schema's own text, never a peer's.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keyword<'k> {
    /// The value is of none of these types.
    Type(&'k [&'k str]),
    /// The object lacks this member.
    Required(&'k str),
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
}

/// What to send instead, as the predicate of a sentence whose subject is the place.
pub(super) fn words_for_keyword(keyword: &Keyword<'_>) -> String {
    match keyword {
        Keyword::Type(types) => format!("must be {}", words_for_types(types)),
        // Whoever lacks this one lacks the whole envelope of the revision.
        Keyword::Required("_meta") => "must have the member _meta, with \
             io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities in it"
            .to_owned(),
        Keyword::Required(member) => format!("must have the member {member}"),
        Keyword::Const(expected) => format!("must be exactly \"{expected}\""),
        Keyword::Enum(options) => format!("must be one of: {}", options.join(", ")),
        Keyword::Minimum(limit) => format!("must be at least {limit}"),
        Keyword::Maximum(limit) => format!("must be at most {limit}"),
    }
}

/// The types in one order, whoever names them. `null` stays unsaid: it is accepted, but nothing to send.
fn words_for_types(types: &[&str]) -> String {
    let words = [
        ("object", "an object"),
        ("array", "an array"),
        ("string", "a string"),
        ("integer", "an integer"),
        ("boolean", "true or false"),
    ];
    words
        .into_iter()
        .filter(|(name, _)| types.contains(name))
        .map(|(_, words)| words)
        .collect::<Vec<_>>()
        .join(" or ")
}
