//! The help tool: every server with tools explains them to a model, from the same source as `tools/list`.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::{CompiledTool, Tool, ToolAnnotations};
use crate::{
    event::{Event, HelpLevel},
    exchange::ToolResult,
    text::{Json, Object, sorted},
    untrusted::Untrusted,
};

/// What the help tool says, rendered once.
#[derive(Debug)]
pub(crate) struct Help {
    all: String,
    tools: BTreeMap<Arc<str>, Explained>,
}

#[derive(Debug)]
struct Explained {
    complete: String,
    actions: BTreeMap<Arc<str>, String>,
}

/// An answer of the help tool.
pub(crate) struct HelpAnswer {
    pub(crate) result: ToolResult,
    pub(crate) event: Event,
}

impl Help {
    /// The reserved name.
    pub(crate) const NAME: &'static str = "help";

    /// The definition that `tools/list` shows.
    pub(crate) fn definition() -> Tool {
        Tool::new(Self::NAME)
            .describe(
                "Explains this server's tools. Without arguments: all tools and their actions. With tool: that tool \
                 complete. With tool and action: that action complete.",
            )
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "tool": {"type": "string", "description": "The tool to explain"},
                    "action": {"type": "string", "description": "The action of that tool to explain"},
                },
                "additionalProperties": false,
            }))
            .annotations(ToolAnnotations::default().read_only(true).idempotent(true).open_world(false))
    }

    /// Renders the explanations of these tools.
    pub(crate) fn new<'t>(tools: impl Iterator<Item = &'t CompiledTool> + Clone) -> Self {
        let summaries: Vec<Value> = tools.clone().map(summary).collect();
        let all = json!({
            "tools": summaries,
            "help": r#"Call help with {"tool": name} for one tool complete, with {"tool": name, "action": name} for one action."#,
        });
        let explained = tools.map(|tool| (Arc::clone(&tool.name), explain(tool)));
        Self {
            all: sorted(all).to_string(),
            tools: explained.collect(),
        }
    }

    /// Answers a call.
    pub(crate) fn answer(&self, arguments: &Object<'_>) -> HelpAnswer {
        let tool = arguments.present("tool");
        let action = arguments.present("action");
        let level = match (tool, action) {
            (None, None) => HelpLevel::Server,
            (Some(_), None) => HelpLevel::Tool,
            (_, Some(_)) => HelpLevel::Action,
        };
        let explained = self.explain(arguments, tool, action);
        let shown = |value: Option<&Json<'_>>| {
            value
                .and_then(Json::as_str)
                .map(|name| Untrusted::new(name).to_string())
        };
        let is_error = explained.is_err();
        let event = Event::HelpCalled {
            level,
            tool: shown(tool),
            action: shown(action),
            is_error,
        };
        let result = match explained {
            Ok(text) => ToolResult::text(text),
            Err(text) => ToolResult::error(text),
        };
        HelpAnswer { result, event }
    }

    fn explain(
        &self,
        arguments: &Object<'_>,
        tool: Option<&Json<'_>>,
        action: Option<&Json<'_>>,
    ) -> Result<&str, String> {
        if let Some((unknown, _)) = arguments
            .iter()
            .find(|(name, _)| !matches!(*name, "tool" | "action"))
        {
            return Err(format!(
                "help has no argument {}. It takes tool and action",
                Untrusted::new(unknown)
            ));
        }
        let Some(tool) = tool else {
            return match action {
                None => Ok(&self.all),
                Some(_) => {
                    Err("help needs tool beside action: the tool that has the action".to_owned())
                }
            };
        };
        let known = self.tools.iter();
        let (name, explained) = tool
            .as_str()
            .and_then(|name| self.tools.get_key_value(name))
            .ok_or_else(|| unknown("tool", tool, known.map(|(name, _)| &**name)))?;
        let Some(action) = action else {
            return Ok(&explained.complete);
        };
        if explained.actions.is_empty() {
            return Err(format!(
                r#"Tool {name} has no actions. Call help with {{"tool": "{name}"}}"#
            ));
        }
        let known = explained.actions.keys().map(|name| &**name);
        let text = action.as_str().and_then(|name| explained.actions.get(name));
        text.map(String::as_str)
            .ok_or_else(|| unknown("action", action, known))
    }
}

fn unknown<'n>(what: &str, sent: &Json<'_>, known: impl Iterator<Item = &'n str>) -> String {
    let known = known.collect::<Vec<_>>().join(", ");
    match sent.as_str() {
        Some(name) => format!("Unknown {what}: {}. Known: {known}", Untrusted::new(name)),
        None => format!("The {what} must be a string. Known: {known}"),
    }
}

/// One line of the list of all tools.
fn summary(tool: &CompiledTool) -> Value {
    let mut summary = serde_json::Map::new();
    summary.insert("tool".to_owned(), json!(&*tool.name));
    let definition = serde_json::to_value(&tool.definition).unwrap_or_default();
    for member in ["title", "description"] {
        if let Some(text) = definition.get(member) {
            summary.insert(member.to_owned(), text.clone());
        }
    }
    if let Some(actions) = &tool.actions {
        let actions = actions
            .summaries()
            .map(|(action, description)| json!({"action": action, "description": description}));
        summary.insert("actions".to_owned(), actions.collect());
    }
    Value::Object(summary)
}

/// One tool complete: its definition as `tools/list` shows it, and its actions.
fn explain(tool: &CompiledTool) -> Explained {
    let mut complete = serde_json::to_value(&tool.definition).unwrap_or_default();
    let mut actions = BTreeMap::new();
    if let Some(set) = &tool.actions {
        let described: Vec<(Arc<str>, Value)> = set
            .names()
            .filter_map(|name| Some((name.into(), set.describe(name)?)))
            .collect();
        if let Some(object) = complete.as_object_mut() {
            object.insert(
                "actions".to_owned(),
                described.iter().map(|(_, action)| action.clone()).collect(),
            );
        }
        actions = described
            .into_iter()
            .map(|(name, action)| (name, action.to_string()))
            .collect();
    }
    Explained {
        complete: sorted(complete).to_string(),
        actions,
    }
}
