//! Which lane a message takes: that of the modern revisions, or that of the legacy ones.

use crate::{head::Singleton, legacy::LegacyVersion, version::ProtocolVersion};

/// The lane of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Each request says all of itself.
    Modern,
    /// A session is opened first.
    Legacy,
}

/// What sorts a message: what it says of its version, wherever it says it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs<'s> {
    /// `MCP-Protocol-Version`; of a line, absent.
    pub(crate) header: Singleton<'s>,
    /// Whether there is an `Mcp-Session-Id`, whatever it says.
    pub(crate) names_session: bool,
    /// `params._meta`'s protocol version, if it is a text.
    pub(crate) meta: Option<&'s str>,
    pub(crate) method: Option<&'s str>,
    /// `params.protocolVersion`, if it is a text: what `initialize` asks for.
    pub(crate) asked: Option<&'s str>,
}

impl Signs<'_> {
    /// Sorts a message. Nothing is refused here: what its lane does not know, the lane refuses.
    pub(crate) fn era(self) -> Era {
        let is_legacy = |name: &str| LegacyVersion::named(name).is_some();
        let is_modern = |name: &str| ProtocolVersion::modern(name).is_some();
        let meta_is_modern = self.meta.is_some_and(is_modern);
        let by_header = match self.header {
            Singleton::Absent => None,
            Singleton::Value(name) if is_legacy(name) => Some(Era::Legacy),
            Singleton::Value(_) | Singleton::Malformed(_) | Singleton::Repeated => {
                Some(Era::Modern)
            }
        };
        match (self.method, by_header) {
            (Some("server/discover"), _) | (_, Some(Era::Modern)) => Era::Modern,
            (Some("initialize"), Some(Era::Legacy)) => Era::Legacy,
            (Some("initialize"), None) => {
                let asks_for_legacy = self.asked.is_some_and(is_legacy);
                Era::modern_if(meta_is_modern && !asks_for_legacy)
            }
            // Real clients mix: within a session, the session counts.
            (_, Some(Era::Legacy)) => Era::modern_if(meta_is_modern && !self.names_session),
            (_, None) => Era::modern_if(self.meta.is_some_and(|name| !is_legacy(name))),
        }
    }
}

impl Era {
    fn modern_if(is_modern: bool) -> Self {
        if is_modern {
            Self::Modern
        } else {
            Self::Legacy
        }
    }
}
