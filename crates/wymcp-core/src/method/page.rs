//! Lists: items in the order of their registration, in pages where a page size is set.

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::RawValue;

use super::{Method, Request};
use crate::{
    cache::CacheHint,
    catalog::{Cursor, Pages},
    door::Turn,
    exchange::WireMeta,
    rejection::Rejection,
    reply::Reply,
    text::Json,
};

/// Answers a list method with the page that the request's cursor names, under the name of its member.
pub(super) fn answer<'t>(
    request: &Request<'t>,
    method: Method,
    member: &'static str,
    list: &impl Pages,
) -> Result<Turn<'t>, Rejection> {
    let server = request.server;
    let from = match request.params.present("cursor").and_then(Json::as_str) {
        None => 0,
        Some(text) => {
            Cursor::open(method.name(), text)
                .ok_or(Rejection::UnknownCursor)?
                .registered
        }
    };
    let size = server.settings.page_size.unwrap_or(usize::MAX);
    let (items, behind) = list.page(from, size).ok_or(Rejection::UnknownCursor)?;
    let result = Page {
        member,
        items: &items,
        next_cursor: behind.map(|registered| Cursor { registered }.seal(method.name())),
        cache: server.settings.caching.of(method),
        meta: WireMeta {
            server: server.info(),
            own: None,
        },
    };
    Ok(Turn::Reply(Reply::result(&request.id, result, Vec::new())))
}

struct Page<'a> {
    member: &'static str,
    items: &'a RawValue,
    next_cursor: Option<String>,
    cache: CacheHint,
    meta: WireMeta<'a>,
}

impl Serialize for Page<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resultType", "complete")?;
        map.serialize_entry(self.member, self.items)?;
        if let Some(cursor) = &self.next_cursor {
            map.serialize_entry("nextCursor", cursor)?;
        }
        map.serialize_entry("ttlMs", &self.cache.ttl_ms)?;
        map.serialize_entry("cacheScope", &self.cache.cache_scope)?;
        map.serialize_entry("_meta", &self.meta)?;
        map.end()
    }
}
