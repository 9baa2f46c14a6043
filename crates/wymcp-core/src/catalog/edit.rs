//! What is added to a server's offer, and what is taken out of it.

use super::{Catalog, Prompt, Resource, ResourceTemplate, Tool};
use crate::config::ConfigError;

/// Additions and removals, in their order: all of them come true at once, or none.
///
/// [`Server::edited`](crate::Server::edited) makes another server of one. Nothing is replaced silently: a name that is
/// taken is a fault, unless it is removed before. What is not there can be removed; then nothing happens.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Change, Edit, Prompt, Resource, ResourceTemplate, Server, Tool};
///
/// let before = Server::builder("plugins", "1.0.0").tool(Tool::new("translate")).build()?;
/// let edit = Edit::new()
///     .remove_tool("translate")
///     .tool(Tool::new("translate").describe("Better than before"))
///     .resource(Resource::new("docs://manual", "manual"))
///     .resource_template(ResourceTemplate::new("docs://pages/{number}", "pages"))
///     .prompt(Prompt::new("summary"));
/// let after = before.edited(edit)?;
/// assert_eq!(after.changes_since(&before), [Change::Tools, Change::Prompts, Change::Resources]);
///
/// let edit = Edit::new()
///     .remove_resource("docs://manual")
///     .remove_resource_template("docs://pages/{number}")
///     .remove_prompt("summary");
/// assert_eq!(after.edited(edit)?.changes_since(&after), [Change::Prompts, Change::Resources]);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "an edit does nothing until a server is given it"]
pub struct Edit {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Tool(Box<Tool>),
    Resource(Box<Resource>),
    ResourceTemplate(Box<ResourceTemplate>),
    Prompt(Box<Prompt>),
    RemoveTool(String),
    RemoveResource(String),
    RemoveResourceTemplate(String),
    RemovePrompt(String),
    DeclareTools,
    DeclareResources,
    DeclarePrompts,
}

impl Edit {
    /// No change.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool behind the others.
    pub fn tool(self, tool: Tool) -> Self {
        self.step(Step::Tool(Box::new(tool)))
    }

    /// Adds a resource behind the others.
    pub fn resource(self, resource: Resource) -> Self {
        self.step(Step::Resource(Box::new(resource)))
    }

    /// Adds a template of resources behind the others.
    pub fn resource_template(self, template: ResourceTemplate) -> Self {
        self.step(Step::ResourceTemplate(Box::new(template)))
    }

    /// Adds a prompt behind the others.
    pub fn prompt(self, prompt: Prompt) -> Self {
        self.step(Step::Prompt(Box::new(prompt)))
    }

    /// Takes out the tool of this name. The help tool is none of those.
    pub fn remove_tool(self, name: impl Into<String>) -> Self {
        self.step(Step::RemoveTool(name.into()))
    }

    /// Takes out the resource at this URI.
    pub fn remove_resource(self, uri: impl Into<String>) -> Self {
        self.step(Step::RemoveResource(uri.into()))
    }

    /// Takes out the template of exactly this text.
    pub fn remove_resource_template(self, uri_template: impl Into<String>) -> Self {
        self.step(Step::RemoveResourceTemplate(uri_template.into()))
    }

    /// Takes out the prompt of this name.
    pub fn remove_prompt(self, name: impl Into<String>) -> Self {
        self.step(Step::RemovePrompt(name.into()))
    }

    pub(crate) fn declare_tools(self) -> Self {
        self.step(Step::DeclareTools)
    }

    pub(crate) fn declare_resources(self) -> Self {
        self.step(Step::DeclareResources)
    }

    pub(crate) fn declare_prompts(self) -> Self {
        self.step(Step::DeclarePrompts)
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Takes the steps.
    ///
    /// # Errors
    ///
    /// The first fault of a definition.
    pub(super) fn apply(self, catalog: &mut Catalog, help_is_on: bool) -> Result<(), ConfigError> {
        for step in self.steps {
            match step {
                Step::Tool(tool) => catalog.add_tool(*tool, help_is_on)?,
                Step::Resource(resource) => catalog.add_resource(*resource)?,
                Step::ResourceTemplate(template) => catalog.add_template(*template)?,
                Step::Prompt(prompt) => catalog.add_prompt(*prompt)?,
                Step::RemoveTool(name) => catalog.tools.remove(&name),
                Step::RemoveResource(uri) => catalog.resources.remove(&uri),
                Step::RemoveResourceTemplate(text) => catalog.templates.remove(&text),
                Step::RemovePrompt(name) => catalog.prompts.remove(&name),
                Step::DeclareTools => catalog.tools.declare(),
                Step::DeclareResources => catalog.resources.declare(),
                Step::DeclarePrompts => catalog.prompts.declare(),
            }
        }
        Ok(())
    }
}
