//! What a revision knows of a result.

use super::LegacyVersion;
use crate::text::{Json, Object};

pub(crate) fn project_result<'j>(_: LegacyVersion, _: &str, result: Json<'j>) -> Json<'j> {
    let Json::Object(members) = result else {
        return result;
    };
    let unknown = ["resultType", "ttlMs", "cacheScope", "_meta"];
    Json::Object(
        members
            .into_members()
            .filter(|(name, _)| !unknown.contains(&&**name))
            .collect(),
    )
}

pub(crate) fn project_info<'j>(_: LegacyVersion, info: Json<'j>) -> Json<'j> {
    info
}

pub(crate) fn project_client_capabilities<'j>(
    _: LegacyVersion,
    declared: Object<'j>,
) -> Object<'j> {
    declared
}

pub(crate) fn project_question<'j>(
    _: LegacyVersion,
    _: &str,
    params: Json<'j>,
    _: &str,
) -> Json<'j> {
    params
}
