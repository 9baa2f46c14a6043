//! The protocol fields that every request carries, in its body and mirrored in its headers.

mod meta;
mod mirror;
pub mod sentinel;
mod trace_context;

pub use meta::{ClientCapabilities, ClientInfo, RequestMeta};
pub(crate) use mirror::{check_params, check_protocol_fields};
pub use trace_context::TraceContext;
