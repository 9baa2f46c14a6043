//! What a call asks for.

use std::sync::Arc;

use crate::{
    attached::Attached,
    cache::CacheHint,
    catalog::{CompiledPrompt, CompiledTool},
    method::Method,
};

/// What a call asks for, found in the catalog.
#[derive(Clone, Debug)]
pub(crate) enum Target<'t> {
    Tool {
        tool: &'t CompiledTool,
        action: Option<Arc<str>>,
    },
    Resource {
        /// The address that was asked for, whether a resource of its own or one of a template.
        uri: Arc<str>,
        mime_type: Option<&'t str>,
        cache: Option<CacheHint>,
        data: &'t Attached,
    },
    Prompt(&'t CompiledPrompt),
    Completion {
        /// The argument of a prompt, or the variable of a template.
        argument: Arc<str>,
        completer: &'t Attached,
    },
}

impl Target<'_> {
    pub(crate) fn method(&self) -> Method {
        match self {
            Self::Tool { .. } => Method::ToolsCall,
            Self::Resource { .. } => Method::ResourcesRead,
            Self::Prompt(_) => Method::PromptsGet,
            Self::Completion { .. } => Method::Complete,
        }
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        match self {
            Self::Tool { tool, .. } => &tool.name,
            Self::Resource { uri, .. } => uri,
            Self::Prompt(prompt) => &prompt.name,
            Self::Completion { argument, .. } => argument,
        }
    }

    pub(crate) fn data(&self) -> &Attached {
        match self {
            Self::Tool { tool, .. } => tool.data(),
            Self::Resource { data, .. } => data,
            Self::Prompt(prompt) => &prompt.data,
            Self::Completion { completer, .. } => completer,
        }
    }
}
