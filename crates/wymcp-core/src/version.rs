//! The revisions of the protocol that are spoken.

use std::fmt;

/// A revision of MCP that this crate speaks.
///
/// # Examples
///
/// ```
/// use wymcp_core::ProtocolVersion;
///
/// assert_eq!(ProtocolVersion::modern("2026-07-28"), Some(ProtocolVersion::V2026_07_28));
/// assert_eq!(ProtocolVersion::modern("2026-07-28 "), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// 2026-07-28: stateless requests, each with its own protocol fields.
    V2026_07_28,
}

impl ProtocolVersion {
    /// The modern revisions, newest first: the one list behind `supportedVersions` and `data.supported`.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::ProtocolVersion;
    ///
    /// let newest = ProtocolVersion::MODERN[0];
    /// assert_eq!(newest.as_str(), "2026-07-28");
    /// assert_eq!(ProtocolVersion::modern(newest.as_str()), Some(newest));
    /// ```
    pub const MODERN: &'static [Self] = &[Self::V2026_07_28];

    /// The modern revision of exactly this name.
    pub fn modern(name: &str) -> Option<Self> {
        Self::MODERN
            .iter()
            .copied()
            .find(|version| version.as_str() == name)
    }

    /// The revision's name: the date of its release.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The names of [`ProtocolVersion::MODERN`], for a sentence.
    pub(crate) fn modern_names() -> String {
        let names: Vec<&str> = Self::MODERN
            .iter()
            .map(|version| version.as_str())
            .collect();
        names.join(", ")
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
