//! The extensions of the protocol that a server declares.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::{config::ConfigError, exchange::StructuredContent};

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

/// Source: MCP 2026-07-28, `_meta`: the names of keys, here with a mandatory prefix.
fn is_identifier(text: &str) -> bool {
    let Some((prefix, name)) = text.split_once('/') else {
        return false;
    };
    let is_label = |label: &str| {
        label.starts_with(|char: char| char.is_ascii_alphabetic())
            && has_ends(label)
            && all(label, &['-'])
    };
    prefix.split('.').all(is_label)
        && (name.is_empty() || has_ends(name) && all(name, &['-', '_', '.']))
}

fn has_ends(text: &str) -> bool {
    let is_end = |char: char| char.is_ascii_alphanumeric();
    text.starts_with(is_end) && text.ends_with(is_end)
}

fn all(text: &str, others: &[char]) -> bool {
    text.chars()
        .all(|char| char.is_ascii_alphanumeric() || others.contains(&char))
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

    #[test]
    fn an_identifier_has_a_prefix_of_labels_and_a_name() {
        for good in ["io.modelcontextprotocol/tasks", "a/b", "a-1.b2/C_3.d", "a/"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in [
            "", "tasks", "/tasks", ".a/b", "a./b", "1a/b", "a-/b", "a b/c", "a/-b", "a/b_",
            "a/b/c", "ä/b", "a/ä",
        ] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }
}
