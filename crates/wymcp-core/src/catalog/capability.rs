//! The capabilities that a server declares, derived from what it serves.

use serde::Serialize;

use super::Catalog;

/// What a server can do, as `server/discover` says it. Derived, so that it cannot drift from what is served.
#[derive(Debug, Serialize)]
pub(crate) struct Capabilities {
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Declared>,
}

/// A capability without settings.
#[derive(Debug, Serialize)]
struct Declared {}

impl Capabilities {
    pub(crate) fn of(catalog: &Catalog) -> Self {
        Self {
            tools: (!catalog.tools().is_empty()).then_some(Declared {}),
        }
    }
}
