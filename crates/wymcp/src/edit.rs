//! What is added to a running server's offer, and what is taken out of it.

use crate::{
    prompt::RunnablePrompt,
    resource::{RunnableResource, RunnableResourceTemplate},
    tool::RunnableTool,
};

/// Additions and removals, in their order: all of them come true at once, or none.
///
/// [`Server::edit`](crate::Server::edit) takes one. Nothing is replaced silently: a name that is taken is a fault, unless it
/// is removed before. What is not there can be removed; then nothing happens.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Edit, NoArguments, Server, prompt, resource, resource_template, tool};
///
/// #[derive(serde::Deserialize)]
/// struct Page { page: String }
///
/// let server = Server::builder("plugins", "1.0.0")
///     .tool(tool("translate").run(async |_: NoArguments, _: Context| Ok("Guten Tag")))
///     .build()?;
///
/// // A plugin comes, with a better translation:
/// server.edit(
///     Edit::new()
///         .remove_tool("translate")
///         .tool(tool("translate").run(async |_: NoArguments, _: Context| Ok("Moin")))
///         .resource(resource("docs://manual", "manual").text("# Manual"))
///         .resource_template(resource_template("docs://{page}", "pages").read(async |page: Page, _: Context| Ok(page.page)))
///         .prompt(prompt("summary").run(async |_: NoArguments, _: Context| Ok("Summarize docs://manual."))),
/// )?;
///
/// // It goes:
/// server.edit(
///     Edit::new()
///         .remove_tool("translate")
///         .remove_resource("docs://manual")
///         .remove_resource_template("docs://{page}")
///         .remove_prompt("summary"),
/// )?;
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Debug, Default)]
#[must_use = "an edit does nothing until a server is given it"]
pub struct Edit {
    pub(crate) protocol: wymcp_core::Edit,
}

impl Edit {
    /// No change.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool behind the others.
    pub fn tool(self, tool: impl Into<RunnableTool>) -> Self {
        self.with(|protocol| protocol.tool(tool.into().definition))
    }

    /// Adds a resource behind the others.
    pub fn resource(self, resource: RunnableResource) -> Self {
        self.with(|protocol| protocol.resource(resource.definition))
    }

    /// Adds a family of resources behind the others.
    pub fn resource_template(self, template: RunnableResourceTemplate) -> Self {
        self.with(|protocol| protocol.resource_template(template.definition))
    }

    /// Adds a prompt behind the others.
    pub fn prompt(self, prompt: RunnablePrompt) -> Self {
        self.with(|protocol| protocol.prompt(prompt.definition))
    }

    /// Takes out the tool of this name. The help tool is none of those.
    pub fn remove_tool(self, name: impl Into<String>) -> Self {
        self.with(|protocol| protocol.remove_tool(name))
    }

    /// Takes out the resource at this URI.
    pub fn remove_resource(self, uri: impl Into<String>) -> Self {
        self.with(|protocol| protocol.remove_resource(uri))
    }

    /// Takes out the template of exactly this text.
    pub fn remove_resource_template(self, uri_template: impl Into<String>) -> Self {
        self.with(|protocol| protocol.remove_resource_template(uri_template))
    }

    /// Takes out the prompt of this name.
    pub fn remove_prompt(self, name: impl Into<String>) -> Self {
        self.with(|protocol| protocol.remove_prompt(name))
    }

    fn with(mut self, change: impl FnOnce(wymcp_core::Edit) -> wymcp_core::Edit) -> Self {
        self.protocol = change(self.protocol);
        self
    }
}
