//! The MCP server protocol as pure functions.

mod catalog;
mod config;
mod event;
mod exchange;
mod fields;
mod head;
mod limits;
mod method;
mod rejection;
mod reply;
mod text;
mod untrusted;
mod validate;
mod version;
mod wire;

pub use catalog::{Action, Hint};
pub use config::ConfigError;
pub use event::{ErrorKind, Event, Fault, HelpLevel, Sent};
pub use head::{Head, Headers, HttpVersion, Singleton};
pub use limits::Limits;
pub use rejection::{Rejection, RejectionReason, Row, code, rejection_id};
pub use reply::Reply;
pub use text::{
    ArgumentsError, Document, Json, MessageKind, Number, Object, RequestId, TextFault, classify,
    jsonrpc, read,
};
pub use untrusted::Untrusted;
pub use validate::{Distilled, Violation};
pub use version::ProtocolVersion;
