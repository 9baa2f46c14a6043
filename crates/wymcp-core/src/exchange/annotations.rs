//! For whom something is.

use serde::{Serialize, Serializer, ser::Error as _};

/// For whom a block of content or a resource is, and how much it matters.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Annotations, Role};
///
/// let annotations = Annotations::default()
///     .audience([Role::User])
///     .priority(0.5)
///     .last_modified("2026-07-28T12:00:00Z");
/// assert_eq!(
///     serde_json::to_value(&annotations).unwrap(),
///     json!({"audience": ["user"], "priority": 0.5, "lastModified": "2026-07-28T12:00:00Z"}),
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// For whom; empty means for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From 0 (optional) to 1 (required).
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "within_bounds"
    )]
    pub priority: Option<f64>,
    /// When it last changed, as an ISO 8601 date and time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// Says for whom it is.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = audience.into_iter().collect();
        self
    }

    /// Says how much it matters, from 0 (optional) to 1 (required). Another number is a fault: of the definition when the
    /// server is built, of the call in a result.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Annotations, Content};
    ///
    /// let twice = Content::text("Saved.").annotations(Annotations::default().priority(2.0));
    /// assert!(serde_json::to_value(&twice).is_err());
    /// ```
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Says when it last changed, as an ISO 8601 date and time.
    #[must_use]
    pub fn last_modified(mut self, moment: impl Into<String>) -> Self {
        self.last_modified = Some(moment.into());
        self
    }
}

/// serde_json would write what is not finite as null.
#[expect(clippy::ref_option, reason = "serde's signature")]
fn within_bounds<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) if !(0.0..=1.0).contains(number) => {
            Err(S::Error::custom("a priority is not between 0 and 1"))
        }
        number => number.serialize(serializer),
    }
}

/// Who reads or speaks.
///
/// # Examples
///
/// ```
/// use wymcp_core::Role;
///
/// assert_eq!(serde_json::to_string(&[Role::User, Role::Assistant]).unwrap(), r#"["user","assistant"]"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The human.
    User,
    /// The model.
    Assistant,
}
