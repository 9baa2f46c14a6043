//! How a handler's run ended.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    Completion, InputRequest, Moment, PromptResult, ResourceContents,
    content::{Content, Meta},
    finite,
};
use crate::{
    event::Fault,
    limits::Limits,
    text::{BoundedFault, Json, read, to_bytes_within},
};

/// The outcome of one run of a handler.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Fault, Outcome, ToolResult};
///
/// /// What came of a look at a thermometer.
/// fn outcome(reading: Result<f64, std::io::Error>, may_ask: bool) -> Outcome {
///     match reading {
///         Ok(celsius) if celsius.is_finite() => Outcome::Tool(ToolResult::text(format!("{celsius} °C"))),
///         // The model reads this, and can act on it.
///         Ok(_) if may_ask => Outcome::Tool(ToolResult::error("the thermometer is out of its range; ask for another")),
///         Ok(_) => Outcome::MissingClientCapability(json!({"elicitation": {}})),
///         // Only the operator reads this.
///         Err(fault) => Outcome::Fault(Fault::Internal(fault.to_string())),
///     }
/// }
///
/// assert!(matches!(outcome(Ok(21.5), false), Outcome::Tool(result) if !result.is_error));
/// assert!(matches!(outcome(Err(std::io::ErrorKind::TimedOut.into()), false), Outcome::Fault(_)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// A tool's result, or its error that the model is to read.
    Tool(ToolResult),
    /// What is in a resource.
    Contents(Vec<ResourceContents>),
    /// There is no such resource, though its address fits a definition.
    NotFound,
    /// What a prompt becomes.
    Prompt(PromptResult),
    /// Proposals for the value of an argument.
    Completion(Completion),
    /// The handler has questions for the client, which sends the request again with the answers.
    InputRequired(InputRequired),
    /// The handler cannot answer what it was asked, and says why. Of a tool the model reads it; otherwise it is the
    /// message of an error.
    Refused(String),
    /// The call cannot go on without a client capability that the request did not declare. The value is an object of
    /// objects, down to the sub-capability: `{"sampling": {}}`.
    MissingClientCapability(Value),
    /// The handler failed. Its caller is told that, and nothing else.
    Fault(Fault),
}

/// The questions of a handler, and what it takes to go on.
///
/// # Examples
///
/// ```
/// use std::{collections::BTreeMap, time::Duration};
///
/// use serde_json::Map;
/// use wymcp_core::{Form, InputRequired, Moment};
///
/// # let (now, random) = (Duration::from_secs(1_800_000_000), [1; 24]);
/// // `random` are 24 bytes that never come again.
/// let required = InputRequired {
///     questions: BTreeMap::from([("sure".to_owned(), Form::new("Are you sure?").into())]),
///     answered: Map::new(),
///     moment: Moment { now, entropy: random },
/// };
/// assert_eq!(required.questions.len(), 1);
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a driver makes it")]
pub struct InputRequired {
    /// The questions, each under the key that its answer will have.
    pub questions: BTreeMap<String, InputRequest>,
    /// The answers of earlier rounds, which the client carries sealed.
    pub answered: Map<String, Value>,
    /// When it is asked.
    pub moment: Moment,
}

/// The result of a tool.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Content, StructuredContent, ToolResult};
///
/// let result = ToolResult::structured(StructuredContent::new(&[1, 2]).unwrap());
/// assert_eq!(result.content, [Content::text("[1,2]")]);
/// assert!(ToolResult::error("no such city: Atlantis").is_error);
/// assert_eq!(ToolResult::text("21.5").meta("com.example/station", 7).meta["com.example/station"], 7);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolResult {
    /// What the model reads.
    pub content: Vec<Content>,
    /// The same for a program, if the tool has it.
    pub structured: Option<StructuredContent>,
    /// Whether this is an error that the model is to act on.
    pub is_error: bool,
    /// Members for the result's `_meta`; the protocol's own keys are not overwritten.
    pub meta: Meta,
}

impl ToolResult {
    /// A result of content.
    pub fn new(content: impl IntoIterator<Item = Content>) -> Self {
        Self {
            content: content.into_iter().collect(),
            ..Self::default()
        }
    }

    /// A result of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new([Content::text(text)])
    }

    /// A structured result; its text block says the same for a client that reads only text.
    pub fn structured(structured: StructuredContent) -> Self {
        Self {
            content: vec![Content::text(structured.as_str())],
            structured: Some(structured),
            ..Self::default()
        }
    }

    /// An error for the model: what went wrong, and what to do instead.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// Adds a member to the result's `_meta`. Keys of the application's own have a prefix, such as `com.example/`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

/// A JSON value of the application, already encoded.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::StructuredContent;
///
/// let reading = StructuredContent::new(&json!({"celsius": 21.5})).unwrap();
/// assert_eq!(reading.as_str(), r#"{"celsius":21.5}"#);
/// assert_eq!(reading.to_value()["celsius"], 21.5);
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct StructuredContent(Box<RawValue>);

impl StructuredContent {
    /// The most bytes of an encoding; a server's own limit for whole answers is lower.
    const BOUND: usize = 256 * 1024 * 1024;

    /// Encodes a value.
    ///
    /// # Errors
    ///
    /// [`Fault::Unencodable`] when the value's own `Serialize` fails, when it holds a number that is not finite, which
    /// JSON cannot say, or when it nests deeper than [`Limits::MAX_DEPTH`]; [`Fault::TooLarge`] beyond 256 MiB.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Fault, StructuredContent};
    ///
    /// let fault = StructuredContent::new(&[1.5, f64::INFINITY]).unwrap_err();
    /// assert!(matches!(fault, Fault::Unencodable(_)));
    /// ```
    pub fn new(value: &(impl Serialize + ?Sized)) -> Result<Self, Fault> {
        finite::check(value).map_err(|fault| Fault::Unencodable(fault.to_string()))?;
        let bytes = to_bytes_within(value, Self::BOUND)?;
        let text = String::from_utf8(bytes).map_err(|fault| unencodable(&fault))?;
        // A value may bring JSON of its own (a raw value), which need be neither compact nor fit to be read: no client
        // could read what our own reader refuses.
        let text = compact(text);
        let document =
            read(text.as_bytes(), &Self::limits()).map_err(|fault| unencodable(&fault))?;
        if let Some(member) = document.duplicate {
            return Err(unencodable(&format_args!(
                "the member {member} stands twice in one object"
            )));
        }
        RawValue::from_string(text)
            .map(Self)
            .map_err(|fault| unencodable(&fault))
    }

    fn limits() -> Limits {
        Limits {
            depth: Limits::MAX_DEPTH,
            values: usize::MAX,
            ..Limits::default()
        }
    }

    /// The encoding.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    pub(crate) fn into_raw(self) -> Box<RawValue> {
        self.0
    }

    /// The value in serde_json's own type.
    pub fn to_value(&self) -> Value {
        self.read(|json: &Json<'_>| Json::to_value(json))
    }

    /// Looks at the value. It was read once already, so it can be read.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Json<'_>) -> T) -> T {
        match read(self.0.get().as_bytes(), &Self::limits()) {
            Ok(document) => look(&document.root),
            Err(_) => look(&Json::Null),
        }
    }
}

fn unencodable(fault: &dyn std::fmt::Display) -> Fault {
    Fault::Unencodable(fault.to_string())
}

/// Drops white space between the tokens of a JSON text.
fn compact(text: String) -> String {
    if !text.contains([' ', '\n', '\r', '\t']) {
        return text;
    }
    let (mut inside, mut escaped) = (false, false);
    let mut text = text;
    text.retain(|char| {
        let kept = inside || !matches!(char, ' ' | '\n' | '\r' | '\t');
        if !escaped && char == '"' {
            inside = !inside;
        }
        escaped = inside && !escaped && char == '\\';
        kept
    });
    text
}

impl PartialEq for StructuredContent {
    fn eq(&self, other: &Self) -> bool {
        self.to_value() == other.to_value()
    }
}

impl From<BoundedFault> for Fault {
    fn from(fault: BoundedFault) -> Self {
        match fault {
            BoundedFault::TooLong(bound) => Self::TooLarge(bound),
            BoundedFault::Unencodable(fault) => Self::Unencodable(fault),
        }
    }
}
