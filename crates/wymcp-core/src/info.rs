//! What a server says of itself.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    catalog::check_icons,
    config::{ConfigError, check_url},
    exchange::Icon,
    text::to_raw,
    untrusted::is_line,
    validate::key,
};

/// Who the server is, as every result carries it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Info {
    pub(crate) name: String,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) website_url: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) icons: Vec<Icon>,
}

/// The same, encoded once: it is in every result.
#[derive(Debug)]
pub(crate) struct EncodedInfo {
    pub(crate) info: Box<RawValue>,
    /// The `_meta` of a result that has nothing else in it.
    pub(crate) meta: Box<RawValue>,
}

impl Info {
    pub(crate) fn encode(&self) -> EncodedInfo {
        EncodedInfo {
            info: to_raw(self),
            meta: to_raw(&BTreeMap::from([(key::SERVER_INFO, self)])),
        }
    }

    /// Checks what has a form.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        for (name, text) in [("name", &self.name), ("version", &self.version)] {
            if !is_line(text) {
                return Err(ConfigError::setting(
                    name,
                    "is not one line of text; write one",
                ));
            }
        }
        let website = self.website_url.as_deref().map_or(Ok(()), check_url);
        website.map_err(|fault| ConfigError::setting("website", fault))?;
        check_icons(&self.icons)
            .map_err(|(field, fault)| ConfigError::setting("icon", &format!("{field} {fault}")))
    }
}
