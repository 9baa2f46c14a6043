//! What is said to the model behind a client, and what it answers.

use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::{Map, Value};

use super::{
    Content, PromptMessage, Role, StructuredContent, ToolResult, sampling_block::is_block,
};
use crate::text::{Json, Object};

/// A message of a conversation with the client's model.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Content, PromptMessage, Role, SamplingMessage, ToolResult};
///
/// let question = SamplingMessage::user("What is in the picture?");
/// let picture = SamplingMessage::new(Role::User, Content::image([0xFF], "image/png"));
/// assert_eq!(SamplingMessage::from(PromptMessage::user("What is in the picture?")), question);
/// assert_eq!((question.role(), picture.role()), (Role::User, Role::User));
/// assert_eq!(
///     serde_json::to_value(SamplingMessage::assistant("A bridge.")).unwrap(),
///     json!({"role": "assistant", "content": {"type": "text", "text": "A bridge."}}),
/// );
///
/// let results = SamplingMessage::tool_results([("call-1", ToolResult::text("Noon"))]);
/// let sent = serde_json::to_value(&results).unwrap();
/// assert_eq!((&sent["role"], &sent["content"]["toolUseId"]), (&json!("user"), &json!("call-1")));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingMessage {
    role: Role,
    content: Vec<Value>,
}

impl SamplingMessage {
    /// A message of a text, an image or a sound.
    pub fn new(role: Role, content: Content) -> Self {
        let content = vec![serde_json::to_value(content).unwrap_or_default()];
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

    /// What the tools said that the model called, each under the id of its [`ToolUse`]. It follows the message with the
    /// calls, and answers all of them.
    pub fn tool_results<I: Into<String>>(
        results: impl IntoIterator<Item = (I, ToolResult)>,
    ) -> Self {
        let block = |(id, result): (I, ToolResult)| {
            let block = ToolResultBlock {
                kind: "tool_result",
                tool_use_id: id.into(),
                content: &result.content,
                structured_content: result.structured.as_ref(),
                is_error: result.is_error,
                meta: &result.meta,
            };
            serde_json::to_value(block).unwrap_or_default()
        };
        Self {
            role: Role::User,
            content: results.into_iter().map(block).collect(),
        }
    }

    /// Whether it has the use of a tool in it, or the result of one.
    pub(super) fn is_about_tools(&self) -> bool {
        let kinds = self.content.iter().map(|block| &block["type"]);
        kinds
            .into_iter()
            .any(|kind| kind == "tool_use" || kind == "tool_result")
    }

    /// Who speaks.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Why it is none, if it is none.
    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.content.is_empty() {
            Some("says nothing")
        } else if !self.content.iter().all(is_block) {
            Some("has content of a kind that no model is sent")
        } else {
            None
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResultBlock<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    tool_use_id: String,
    content: &'r [Content],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'r StructuredContent>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: &'r Map<String, Value>,
}

impl From<PromptMessage> for SamplingMessage {
    fn from(message: PromptMessage) -> Self {
        Self::new(message.role, message.content)
    }
}

/// One block stands there by itself, several in an array.
impl Serialize for SamplingMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_struct("SamplingMessage", 2)?;
        message.serialize_field("role", &self.role)?;
        match &self.content[..] {
            [block] => message.serialize_field("content", block)?,
            blocks => message.serialize_field("content", blocks)?,
        }
        message.end()
    }
}

/// What the client's model answered.
///
/// # Examples
///
/// A model that may call tools; a handler sends the conversation again with what they said:
///
/// ```
/// use wymcp_core::{Role, Sampling, SamplingAnswer, SamplingMessage, ToolResult, ToolUse};
///
/// fn run(call: &ToolUse) -> ToolResult {
///     ToolResult::text(format!("{} of {} is 12", call.name, call.input["city"]))
/// }
///
/// /// The next question, or the model's last word.
/// fn go_on(asked: Vec<SamplingMessage>, answer: &SamplingAnswer) -> Result<Sampling, Option<&str>> {
///     assert_eq!(answer.role, Role::Assistant);
///     let results: Vec<_> = answer.tool_uses().map(|call| (call.id.clone(), run(&call))).collect();
///     if results.is_empty() {
///         return Err(answer.text());
///     }
///     let said = [answer.message(), SamplingMessage::tool_results(results)];
///     Ok(Sampling::new(asked.into_iter().chain(said), 500))
/// }
/// # let _ = go_on;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SamplingAnswer {
    /// Who speaks.
    pub role: Role,
    /// What is said, block by block, as it came.
    pub content: Vec<Value>,
    /// The model that answered.
    pub model: String,
    /// Why it stopped, if the client tells.
    pub stop_reason: Option<String>,
}

impl SamplingAnswer {
    /// Reads one; `None` when it is none.
    pub(super) fn read(answer: &Object<'_>) -> Option<Self> {
        let role = match answer.get("role")?.as_str()? {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return None,
        };
        let content: Vec<Value> = match answer.get("content")? {
            Json::Array(blocks) => blocks.iter().map(Json::to_value).collect(),
            block => vec![block.to_value()],
        };
        if content.is_empty() || !content.iter().all(is_block) {
            return None;
        }
        Some(Self {
            role,
            content,
            model: answer.get("model")?.as_str()?.to_owned(),
            stop_reason: match answer.present("stopReason") {
                Some(reason) => Some(reason.as_str()?.to_owned()),
                None => None,
            },
        })
    }

    /// The first text.
    pub fn text(&self) -> Option<&str> {
        let mut texts = self.content.iter().filter(|block| block["type"] == "text");
        texts.find_map(|block| block["text"].as_str())
    }

    /// The tools that the model calls, in their order.
    pub fn tool_uses(&self) -> impl Iterator<Item = ToolUse> {
        self.content.iter().filter_map(tool_use)
    }

    /// The answer as a message of the conversation that goes on.
    pub fn message(&self) -> SamplingMessage {
        SamplingMessage {
            role: self.role,
            content: self.content.clone(),
        }
    }
}

/// A call of a tool, by the client's model; see [`SamplingAnswer`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolUse {
    /// Names the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, which nobody has checked.
    pub input: Map<String, Value>,
}

fn tool_use(block: &Value) -> Option<ToolUse> {
    let text = |member: &str| Some(block.get(member)?.as_str()?.to_owned());
    (block["type"] == "tool_use").then_some(())?;
    Some(ToolUse {
        id: text("id")?,
        name: text("name")?,
        input: block.get("input")?.as_object()?.clone(),
    })
}
