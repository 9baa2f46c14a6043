//! What a validator says to the human who debugs a client.

use std::fmt;

use serde_json::{Value, json};

use crate::limits::Limits;

/// The violations of a schema, distilled: a one-line summary and one entry for each place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distilled {
    violations: Vec<Violation>,
}

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

impl Distilled {
    /// The violations, one for each place, in the order of the document; at most [`Limits::DISTILLED_ERRORS`].
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The `data` of an answer.
    pub(crate) fn data(&self) -> Value {
        let entries = self
            .violations
            .iter()
            .take(Limits::DISTILLED_ERRORS)
            .map(|violation| {
                json!({
                    "instanceLocation": violation.instance_location,
                    "keyword": violation.keyword,
                    "message": violation.message,
                })
            });
        json!({"errors": entries.collect::<Vec<_>>()})
    }
}

impl fmt::Display for Distilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.violations.first() {
            Some(first) => write!(f, "{} {}", first.instance_location, first.message),
            None => f.write_str("The message breaks the protocol's schema"),
        }
    }
}
