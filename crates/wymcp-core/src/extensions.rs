//! The extensions of the protocol that a server declares.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::{config::ConfigError, exchange::StructuredContent, meta_key::is_key};

/// Extensions by their identifiers, with the settings of each.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Extensions(BTreeMap<String, Value>);

impl Extensions {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn insert(&mut self, identifier: String, settings: Value) {
        self.0.insert(identifier, settings);
    }

    /// Checks the identifiers, and that the settings are objects.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        for (identifier, settings) in &self.0 {
            let fault = if !is_identifier(identifier) {
                "is no identifier; write a prefix of yours and a name, such as com.example/carts"
            } else if !settings.is_object() {
                "has settings that are no object; write an object, {} for none"
            } else if StructuredContent::new(settings).is_err() {
                "has settings that no client could read; write flatter ones"
            } else {
                continue;
            };
            return Err(ConfigError::setting(
                "extension",
                &format!("{identifier:?} {fault}"),
            ));
        }
        Ok(())
    }
}

/// A key with a prefix.
fn is_identifier(text: &str) -> bool {
    text.contains('/') && is_key(text)
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

    #[test]
    fn an_identifier_is_a_key_with_a_prefix() {
        for good in ["io.modelcontextprotocol/tasks", "a/b", "a/"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "tasks", "/tasks", "a b/c"] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }
}
