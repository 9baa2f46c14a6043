//! The capabilities that a server declares, derived from what it serves.

use serde::Serialize;

use super::Catalog;

/// What a server can do, as `server/discover` says it. Derived, so that it cannot drift from what is served.
#[derive(Debug, Serialize)]
pub(crate) struct Capabilities {
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
}

/// A capability without settings.
#[derive(Debug, Serialize)]
struct Declared {}

impl Capabilities {
    pub(crate) fn of(catalog: &Catalog, logging: bool) -> Self {
        let declared = |is_there: bool| is_there.then_some(Declared {});
        Self {
            tools: declared(!catalog.tools.is_empty()),
            resources: declared(catalog.has_resources()),
            prompts: declared(!catalog.prompts.is_empty()),
            completions: declared(catalog.completes()),
            logging: declared(logging),
        }
    }
}
