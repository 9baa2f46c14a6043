//! The MCP server protocol as pure functions.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::panic_in_result_fn,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

mod authentication;
mod catalog;
mod config;
pub mod cors;
mod door;
mod event;
mod exchange;
mod fields;
mod head;
mod limits;
mod log_level;
mod method;
mod rejection;
mod rejection_id;
mod reply;
mod server;
mod text;
mod untrusted;
mod validate;
mod version;
mod wire;

pub use authentication::{Challenge, Decision};
pub use catalog::{Action, Hint, Tool, ToolAnnotations};
pub use config::ConfigError;
pub use door::{Admitted, Authorized, Message, Turn};
pub use event::{Called, ErrorKind, Event, Fault, HelpLevel, Sent};
pub use exchange::{
    Annotations, Call, Content, Icon, Outcome, Principal, ResourceContents, Role,
    StructuredContent, ToolResult,
};
pub use fields::{ClientCapabilities, ClientInfo, RequestMeta, sentinel};
pub use head::{Head, Headers, HttpVersion, Singleton};
pub use limits::Limits;
pub use log_level::LogLevel;
pub use method::Method;
pub use rejection::{Rejection, RejectionReason, Row, code};
pub use rejection_id::rejection_id;
pub use reply::Reply;
pub use server::{CacheHint, CacheScope, Server, ServerBuilder};
pub use text::{
    ArgumentsError, Document, Json, MessageKind, Number, Object, RequestId, TextFault, classify,
    jsonrpc, read,
};
pub use untrusted::Untrusted;
pub use validate::{Distilled, Violation, validate};
pub use version::ProtocolVersion;
pub use wire::{Hosts, Origins};
