//! What a validator says to the human who debugs a client.

use std::fmt;

use serde_json::{Value, json};

use super::Violation;
use crate::limits::Limits;

/// The violations of a schema, distilled: a one-line summary and one entry for each place.
///
/// Displays as the summary: the first violation, and how many there are besides.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Distilled, Json, ProtocolVersion, validate};
///
/// let message = serde_json::json!({"jsonrpc": "1.0", "id": 7, "method": "tools/list"});
/// let refused: Distilled = validate(ProtocolVersion::V2026_07_28, &Json::from(&message)).unwrap_err();
/// assert_eq!(refused.to_string(), "/jsonrpc must be \"2.0\"");
/// assert_eq!(refused.violations().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distilled {
    violations: Vec<Violation>,
    /// How many places were found that break the schema, those that are left out included.
    places: usize,
}

impl Distilled {
    /// Distills violations that come one for each place, in the order of the document.
    pub(crate) fn new(mut violations: Vec<Violation>) -> Self {
        let places = violations.len();
        violations.truncate(Limits::DISTILLED_ERRORS);
        Self { violations, places }
    }

    /// The violations, one for each place, in the order of the document; at most [`Limits::DISTILLED_ERRORS`].
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The `data` of an answer.
    pub(crate) fn data(&self) -> Value {
        let entries = self.violations.iter().map(|violation| {
            json!({
                "instanceLocation": violation.instance_location,
                "keyword": violation.keyword,
                "message": violation.message,
            })
        });
        json!({"errors": entries.collect::<Vec<_>>()})
    }
}

impl From<Violation> for Distilled {
    fn from(violation: Violation) -> Self {
        Self::new(vec![violation])
    }
}

impl fmt::Display for Distilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.violations.first() else {
            return f.write_str("The message breaks the protocol's schema");
        };
        let place = match &*first.instance_location {
            "" => "The message",
            location => location,
        };
        write!(f, "{place} {}", first.message)?;
        match self.places.saturating_sub(1) {
            0 => Ok(()),
            more if self.places > Limits::DISTILLED_ERRORS => {
                write!(f, " (and at least {more} more)")
            }
            more => write!(f, " (and {more} more)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{location::Location, violation::Keyword};

    fn violations(count: usize) -> Vec<Violation> {
        (0..count)
            .map(|position| {
                let place = Location::PARAMS.item(position);
                Violation::at(&place, &Keyword::Type(&["string"]))
            })
            .collect()
    }

    #[test]
    fn the_summary_is_the_first_violation_and_the_number_of_the_others() {
        let summary = |count| Distilled::new(violations(count)).to_string();
        assert_eq!(summary(1), "/params/0 must be a string");
        assert_eq!(summary(3), "/params/0 must be a string (and 2 more)");
    }

    #[test]
    fn the_entries_are_limited_and_the_summary_says_that_there_are_more() {
        let distilled = Distilled::new(violations(100));
        assert_eq!(distilled.violations().len(), Limits::DISTILLED_ERRORS);
        assert_eq!(
            distilled.data()["errors"].as_array().unwrap().len(),
            Limits::DISTILLED_ERRORS
        );
        assert!(distilled.to_string().ends_with("(and at least 99 more)"));
    }

    #[test]
    fn a_violation_of_the_message_itself_has_a_subject_too() {
        let missing = Violation::at(&Location::Message, &Keyword::Required(&["jsonrpc"]));
        assert_eq!(
            Distilled::from(missing).to_string(),
            "The message is missing the required member \"jsonrpc\""
        );
    }
}
