//! A call that passed every stage: what its handler is given.

use std::{any::Any, fmt, sync::Arc, time::Duration};

use serde_json::{Map, Value};

use super::{Principal, target::Target};
use crate::{
    channel::Channel,
    event::{Called, Event},
    fields::RequestMeta,
    method::Method,
    server::Server,
    text::{Json, Object, RequestId},
};

/// A call of a handler, of a tool, a resource, a prompt or a completer: classified, authorized and validated. Nothing
/// but the stages builds one.
///
/// The driver runs the handler on it, which it attached to the definition ([`Call::data`]), then trades the call for
/// the answer with [`Call::finish`].
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::Method;
/// # use wymcp_core::{Action, Decision, Head, Principal, Server, Tool, Turn};
///
/// # let find = Action::new("find", "Finds orders")
/// #     .property("customer", json!({"type": "string"}))
/// #     .property("limit", json!({"type": "integer"}))
/// #     .default("limit", json!(10));
/// # let server = Server::builder("shop", "1.0.0")
/// #     .challenge(wymcp_core::Challenge::bearer())
/// #     .tool(Tool::new("orders").actions([find]).with("the handler of orders"))
/// #     .build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "orders"),
/// # ];
/// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
/// #     "params": {"name": "orders", "arguments": {"action": "find", "data": {"customer": "Ada"}}, "_meta": {
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {}
/// #     }}}"#;
/// # let head = Head::new("POST", &headers);
/// # let Turn::Call(call) = server.receive(&head, body, Decision::Granted(Principal::named("alice"))) else {
/// #     unreachable!("the message passes every stage");
/// # };
/// // `call` is Alice's call, id 7, of the tool `orders` with `{"action": "find", "data": {"customer": "Ada"}}`.
/// assert_eq!((call.method(), &**call.name()), (Method::ToolsCall, "orders"));
/// assert_eq!(call.data(), Some(&"the handler of orders"));
/// assert_eq!(call.mime_type(), None);
/// assert!(call.streams());
/// assert_eq!(call.action().map(|action| &**action), Some("find"));
/// assert_eq!(call.arguments().to_value(), json!({"customer": "Ada", "limit": 10}));
/// assert_eq!(call.request_id().to_string(), "7");
/// assert_eq!(call.principal().name(), Some("alice"));
/// assert_eq!(call.meta().client_info(), None);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Call<'t> {
    pub(crate) server: &'t Server,
    pub(crate) channel: Channel<'t>,
    pub(crate) target: Target<'t>,
    pub(crate) id: RequestId<'t>,
    pub(crate) arguments: Json<'t>,
    pub(crate) meta: RequestMeta<'t>,
    pub(crate) principal: Principal,
    /// The answers that came with the request.
    pub(crate) responses: Object<'t>,
    /// What the client carried from the round before.
    pub(crate) resumed: Option<Resumed>,
    /// The arguments as they were sent, where they are not those of the handler.
    pub(crate) sent: Option<Object<'t>>,
}

/// The state that was sealed in the round before.
#[derive(Debug)]
pub(crate) struct Resumed {
    pub(crate) answered: Map<String, Value>,
    pub(crate) nonce: [u8; 24],
}

/// Without what the peer sent.
impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("method", &self.method())
            .finish_non_exhaustive()
    }
}

impl<'t> Call<'t> {
    /// The method that was called.
    pub fn method(&self) -> Method {
        self.target.method()
    }

    /// The name of the tool or the prompt, the URI of the resource, or the argument that is completed.
    pub fn name(&self) -> &Arc<str> {
        self.target.name()
    }

    /// The chosen action, if it is a call of a tool that dispatches actions.
    pub fn action(&self) -> Option<&Arc<str>> {
        match &self.target {
            Target::Tool { action, .. } => action.as_ref(),
            _ => None,
        }
    }

    /// The media type that the definition of a resource gives, if it does.
    pub fn mime_type(&self) -> Option<&str> {
        match &self.target {
            Target::Resource { mime_type, .. } => *mime_type,
            _ => None,
        }
    }

    /// Whether the client takes a stream: only then can anything be said before the answer.
    pub fn streams(&self) -> bool {
        self.channel.streams()
    }

    /// What the driver attached to the definition, if it has this type.
    pub fn data<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.target.data().data()
    }

    /// The arguments, an object. Of a tool, what its input schema admits; of an action, its `data` with defaults filled
    /// in; of a prompt, its arguments, all texts; of a resource of a template, what the variables stand for; of a
    /// completion, `value`, what was typed so far, and the other `arguments`, as far as they are filled in.
    pub fn arguments(&self) -> &Json<'t> {
        &self.arguments
    }

    /// The request's `_meta`.
    pub fn meta(&self) -> &RequestMeta<'t> {
        &self.meta
    }

    /// The answers to the handler's questions as they came: those of earlier rounds, and those that came with the request,
    /// each under the key of its question. What is none for its question has to be asked again.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Call, InputAnswer, InputRequest, Json};
    ///
    /// fn answer(call: &Call<'_>, key: &str, question: &InputRequest) -> Option<InputAnswer> {
    ///     question.read(&Json::from(call.answers().get(key)?))
    /// }
    /// # let _ = answer;
    /// ```
    pub fn answers(&self) -> Map<String, Value> {
        let carried = self
            .resumed
            .as_ref()
            .map(|resumed| resumed.answered.clone());
        let mut answers = carried.unwrap_or_default();
        for (key, answer) in self.responses.iter() {
            answers.insert(key.to_owned(), answer.to_value());
        }
        answers
    }

    /// Whether anything was answered before this run.
    pub(super) fn is_answered(&self) -> bool {
        self.resumed.is_some() || self.responses.iter().next().is_some()
    }

    /// What tells the state of the round before from every other one, for a host that lets each be used once; `None` in
    /// the first round.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::HashSet;
    ///
    /// use wymcp_core::{Call, Reply};
    ///
    /// /// Refuses a state that was used before.
    /// fn once<'t>(call: Call<'t>, used: &mut HashSet<[u8; 24]>) -> Result<Call<'t>, Reply> {
    ///     match call.state_id() {
    ///         Some(id) if !used.insert(id) => Err(call.refuse_state()),
    ///         _ => Ok(call),
    ///     }
    /// }
    /// # let _ = once;
    /// ```
    pub fn state_id(&self) -> Option<[u8; 24]> {
        self.resumed.as_ref().map(|resumed| resumed.nonce)
    }

    /// Whether it is of a session of a legacy revision.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Call;
    ///
    /// /// Whether a client can come back for the answer to a call.
    /// fn is_kept(call: &Call<'_>) -> bool {
    ///     call.is_in_session() && call.streams()
    /// }
    /// # let _ = is_kept;
    /// ```
    pub fn is_in_session(&self) -> bool {
        self.channel.legacy.is_some()
    }

    /// The request's id.
    pub fn request_id(&self) -> &RequestId<'t> {
        &self.id
    }

    /// On whose behalf the call runs.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The event of the handler's start, if the call is one of a tool.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wymcp_core::Event;
    /// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
    /// # let server = Server::builder("greeter", "1.0.0").tool(Tool::new("greet")).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "greet"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "greet", "arguments": {}, "_meta": {
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("the message passes every stage");
    /// # };
    ///
    /// // `call` is a call, id 7, of the tool `greet`, whose client hangs up after two seconds.
    /// let Some(Event::ToolStarted { call: called }) = call.started() else {
    ///     unreachable!("the event of a start");
    /// };
    /// assert_eq!((&*called.tool, &called.request_id), ("greet", &7.into()));
    /// let duration = Duration::from_secs(2);
    /// assert_eq!(call.cancelled(duration), Some(Event::ToolCancelled { call: called, duration }));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn started(&self) -> Option<Event> {
        let call = self.called()?;
        Some(Event::ToolStarted { call })
    }

    /// The event of a call of a tool that ends without an answer after `duration`: dropped, because nobody waits for
    /// one.
    pub fn cancelled(&self, duration: Duration) -> Option<Event> {
        let call = self.called()?;
        Some(Event::ToolCancelled { call, duration })
    }

    /// What an event says of the call, if it is one of a tool.
    pub(super) fn called(&self) -> Option<Called> {
        let Target::Tool { tool, action } = &self.target else {
            return None;
        };
        Some(Called {
            tool: Arc::clone(&tool.name),
            action: action.clone(),
            request_id: self.id.shown(),
        })
    }
}
