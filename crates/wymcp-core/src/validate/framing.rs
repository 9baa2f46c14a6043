//! What JSON-RPC 2.0 asks of a message.

use super::{
    Distilled, Violation,
    check::{Check, exactly, identifier, required, string},
    location::Location,
    violation::Keyword,
};
use crate::text::{Json, Object};

/// Checks `jsonrpc`, `id`, `method` and the type of `params`.
///
/// A message without an id passes, since the framing of a notification is the same. `params` that are null read as
/// absent.
pub(crate) fn framing(message: &Object<'_>) -> Result<(), Distilled> {
    check(message).map_err(Distilled::from)
}

fn check(message: &Object<'_>) -> Check {
    required(message, &["jsonrpc", "method"], &Location::Message)?;
    for (name, value) in message.iter() {
        let at = Location::Message.member(name);
        match name {
            "jsonrpc" => exactly(value, "2.0", &at)?,
            "id" => identifier(value, &at)?,
            "method" => string(value, &at).map(drop)?,
            "params" if !matches!(value, Json::Null | Json::Object(_)) => {
                return Err(Violation::at(&at, &Keyword::Type(&["object"])));
            }
            _ => {}
        }
    }
    Ok(())
}
