//! What the methods of the legacy lane ask of their params that no modern revision has.

use super::LegacyVersion;
use crate::{
    log_level::LogLevel,
    rejection::Rejection,
    text::{Json, Object},
    untrusted::Untrusted,
    validate::{
        check::{Check, members, object, one_of, required, string},
        location::Location,
    },
};

/// What a client says of itself when it opens a session.
#[derive(Debug)]
pub(super) struct Hello<'j, 'a> {
    /// Agreed on: the one that was asked for if it is spoken, else the newest.
    pub(super) version: LegacyVersion,
    pub(super) capabilities: &'j Object<'a>,
    pub(super) name: String,
    pub(super) client_version: String,
}

pub(super) fn hello<'j, 'a>(params: &'j Object<'a>) -> Result<Hello<'j, 'a>, Rejection> {
    read_hello(params).map_err(|violation| Rejection::InvalidParams(violation.into()))
}

fn read_hello<'j, 'a>(params: &'j Object<'a>) -> Check<Hello<'j, 'a>> {
    let here = Location::PARAMS;
    required(
        params,
        &["protocolVersion", "capabilities", "clientInfo"],
        &here,
    )?;
    let member = |name| params.get(name).unwrap_or(&Json::Null);
    let asked = string(member("protocolVersion"), &here.member("protocolVersion"))?;
    let capabilities = object(member("capabilities"), &here.member("capabilities"))?;
    let (client, at) = (member("clientInfo"), here.member("clientInfo"));
    members(client, &["name", "version"], &["name", "version"], &at)?;
    // Bounded, since it is kept for as long as the session is.
    let text = |name| {
        client
            .as_object()
            .and_then(|client| client.get(name)?.as_str())
    };
    let shown = |name| Untrusted::new(text(name).unwrap_or_default()).to_string();
    Ok(Hello {
        version: LegacyVersion::named(asked).unwrap_or(LegacyVersion::NEWEST),
        capabilities,
        name: shown("name"),
        client_version: shown("version"),
    })
}

/// The level of `logging/setLevel`.
pub(super) fn level(params: &Object<'_>) -> Result<LogLevel, Rejection> {
    let here = Location::PARAMS;
    let read = || -> Check<LogLevel> {
        required(params, &["level"], &here)?;
        let level = params.get("level").unwrap_or(&Json::Null);
        let name = one_of(level, &LogLevel::names(), &here.member("level"))?;
        Ok(LogLevel::parse(name).unwrap_or(LogLevel::Emergency))
    };
    read().map_err(|violation| Rejection::InvalidParams(violation.into()))
}

/// The address of `resources/subscribe` and `resources/unsubscribe`.
pub(super) fn uri<'j>(params: &'j Object<'_>) -> Result<&'j str, Rejection> {
    let here = Location::PARAMS;
    let read = || -> Check<&'j str> {
        required(params, &["uri"], &here)?;
        string(
            params.get("uri").unwrap_or(&Json::Null),
            &here.member("uri"),
        )
    };
    read().map_err(|violation| Rejection::InvalidParams(violation.into()))
}
