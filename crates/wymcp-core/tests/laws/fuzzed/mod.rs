//! The fuzz targets of the core, each a law of any bytes: what `fuzz/` mutates, and `seeds.rs` runs the seeds through.

pub(crate) mod accept;
pub(crate) mod classify;
mod host_origin;
mod legacy;
pub(crate) mod mirror;
mod receive;
#[cfg(feature = "sealing")]
mod request_state;
pub(crate) mod sentinel;
pub(crate) mod sse;
pub(crate) mod template;
#[cfg(feature = "json-schema")]
mod tool_schema;

use wymcp_core::Limits;

use crate::oracle;

/// A law; it panics where it is broken.
pub(crate) type Law = fn(&[u8]);

/// The targets, by their names.
pub(crate) const TARGETS: &[(&str, Law)] = &[
    ("accept", accept::accept),
    ("classify", classify::classify),
    ("host_origin", host_origin::host_origin),
    ("json_text", json_text),
    ("legacy", legacy::legacy),
    ("mirror", mirror::mirror),
    ("receive", receive::receive),
    #[cfg(feature = "sealing")]
    ("request_state", request_state::request_state),
    ("sentinel", sentinel::sentinel),
    ("sse", sse::sse),
    ("template", template::template),
    #[cfg(feature = "json-schema")]
    ("tool_schema", tool_schema::tool_schema),
];

/// With limits that a short text can pass, too.
fn json_text(bytes: &[u8]) {
    let mut limits = Limits::default();
    let _ = oracle::json_text(bytes, &limits);
    (limits.depth, limits.values) = (8, 64);
    let _ = oracle::json_text(bytes, &limits);
}
