//! The methods that are served: the table, and one file a method.

mod discover;
mod tools_call;
mod tools_list;

use std::sync::Arc;

use crate::{
    catalog::CompiledTool,
    head::Head,
    rejection::Rejection,
    reply::Reply,
    server::Server,
    text::{Json, Object, RequestId},
};

/// A method of MCP that this crate serves.
///
/// # Examples
///
/// ```
/// use wymcp_core::Method;
///
/// /// The label of a metric: a peer can send any name, and the labels stay few.
/// fn label(method: &str) -> &'static str {
///     let known = Method::ALL.iter().find(|known| known.name() == method);
///     known.map_or("other", |known| known.name())
/// }
///
/// assert_eq!(label("tools/call"), Method::ToolsCall.name());
/// assert_eq!(label("tools/nonsense"), "other");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// `server/discover`: who the server is and what it can do.
    Discover,
    /// `tools/list`: the tools.
    ToolsList,
    /// `tools/call`: runs one.
    ToolsCall,
}

impl Method {
    /// Every method.
    pub const ALL: &'static [Self] = &[Self::Discover, Self::ToolsList, Self::ToolsCall];

    /// The method's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discover => "server/discover",
            Self::ToolsList => "tools/list",
            Self::ToolsCall => "tools/call",
        }
    }

    /// The method of exactly this name, if this server serves it.
    pub(crate) fn find(name: &str, server: &Server) -> Option<Self> {
        Self::served(server).find(|method| method.name() == name)
    }

    /// The methods that a server serves: what is declared is served, and nothing else.
    pub(crate) fn served(server: &Server) -> impl Iterator<Item = Self> {
        let has_tools = !server.catalog.tools().is_empty();
        Self::ALL
            .iter()
            .copied()
            .filter(move |method| match method {
                Self::Discover => true,
                Self::ToolsList | Self::ToolsCall => has_tools,
            })
    }

    /// Answers a request that passed every check before this.
    ///
    /// # Errors
    ///
    /// The method's own refusals.
    pub(crate) fn answer<'t>(self, request: Request<'_, 't>) -> Result<Step<'t>, Rejection> {
        match self {
            Self::Discover => Ok(Step::Reply(discover::answer(&request))),
            Self::ToolsList => tools_list::answer(&request).map(Step::Reply),
            Self::ToolsCall => tools_call::answer(request),
        }
    }
}

/// A request on its way into a method.
pub(crate) struct Request<'r, 't> {
    pub(crate) server: &'t Server,
    pub(crate) head: &'t Head<'t>,
    pub(crate) id: &'r RequestId<'t>,
    /// Without `_meta`.
    pub(crate) params: Object<'t>,
}

/// What a method makes of a request.
pub(crate) enum Step<'t> {
    /// The answer.
    Reply(Reply),
    /// A tool whose handler is to run.
    Run {
        tool: &'t CompiledTool,
        action: Option<Arc<str>>,
        arguments: Json<'t>,
    },
}
