//! The methods that are served: the table, and one file a method.

mod discover;
mod page;
mod tools_call;
mod resources_read;
mod prompts_get;
mod complete;
mod listen;

pub(crate) use discover::discovery;

use std::{borrow::Cow, time::Duration};

use serde_json::Value;

use crate::{
    channel::Channel,
    door::Turn,
    exchange::{Binding, Call, Principal, Resumed, Target},
    fields::RequestMeta,
    rejection::Rejection,
    server::Server,
    text::{Json, Object, RequestId, read_own},
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
    /// `resources/list`: the resources that have an address of their own.
    ResourcesList,
    /// `resources/templates/list`: the templates of the others.
    ResourceTemplatesList,
    /// `resources/read`: what is at an address.
    ResourcesRead,
    /// `prompts/list`: the prompts.
    PromptsList,
    /// `prompts/get`: the messages that one becomes.
    PromptsGet,
    /// `completion/complete`: proposals for the value of an argument.
    Complete,
    /// `subscriptions/listen`: tells of changes.
    Listen,
}

impl Method {
    /// Every method.
    pub const ALL: &'static [Self] = &[
        Self::Discover,
        Self::ToolsList,
        Self::ToolsCall,
        Self::ResourcesList,
        Self::ResourceTemplatesList,
        Self::ResourcesRead,
        Self::PromptsList,
        Self::PromptsGet,
        Self::Complete,
        Self::Listen,
    ];

    /// The method's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discover => "server/discover",
            Self::ToolsList => "tools/list",
            Self::ToolsCall => "tools/call",
            Self::ResourcesList => "resources/list",
            Self::ResourceTemplatesList => "resources/templates/list",
            Self::ResourcesRead => "resources/read",
            Self::PromptsList => "prompts/list",
            Self::PromptsGet => "prompts/get",
            Self::Complete => "completion/complete",
            Self::Listen => "subscriptions/listen",
        }
    }

    /// The method of exactly this name, if this server serves it.
    pub(crate) fn find(name: &str, server: &Server) -> Option<Self> {
        Self::served(server).find(|method| method.name() == name)
    }

    /// The methods that a server serves: what is declared is served, and nothing else.
    pub(crate) fn served(server: &Server) -> impl Iterator<Item = Self> {
        let catalog = &server.catalog;
        Self::ALL
            .iter()
            .copied()
            .filter(move |method| match method {
                Self::Discover => true,
                Self::ToolsList | Self::ToolsCall => catalog.tools.is_declared(),
                Self::ResourcesList | Self::ResourceTemplatesList | Self::ResourcesRead => {
                    catalog.has_resources()
                }
                Self::PromptsList | Self::PromptsGet => catalog.prompts.is_declared(),
                Self::Complete => catalog.completes(),
                Self::Listen => server.settings.changes && catalog.can_change(),
            })
    }

    /// Answers a request that passed every check before this.
    ///
    /// # Errors
    ///
    /// The method's own refusals.
    pub(crate) fn answer(self, request: Request<'_>) -> Result<Turn<'_>, Rejection> {
        let catalog = &request.server.catalog;
        match self {
            Self::Discover => Ok(discover::answer(&request)),
            Self::ToolsList => page::answer(&request, self, "tools", &catalog.tools),
            Self::ToolsCall => tools_call::answer(request),
            Self::ResourcesList => page::answer(&request, self, "resources", &catalog.resources),
            Self::ResourceTemplatesList => {
                page::answer(&request, self, "resourceTemplates", &catalog.templates)
            }
            Self::ResourcesRead => resources_read::answer(request),
            Self::PromptsList => page::answer(&request, self, "prompts", &catalog.prompts),
            Self::PromptsGet => prompts_get::answer(request),
            Self::Complete => complete::answer(request),
            Self::Listen => listen::answer(request),
        }
    }
}

/// A request on its way into a method.
pub(crate) struct Request<'t> {
    pub(crate) server: &'t Server,
    pub(crate) channel: Channel<'t>,
    pub(crate) id: RequestId<'t>,
    /// Without `_meta`.
    pub(crate) params: Object<'t>,
    pub(crate) meta: RequestMeta<'t>,
    pub(crate) principal: Principal,
    /// Since the start of 1970, if the driver tells.
    pub(crate) now: Option<Duration>,
}

impl<'t> Request<'t> {
    /// A text of the params; the schema of the method has judged whether it is one.
    fn text(&self, member: &str) -> Cow<'t, str> {
        match self.params.get(member) {
            Some(Json::String(text)) => text.clone(),
            _ => Cow::Borrowed(""),
        }
    }

    /// An object of the params, which an absent one reads as empty.
    fn object(&mut self, member: &str) -> Object<'t> {
        match self.params.take(member) {
            Some(Json::Object(object)) => object,
            _ => Object::default(),
        }
    }

    /// Opens the state that the client carried from the round before, if it brings one.
    ///
    /// # Errors
    ///
    /// When it does not open for this call, whatever the reason.
    fn resume(
        &self,
        target: &Target<'t>,
        arguments: &Object<'_>,
    ) -> Result<Option<Resumed>, Rejection> {
        let Some(state) = self.params.present("requestState").and_then(Json::as_str) else {
            return Ok(None);
        };
        let opened = self.now.and_then(|now| {
            let keyring = self.server.settings.keyring.as_ref()?;
            let binding = Binding::new(self.server, &self.principal, target, arguments);
            let opened = keyring.open(state, &binding.bytes(), now)?;
            let document = read_own(&opened.content).ok()?;
            match document.root.to_value() {
                Value::Object(answered) => Some(Resumed {
                    answered,
                    nonce: opened.nonce,
                }),
                _ => None,
            }
        });
        opened.map(Some).ok_or(Rejection::InvalidRequestState)
    }

    /// The call of a handler, whose arguments are those that were sent.
    fn call(self, target: Target<'t>, arguments: Object<'t>) -> Result<Turn<'t>, Rejection> {
        let resumed = self.resume(&target, &arguments)?;
        Ok(self.into_call(target, Json::Object(arguments), resumed, None))
    }

    /// The call of a handler, with what was made of the arguments that were sent.
    fn into_call(
        mut self,
        target: Target<'t>,
        arguments: Json<'t>,
        resumed: Option<Resumed>,
        sent: Option<Object<'t>>,
    ) -> Turn<'t> {
        let responses = self.object("inputResponses");
        Turn::Call(Box::new(Call {
            server: self.server,
            channel: self.channel,
            target,
            id: self.id,
            arguments,
            meta: self.meta,
            principal: self.principal,
            responses,
            resumed,
            sent,
        }))
    }
}
