//! What a handler and the core say to each other.

mod principal;
mod content;
mod finite;
mod outcome;
mod call;

pub use call::Call;
pub(crate) use call::{WireMeta, wire};
pub use content::{Annotations, Content, Icon, ResourceContents, Role};
pub use outcome::{Outcome, StructuredContent, ToolResult};
pub use principal::Principal;
