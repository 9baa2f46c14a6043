//! The MCP server protocol as pure functions: `(headers, bytes)` in, `(status, body, events)` out.
//!
//! This crate decides what every message gets back, and does nothing: no socket, no clock, no runtime, no randomness,
//! no log. An adapter brings the bytes, an application brings the tools (see the crate `wymcp`, and the guide,
//! `docs/guide.md` of the repository, for how a server is written); what stands between them is here, and can be tested
//! and fuzzed by itself.
//!
//! # The stages
//!
//! ```text
//!  Head ── admit ──> Admitted ── read ──> Message ── authentication ──> Authorized ── proceed ──> Turn
//!          host      body size            kind       principal          ▲              │          │
//!          origin    strict JSON                     asked of           │   protocol fields       ├ Reply
//!          media     duplicates                      the driver         │   mirrored headers      ├ Call ──── finish ──> Reply
//!                                                                       │   method, params        ├ Listen ── finish ──> Reply
//!  a line ────────────────────── read_line ─────────────────────────────┘   schema                └ Cancel, only of a line
//! ```
//!
//! Each stage consumes one type and yields the next; the first that refuses answers with a [`Reply`]. A [`Call`] or a
//! [`Subscription`] exists only for a message that passed them all. Where the server has a [`Challenge`], only the driver's
//! [`Decision`] makes a message [`Authorized`]. `docs/wire.md` of the repository says what each refusal is.
//!
//! # All at once
//!
//! ```
//! use std::time::Duration;
//!
//! use serde_json::json;
//! use wymcp_core::{Decision, Event, Head, Outcome, Server, Tool, ToolResult, Turn};
//!
//! let server = Server::builder("greeter", "1.0.0")
//!     .tool(Tool::new("greet").input_schema(json!({
//!         "type": "object",
//!         "properties": {"name": {"type": "string"}},
//!         "required": ["name"],
//!     })))
//!     .build()?;
//!
//! let headers = [
//!     ("host", "localhost"),
//!     ("content-type", "application/json"),
//!     ("mcp-protocol-version", "2026-07-28"),
//!     ("mcp-method", "tools/call"),
//!     ("mcp-name", "greet"),
//! ];
//! let body = json!({
//!     "jsonrpc": "2.0",
//!     "id": 7,
//!     "method": "tools/call",
//!     "params": {
//!         "name": "greet",
//!         "arguments": {"name": "Ada"},
//!         "_meta": {
//!             "io.modelcontextprotocol/protocolVersion": "2026-07-28",
//!             "io.modelcontextprotocol/clientCapabilities": {},
//!         },
//!     },
//! })
//! .to_string();
//!
//! let head = Head::new("POST", &headers);
//! let Turn::Call(call) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
//!     unreachable!("the message passes every stage");
//! };
//! // The driver runs the tool's handler here.
//! let name = call.arguments().as_object().and_then(|arguments| arguments.get("name")?.as_str());
//! let greeting = ToolResult::text(format!("Hello, {}!", name.unwrap_or_default()));
//! let reply = call.finish(Outcome::Tool(greeting), Duration::from_millis(1));
//!
//! assert_eq!(reply.status, 200);
//! assert!(reply.body.starts_with(br#"{"jsonrpc":"2.0","id":7,"result":"#));
//! assert!(matches!(reply.events.as_slice(), [Event::ToolStopped { error: None, .. }]));
//! # Ok::<(), wymcp_core::ConfigError>(())
//! ```
//!
//! # Where to look
//!
//! | for | see |
//! |---|---|
//! | writing a driver or an adapter | [`Head`], [`Headers`], [`Server::admit`] and what follows, [`Reply`], [`Call`], [`Subscription`] |
//! | a driver of lines | [`Server::read_line`], [`line`](line()), [`Turn::Cancel`] |
//! | defining a server | [`Server::builder`], [`Tool`], [`Action`], [`Resource`], [`Prompt`], [`Limits`], [`ConfigError`] |
//! | another server of the same, with more or less | [`Edit`], [`Server::edited`] |
//! | what a handler says | [`Outbox`], [`Outcome`], [`ToolResult`], [`Content`], [`StructuredContent`], [`Fault`] |
//! | what it asks | [`InputRequired`], [`Form`], [`Sampling`], [`Keyring`] |
//! | what is refused, and why | [`RejectionReason`], [`rejection_id`] |
//! | what happened | [`Event`] |
//! | the pure functions by themselves | [`read`], [`classify`], [`validate`](validate()), [`sentinel`], [`jsonrpc`] |
//!
//! # Features
//!
//! Both are on by default:
//!
//! - `json-schema` checks the arguments and results of tools against their JSON Schemas. Without it, the type that a handler
//!   reads is the only check of plain arguments; everything else is checked all the same.
//! - `sealing` seals what a client carries between two rounds of questions. Without it a handler can ask one round.

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

mod limits;
mod http_version;
mod head;
mod untrusted;
pub mod sse;
mod attached;
mod text;
mod version;
mod era;
mod log_level;
mod config;
mod event;
mod reason;
mod rejection;
mod rejection_id;
mod wrapping;
mod channel;
mod reply;
mod authentication;
mod cache;
mod meta_key;
mod extensions;
mod info;
mod wire;
pub mod cors;
mod validate;
mod fields;
mod catalog;
mod method;
mod exchange;
mod server;
mod builder;
mod legacy;
mod door;
mod message;
mod authorized;

pub use authentication::{Challenge, Decision};
pub use authorized::Authorized;
pub use builder::ServerBuilder;
pub use cache::{CacheHint, CacheScope};
pub use catalog::{
    Action, Edit, Hint, Prompt, PromptArgument, Resource, ResourceTemplate, TemplateFault, Tool,
    ToolAnnotations, UriTemplate,
};
pub use config::ConfigError;
pub use door::{Admitted, Turn};
pub use event::{Called, ErrorKind, Event, Fault, HelpLevel, Sent, drop_contained};
pub use exchange::{
    Annotations, Call, Change, Completion, Content, Field, Form, Icon, IconTheme, IncludeContext,
    InputAnswer, InputRequest, InputRequired, Keyring, ModelPreferences, Moment, Notices, Outbox,
    Outcome, Principal, PromptMessage, PromptResult, ResourceContents, ResourceLink, Role, Root,
    Sampling, SamplingAnswer, SamplingMessage, StructuredContent, Subscription, TextFormat,
    ToolChoice, ToolResult, ToolUse,
};
pub use fields::{ClientCapabilities, ClientInfo, RequestMeta, TraceContext, sentinel};
pub use head::{Head, Headers, Singleton};
pub use http_version::HttpVersion;
pub use legacy::{
    Attachment, Batch, ClientAnswer, EventId, EventKind, Handshake, LegacySessions, LegacyTurn,
    LegacyVersion, Replay, Session, SessionEdit, change_message, sealed_session,
};
pub use limits::Limits;
pub use log_level::LogLevel;
pub use message::{Authentication, Message, Unauthenticated};
pub use method::Method;
pub use reason::{RejectionReason, Row, code};
pub use rejection_id::rejection_id;
pub use reply::Reply;
pub use server::Server;
pub use text::{
    ArgumentsError, Document, Json, MessageKind, Number, Object, RequestId, TextFault, Texts,
    classify, jsonrpc, read,
};
pub use untrusted::Untrusted;
pub use validate::{Distilled, Violation, validate};
pub use version::ProtocolVersion;
pub use wrapping::line;
