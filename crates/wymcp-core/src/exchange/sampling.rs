//! Requests to the model behind the client.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::SamplingMessage;

/// A request to the client's model for a message.
///
/// Deprecated in revision 2026-07-28 of the protocol, and served until it is removed.
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
    messages: Vec<SamplingMessage>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Mode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_preferences: Option<ModelPreferences>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Mode {
    mode: ToolChoice,
}

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
    /// That of the server that asks. Deprecated in this revision of the protocol.
    ThisServer,
    /// That of all servers of the client. Deprecated in this revision of the protocol.
    AllServers,
}

/// Whether the client's model calls tools.
///
/// # Examples
///
/// ```
/// use wymcp_core::ToolChoice;
///
/// assert_eq!(serde_json::to_value(ToolChoice::Auto).unwrap(), "auto");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// At least one.
    Required,
    /// None.
    None,
}

/// Which model a client should take for a [`Sampling`]. Priorities are between 0 and 1.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{ModelPreferences, Sampling};
///
/// let mut preferences = ModelPreferences::default();
/// preferences.hints = vec!["haiku".to_owned()];
/// preferences.speed_priority = Some(1.0);
/// let question = Sampling::user("Sum it up.", 50).prefer(preferences);
/// assert_eq!(
///     serde_json::to_value(&question).unwrap()["modelPreferences"],
///     json!({"hints": [{"name": "haiku"}], "speedPriority": 1.0}),
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Names, or parts of names, of models, the best one first.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "named")]
    pub hints: Vec<String>,
    /// How much a low price matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// How much speed matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// How much it matters what the model can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

impl ModelPreferences {
    fn is_within_bounds(&self) -> bool {
        let all = [
            self.cost_priority,
            self.speed_priority,
            self.intelligence_priority,
        ];
        all.into_iter()
            .flatten()
            .all(|it| (0.0..=1.0).contains(&it))
    }
}

fn is_tool(tool: &Value) -> bool {
    let has_name = tool.get("name").is_some_and(Value::is_string);
    has_name && tool.pointer("/inputSchema/type") == Some(&json!("object"))
}

#[expect(clippy::ptr_arg, reason = "serde's signature")]
fn named<S: Serializer>(hints: &Vec<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(hints.iter().map(|name| json!({"name": name})))
}

impl Sampling {
    /// A request that goes on from these messages, for an answer of so many tokens at most.
    pub fn new<M: Into<SamplingMessage>>(
        messages: impl IntoIterator<Item = M>,
        max_tokens: u32,
    ) -> Self {
        Self {
            messages: messages.into_iter().map(Into::into).collect(),
            max_tokens,
            system_prompt: None,
            temperature: None,
            stop_sequences: Vec::new(),
            include_context: None,
            tools: Vec::new(),
            tool_choice: None,
            model_preferences: None,
            metadata: Map::new(),
        }
    }

    /// A request of one text.
    pub fn user(text: impl Into<String>, max_tokens: u32) -> Self {
        Self::new([SamplingMessage::user(text)], max_tokens)
    }

    /// How the model is to behave.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// How freely the model chooses.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
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
    /// let line = Sampling::user("Count to ten.", 50).stop(["\n"]);
    /// assert_eq!(serde_json::to_value(&line).unwrap()["stopSequences"], json!(["\n"]));
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

    /// Whether the model calls tools. Needs the capability `sampling.tools`.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Sampling, ToolChoice};
    ///
    /// let question = Sampling::user("How late is it?", 50).tool_choice(ToolChoice::Required);
    /// assert_eq!(serde_json::to_value(&question).unwrap()["toolChoice"]["mode"], "required");
    /// ```
    #[must_use]
    pub fn tool_choice(mut self, mode: ToolChoice) -> Self {
        self.tool_choice = Some(Mode { mode });
        self
    }

    /// Which model the client should take, as far as it follows.
    #[must_use]
    pub fn prefer(mut self, preferences: ModelPreferences) -> Self {
        self.model_preferences = Some(preferences);
        self
    }

    /// Adds a member for whoever provides the model.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Sampling;
    ///
    /// let question = Sampling::user("Sum it up.", 50).metadata("tenant", "north");
    /// assert_eq!(serde_json::to_value(&question).unwrap()["metadata"]["tenant"], "north");
    /// ```
    #[must_use]
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// Why no model could answer it, if none could: the fault of a handler.
    pub(crate) fn fault(&self) -> Option<String> {
        let message = self.messages.iter().find_map(SamplingMessage::fault);
        let preferences = self.model_preferences.as_ref();
        if self.messages.is_empty() {
            Some("a request to the model has no message".to_owned())
        } else if let Some(fault) = message {
            Some(format!("a message to the model {fault}"))
        } else if !self.tools.iter().all(is_tool) {
            Some("a tool for the model has no name, or no input schema of an object".to_owned())
        } else if self.temperature.is_some_and(|it| !it.is_finite()) {
            Some("a temperature is not finite".to_owned())
        } else if preferences.is_some_and(|it| !it.is_within_bounds()) {
            Some("a priority among models is not between 0 and 1".to_owned())
        } else {
            None
        }
    }

    /// The sub-capabilities that it needs, beside `sampling` itself.
    pub(crate) fn needs(&self) -> impl Iterator<Item = &'static str> {
        let context = self.include_context.unwrap_or(IncludeContext::None);
        let has_tools = !self.tools.is_empty() || self.tool_choice.is_some();
        let is_about_tools = self.messages.iter().any(SamplingMessage::is_about_tools);
        let tools = (has_tools || is_about_tools).then_some("tools");
        let context = (context != IncludeContext::None).then_some("context");
        tools.into_iter().chain(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Role};

    #[test]
    fn what_no_model_could_answer_is_a_fault() {
        let prefer = |priority| {
            Sampling::user("?", 1).prefer(ModelPreferences {
                cost_priority: Some(priority),
                ..ModelPreferences::default()
            })
        };
        let link = SamplingMessage::new(Role::User, Content::resource_link("file:///a", "a"));
        let nothing = SamplingMessage::tool_results::<String>([]);
        for (question, part) in [
            (
                Sampling::new(Vec::<SamplingMessage>::new(), 1),
                "no message",
            ),
            (Sampling::new([nothing], 1), "says nothing"),
            (Sampling::new([link], 1), "of a kind"),
            (Sampling::user("?", 1).temperature(f64::NAN), "temperature"),
            (prefer(1.5), "priority"),
            (prefer(f64::NAN), "priority"),
            (Sampling::user("?", 1).tools([json!({"name": "a"})]), "tool"),
        ] {
            let fault = question.fault();
            assert!(
                fault.as_ref().is_some_and(|it| it.contains(part)),
                "{fault:?}"
            );
        }
        assert_eq!(prefer(1.0).temperature(0.5).fault(), None);
    }
}
