//! What a handler and the core say to each other.

mod principal;
mod content;
mod finite;
mod prompt_result;
mod completion;
mod outcome;
mod target;
mod call;
mod wire;
mod finish;
mod outbox;

pub use call::Call;
pub use completion::Completion;
pub use content::{Annotations, Content, Icon, ResourceContents, Role};
pub use outbox::Outbox;
pub use outcome::{Outcome, StructuredContent, ToolResult};
pub use principal::Principal;
pub use prompt_result::{PromptMessage, PromptResult};
pub(crate) use target::Target;
pub(crate) use wire::{WireCompletion, WireMeta, wire};
