//! One prompt: its definition, and what becomes of it when the server is built.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    described::{FieldFault, check_completers, described},
    listed::{Item, rendered},
};
use crate::{attached::Attached, config::ConfigError, exchange::Icon, untrusted::is_line};

/// The definition of a prompt: a template of messages that a human chooses, and its arguments.
///
/// Its texts reach the wire character for character. What is faulty in it is found when the server is built. Source:
/// MCP 2026-07-28, Prompts.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Prompt, PromptArgument, Server};
///
/// let review = Prompt::new("review")
///     .title("Review of a file")
///     .describe("Asks for a careful review")
///     .argument(PromptArgument::new("path").describe("The file").required())
///     .argument(PromptArgument::new("focus").title("What matters most"));
/// assert_eq!(review.name(), "review");
/// assert!(Server::builder("desk", "1.0.0").prompt(review.clone()).build().is_ok());
///
/// let twice = review.argument(PromptArgument::new("path"));
/// let fault = Server::builder("desk", "1.0.0").prompt(twice).build().unwrap_err();
/// assert!(fault.to_string().starts_with(r#"prompt "review", arguments/path: is declared twice"#));
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<PromptArgument>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    icons: Vec<Icon>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
    #[serde(skip)]
    completers: BTreeMap<String, Attached>,
    #[serde(skip)]
    data: Attached,
    #[serde(skip)]
    fault: Option<FieldFault>,
}

described!(Prompt);

impl Prompt {
    /// A prompt without arguments. The name is one line of text.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            arguments: Vec::new(),
            icons: Vec::new(),
            meta: Map::new(),
            completers: BTreeMap::new(),
            data: Attached::default(),
            fault: None,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: PromptArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// Says that the driver completes what a human types for an argument, with what it needs to do so;
    /// [`Call::data`](crate::Call::data) gives it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Prompt, PromptArgument, Server};
    ///
    /// let plan = Prompt::new("plan").argument(PromptArgument::new("city"));
    /// let build = |plan| Server::builder("travel", "1.0.0").prompt(plan).build();
    /// assert!(build(plan.clone().completed_by("city", ["Paris", "Prague"])).is_ok());
    /// let fault = build(plan.completed_by("country", ["France"])).unwrap_err();
    /// assert!(fault.to_string().contains("completion/country: names no argument of the prompt; name one of: city"));
    /// ```
    #[must_use]
    pub fn completed_by<T: std::any::Any + Send + Sync>(
        mut self,
        argument: impl Into<String>,
        data: T,
    ) -> Self {
        self.completers.insert(argument.into(), Attached::new(data));
        self
    }
}

/// An argument of a prompt: a text that the human fills in.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::PromptArgument;
///
/// let city = PromptArgument::new("city").title("City").describe("Where to").required();
/// assert_eq!(
///     serde_json::to_value(&city).unwrap(),
///     json!({"name": "city", "title": "City", "description": "Where to", "required": true}),
/// );
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptArgument {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    required: bool,
}

impl PromptArgument {
    /// An argument that may be left out.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            required: false,
        }
    }

    /// What a human is shown in the place of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What to fill in.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Makes it an argument that must be there.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// A prompt whose definition was checked.
#[derive(Debug)]
pub(crate) struct CompiledPrompt {
    pub(crate) name: Arc<str>,
    pub(crate) required: Vec<String>,
    pub(crate) data: Attached,
    completers: BTreeMap<String, Attached>,
    rendered: Box<RawValue>,
}

impl CompiledPrompt {
    pub(crate) fn compile(definition: Prompt) -> Result<Self, ConfigError> {
        let fault = |field: &str, fault: &str| ConfigError::Prompt {
            prompt: definition.name.clone(),
            field: field.to_owned(),
            fault: fault.to_owned(),
        };
        if !is_line(&definition.name) {
            return Err(fault("name", "is not one line of text; write one"));
        }
        definition
            .check_described()
            .map_err(|(field, it)| fault(&field, &it))?;
        let mut names = BTreeSet::new();
        for argument in &definition.arguments {
            let field = format!("arguments/{}", argument.name);
            if !is_line(&argument.name) {
                return Err(fault(
                    &field,
                    "has a name that is not one line of text; write one",
                ));
            }
            if !names.insert(&argument.name) {
                return Err(fault(
                    &field,
                    "is declared twice; give each argument a name of its own",
                ));
            }
        }
        let names = definition.arguments.iter().map(|argument| &*argument.name);
        check_completers(&definition.completers, names, "argument of the prompt")
            .map_err(|(field, it)| fault(&field, &it))?;
        let required = definition
            .arguments
            .iter()
            .filter(|argument| argument.required)
            .map(|argument| argument.name.clone());
        let rendered = rendered(&definition).map_err(|it| fault("definition", &it))?;
        Ok(Self {
            name: definition.name.as_str().into(),
            required: required.collect(),
            rendered,
            completers: definition.completers,
            data: definition.data,
        })
    }

    /// Who completes an argument, if somebody does.
    pub(crate) fn completer(&self, argument: &str) -> Option<&Attached> {
        self.completers.get(argument)
    }

    /// Whether any argument is completed.
    pub(crate) fn completes(&self) -> bool {
        !self.completers.is_empty()
    }

    pub(super) fn taken(&self) -> ConfigError {
        ConfigError::Prompt {
            prompt: self.name.to_string(),
            field: "name".to_owned(),
            fault: "is taken by an earlier prompt; give each prompt a name of its own".to_owned(),
        }
    }
}

impl Item for CompiledPrompt {
    fn key(&self) -> &Arc<str> {
        &self.name
    }

    fn rendered(&self) -> &RawValue {
        &self.rendered
    }
}
