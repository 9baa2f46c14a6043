//! `tools/list`: the tools in the order of their registration, in pages where a page size is set.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Method, Request};
use crate::{
    catalog::Cursor,
    exchange::WireMeta,
    rejection::Rejection,
    reply::Reply,
    server::CacheHint,
    text::{Json, to_raw},
};

pub(super) fn answer(request: &Request<'_, '_>) -> Result<Reply, Rejection> {
    let server = request.server;
    let tools = server.catalog.tools();
    let list = Method::ToolsList.name();
    let start = match request.params.present("cursor").and_then(Json::as_str) {
        None => 0,
        Some(text) => {
            Cursor::open(list, text)
                .filter(|cursor| cursor.registered <= tools.len())
                .ok_or(Rejection::UnknownCursor)?
                .registered
        }
    };
    let page_size = server.settings.page_size.unwrap_or(usize::MAX);
    let end = start.saturating_add(page_size).min(tools.len());
    let page: Box<RawValue>;
    let rendered = if (start, end) == (0, tools.len()) {
        server.catalog.rendered()
    } else {
        let tools = tools.get(start..end).unwrap_or_default();
        page = to_raw(&tools.iter().map(|tool| &*tool.rendered).collect::<Vec<_>>());
        &page
    };
    let result = ListResult {
        result_type: "complete",
        tools: rendered,
        next_cursor: (end < tools.len()).then(|| Cursor { registered: end }.seal(list)),
        cache: server.settings.cache,
        meta: WireMeta {
            server_info: server.info(),
            own: None,
        },
    };
    Ok(Reply::result(request.id, result, Vec::new()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListResult<'a> {
    result_type: &'static str,
    tools: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(flatten)]
    cache: CacheHint,
    #[serde(rename = "_meta")]
    meta: WireMeta<'a>,
}
