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
mod edit;

pub use action::{Action, Hint};
pub(crate) use action_set::ActionSet;
pub(crate) use capability::Capabilities;
pub(crate) use cursor::Cursor;
pub(crate) use described::check_icons;
pub use edit::Edit;
pub(crate) use header_params::HeaderParam;
pub(crate) use help::Help;
pub(crate) use listed::{Listed, Pages};
pub(crate) use prompt::CompiledPrompt;
pub use prompt::{Prompt, PromptArgument};
pub use resource::Resource;
pub(crate) use resource::{CompiledResource, check_address};
pub(crate) use resource_template::CompiledTemplate;
pub use resource_template::ResourceTemplate;
pub(crate) use schema::Schema;
pub use template::{TemplateFault, UriTemplate};
pub(crate) use tool::CompiledTool;
pub use tool::{Tool, ToolAnnotations};

use std::sync::Arc;

use crate::{config::ConfigError, exchange::Change};

/// Everything that a server offers, in the order of its registration, with the help tool last of the tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) tools: Listed<CompiledTool>,
    pub(crate) resources: Listed<CompiledResource>,
    pub(crate) templates: Listed<CompiledTemplate>,
    pub(crate) prompts: Listed<CompiledPrompt>,
    help: Option<Arc<Help>>,
    completes: bool,
}

impl Catalog {
    /// What it becomes by an edit. Only what is added is compiled.
    ///
    /// # Errors
    ///
    /// The first fault of a definition.
    pub(crate) fn edited(&self, edit: Edit, help_is_on: bool) -> Result<Self, ConfigError> {
        let mut catalog = self.clone();
        if catalog.help.take().is_some() {
            catalog.tools.remove(Help::NAME);
        }
        edit.apply(&mut catalog, help_is_on)?;
        if help_is_on && !catalog.tools.is_empty() {
            catalog.help = Some(Arc::new(Help::new(catalog.tools.items())));
            let help = CompiledTool::compile(Help::definition(), false)?;
            catalog.tools.add_last(help).map_err(|it| it.taken())?;
        }
        catalog.tools.render();
        catalog.resources.render();
        catalog.templates.render();
        catalog.prompts.render();
        Ok(catalog)
    }

    fn add_tool(&mut self, definition: Tool, help_is_on: bool) -> Result<(), ConfigError> {
        let tool = CompiledTool::compile(definition, help_is_on)?;
        if help_is_on && &*tool.name == Help::NAME {
            return Err(tool.fault(
                "name",
                "is reserved for the help tool; choose another, or turn the help tool off with without_help()",
            ));
        }
        self.tools.add(tool).map_err(|it| it.taken())
    }

    fn add_resource(&mut self, definition: Resource) -> Result<(), ConfigError> {
        let resource = CompiledResource::compile(definition)?;
        self.resources.add(resource).map_err(|it| it.taken())
    }

    fn add_template(&mut self, definition: ResourceTemplate) -> Result<(), ConfigError> {
        let template = CompiledTemplate::compile(definition)?;
        self.completes |= template.completes();
        self.templates.add(template).map_err(|it| it.taken())
    }

    fn add_prompt(&mut self, definition: Prompt) -> Result<(), ConfigError> {
        let prompt = CompiledPrompt::compile(definition)?;
        self.completes |= prompt.completes();
        self.prompts.add(prompt).map_err(|it| it.taken())
    }

    /// The help tool, when this is it.
    pub(crate) fn help(&self, tool: &CompiledTool) -> Option<&Help> {
        let is_help = &*tool.name == Help::NAME;
        self.help.as_deref().filter(|_| is_help)
    }

    /// Whether there is anything to read, or can be.
    pub(crate) fn has_resources(&self) -> bool {
        self.resources.is_declared() || self.templates.is_declared()
    }

    /// Whether an address is one of a resource, or fits a template of some.
    pub(crate) fn is_readable(&self, uri: &str) -> bool {
        let mut templates = self.templates.items();
        self.resources.find(uri).is_some()
            || templates.any(|template| template.uri.matches(uri).is_some())
    }

    /// Whether there is anything whose change could be told.
    pub(crate) fn can_change(&self) -> bool {
        self.tools.is_declared() || self.prompts.is_declared() || self.has_resources()
    }

    /// Whether anything is completed, or was: clients ask once.
    pub(crate) fn completes(&self) -> bool {
        self.completes
    }

    /// What lists show otherwise than they did before.
    pub(crate) fn changes_since(&self, before: &Self) -> Vec<Change> {
        let resources = self.resources.differs_from(&before.resources)
            || self.templates.differs_from(&before.templates);
        let changes = [
            (self.tools.differs_from(&before.tools), Change::Tools),
            (self.prompts.differs_from(&before.prompts), Change::Prompts),
            (resources, Change::Resources),
        ];
        let told = changes.into_iter().filter(|(is_another, _)| *is_another);
        told.map(|(_, change)| change).collect()
    }
}
