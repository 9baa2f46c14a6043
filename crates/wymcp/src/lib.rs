//! MCP servers: tools as async closures, on a protocol core that never surprises a client.
//!
//! This crate is what an application writes against. The protocol itself is [`wymcp_core`]: pure functions that turn
//! `(headers, bytes)` into `(status, body, events)`. An adapter mounts the [`Server`] of this crate in a host: `wymcp-axum` in
//! an axum router, `wymcp-actix` in an actix-web application, `wymcp-stdio` on standard input and output.
//!
//! # A server
//!
//! ```
//! use wymcp::{Context, Server, tool};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sum {
//!     /// The first summand
//!     a: i64,
//!     /// The second summand
//!     b: i64,
//! }
//!
//! # fn main() -> Result<(), wymcp::ConfigError> {
//! let server = Server::builder("calculator", "1.0.0")
//!     .tool(tool("sum").describe("Adds two numbers").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)))
//!     .build()?;
//! # let _ = server;
//! # Ok(())
//! # }
//! ```
//!
//! Arguments are checked against the schema of their type before the closure runs; what is wrong with them is told to
//! the model in words that it can act on. A closure that panics, runs too long or returns too much fails alone.
//!
//! # Where to read on
//!
//! - The guide, `docs/guide.md` of the repository: from nothing to tools, actions, authentication and a proxy in front.
//! - [`tool`], [`ToolHandler`] and [`actions`]: the ways to write a tool. [`resource`], [`resource_template`], [`prompt`]: what
//!   else a server offers.
//! - [`Context`]: what a handler knows of its call, says before its answer, and asks of the client ([`Context::ask`]).
//!   [`Error`]: what it returns when it has no result.
//! - [`Authenticate`], [`BearerTokens`]: who may call.
//! - [`ServerBuilder`]: hosts, origins, limits, events.
//! - [`Changes`]: telling clients of changes.
//! - [`answer`], [`Exchange`], [`Lines`]: how an adapter is written.
//!
//! # Features
//!
//! All are on by default, and each adapter hands its own of the same name on:
//!
//! - `json-schema` checks the arguments and results of tools against their JSON Schemas. Without it, what the type of the
//!   arguments cannot hold is refused, and no more. It is half of the build.
//! - `sealing` seals what a client carries between two rounds of questions. Without it a handler can ask one round.
//! - `editing` brings `Server::edit` and `Edit`, which add and remove tools, resources and prompts on a running server.

mod server;
mod live;
#[cfg(feature = "editing")]
mod edit;
mod builder;
mod tool;
mod actions;
mod action_result;
mod prompt;
mod resource;
mod completion;
mod handler;
mod context;
mod question;
mod sealing;
mod changes;
mod listening;
mod cancellation;
mod legacy;
mod result;
mod error;
mod authenticate;
mod endpoint;
mod running;
mod contained;
mod keep_alive;
mod outlet;
mod answering;
mod answer_stream;
mod conversation;
mod lines;
mod in_flight;
mod answers;
mod line_buffer;
mod signal;
mod span;
mod render;
mod schema;
mod members;
mod prompt_arguments;

pub use action_result::{ActionError, ActionOutput};
pub use actions::{ActionBuilder, ActionToolBuilder, RunnableAction, action, actions};
pub use answer_stream::AnswerStream;
pub use answering::{Answer, Answering};
pub use answers::Answers;
pub use authenticate::{Authenticate, BearerTokens, bearer_token};
pub use builder::ServerBuilder;
pub use bytes::Bytes;
pub use cancellation::{Cancellation, Cancelled};
pub use changes::{Changes, Relay};
pub use completion::{Completing, IntoCompletion};
pub use context::Context;
pub use conversation::Conversation;
#[cfg(feature = "editing")]
pub use edit::Edit;
pub use endpoint::{Clock, Exchange, answer, converse};
pub use error::{Error, Result};
pub use handler::ToolHandler;
pub use legacy::{MemorySessions, SessionStore};
pub use line_buffer::LineBuffer;
pub use lines::Lines;
pub use outlet::Outlet;
pub use prompt::{IntoPromptResult, PromptBuilder, RunnablePrompt, prompt};
pub use question::{Elicited, Question, Questions, Roots, Round, Visit};
pub use render::render;
pub use resource::{
    IntoContents, ResourceBuilder, ResourceTemplateBuilder, RunnableResource,
    RunnableResourceTemplate, resource, resource_template,
};
pub use result::{IntoToolResult, Structured};
pub use server::Server;
pub use tool::{NoArguments, RunnableTool, ToolBuilder, tool};
#[doc(inline)]
pub use wymcp_core::{
    Annotations, CacheHint, CacheScope, Called, Challenge, Change, ClientCapabilities, ClientInfo,
    Completion, ConfigError, Content, Decision, ErrorKind, Event, Fault, Field, Form, Head,
    Headers, HelpLevel, Hint, HttpVersion, Icon, IconTheme, IncludeContext, InputAnswer,
    InputRequest, Json, LegacyVersion, Limits, LogLevel, Method, ModelPreferences, Number,
    Principal, PromptArgument, PromptMessage, PromptResult, RejectionReason, Reply, RequestId,
    RequestMeta, ResourceContents, ResourceLink, Role, Root, Sampling, SamplingAnswer,
    SamplingMessage, Sent, Session, SessionEdit, Singleton, StructuredContent, TextFormat,
    ToolAnnotations, ToolChoice, ToolResult, ToolUse, TraceContext, Untrusted, cors,
};
