//! stub
use crate::{config::ConfigError, exchange::ToolResult, text::Json};
use serde_json::{Map, Value};
use std::sync::Arc;
/// Action
#[derive(Clone, Debug)]
pub struct Action {
    name: String,
}
#[expect(missing_docs)]
impl Action {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
    pub fn name(&self) -> &str {
        &self.name
    }
    #[must_use]
    pub fn describe(self, _: impl Into<String>) -> Self {
        self
    }
    #[must_use]
    pub fn require_one_of<N: Into<String>>(self, _: impl IntoIterator<Item = N>) -> Self {
        self
    }
    #[must_use]
    pub fn require<N: Into<String>>(self, _: impl IntoIterator<Item = N>) -> Self {
        self
    }
    #[must_use]
    pub fn properties(self, _: Map<String, Value>) -> Self {
        self
    }
    #[must_use]
    pub fn default_value(self, _: impl Into<String>, _: impl Into<Value>) -> Self {
        self
    }
    #[must_use]
    pub fn note(self, _: impl Into<String>) -> Self {
        self
    }
    #[must_use]
    pub fn related(self, _: impl Into<String>) -> Self {
        self
    }
    #[must_use]
    pub fn example(self, _: impl Into<Value>) -> Self {
        self
    }
}
/// Hint
#[derive(Clone, Debug, serde::Serialize)]
pub struct Hint {
    tool: String,
    action: String,
    description: String,
}
#[expect(missing_docs)]
impl Hint {
    pub fn new(
        tool: impl Into<String>,
        action: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            tool: tool.into(),
            action: action.into(),
            description: description.into(),
        }
    }
}
#[derive(Debug)]
pub(crate) struct ActionSet;
pub(crate) struct ActionCall<'a> {
    pub(crate) action: Arc<str>,
    pub(crate) data: Json<'a>,
}
pub(crate) struct GateError;
impl GateError {
    pub(crate) fn to_result(&self) -> ToolResult {
        ToolResult::error("")
    }
}
impl ActionSet {
    pub(crate) fn compile(_: &str, _: &[Action]) -> Result<Self, ConfigError> {
        Ok(Self)
    }
    pub(crate) fn input_schema(&self) -> Value {
        Value::Null
    }
    pub(crate) fn gate<'a>(&self, _: &Json<'a>) -> Result<ActionCall<'a>, GateError> {
        Err(GateError)
    }
    pub(crate) fn summaries(&self) -> impl Iterator<Item = (&str, &str)> {
        std::iter::empty()
    }
    pub(crate) fn descriptions(&self) -> impl Iterator<Item = (Arc<str>, Value)> {
        std::iter::empty()
    }
}
