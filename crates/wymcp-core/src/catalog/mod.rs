//! What a server offers, checked and compiled once.

mod tool;
mod subschemas;
mod schema_bounds;
mod schema_cost;
mod schema;
mod header_params;
mod action;
mod action_rules;
mod action_set;
mod action_gate;
mod help;
mod cursor;
mod capability;

use std::{collections::BTreeMap, sync::Arc};

use serde_json::value::RawValue;

pub use action::{Action, Hint};
pub(crate) use action_set::ActionSet;
pub(crate) use capability::Capabilities;
pub(crate) use cursor::Cursor;
pub(crate) use header_params::HeaderParam;
pub(crate) use help::Help;
pub(crate) use schema::Schema;
pub(crate) use tool::CompiledTool;
pub use tool::{Tool, ToolAnnotations};

use crate::{config::ConfigError, text::to_raw};

/// The tools of a server, in the order of their registration, with the help tool last.
#[derive(Debug)]
pub(crate) struct Catalog {
    tools: Vec<CompiledTool>,
    by_name: BTreeMap<Arc<str>, usize>,
    help: Option<Help>,
    /// All tools as the one page that most servers have.
    rendered: Box<RawValue>,
}

impl Catalog {
    /// Compiles the definitions.
    ///
    /// # Errors
    ///
    /// The first fault of a definition.
    pub(crate) fn compile(definitions: Vec<Tool>, help_is_on: bool) -> Result<Self, ConfigError> {
        let help_is_on = help_is_on && !definitions.is_empty();
        let mut tools = Vec::with_capacity(definitions.len().saturating_add(1));
        let mut by_name = BTreeMap::new();
        for (index, definition) in definitions.into_iter().enumerate() {
            let tool = CompiledTool::compile(definition, index, help_is_on)?;
            if help_is_on && &*tool.name == Help::NAME {
                return Err(tool.fault(
                    "name",
                    "is reserved for the help tool; choose another, or turn the help tool off with without_help()",
                ));
            }
            if by_name.insert(Arc::clone(&tool.name), index).is_some() {
                return Err(tool.fault(
                    "name",
                    "is taken by an earlier tool; give each tool a name of its own",
                ));
            }
            tools.push(tool);
        }
        let help = help_is_on.then(|| Help::new(&tools));
        if help.is_some() {
            let index = tools.len();
            tools.push(CompiledTool::compile(Help::definition(), index, false)?);
            by_name.insert(Help::NAME.into(), index);
        }
        let all: Vec<&RawValue> = tools.iter().map(|tool| &*tool.rendered).collect();
        let rendered = to_raw(&all);
        Ok(Self {
            tools,
            by_name,
            help,
            rendered,
        })
    }

    /// The tool of exactly this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&CompiledTool> {
        self.by_name
            .get(name)
            .and_then(|index| self.tools.get(*index))
    }

    /// All tools.
    pub(crate) fn tools(&self) -> &[CompiledTool] {
        &self.tools
    }

    /// All tools, as the array that `tools/list` sends.
    pub(crate) fn rendered(&self) -> &RawValue {
        &self.rendered
    }

    /// The help tool, when this is it.
    pub(crate) fn help(&self, tool: &CompiledTool) -> Option<&Help> {
        self.help.as_ref().filter(|_| &*tool.name == Help::NAME)
    }
}
