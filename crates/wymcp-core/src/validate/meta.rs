//! What every request of revision 2026-07-28 says about itself in `params._meta`.

use super::{
    Distilled, Violation,
    check::{Check, identifier, members, object, object_of_objects, one_of, required, string},
    location::Location,
    violation::Keyword,
};
use crate::{
    log_level::LogLevel,
    text::{Json, Object},
};

/// The members of `_meta` that the protocol reserves.
pub(crate) mod key {
    pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
    pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
}

/// The revision that a request is written in: the one question that is asked whatever the answer to it.
///
/// Nothing else of `_meta` is looked at. Absent params are judged as empty ones.
pub(crate) fn protocol_version<'j>(params: Option<&'j Object<'_>>) -> Result<&'j str, Distilled> {
    let Some(version) = meta(params)?.get(key::PROTOCOL_VERSION) else {
        let missing = Keyword::Required(&[key::PROTOCOL_VERSION]);
        return Err(Violation::at(&Location::META, &missing).into());
    };
    string(version, &Location::META.member(key::PROTOCOL_VERSION)).map_err(Distilled::from)
}

/// Checks the whole `_meta` of a request: ours to judge only in a revision that we speak.
///
/// Unknown keys and unknown capabilities are fine. Absent params are judged as empty ones.
pub(crate) fn request_meta(params: Option<&Object<'_>>) -> Result<(), Distilled> {
    meta(params).and_then(check).map_err(Distilled::from)
}

fn meta<'j, 'a>(params: Option<&'j Object<'a>>) -> Check<&'j Object<'a>> {
    match params.and_then(|params| params.get("_meta")) {
        Some(meta) => object(meta, &Location::META),
        None => Err(Violation::at(
            &Location::PARAMS,
            &Keyword::Required(&["_meta"]),
        )),
    }
}

fn check(meta: &Object<'_>) -> Check {
    let here = Location::META;
    required(
        meta,
        &[key::PROTOCOL_VERSION, key::CLIENT_CAPABILITIES],
        &here,
    )?;
    for (name, value) in meta.iter() {
        let at = here.member(name);
        match name {
            key::PROTOCOL_VERSION => string(value, &at).map(drop)?,
            key::CLIENT_CAPABILITIES => capabilities(value, &at)?,
            key::CLIENT_INFO => {
                members(value, &["name", "version"], &["name", "version"], &at)?;
            }
            key::LOG_LEVEL => one_of(value, &LogLevel::names(), &at).map(drop)?,
            key::PROGRESS_TOKEN if !value.is_null() => identifier(value, &at)?,
            _ => {}
        }
    }
    Ok(())
}

fn capabilities(value: &Json<'_>, at: &Location<'_>) -> Check {
    for (name, value) in object(value, at)?.iter() {
        let at = at.member(name);
        match name {
            "elicitation" => capability(value, &["form", "url"], &at)?,
            "sampling" => capability(value, &["context", "tools"], &at)?,
            "roots" => capability(value, &[], &at)?,
            "experimental" | "extensions" => object_of_objects(value, &at)?,
            _ => {}
        }
    }
    Ok(())
}

/// A capability and its known parts.
fn capability(value: &Json<'_>, parts: &[&str], at: &Location<'_>) -> Check {
    for (name, value) in object(value, at)?.iter() {
        if parts.contains(&name) {
            object(value, &at.member(name))?;
        }
    }
    Ok(())
}
