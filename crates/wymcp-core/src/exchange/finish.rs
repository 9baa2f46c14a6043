//! How an outcome becomes the answer.

use std::time::Duration;

use serde::Serialize;

use super::{
    Binding, Call, InputRequest, InputRequired, Outcome, PromptResult, ResourceContents,
    StructuredContent, ToolResult,
    content::Meta,
    target::Target,
    wire::{WireCompletion, WireContents, WireInputRequired, WireMeta, WirePrompt, wire},
};
use crate::{
    cache::CacheHint,
    catalog::CompiledTool,
    event::{ErrorKind, Event, Fault},
    legacy,
    rejection::Rejection,
    reply::{Known, Reply},
    text::{ArgumentsError, Object},
    validate::{Violation, words::unheld_for_model},
};

impl Call<'_> {
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
        match self.channel.legacy {
            None => self.conclude(outcome, duration),
            Some(version) => legacy::finish(version, self, outcome, duration),
        }
    }

    /// Ends the call as the modern revisions know it.
    pub(crate) fn conclude(self, outcome: Outcome, duration: Duration) -> Reply {
        match (&self.target, outcome) {
            (_, Outcome::Fault(fault)) => self.fault(fault, duration),
            (_, Outcome::MissingClientCapability(required)) => {
                self.refuse(&Rejection::MissingClientCapability { required }, duration)
            }
            (Target::Completion { .. }, Outcome::InputRequired(_)) => {
                let fault = "a completer has no questions".to_owned();
                self.fault(Fault::Internal(fault), duration)
            }
            (_, Outcome::InputRequired(required)) => self.ask(&required, duration),
            (Target::Tool { tool, .. }, Outcome::Tool(result)) => {
                self.tool_result(tool, &result, duration)
            }
            (Target::Tool { tool, .. }, Outcome::Refused(text)) => {
                self.tool_result(tool, &ToolResult::error(text), duration)
            }
            (_, Outcome::Refused(text)) => {
                self.refuse(&Rejection::HandlerRefused { text }, duration)
            }
            (Target::Resource { .. }, Outcome::Contents(contents)) => self.contents(&contents),
            (Target::Resource { uri, .. }, Outcome::NotFound) => {
                let uri = uri.to_string();
                self.refuse(&Rejection::UnknownResource { uri }, duration)
            }
            (Target::Prompt(_), Outcome::Prompt(result)) => self.messages(&result),
            (Target::Completion { .. }, Outcome::Completion(completion)) => {
                let meta = self.server_info();
                self.send(&WireCompletion {
                    result_type: "complete",
                    completion: &completion,
                    meta,
                })
            }
            (
                _,
                Outcome::Tool(_)
                | Outcome::Contents(_)
                | Outcome::NotFound
                | Outcome::Prompt(_)
                | Outcome::Completion(_),
            ) => {
                let fault = format!("{} has no such outcome", self.method().name());
                self.fault(Fault::Internal(fault), duration)
            }
        }
    }

    /// The answer to a call whose arguments the definition admits and the handler's own type does not hold: an integer
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
        let (lane, method) = (self.channel.legacy, self.method());
        let reply = self.unheld(fault);
        match lane {
            None => reply,
            Some(version) => legacy::projected(version, method, reply),
        }
    }

    fn unheld(self, fault: &ArgumentsError) -> Reply {
        let (tool, action) = match &self.target {
            Target::Tool { tool, action } => (tool, action),
            // What no variable can mean is at no address.
            Target::Resource { uri, .. } => {
                let uri = uri.to_string();
                return self.refuse(&Rejection::UnknownResource { uri }, Duration::ZERO);
            }
            Target::Prompt(_) | Target::Completion { .. } => {
                let text = format!("The arguments of {} do not fit: {fault}", self.name());
                return self.refuse(&Rejection::HandlerRefused { text }, Duration::ZERO);
            }
        };
        let help = tool.help_with(action.as_deref());
        let within = if action.is_some() { "/data" } else { "" };
        let text = unheld_for_model(&tool.name, within, fault, help);
        let events = self.stopped(Duration::ZERO, Some(ErrorKind::Dispatch));
        Reply::result(
            &self.id,
            wire(&ToolResult::error(text), self.server),
            events.into_iter().collect(),
        )
    }

    /// Ends a call of a session that has too many in flight: it never ran.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Call, Limits, Reply};
    ///
    /// /// The refusal of a call, if its session has too many.
    /// fn refusal<'t>(call: Call<'t>, in_flight: usize, limits: &Limits) -> Result<Call<'t>, Reply> {
    ///     if in_flight < limits.session_calls { Ok(call) } else { Err(call.refuse_busy()) }
    /// }
    /// # let _ = refusal;
    /// ```
    pub fn refuse_busy(self) -> Reply {
        let known = Known::Request(self.method().name(), &self.id);
        let busy = Rejection::TooBusy {
            what: "calls of this session are in flight",
            settings: "limits.session_calls setting",
        };
        Reply::rejection(&busy, self.channel, known)
    }

    /// Refuses the state of the round before, which opened and is used a second time; see [`state_id`](Self::state_id).
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Call, Reply};
    ///
    /// fn refuse(call: Call<'_>) -> Reply {
    ///     // The client is told what it is told of a state that does not open.
    ///     call.refuse_state()
    /// }
    /// # let _ = refuse;
    /// ```
    pub fn refuse_state(self) -> Reply {
        let known = Known::Request(self.method().name(), &self.id);
        Reply::rejection(&Rejection::InvalidRequestState, self.channel, known)
    }

    /// The result that asks, unless the client cannot be asked.
    fn ask(&self, required: &InputRequired, duration: Duration) -> Reply {
        let capabilities = self.meta.client_capabilities();
        let questions = required.questions.values();
        if let Some(required) = InputRequest::missing_of(questions, &capabilities) {
            return self.refuse(&Rejection::MissingClientCapability { required }, duration);
        }
        let faults = required.questions.values().filter_map(InputRequest::fault);
        if let Some(fault) = faults.into_iter().next() {
            return self.fault(Fault::Internal(fault), duration);
        }
        let request_state = match self.seal(required) {
            Ok(state) => state,
            Err(fault) => return self.fault(fault, duration),
        };
        let asking = WireInputRequired {
            result_type: "input_required",
            input_requests: &required.questions,
            request_state,
            meta: self.server_info(),
        };
        match Reply::result_within(&self.id, asking, self.server.limits().answer_bytes) {
            Ok(mut reply) => {
                reply.events.extend(self.stopped(duration, None));
                reply
            }
            Err(fault) => self.fault(fault.into(), duration),
        }
    }

    /// The answers so far, for the client to carry.
    fn seal(&self, required: &InputRequired) -> Result<Option<String>, Fault> {
        let sealing = cfg!(feature = "sealing");
        let Some(keyring) = self.server.settings.keyring.as_ref().filter(|_| sealing) else {
            if required.answered.is_empty() {
                return Ok(None);
            }
            // Nothing can be carried without a seal, and a second round would ask the first one's questions again.
            let fault = "answers of an earlier round cannot be carried without a sealing key";
            return Err(Fault::Internal(fault.to_owned()));
        };
        let content = StructuredContent::new(&required.answered)?;
        let until = required
            .moment
            .now
            .saturating_add(self.server.limits().state_ttl);
        let sent = self.sent.as_ref().or_else(|| self.arguments.as_object());
        let nothing = Object::default();
        let sent = sent.unwrap_or(&nothing);
        let binding = Binding::new(self.server, &self.principal, &self.target, sent);
        let entropy = required.moment.entropy;
        let state = keyring.seal(
            content.as_str().as_bytes(),
            &binding.bytes(),
            until,
            entropy,
        );
        let fault = match state {
            None => "the answers so far could not be sealed",
            // The other half is for what comes with it.
            Some(state) if state.len() > self.server.limits().body_bytes / 2 => {
                "the answers so far take more than half of what a request may have (body_bytes); ask for less, or raise it"
            }
            sealed => return Ok(sealed),
        };
        Err(Fault::Internal(fault.to_owned()))
    }

    fn tool_result(&self, tool: &CompiledTool, result: &ToolResult, duration: Duration) -> Reply {
        if let Err(fault) = check_meta(&result.meta) {
            return self.fault(fault, duration);
        }
        if let Err(fault) = check_output(tool, result) {
            // The tool broke its own promise: no result to show to a model, but an error of the server.
            return Reply::internal_error(&self.id, self.faulted(fault, duration));
        }
        let bound = self.server.limits().answer_bytes;
        match Reply::result_within(&self.id, wire(result, self.server), bound) {
            Ok(mut reply) => {
                let error = result.is_error.then_some(ErrorKind::Tool);
                reply.events.extend(self.stopped(duration, error));
                reply
            }
            Err(fault) => self.fault(fault.into(), duration),
        }
    }

    fn contents(&self, contents: &[ResourceContents]) -> Reply {
        let own = match &self.target {
            // What somebody answered is nobody else's to keep, and not the same another time.
            _ if self.is_answered() => Some(CacheHint::private(0)),
            Target::Resource { cache, .. } => *cache,
            _ => None,
        };
        self.send(&WireContents {
            result_type: "complete",
            contents,
            cache: own.unwrap_or_else(|| self.server.settings.caching.of(self.method())),
            meta: self.server_info(),
        })
    }

    fn messages(&self, result: &PromptResult) -> Reply {
        if let Err(fault) = check_meta(&result.meta) {
            return self.fault(fault, Duration::ZERO);
        }
        self.send(&WirePrompt {
            result_type: "complete",
            description: result.description.as_deref(),
            messages: &result.messages,
            meta: WireMeta {
                server: self.server.info(),
                own: Some(&result.meta),
            },
        })
    }

    fn server_info(&self) -> WireMeta<'_> {
        WireMeta {
            server: self.server.info(),
            own: None,
        }
    }

    /// A result of another method than `tools/call`.
    fn send(&self, result: &impl Serialize) -> Reply {
        let bound = self.server.limits().answer_bytes;
        Reply::result_within(&self.id, result, bound)
            .unwrap_or_else(|fault| self.fault(fault.into(), Duration::ZERO))
    }

    fn refuse(&self, rejection: &Rejection, duration: Duration) -> Reply {
        let known = Known::Request(self.method().name(), &self.id);
        let mut reply = Reply::rejection(rejection, self.channel, known);
        reply
            .events
            .extend(self.stopped(duration, Some(ErrorKind::Tool)));
        reply
    }

    /// A fault: the peer learns that there was one, and only the operator learns which. A model reads that its tool
    /// failed.
    fn fault(&self, fault: Fault, duration: Duration) -> Reply {
        let events = self.faulted(fault, duration);
        let Target::Tool { tool, .. } = &self.target else {
            return Reply::internal_error(&self.id, events);
        };
        let text = format!(
            "Tool {} failed to answer this call. The server's operator can see why",
            tool.name
        );
        Reply::result(
            &self.id,
            wire(&ToolResult::error(text), self.server),
            events,
        )
    }

    fn stopped(&self, duration: Duration, error: Option<ErrorKind>) -> Option<Event> {
        let call = self.called()?;
        Some(Event::ToolStopped {
            call,
            duration,
            error,
        })
    }

    fn faulted(&self, fault: Fault, duration: Duration) -> Vec<Event> {
        let Some(call) = self.called() else {
            return vec![Event::MethodFaulted {
                method: self.method().name(),
                request_id: self.id.shown(),
                fault,
            }];
        };
        let mut events = vec![Event::ToolFaulted { call, fault }];
        events.extend(self.stopped(duration, Some(ErrorKind::Tool)));
        events
    }
}

/// What the application adds to the `_meta` of a result has to be read like everything else.
fn check_meta(meta: &Meta) -> Result<(), Fault> {
    if meta.is_empty() {
        return Ok(());
    }
    StructuredContent::new(meta).map(drop)
}

fn check_output(tool: &CompiledTool, result: &ToolResult) -> Result<(), Fault> {
    let Some(schema) = tool.output.as_ref().filter(|_| !result.is_error) else {
        return Ok(());
    };
    let Some(structured) = &result.structured else {
        return Err(Fault::OutputSchema("no structured content".to_owned()));
    };
    let first = structured.read(|json| schema.violations(json, 1).into_iter().next());
    match first {
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
