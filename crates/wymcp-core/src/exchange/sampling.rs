//! Requests to the model behind the client.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{PromptMessage, Role};

/// A request to the client's model for a message.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::Sampling;
///
/// let question = Sampling::user("What is the capital of France?", 100).system("Answer in one word.").temperature(0.0);
/// assert_eq!(
///     serde_json::to_value(&question).unwrap(),
///     json!({
///         "messages": [{"role": "user", "content": {"type": "text", "text": "What is the capital of France?"}}],
///         "maxTokens": 100,
///         "systemPrompt": "Answer in one word.",
///         "temperature": 0.0,
///     }),
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampling {
    messages: Vec<PromptMessage>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stop_sequences: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include_context: Option<IncludeContext>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// The members that have a method of their own.
const OWN: [&str; 7] = [
    "messages",
    "maxTokens",
    "systemPrompt",
    "temperature",
    "stopSequences",
    "includeContext",
    "tools",
];

/// Whose context the client adds to a [`Sampling`].
///
/// # Examples
///
/// ```
/// use wymcp_core::{IncludeContext, Sampling};
///
/// let question = Sampling::user("What did I ask before?", 50).include_context(IncludeContext::ThisServer);
/// assert_eq!(serde_json::to_value(&question).unwrap()["includeContext"], "thisServer");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum IncludeContext {
    /// Nobody's.
    None,
    /// That of the server that asks.
    ThisServer,
    /// That of all servers of the client.
    AllServers,
}

impl Sampling {
    /// A request that goes on from these messages, for an answer of so many tokens at most.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>, max_tokens: u32) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            max_tokens,
            system_prompt: None,
            temperature: None,
            stop_sequences: Vec::new(),
            include_context: None,
            tools: Vec::new(),
            more: Map::new(),
        }
    }

    /// A request of one text.
    pub fn user(text: impl Into<String>, max_tokens: u32) -> Self {
        Self::new([PromptMessage::user(text)], max_tokens)
    }

    /// How the model is to behave.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// How freely the model chooses; not finite numbers are left out.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature).filter(|it| it.is_finite());
        self
    }

    /// Texts at which the model stops.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Sampling;
    ///
    /// let line = Sampling::user("Count to ten.", 50).stop(["\n"]).with("modelPreferences", json!({"speedPriority": 1}));
    /// let sent = serde_json::to_value(&line).unwrap();
    /// assert_eq!((&sent["stopSequences"], &sent["modelPreferences"]), (&json!(["\n"]), &json!({"speedPriority": 1})));
    /// ```
    #[must_use]
    pub fn stop<T: Into<String>>(mut self, sequences: impl IntoIterator<Item = T>) -> Self {
        self.stop_sequences = sequences.into_iter().map(Into::into).collect();
        self
    }

    /// Whose context the client adds. Needs the capability `sampling.context`, unless nobody's is asked for.
    #[must_use]
    pub fn include_context(mut self, context: IncludeContext) -> Self {
        self.include_context = Some(context);
        self
    }

    /// Tools that the model may call, as `tools/list` shows them. Needs the capability `sampling.tools`.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Sampling, Tool};
    ///
    /// let clock = serde_json::to_value(Tool::new("clock").describe("Tells the time")).unwrap();
    /// let question = Sampling::user("How late is it?", 50).tools([clock]);
    /// assert_eq!(serde_json::to_value(&question).unwrap()["tools"][0]["name"], "clock");
    /// ```
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Value>) -> Self {
        self.tools = tools.into_iter().collect();
        self
    }

    /// Sets another member of the request: `modelPreferences`, `metadata`, or `toolChoice`, which needs the capability
    /// `sampling.tools`. A member that has a method of its own is left as that method sets it.
    #[must_use]
    pub fn with(mut self, member: impl Into<String>, value: Value) -> Self {
        let member = member.into();
        if !OWN.contains(&&*member) {
            self.more.insert(member, value);
        }
        self
    }

    /// The sub-capabilities that it needs, beside `sampling` itself.
    pub(crate) fn needs(&self) -> impl Iterator<Item = &'static str> {
        let context = self.include_context.unwrap_or(IncludeContext::None);
        let chooses = self.more.contains_key("toolChoice");
        let tools = (chooses || !self.tools.is_empty()).then_some("tools");
        let context = (context != IncludeContext::None).then_some("context");
        tools.into_iter().chain(context)
    }
}

/// What the client's model answered.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Role, SamplingAnswer};
///
/// /// The model's words, if it has any.
/// fn words(answer: &SamplingAnswer) -> Option<&str> {
///     (answer.role == Role::Assistant).then(|| answer.text()).flatten()
/// }
/// # let _ = words;
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
    /// The first text.
    pub fn text(&self) -> Option<&str> {
        let mut texts = self.content.iter().filter(|block| block["type"] == "text");
        texts.find_map(|block| block["text"].as_str())
    }
}
