//! The revisions of the protocol that open with `initialize`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A revision of MCP whose clients open a session before they ask for anything.
///
/// They are ordered by their age: what a revision brought is asked for with `>=`.
///
/// # Examples
///
/// ```
/// use wymcp_core::LegacyVersion;
///
/// assert_eq!(LegacyVersion::named("2025-06-18"), Some(LegacyVersion::V2025_06_18));
/// assert!(LegacyVersion::V2025_03_26 < LegacyVersion::NEWEST);
/// let names = LegacyVersion::ALL.iter().map(|version| version.as_str());
/// assert_eq!(names.collect::<Vec<_>>(), ["2025-11-25", "2025-06-18", "2025-03-26"]);
/// // Not spoken.
/// assert_eq!(LegacyVersion::named("2024-11-05"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LegacyVersion {
    /// 2025-03-26: the first on one endpoint, with batches.
    V2025_03_26,
    /// 2025-06-18: structured results, forms, the version in a header.
    V2025_06_18,
    /// 2025-11-25: pages to visit, tools for a sampled model, streams that can be polled.
    V2025_11_25,
}

impl LegacyVersion {
    /// All of them, newest first.
    pub const ALL: &'static [Self] = &[Self::V2025_11_25, Self::V2025_06_18, Self::V2025_03_26];

    /// What a client is offered that asks for none of them.
    pub const NEWEST: Self = Self::V2025_11_25;

    /// The revision of exactly this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|version| version.as_str() == name)
    }

    /// Whether several messages can stand in one body.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether a stream begins with an event that says nothing, so that a client can come back for the first that does.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::LegacyVersion;
    ///
    /// assert!(LegacyVersion::NEWEST.primes_streams());
    /// // Older clients take every event for a message.
    /// assert!(!LegacyVersion::V2025_06_18.primes_streams());
    /// ```
    pub fn primes_streams(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// The revision's name: the date of its release.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
        }
    }
}

impl fmt::Display for LegacyVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for LegacyVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for LegacyVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| D::Error::custom("no revision has this name"))
    }
}
