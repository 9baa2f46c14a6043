//! Messages against the protocol's schema.

mod violation;
mod distilled;
pub(crate) mod location;
pub(crate) mod check;
mod framing;
mod meta;
mod params;
mod protocol;
#[cfg(feature = "json-schema")]
mod compiled;
pub(crate) mod words;
#[cfg(feature = "json-schema")]
pub(crate) mod representation;
#[cfg(feature = "json-schema")]
pub(crate) mod describe;

pub use distilled::Distilled;
pub(crate) use framing::framing;
pub(crate) use meta::{key, protocol_version, request_meta};
pub(crate) use params::params;
pub(crate) use protocol::ProtocolSchema;
pub use violation::Violation;

use crate::{text::Json, version::ProtocolVersion};

/// Checks a message that a client sends against the schema of a revision.
///
/// In this order, and the first part that fails answers: the framing (`jsonrpc`, `id`, `method`, the type of
/// `params`), the request metadata in `params._meta`, the params of the method if the revision knows it. Nothing is
/// asked of a notification, as the server asks nothing of it. What a tool's own schema asks of its arguments is not
/// judged here, nor whether the server serves the method or the version that `_meta` names.
///
/// The departures from the official schema are listed in `schemas/README.md`.
///
/// # Errors
///
/// The violations of that part: with the feature `json-schema` one for each place, of which
/// [`Distilled::violations`] keeps the first [`Limits::DISTILLED_ERRORS`](crate::Limits::DISTILLED_ERRORS); without it
/// the first alone.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Json, ProtocolVersion, validate};
///
/// let mut message = serde_json::json!({
///     "jsonrpc": "2.0",
///     "id": 1,
///     "method": "tools/call",
///     "params": {
///         "name": "sum",
///         "arguments": {"a": 19, "b": 23},
///         "_meta": {
///             "io.modelcontextprotocol/protocolVersion": "2026-07-28",
///             "io.modelcontextprotocol/clientCapabilities": {}
///         }
///     }
/// });
/// assert!(validate(ProtocolVersion::V2026_07_28, &Json::from(&message)).is_ok());
///
/// message["params"]["name"] = 7.into();
/// let refused = validate(ProtocolVersion::V2026_07_28, &Json::from(&message)).unwrap_err();
/// assert_eq!(refused.to_string(), "/params/name must be a string");
/// ```
pub fn validate(version: ProtocolVersion, message: &Json<'_>) -> Result<(), Distilled> {
    match version {
        ProtocolVersion::V2026_07_28 => ProtocolSchema::default().validate(message),
    }
}

#[cfg(test)]
mod tests;
