//! The protocol fields that every request carries, in its body and mirrored in its headers.

mod meta;
mod mirror;
pub mod sentinel;

pub use meta::{ClientCapabilities, ClientInfo, RequestMeta};
pub(crate) use mirror::{check_params, check_protocol_fields};
