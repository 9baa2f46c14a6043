//! What a handler and the core say to each other.

mod principal;
mod content;
mod finite;
mod prompt_result;
mod completion;
mod form;
mod sampling;
mod input;
mod request_state;
mod outcome;
mod target;
mod call;
mod wire;
mod finish;
mod outbox;
mod change;
mod subscription;

pub use call::Call;
pub(crate) use call::Resumed;
pub use change::Change;
pub use completion::Completion;
pub use content::{Annotations, Content, Icon, ResourceContents, Role};
pub use form::{Field, Form, TextFormat};
pub use input::{InputAnswer, InputRequest, Root};
pub use outbox::Outbox;
pub use outcome::{InputRequired, Outcome, StructuredContent, ToolResult};
pub use principal::Principal;
pub use prompt_result::{PromptMessage, PromptResult};
pub(crate) use request_state::binding;
pub use request_state::{Keyring, Moment};
pub use sampling::{IncludeContext, Sampling, SamplingAnswer};
pub(crate) use subscription::Filter;
pub use subscription::{Notices, Subscription};
pub(crate) use target::Target;
pub(crate) use wire::{WireCompletion, WireMeta, wire};
