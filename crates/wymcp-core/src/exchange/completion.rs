//! What a human may have meant to type.

use serde::Serialize;

/// Proposals for the value of an argument, the likeliest first.
///
/// A client is shown 100 at most; of more values the first 100 are sent, and it is told that there are more.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::Completion;
///
/// let few = Completion::new(["Paris", "Prague"]);
/// assert_eq!(serde_json::to_value(&few).unwrap(), json!({"values": ["Paris", "Prague"], "hasMore": false}));
///
/// let many = Completion::new((0..250).map(|number| number.to_string())).total(1_000);
/// assert_eq!(many.values().len(), 100);
/// let sent = serde_json::to_value(&many).unwrap();
/// assert_eq!((&sent["total"], &sent["hasMore"]), (&json!(1_000), &json!(true)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    values: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    has_more: bool,
}

/// The most values that are sent. Source: MCP 2026-07-28, Completion.
const MOST: usize = 100;

impl Completion {
    /// These values.
    pub fn new<V: Into<String>>(values: impl IntoIterator<Item = V>) -> Self {
        let mut values = values.into_iter();
        let shown = values.by_ref().take(MOST).map(Into::into).collect();
        Self {
            values: shown,
            total: None,
            has_more: values.next().is_some(),
        }
    }

    /// How many values there are in all.
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self.has_more = u64::try_from(self.values.len()).is_ok_and(|shown| shown < total);
        self
    }

    /// The values that are sent.
    pub fn values(&self) -> &[String] {
        &self.values
    }
}
