//! `server/discover`: who the server is and what it can do.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Method, Request};
use crate::{
    cache::CacheHint,
    catalog::{Capabilities, Catalog},
    door::Turn,
    exchange::WireMeta,
    info::EncodedInfo,
    reply::Reply,
    server::Settings,
    text::to_raw,
    version::ProtocolVersion,
};

pub(super) fn answer<'t>(request: &Request<'t>) -> Turn<'t> {
    let discovery = request.server.discovery();
    Turn::Reply(Reply::result(&request.id, discovery, Vec::new()))
}

/// The result, which is the same for every request.
pub(crate) fn discovery(
    catalog: &Catalog,
    settings: &Settings,
    info: &EncodedInfo,
) -> Box<RawValue> {
    let versions = ProtocolVersion::MODERN.iter();
    to_raw(&Discovery {
        result_type: "complete",
        supported_versions: versions.map(|version| version.as_str()).collect(),
        capabilities: Capabilities::of(catalog, settings),
        instructions: settings.instructions.as_deref(),
        cache: settings.caching.of(Method::Discover),
        meta: WireMeta {
            server: info,
            own: None,
        },
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Discovery<'a> {
    result_type: &'static str,
    supported_versions: Vec<&'static str>,
    capabilities: Capabilities<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    #[serde(flatten)]
    cache: CacheHint,
    #[serde(rename = "_meta")]
    meta: WireMeta<'a>,
}
