//! How severe a log message is.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// How severe a log message is; the levels of RFC 5424.
///
/// # Examples
///
/// ```
/// use wymcp_core::LogLevel;
///
/// /// Whether a client that asks for `wanted` is sent a message of this level.
/// fn is_wanted(level: LogLevel, wanted: Option<LogLevel>) -> bool {
///     wanted.is_some_and(|wanted| level >= wanted)
/// }
///
/// assert!(is_wanted(LogLevel::Error, LogLevel::parse("warning")));
/// assert!(!is_wanted(LogLevel::Notice, LogLevel::parse("warning")));
/// assert!(!is_wanted(LogLevel::Emergency, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "RFC 5424 has eight levels")]
pub enum LogLevel {
    /// Details for whoever debugs.
    Debug,
    /// What normally happens.
    Info,
    /// Normal, and worth a look.
    Notice,
    /// Not yet an error.
    Warning,
    /// An error.
    Error,
    /// A component fails.
    Critical,
    /// Somebody must act now.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// The levels with their names on the wire, least severe first.
    const NAMED: [(Self, &'static str); 8] = [
        (Self::Debug, "debug"),
        (Self::Info, "info"),
        (Self::Notice, "notice"),
        (Self::Warning, "warning"),
        (Self::Error, "error"),
        (Self::Critical, "critical"),
        (Self::Alert, "alert"),
        (Self::Emergency, "emergency"),
    ];

    /// The level of exactly this name.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::LogLevel;
    ///
    /// assert_eq!(LogLevel::parse("notice"), Some(LogLevel::Notice));
    /// assert_eq!(LogLevel::parse("Notice"), None);
    /// assert_eq!(LogLevel::parse("warn"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMED
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(level, _)| *level)
    }

    /// The level's name on the wire.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::LogLevel;
    ///
    /// assert_eq!(LogLevel::Critical.name(), "critical");
    /// ```
    pub fn name(self) -> &'static str {
        Self::NAMED
            .iter()
            .find(|(known, _)| *known == self)
            .map_or("emergency", |(_, name)| name)
    }

    /// The names of all levels, least severe first.
    pub(crate) fn names() -> [&'static str; 8] {
        Self::NAMED.map(|(_, name)| name)
    }
}

impl<'de> Deserialize<'de> for LogLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| D::Error::custom("no level has this name"))
    }
}

impl Serialize for LogLevel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
