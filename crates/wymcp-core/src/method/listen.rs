//! `subscriptions/listen`: tells a client of changes.

use std::{collections::BTreeSet, sync::Arc};

use super::Request;
use crate::{
    door::Turn,
    exchange::{Filter, Subscription},
    rejection::Rejection,
    server::Server,
    text::{Json, Object},
};

/// # Errors
///
/// When the client takes no stream.
pub(super) fn answer(mut request: Request<'_>) -> Result<Turn<'_>, Rejection> {
    if !request.channel.streams() {
        return Err(Rejection::NotStreamable);
    }
    let asked = request.object("notifications");
    let filter = honored(&asked, request.server);
    Ok(Turn::Listen(Box::new(Subscription {
        id: request.id.into_owned(),
        principal: request.principal,
        wrapping: request.channel.wrapping(),
        filter,
    })))
}

/// What can come, of what was asked for.
fn honored(asked: &Object<'_>, server: &Server) -> Filter {
    let catalog = &server.catalog;
    let wants = |name: &str| matches!(asked.get(name), Some(Json::Bool(true)));
    let uris = match asked.get("resourceSubscriptions") {
        Some(Json::Array(uris)) => uris.as_slice(),
        _ => &[],
    };
    // Each costs a look at every template, so the bound is on what is looked at.
    let mut uris_asked = BTreeSet::new();
    for uri in uris.iter().filter_map(Json::as_str) {
        if uris_asked.len() < server.limits().listener_resources {
            uris_asked.insert(uri);
        }
    }
    Filter {
        tools: wants("toolsListChanged") && catalog.tools.is_declared(),
        prompts: wants("promptsListChanged") && catalog.prompts.is_declared(),
        resources: wants("resourcesListChanged") && catalog.has_resources(),
        updates: uris_asked
            .into_iter()
            .filter(|uri| catalog.is_readable(uri))
            .map(Arc::from)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Limits, Resource, Server};

    #[test]
    fn no_more_addresses_are_looked_at_than_the_limit_says() {
        let limits = Limits {
            listener_resources: 2,
            ..Limits::default()
        };
        let uris = ["a:1", "a:2", "a:3"];
        let server = uris
            .iter()
            .fold(Server::builder("docs", "1"), |server, uri| {
                server.resource(Resource::new(*uri, "page"))
            });
        let server = server.limits(limits).changes().build().unwrap();
        let asked = json!({"resourceSubscriptions": ["a:3", "a:2", "a:1"]});
        let Json::Object(asked) = Json::from(&asked) else {
            unreachable!("an object");
        };
        let kept = honored(&asked, &server).updates;
        assert_eq!(kept, [Arc::from("a:2"), Arc::from("a:3")]);
    }
}
