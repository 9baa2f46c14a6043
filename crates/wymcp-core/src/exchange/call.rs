//! A call of a tool that passed every stage: what its handler is given, and how its outcome becomes the answer.

use std::{fmt, sync::Arc, time::Duration};

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::RawValue;

use super::{Content, Outcome, Principal, StructuredContent, ToolResult, content::Meta};
use crate::{
    catalog::CompiledTool,
    event::{Called, ErrorKind, Event, Fault},
    fields::RequestMeta,
    head::Head,
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::{ArgumentsError, Json, RequestId},
    validate::{Violation, key, words::unheld_for_model},
};

/// A call of a tool: classified, authorized and validated. Nothing but the stages builds one.
///
/// The driver runs the tool's handler on it, then trades it for the answer with [`Call::finish`].
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// # use wymcp_core::{Action, Decision, Head, Principal, Server, Tool, Turn};
///
/// # let find = Action::new("find", "Finds orders")
/// #     .property("customer", json!({"type": "string"}))
/// #     .property("limit", json!({"type": "integer"}))
/// #     .default("limit", json!(10));
/// # let server = Server::builder("shop", "1.0.0")
/// #     .challenge(wymcp_core::Challenge::bearer())
/// #     .tool(Tool::new("orders").actions([find]))
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
/// assert_eq!((call.tool_index(), &**call.tool()), (0, "orders"));
/// assert_eq!(call.action().map(|action| &**action), Some("find"));
/// assert_eq!(call.arguments().to_value(), json!({"customer": "Ada", "limit": 10}));
/// assert_eq!(call.request_id().to_string(), "7");
/// assert_eq!(call.principal().name(), Some("alice"));
/// assert_eq!(call.meta().client_info(), None);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Call<'t> {
    pub(crate) server: &'t Server,
    pub(crate) head: &'t Head<'t>,
    pub(crate) tool: &'t CompiledTool,
    pub(crate) id: RequestId<'t>,
    pub(crate) action: Option<Arc<str>>,
    pub(crate) arguments: Json<'t>,
    pub(crate) meta: RequestMeta<'t>,
    pub(crate) principal: Principal,
}

/// Without what the peer sent.
impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("tool", &self.tool.name)
            .finish_non_exhaustive()
    }
}

impl<'t> Call<'t> {
    /// The position of the called tool among those registered, from 0.
    pub fn tool_index(&self) -> usize {
        self.tool.index
    }

    /// The name of the called tool.
    pub fn tool(&self) -> &'t Arc<str> {
        &self.tool.name
    }

    /// The chosen action, if the tool dispatches actions.
    pub fn action(&self) -> Option<&Arc<str>> {
        self.action.as_ref()
    }

    /// The arguments, an object that the tool's input schema admits; for an action tool the action's `data`, with
    /// defaults filled in.
    pub fn arguments(&self) -> &Json<'t> {
        &self.arguments
    }

    /// The request's `_meta`.
    pub fn meta(&self) -> &RequestMeta<'t> {
        &self.meta
    }

    /// Takes the request's `_meta` out, for a driver that keeps it beyond the call.
    ///
    /// # Examples
    ///
    /// ```
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
    /// #     "params": {"name": "greet", "arguments": {}, "_meta": {"progressToken": "p1",
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Call(mut call) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("the message passes every stage");
    /// # };
    /// // `call` is a call whose `_meta` has `"progressToken": "p1"`.
    /// let meta = call.take_meta().into_owned();
    /// assert_eq!(meta.progress_token().unwrap().to_string(), r#""p1""#);
    /// assert_eq!(call.meta().progress_token(), None);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn take_meta(&mut self) -> RequestMeta<'t> {
        std::mem::take(&mut self.meta)
    }

    /// The request's id.
    pub fn request_id(&self) -> &RequestId<'t> {
        &self.id
    }

    /// On whose behalf the call runs.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The event of the handler's start.
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
    /// let Event::ToolStarted { call: called } = call.started() else {
    ///     unreachable!("the event of a start");
    /// };
    /// assert_eq!((&*called.tool, &called.request_id), ("greet", &7.into()));
    /// let duration = Duration::from_secs(2);
    /// assert_eq!(call.cancelled(duration), Event::ToolCancelled { call: called, duration });
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn started(&self) -> Event {
        Event::ToolStarted {
            call: self.called(),
        }
    }

    /// The event of a call that ends without an answer after `duration`: dropped, because nobody waits for one.
    pub fn cancelled(&self, duration: Duration) -> Event {
        Event::ToolCancelled {
            call: self.called(),
            duration,
        }
    }

    /// The answer to the call, once its handler has run for `duration`.
    ///
    /// Total: an outcome that cannot be sent, because it is too long, has no encoding or breaks the tool's output
    /// schema, is a fault like a panic, and its event says so.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wymcp_core::{Event, Fault, Outcome};
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
    /// // The handler of `call` failed. The peer learns that, and the operator learns why.
    /// let fault = Fault::Internal("no route to db.internal".to_owned());
    /// let reply = call.finish(Outcome::Fault(fault.clone()), Duration::from_millis(3));
    /// let body = String::from_utf8_lossy(&reply.body);
    /// assert!(body.contains("Tool greet failed to answer this call") && !body.contains("db.internal"));
    /// let [Event::ToolFaulted { fault: seen, .. }, Event::ToolStopped { .. }] = reply.events.as_slice() else {
    ///     unreachable!("a fault, and the end of the call");
    /// };
    /// assert_eq!(*seen, fault);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn finish(self, outcome: Outcome, duration: Duration) -> Reply {
        match outcome {
            Outcome::Complete(result) => match self.check_output(&result) {
                Ok(()) => self.complete(&result, duration),
                // The tool broke its own promise: no result to show to a model, but an error of the server.
                Err(fault) => {
                    let events = vec![
                        self.faulted(fault),
                        self.stopped(duration, Some(ErrorKind::Tool)),
                    ];
                    Reply::internal_error(&self.id, events)
                }
            },
            Outcome::Fault(fault) => self.fault(fault, duration),
            Outcome::MissingClientCapability(required) => {
                let rejection = Rejection::MissingClientCapability { required };
                let mut reply = Reply::rejection(
                    &rejection,
                    self.head,
                    Known::Request(Self::method(), &self.id),
                );
                reply
                    .events
                    .push(self.stopped(duration, Some(ErrorKind::Tool)));
                reply
            }
        }
    }

    /// The answer to a call whose arguments the schema admits and the handler's own type does not hold: an integer
    /// beyond its range, say. The handler did not run.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::Deserialize;
    /// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
    ///
    /// #[derive(Deserialize)]
    /// struct Volume {
    ///     percent: u8,
    /// }
    /// # let server = Server::builder("radio", "1.0.0").tool(Tool::new("volume")).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "volume"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "volume", "arguments": {"percent": 300}, "_meta": {
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("the message passes every stage");
    /// # };
    ///
    /// // `call` is a call with `{"percent": 300}`, of a tool whose schema allows it.
    /// let fault = match Volume::deserialize(call.arguments()) {
    ///     Ok(volume) => unreachable!("{}", volume.percent),
    ///     Err(fault) => fault,
    /// };
    /// let reply = call.refuse_arguments(&fault);
    /// assert_eq!(reply.status, 200);
    /// assert!(String::from_utf8_lossy(&reply.body).contains("arguments/percent must be an integer from 0 to 255"));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn refuse_arguments(self, fault: &ArgumentsError) -> Reply {
        let help = self.tool.help_with(self.action.as_deref());
        let within = if self.action.is_some() { "/data" } else { "" };
        let text = unheld_for_model(&self.tool.name, within, fault, help);
        let events = vec![self.stopped(Duration::ZERO, Some(ErrorKind::Dispatch))];
        Reply::result(
            &self.id,
            wire(&ToolResult::error(text), self.server),
            events,
        )
    }

    fn method() -> &'static str {
        crate::method::Method::ToolsCall.name()
    }

    fn complete(self, result: &ToolResult, duration: Duration) -> Reply {
        let bound = self.server.limits().answer_bytes;
        match Reply::result_within(&self.id, wire(result, self.server), bound) {
            Ok(mut reply) => {
                let error = result.is_error.then_some(ErrorKind::Tool);
                reply.events = vec![self.stopped(duration, error)];
                reply
            }
            Err(fault) => self.fault(fault.into(), duration),
        }
    }

    /// A fault inside the tool: the model learns that the tool failed, and only the operator learns why.
    fn fault(self, fault: Fault, duration: Duration) -> Reply {
        let text = format!(
            "Tool {} failed to answer this call. The server's operator can see why",
            self.tool.name
        );
        let events = vec![
            self.faulted(fault),
            self.stopped(duration, Some(ErrorKind::Tool)),
        ];
        Reply::result(
            &self.id,
            wire(&ToolResult::error(text), self.server),
            events,
        )
    }

    fn check_output(&self, result: &ToolResult) -> Result<(), Fault> {
        let Some(schema) = self.tool.output.as_ref().filter(|_| !result.is_error) else {
            return Ok(());
        };
        let Some(structured) = &result.structured else {
            return Err(Fault::OutputSchema("no structured content".to_owned()));
        };
        let value = structured.to_value();
        let json = Json::from(&value);
        match schema.violations(&json, 1).first() {
            None => Ok(()),
            Some(Violation {
                instance_location,
                message,
                ..
            }) => Err(Fault::OutputSchema(format!(
                "{instance_location} {message}"
            ))),
        }
    }

    fn stopped(&self, duration: Duration, error: Option<ErrorKind>) -> Event {
        Event::ToolStopped {
            call: self.called(),
            duration,
            error,
        }
    }

    fn faulted(&self, fault: Fault) -> Event {
        Event::ToolFaulted {
            call: self.called(),
            fault,
        }
    }

    fn called(&self) -> Called {
        Called {
            tool: Arc::clone(&self.tool.name),
            action: self.action.clone(),
            request_id: self.id.shown(),
        }
    }
}

/// A tool's result as it stands on the wire.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireResult<'r> {
    result_type: &'static str,
    content: &'r [Content],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'r StructuredContent>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(rename = "_meta")]
    meta: WireMeta<'r>,
}

/// The `_meta` of a result: the server's own member, then the application's, of which none replaces it.
pub(crate) struct WireMeta<'r> {
    pub(crate) server_info: &'r RawValue,
    pub(crate) own: Option<&'r Meta>,
}

impl Serialize for WireMeta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(key::SERVER_INFO, self.server_info)?;
        for (name, value) in self
            .own
            .into_iter()
            .flatten()
            .filter(|(name, _)| *name != key::SERVER_INFO)
        {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Dresses a result for the wire.
pub(crate) fn wire<'r>(result: &'r ToolResult, server: &'r Server) -> WireResult<'r> {
    WireResult {
        result_type: "complete",
        content: &result.content,
        structured_content: result.structured.as_ref(),
        is_error: result.is_error,
        meta: WireMeta {
            server_info: server.info(),
            own: Some(&result.meta),
        },
    }
}
