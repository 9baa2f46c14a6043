//! What an action says beside its result or its error: hints at what to call next, and a context.

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::Value;
use wymcp_core::{Fault, Hint, StructuredContent, ToolResult};

use crate::{Error, IntoToolResult};

/// A result of an action, with hints at what to call next and a context to go by.
///
/// Sent as one JSON text: `{"result": ..., "hints": [...], "context": ...}`.
///
/// # Examples
///
/// ```
/// use wymcp::{ActionOutput, Content, Hint, IntoToolResult};
///
/// let output = ActionOutput::new("added")
///     .hint(Hint::new("calendar", "list", "Shows all events"))
///     .context("Today is Tuesday.");
/// let result = output.into_tool_result().unwrap();
/// let [Content::Text { text, .. }] = &*result.content else { panic!("one text") };
/// assert_eq!(
///     text,
///     r#"{"result":"added","hints":[{"tool":"calendar","action":"list","description":"Shows all events"}],"context":"Today is Tuesday."}"#,
/// );
/// ```
#[derive(Clone, Debug)]
pub struct ActionOutput<T> {
    result: T,
    beside: Beside,
}

/// What stands beside a result or an error.
#[derive(Clone, Debug, Default)]
struct Beside {
    hints: Vec<Hint>,
    context: Option<Value>,
}

impl<T: Serialize> ActionOutput<T> {
    /// A result without hints.
    pub fn new(result: T) -> Self {
        Self {
            result,
            beside: Beside::default(),
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: Hint) -> Self {
        self.beside.hints.push(hint);
        self
    }

    /// Sets the context: what the model should keep in mind.
    #[must_use]
    pub fn context(mut self, context: impl Into<Value>) -> Self {
        self.beside.context = Some(context.into());
        self
    }
}

impl<T: Serialize> IntoToolResult for ActionOutput<T> {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        let text = with_beside("result", &self.result, &self.beside)?;
        Ok(ToolResult::text(text.as_str()))
    }
}

/// An error of an action for the model, with hints at what to call instead and a context.
///
/// Sent as one JSON text: `{"error": ..., "hints": [...], "context": ...}`. Turns into an [`Error`] with `?`.
///
/// # Examples
///
/// ```
/// use wymcp::{ActionError, Error, Hint};
///
/// fn remove(id: u64, events: &mut Vec<u64>) -> Result<(), Error> {
///     let Some(at) = events.iter().position(|event| *event == id) else {
///         return Err(ActionError::new(format!("no event has the id {id}"))
///             .hint(Hint::new("calendar", "list", "Shows all events with their ids"))
///             .context(format!("{} left", events.len()))
///             .into());
///     };
///     events.remove(at);
///     Ok(())
/// }
///
/// assert!(remove(7, &mut vec![7]).is_ok());
/// let error = remove(8, &mut vec![7]).unwrap_err();
/// assert!(format!("{error:?}").contains("Shows all events"));
/// assert!(format!("{error:?}").contains("1 left"));
/// ```
#[derive(Clone, Debug)]
pub struct ActionError {
    message: String,
    beside: Beside,
}

impl ActionError {
    /// An error: what went wrong, and what to do instead.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            beside: Beside::default(),
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: Hint) -> Self {
        self.beside.hints.push(hint);
        self
    }

    /// Sets the context: what the model should keep in mind.
    #[must_use]
    pub fn context(mut self, context: impl Into<Value>) -> Self {
        self.beside.context = Some(context.into());
        self
    }
}

impl From<ActionError> for Error {
    fn from(error: ActionError) -> Self {
        match with_beside("error", &error.message, &error.beside) {
            Ok(text) => Self::new(text.as_str()),
            Err(fault) => Self::internal(fault),
        }
    }
}

fn with_beside(
    name: &'static str,
    value: &impl Serialize,
    beside: &Beside,
) -> Result<StructuredContent, Fault> {
    let value = StructuredContent::new(value)?;
    StructuredContent::new(&Spoken {
        name,
        value,
        beside,
    })
}

/// The members in the order in which the model is to read them.
struct Spoken<'b> {
    name: &'static str,
    value: StructuredContent,
    beside: &'b Beside,
}

impl Serialize for Spoken<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry(self.name, &self.value)?;
        if !self.beside.hints.is_empty() {
            members.serialize_entry("hints", &self.beside.hints)?;
        }
        if let Some(context) = &self.beside.context {
            members.serialize_entry("context", context)?;
        }
        members.end()
    }
}
