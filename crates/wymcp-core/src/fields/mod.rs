//! The protocol fields that every request carries, in its body and mirrored in its headers.

mod meta;
mod mirror;
pub mod sentinel;

pub(crate) use meta::key;
pub use meta::{ClientCapabilities, ClientInfo, LogLevel, RequestMeta};
pub(crate) use mirror::{check_params, check_protocol_fields};
