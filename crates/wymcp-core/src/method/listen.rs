//! `subscriptions/listen`: tells a client of changes.

use std::{collections::BTreeSet, sync::Arc};

use super::Request;
use crate::{
    catalog::Catalog,
    door::Turn,
    exchange::{Filter, Subscription},
    rejection::Rejection,
    text::{Json, Object},
    wire::accept::accepts,
};

/// # Errors
///
/// When the client takes no stream.
pub(super) fn answer(mut request: Request<'_>) -> Result<Turn<'_>, Rejection> {
    if !accepts(request.head, "text", "event-stream") {
        return Err(Rejection::NotStreamable);
    }
    let asked = request.object("notifications");
    let filter = honored(&asked, &request.server.catalog);
    Ok(Turn::Listen(Box::new(Subscription {
        server: request.server,
        head: request.head,
        id: request.id,
        principal: request.principal,
        filter,
    })))
}

/// What can come, of what was asked for.
fn honored(asked: &Object<'_>, catalog: &Catalog) -> Filter {
    let wants = |name: &str| matches!(asked.get(name), Some(Json::Bool(true)));
    let is_readable = |uri: &&str| {
        let mut templates = catalog.templates.items().iter();
        catalog.resources.find(uri).is_some()
            || templates.any(|template| template.uri.matches(uri).is_some())
    };
    let uris = match asked.get("resourceSubscriptions") {
        Some(Json::Array(uris)) => uris.as_slice(),
        _ => &[],
    };
    let uris: BTreeSet<&str> = uris
        .iter()
        .filter_map(Json::as_str)
        .filter(is_readable)
        .collect();
    Filter {
        tools: wants("toolsListChanged") && !catalog.tools.is_empty(),
        prompts: wants("promptsListChanged") && !catalog.prompts.is_empty(),
        resources: wants("resourcesListChanged") && catalog.has_resources(),
        updates: uris.into_iter().map(Arc::from).collect(),
    }
}
