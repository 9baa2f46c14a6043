//! What a client's cache may keep of an answer.

use serde::Serialize;

use crate::{config::ConfigError, method::Method};

/// How long, and for whom, a client may keep an answer.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{CacheHint, CacheScope};
///
/// let minute = CacheHint::public(60_000);
/// assert_eq!(serde_json::to_value(minute)?, json!({"ttlMs": 60_000, "cacheScope": "public"}));
/// assert_eq!(CacheHint::private(60_000).cache_scope, CacheScope::Private);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CacheHint {
    /// For how many milliseconds; 0 means that the answer is stale at once.
    pub ttl_ms: u64,
    /// For whom.
    pub cache_scope: CacheScope,
}

impl CacheHint {
    /// Anybody may keep the answer, caches between client and server included.
    pub fn public(ttl_ms: u64) -> Self {
        Self {
            ttl_ms,
            cache_scope: CacheScope::Public,
        }
    }

    /// Only the client that asked may keep the answer.
    pub fn private(ttl_ms: u64) -> Self {
        Self {
            ttl_ms,
            cache_scope: CacheScope::Private,
        }
    }
}

/// For whom a client's cache may serve an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CacheScope {
    /// For everybody.
    Public,
    /// For the principal that asked.
    Private,
}

/// What a server says of its answers: one hint for each method.
#[derive(Debug)]
pub(crate) struct Caching {
    /// Of discovery and lists.
    usual: CacheHint,
    /// Of contents, whose like nobody knows.
    contents: CacheHint,
    own: Vec<(Method, CacheHint)>,
}

impl Caching {
    /// The methods whose answers carry a hint.
    const METHODS: [Method; 6] = [
        Method::Discover,
        Method::ToolsList,
        Method::ResourcesList,
        Method::ResourceTemplatesList,
        Method::ResourcesRead,
        Method::PromptsList,
    ];

    /// The hint of discovery and lists if there is one, and those that methods have of their own. Otherwise nothing is kept,
    /// and on a server that authenticates by nobody but the client that asked.
    ///
    /// # Errors
    ///
    /// A method whose answers carry none.
    pub(crate) fn new(
        usual: Option<CacheHint>,
        authenticates: bool,
        own: Vec<(Method, CacheHint)>,
    ) -> Result<Self, ConfigError> {
        let other = own
            .iter()
            .find(|(method, _)| !Self::METHODS.contains(method));
        if let Some((method, _)) = other {
            let names = Self::METHODS.map(Method::name).join(", ");
            return Err(ConfigError::setting(
                "cache_of",
                &format!(
                    "answers of {} carry no hint; name one of {names}",
                    method.name()
                ),
            ));
        }
        let careful = if authenticates {
            CacheHint::private(0)
        } else {
            CacheHint::public(0)
        };
        Ok(Self {
            usual: usual.unwrap_or(careful),
            contents: careful,
            own,
        })
    }

    /// The hint of a method's answers.
    pub(crate) fn of(&self, method: Method) -> CacheHint {
        let mut own = self.own.iter().rev();
        let own = own.find(|(other, _)| *other == method);
        let otherwise = match method {
            Method::ResourcesRead => self.contents,
            _ => self.usual,
        };
        own.map_or(otherwise, |(_, hint)| *hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_lists_does_not_reach_contents() {
        let of_lists = CacheHint::public(60_000);
        for (authenticates, careful) in
            [(true, CacheHint::private(0)), (false, CacheHint::public(0))]
        {
            let caching = Caching::new(Some(of_lists), authenticates, Vec::new()).unwrap();
            assert_eq!(caching.of(Method::ToolsList), of_lists);
            assert_eq!(caching.of(Method::ResourcesRead), careful);
            let nothing_said = Caching::new(None, authenticates, Vec::new()).unwrap();
            assert_eq!(nothing_said.of(Method::Discover), careful);
        }
        let own = vec![(Method::ResourcesRead, CacheHint::public(1_000))];
        let caching = Caching::new(Some(of_lists), true, own).unwrap();
        assert_eq!(caching.of(Method::ResourcesRead), CacheHint::public(1_000));
    }
}
