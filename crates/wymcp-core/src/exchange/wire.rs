//! Results as they stand on the wire.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{
    Completion, Content, InputRequest, PromptMessage, ResourceContents, StructuredContent,
    ToolResult, content::Meta,
};
use crate::{cache::CacheHint, info::EncodedInfo, server::Server, validate::key};

/// A tool's result as it stands on the wire.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireResult<'r> {
    result_type: &'static str,
    content: &'r [Content],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'r StructuredContent>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(rename = "_meta")]
    meta: WireMeta<'r>,
}

/// The `_meta` of a result: the server's own member, then the application's, of which none replaces it.
pub(crate) struct WireMeta<'r> {
    pub(crate) server: &'r EncodedInfo,
    pub(crate) own: Option<&'r Meta>,
}

impl Serialize for WireMeta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(own) = self.own.filter(|own| !own.is_empty()) else {
            return self.server.meta.serialize(serializer);
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(key::SERVER_INFO, &self.server.info)?;
        for (name, value) in own.iter().filter(|(name, _)| *name != key::SERVER_INFO) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Dresses a result for the wire.
pub(crate) fn wire<'r>(result: &'r ToolResult, server: &'r Server) -> WireResult<'r> {
    WireResult {
        result_type: "complete",
        content: &result.content,
        structured_content: result.structured.as_ref(),
        is_error: result.is_error,
        meta: WireMeta {
            server: server.info(),
            own: Some(&result.meta),
        },
    }
}

/// The result of `resources/read`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireContents<'r> {
    pub(super) result_type: &'static str,
    pub(super) contents: &'r [ResourceContents],
    #[serde(flatten)]
    pub(super) cache: CacheHint,
    #[serde(rename = "_meta")]
    pub(super) meta: WireMeta<'r>,
}

/// The result of `prompts/get`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WirePrompt<'r> {
    pub(super) result_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<&'r str>,
    pub(super) messages: &'r [PromptMessage],
    #[serde(rename = "_meta")]
    pub(super) meta: WireMeta<'r>,
}

/// A result that asks before it answers. It is nobody's to keep, so it has no hint for caches.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireInputRequired<'r> {
    pub(super) result_type: &'static str,
    pub(super) input_requests: &'r BTreeMap<String, InputRequest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request_state: Option<String>,
    #[serde(rename = "_meta")]
    pub(super) meta: WireMeta<'r>,
}

/// The result of `completion/complete`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireCompletion<'r> {
    pub(crate) result_type: &'static str,
    pub(crate) completion: &'r Completion,
    #[serde(rename = "_meta")]
    pub(crate) meta: WireMeta<'r>,
}
