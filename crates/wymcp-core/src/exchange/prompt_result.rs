//! What a prompt becomes.

use serde::Serialize;
use serde_json::Value;

use super::{Content, Role, content::Meta};

/// The messages that a prompt becomes.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{PromptMessage, PromptResult};
///
/// let result = PromptResult::new([PromptMessage::user("Review src/lib.rs.")]).describe("A review").meta("com.example/v", 2);
/// assert_eq!(result.description.as_deref(), Some("A review"));
/// assert_eq!(result.meta["com.example/v"], 2);
/// assert_eq!(
///     serde_json::to_value(&result.messages).unwrap(),
///     json!([{"role": "user", "content": {"type": "text", "text": "Review src/lib.rs."}}]),
/// );
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PromptResult {
    /// What the messages are, for a human.
    pub description: Option<String>,
    /// The messages, in their order.
    pub messages: Vec<PromptMessage>,
    /// Members for the result's `_meta`; the protocol's own keys are not overwritten.
    pub meta: Meta,
}

impl PromptResult {
    /// A result of messages.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Says what the messages are.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds a member to the result's `_meta`. Keys of the application's own have a prefix, such as `com.example/`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

/// One message of a prompt.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Content, PromptMessage, Role};
///
/// let question = PromptMessage::user("What is in the picture?");
/// let picture = PromptMessage::new(Role::User, Content::image([0xFF], "image/png"));
/// let answer = PromptMessage::assistant("A bridge.");
/// assert_eq!((question.role, picture.role, answer.role), (Role::User, Role::User, Role::Assistant));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl PromptMessage {
    /// A message of any content.
    pub fn new(role: Role, content: Content) -> Self {
        Self { role, content }
    }

    /// A text of the human.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, Content::text(text))
    }

    /// A text of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, Content::text(text))
    }
}
