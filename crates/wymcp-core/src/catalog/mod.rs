//! What a server offers, checked and compiled once.

mod listed;
mod described;
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
mod resource;
mod template;
mod resource_template;
mod prompt;
mod cursor;
mod capability;

pub use action::{Action, Hint};
pub(crate) use action_set::ActionSet;
pub(crate) use capability::Capabilities;
pub(crate) use cursor::Cursor;
pub(crate) use header_params::HeaderParam;
pub(crate) use help::Help;
pub(crate) use listed::{Listed, Pages};
pub(crate) use prompt::CompiledPrompt;
pub use prompt::{Prompt, PromptArgument};
pub(crate) use resource::CompiledResource;
pub use resource::Resource;
pub(crate) use resource_template::CompiledTemplate;
pub use resource_template::ResourceTemplate;
pub(crate) use schema::Schema;
pub use template::{TemplateFault, UriTemplate};
pub(crate) use tool::CompiledTool;
pub use tool::{Tool, ToolAnnotations};

use crate::config::ConfigError;

/// The definitions of everything that a server offers, in the order of their registration.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
}

/// Everything that a server offers, in the order of its registration, with the help tool last of the tools.
#[derive(Debug)]
pub(crate) struct Catalog {
    pub(crate) tools: Listed<CompiledTool>,
    pub(crate) resources: Listed<CompiledResource>,
    pub(crate) templates: Listed<CompiledTemplate>,
    pub(crate) prompts: Listed<CompiledPrompt>,
    help: Option<Help>,
}

impl Catalog {
    /// Compiles the definitions.
    ///
    /// # Errors
    ///
    /// The first fault of a definition.
    pub(crate) fn compile(definitions: Definitions, help_is_on: bool) -> Result<Self, ConfigError> {
        let (tools, help) = tools(definitions.tools, help_is_on)?;
        let resources = definitions.resources.into_iter();
        let templates = definitions.templates.into_iter();
        let prompts = definitions.prompts.into_iter();
        Ok(Self {
            tools: listed(tools, CompiledTool::taken)?,
            resources: listed(
                resources
                    .map(CompiledResource::compile)
                    .collect::<Result<_, _>>()?,
                CompiledResource::taken,
            )?,
            templates: listed(
                templates
                    .map(CompiledTemplate::compile)
                    .collect::<Result<_, _>>()?,
                CompiledTemplate::taken,
            )?,
            prompts: listed(
                prompts
                    .map(CompiledPrompt::compile)
                    .collect::<Result<_, _>>()?,
                CompiledPrompt::taken,
            )?,
            help,
        })
    }

    /// The help tool, when this is it.
    pub(crate) fn help(&self, tool: &CompiledTool) -> Option<&Help> {
        self.help.as_ref().filter(|_| &*tool.name == Help::NAME)
    }

    /// Whether there is anything to read.
    pub(crate) fn has_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty()
    }

    /// Whether there is anything whose change could be told.
    pub(crate) fn can_change(&self) -> bool {
        !self.tools.is_empty() || !self.prompts.is_empty() || self.has_resources()
    }

    /// Whether anything is completed.
    pub(crate) fn completes(&self) -> bool {
        self.prompts.items().iter().any(CompiledPrompt::completes)
            || self
                .templates
                .items()
                .iter()
                .any(CompiledTemplate::completes)
    }
}

/// The tools, with the help tool behind them if it is on and has something to explain.
fn tools(
    definitions: Vec<Tool>,
    help_is_on: bool,
) -> Result<(Vec<CompiledTool>, Option<Help>), ConfigError> {
    let help_is_on = help_is_on && !definitions.is_empty();
    let mut tools = Vec::with_capacity(definitions.len().saturating_add(1));
    for definition in definitions {
        let tool = CompiledTool::compile(definition, help_is_on)?;
        if help_is_on && &*tool.name == Help::NAME {
            return Err(tool.fault(
                "name",
                "is reserved for the help tool; choose another, or turn the help tool off with without_help()",
            ));
        }
        tools.push(tool);
    }
    let help = help_is_on.then(|| Help::new(&tools));
    if help.is_some() {
        tools.push(CompiledTool::compile(Help::definition(), false)?);
    }
    Ok((tools, help))
}

fn listed<T: listed::Item>(
    items: Vec<T>,
    taken: fn(&T) -> ConfigError,
) -> Result<Listed<T>, ConfigError> {
    Listed::new(items).map_err(|repeated| taken(&repeated))
}
