//! The capabilities that a server declares, derived from what it serves.

use serde::Serialize;

use super::Catalog;
use crate::{extensions::Extensions, server::Settings};

/// What a server can do, as `server/discover` says it. Derived, so that it cannot drift from what is served.
#[derive(Debug, Serialize)]
pub(crate) struct Capabilities<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Declared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<Declared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompts: Option<Declared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completions: Option<Declared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logging: Option<Declared>,
    #[serde(skip_serializing_if = "Extensions::is_empty")]
    extensions: &'a Extensions,
}

/// A capability with its settings, of which none stands there when it is off.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Declared {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    subscribe: bool,
}

impl<'a> Capabilities<'a> {
    pub(crate) fn of(catalog: &Catalog, settings: &'a Settings) -> Self {
        let plain = |is_there: bool| is_there.then(Declared::default);
        let listed = |is_there: bool, subscribe: bool| {
            is_there.then_some(Declared {
                list_changed: settings.changes,
                subscribe: settings.changes && subscribe,
            })
        };
        Self {
            tools: listed(catalog.tools.is_declared(), false),
            resources: listed(catalog.has_resources(), true),
            prompts: listed(catalog.prompts.is_declared(), false),
            completions: plain(catalog.completes()),
            logging: plain(settings.logging),
            extensions: &settings.extensions,
        }
    }
}
