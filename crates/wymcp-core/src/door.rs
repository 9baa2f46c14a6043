//! The door: every message enters through these stages, in this order, and there is no other way in.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    authentication::{Challenge, ChallengeError, Decision},
    event::{Event, Fault},
    exchange::{Call, Principal},
    fields::{RequestMeta, check_protocol_fields},
    head::{Head, Singleton},
    method::{Method, Request, Step},
    rejection::Rejection,
    reply::{Known, Reply, sent},
    server::Server,
    text::{Json, MessageKind, Object, RequestId, classify, read},
    untrusted::Untrusted,
    wire,
};

/// What a message comes to.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use wymcp_core::{Outcome, Reply, ToolResult, Turn};
///
/// /// Ends a turn where every tool answers alike.
/// fn reply(turn: Turn<'_>) -> Reply {
///     match turn {
///         Turn::Reply(reply) => reply,
///         Turn::Call(call) => {
///             let result = ToolResult::text(format!("{} was called", call.tool()));
///             call.finish(Outcome::Complete(result), Duration::ZERO)
///         }
///     }
/// }
/// # let _ = reply;
/// ```
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that does not know a turn cannot take it"
)]
pub enum Turn<'t> {
    /// Send this.
    Reply(Reply),
    /// Run a tool's handler on this, then [`Call::finish`] it.
    Call(Box<Call<'t>>),
}

impl Server {
    /// Runs every stage on a whole message: for pure use, tests and fuzzing.
    ///
    /// A driver whose body or whose authenticator makes it wait walks the stages itself, from [`Server::admit`] on.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Decision, Head, Server, Turn};
    ///
    /// let server = Server::builder("empty", "1.0.0").build()?;
    /// let headers = [("host", "localhost"), ("content-type", "application/json")];
    /// let Turn::Reply(reply) = server.receive(&Head::new("POST", &headers), b"{", Decision::anonymous()) else {
    ///     unreachable!("a refusal is a reply");
    /// };
    /// assert_eq!(reply.status, 400);
    /// assert_eq!(reply.events.len(), 1);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn receive<'t>(
        &'t self,
        head: &'t Head<'t>,
        body: &'t [u8],
        decision: Decision,
    ) -> Turn<'t> {
        let authorized = self
            .admit(head)
            .and_then(|admitted| admitted.read(body))
            .and_then(|message| message.authorize(decision));
        match authorized {
            Ok(authorized) => authorized.proceed(),
            Err(reply) => Turn::Reply(reply),
        }
    }

    /// Stages 1 to 5: what the head alone decides.
    ///
    /// # Errors
    ///
    /// The answer to a refused head, which is sent without reading the body.
    ///
    /// # Examples
    ///
    /// Every stage, as a driver walks them:
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use wymcp_core::{Challenge, Decision, Head, Outcome, Principal, Reply, Server, Tool, ToolResult, Turn};
    ///
    /// fn answer(server: &Server, head: &Head<'_>, body: &[u8]) -> Result<Reply, Reply> {
    ///     let admitted = server.admit(head)?;
    ///     // A driver reads the body here: what is refused by its head is never read.
    ///     let message = admitted.read(body)?;
    ///     // Asked after the body is read, so that a refusal carries the request's id.
    ///     let decision = message.decided().unwrap_or_else(|| match head.values("authorization").as_slice() {
    ///         [b"Bearer s3cr3t"] => Decision::Granted(Principal::named("alice")),
    ///         _ => Decision::refused("an unknown token"),
    ///     });
    ///     match message.authorize(decision)?.proceed() {
    ///         Turn::Reply(reply) => Ok(reply),
    ///         Turn::Call(call) => {
    ///             let name = call.principal().name().unwrap_or_default();
    ///             let result = ToolResult::text(format!("Hello, {name}!"));
    ///             Ok(call.finish(Outcome::Complete(result), Duration::ZERO))
    ///         }
    ///     }
    /// }
    ///
    /// let server = Server::builder("greeter", "1.0.0")
    ///     .tool(Tool::new("greet"))
    ///     .challenge(Challenge::bearer())
    ///     .build()?;
    /// let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet", "_meta": {
    ///     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    ///     "io.modelcontextprotocol/clientCapabilities": {}
    /// }}}"#;
    /// let status = |host, token| {
    ///     let headers = [
    ///         ("host", host),
    ///         ("content-type", "application/json"),
    ///         ("authorization", token),
    ///         ("mcp-protocol-version", "2026-07-28"),
    ///         ("mcp-method", "tools/call"),
    ///         ("mcp-name", "greet"),
    ///     ];
    ///     let reply = answer(&server, &Head::new("POST", &headers), body);
    ///     reply.unwrap_or_else(|refusal| refusal).status.as_u16()
    /// };
    /// assert_eq!(status("localhost", "Bearer s3cr3t"), 200);
    /// assert_eq!(status("localhost", "Bearer guess"), 401);
    /// assert_eq!(status("evil.example", "Bearer s3cr3t"), 403);
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn admit<'t>(&'t self, head: &'t Head<'t>) -> Result<Admitted<'t>, Reply> {
        let settings = &self.settings;
        match wire::check(head, &settings.hosts, &settings.origins, &settings.limits) {
            Ok(()) => Ok(Admitted { server: self, head }),
            Err(rejection) => Err(Reply::rejection(&rejection, head, Known::Head)),
        }
    }
}

/// A request whose head passed every check that needs only the head.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Admitted, Head, Server};
///
/// # let server = Server::builder("empty", "1.0.0").build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// let admitted: Admitted<'_> = server.admit(&head).unwrap();
/// assert_eq!(admitted.body_too_large().status, 413);
/// assert_eq!(admitted.body_timeout().status, 408);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Admitted<'t> {
    server: &'t Server,
    head: &'t Head<'t>,
}

impl<'t> Admitted<'t> {
    /// The answer to a body that passes [`Limits::body_bytes`](crate::Limits::body_bytes), for a driver that stops
    /// reading there.
    pub fn body_too_large(self) -> Reply {
        let limit = self.server.limits().body_bytes;
        Reply::rejection(&Rejection::BodyTooLarge { limit }, self.head, Known::Head)
    }

    /// The answer to a body that stalls for longer than [`Limits::body_timeout`](crate::Limits::body_timeout).
    pub fn body_timeout(self) -> Reply {
        Reply::rejection(&Rejection::BodyTimeout, self.head, Known::Head)
    }

    /// Stages 5 to 7: the body's size, its text, its kind.
    ///
    /// # Errors
    ///
    /// The answer to a body that is too long or is no JSON within its limits.
    pub fn read(self, body: &'t [u8]) -> Result<Message<'t>, Reply> {
        let Self { server, head } = self;
        if body.len() > server.limits().body_bytes {
            return Err(self.body_too_large());
        }
        let document = read(body, server.limits())
            .map_err(|fault| Reply::rejection(&fault.into(), head, Known::Body))?;
        if let Some(member) = document.duplicate {
            let rejection = Rejection::DuplicateMember { member };
            return Err(Reply::rejection(
                &rejection,
                head,
                Known::Duplicated(&document.root),
            ));
        }
        Ok(Message {
            server,
            head,
            kind: classify(&document.root),
            json: document.root,
        })
    }
}

/// A message that was read and classified.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Authorized, Decision, Head, Message, MessageKind, Server, Turn};
///
/// # let server = Server::builder("empty", "1.0.0").build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// let message: Message<'_> = server.admit(&head).unwrap().read(br#"{"method": "x"}"#).unwrap();
/// assert_eq!(message.kind(), MessageKind::Notification);
/// let authorized: Authorized<'_> = message.authorize(Decision::anonymous()).unwrap();
/// assert!(matches!(authorized.proceed(), Turn::Reply(reply) if reply.status == 202));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Message<'t> {
    server: &'t Server,
    head: &'t Head<'t>,
    kind: MessageKind,
    json: Json<'t>,
}

/// Without what the peer sent.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl<'t> Message<'t> {
    /// The message's kind.
    pub fn kind(&self) -> MessageKind {
        self.kind
    }

    /// The decision that needs no authenticator; `None` means that the driver asks its own.
    ///
    /// Without a [`Challenge`] nobody is asked who he is. With one, an `Authorization` that is repeated or malformed
    /// is refused before anybody looks at it.
    pub fn decided(&self) -> Option<Decision> {
        if self.server.settings.challenge.is_none() {
            return Some(Decision::anonymous());
        }
        match self.head.authorization() {
            Singleton::Repeated => Some(Decision::refused("Authorization stands on several lines")),
            Singleton::Malformed(_) => Some(Decision::refused("Authorization is malformed")),
            Singleton::Absent | Singleton::Value(_) => None,
        }
    }

    /// Stage 8: authentication.
    ///
    /// # Errors
    ///
    /// The answer to a refused request, with its challenge.
    pub fn authorize(self, decision: Decision) -> Result<Authorized<'t>, Reply> {
        let challenge = self.server.settings.challenge.as_ref();
        let decision = match (challenge, self.decided()) {
            (Some(_), Some(refused)) => refused,
            _ => decision,
        };
        let known = Known::Message(self.kind, &self.json);
        let bearer = Challenge::bearer();
        let challenge = challenge.unwrap_or(&bearer);
        let tried = match self.head.authorization() {
            Singleton::Absent => ChallengeError::None,
            _ => ChallengeError::InvalidToken,
        };
        let (rejection, error, event) = match &decision {
            Decision::Granted(principal) => {
                let principal = principal.clone();
                return Ok(Authorized {
                    message: self,
                    principal,
                });
            }
            Decision::Refused { detail } => (
                Rejection::Unauthenticated,
                tried,
                auth_rejected(&Rejection::Unauthenticated, self.head, known, detail),
            ),
            Decision::Forbidden { scope, detail } => (
                Rejection::Forbidden,
                ChallengeError::InsufficientScope(scope.as_deref()),
                auth_rejected(&Rejection::Forbidden, self.head, known, detail),
            ),
            Decision::Failed { fault } => {
                let event = Event::AuthFailed {
                    request: sent(self.head, known),
                    fault: fault.clone(),
                };
                (Rejection::Unauthenticated, tried, event)
            }
        };
        let message = rejection.to_string();
        let mut reply = Reply::refusal(&rejection, &message, self.head, known, event);
        reply.headers.push((
            http::header::WWW_AUTHENTICATE.as_str(),
            challenge.header(error).into(),
        ));
        Err(reply)
    }
}

fn auth_rejected(rejection: &Rejection, head: &Head<'_>, known: Known<'_>, detail: &str) -> Event {
    let detail = Untrusted::new(detail).to_string();
    Event::AuthRejected {
        reason: rejection.reason(),
        request: sent(head, known),
        detail,
    }
}

/// A message on behalf of a known principal.
pub struct Authorized<'t> {
    message: Message<'t>,
    principal: Principal,
}

/// Without what the peer sent.
impl fmt::Debug for Authorized<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorized")
            .field("kind", &self.message.kind)
            .finish_non_exhaustive()
    }
}

impl<'t> Authorized<'t> {
    /// Stages 9 to 16: everything else.
    pub fn proceed(self) -> Turn<'t> {
        let Message {
            server,
            head,
            kind,
            json,
        } = &self.message;
        let known = Known::Message(*kind, json);
        match check(server, head, *kind, json) {
            Err(rejection) => Turn::Reply(Reply::rejection(&rejection, head, known)),
            Ok(Checked::Notification) => Turn::Reply(Reply::accepted(head, known)),
            Ok(Checked::Request(method)) => self.run(method),
        }
    }

    /// Stage 16: the method, inside its containment.
    fn run(self, method: Method) -> Turn<'t> {
        let Message {
            server, head, json, ..
        } = self.message;
        let Some((id, params, meta)) = take_apart(json) else {
            return Turn::Reply(Reply::rejection(
                &Rejection::InvalidMessage,
                head,
                Known::Body,
            ));
        };
        let request = Request {
            server,
            head,
            id: &id,
            params,
        };
        match contain(|| method.answer(request)) {
            Ok(Ok(Step::Reply(reply))) => Turn::Reply(reply),
            Ok(Ok(Step::Run {
                tool,
                action,
                arguments,
            })) => {
                let principal = self.principal;
                Turn::Call(Box::new(Call {
                    server,
                    head,
                    tool,
                    id,
                    action,
                    arguments,
                    meta,
                    principal,
                }))
            }
            Ok(Err(rejection)) => Turn::Reply(Reply::rejection(
                &rejection,
                head,
                Known::Request(method.name(), &id),
            )),
            Err(fault) => {
                let request_id = id.shown();
                let event = Event::MethodFaulted {
                    method: method.name(),
                    request_id,
                    fault,
                };
                Turn::Reply(Reply::internal_error(&id, vec![event]))
            }
        }
    }
}

/// The id, the params without `_meta`, and the `_meta` of a checked request.
fn take_apart(json: Json<'_>) -> Option<(RequestId<'_>, Object<'_>, RequestMeta<'_>)> {
    let Json::Object(mut message) = json else {
        return None;
    };
    let id = message.take("id").and_then(RequestId::from_json)?;
    let Some(Json::Object(mut params)) = message.take("params") else {
        return None;
    };
    let Some(Json::Object(meta)) = params.take("_meta") else {
        return None;
    };
    Some((id, params, RequestMeta::new(meta)))
}

/// Runs a method so that nothing which goes wrong in it goes further.
fn contain<T>(method: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(method)).map_err(Fault::panic)
}

/// What a message is, once every check has passed.
enum Checked {
    Notification,
    Request(Method),
}

/// Stages 9 to 15: every check that looks at the message without changing it.
fn check(
    server: &Server,
    head: &Head<'_>,
    kind: MessageKind,
    json: &Json<'_>,
) -> Result<Checked, Rejection> {
    if server.settings.challenge.is_none() && head.authorization() == Singleton::Repeated {
        return Err(Rejection::HeaderDuplicated {
            header: "Authorization",
        });
    }
    let message = match (kind, json.as_object()) {
        (MessageKind::Notification, _) => return Ok(Checked::Notification),
        (MessageKind::UnidentifiedRequest, _) => return Err(Rejection::InvalidId),
        (MessageKind::Request, Some(message)) => message,
        (MessageKind::Request | MessageKind::Unknown, _) => return Err(Rejection::InvalidMessage),
    };
    server
        .schema
        .framing(message)
        .map_err(Rejection::InvalidFraming)?;
    let name = message
        .get("method")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let params = message.present("params").and_then(Json::as_object);
    check_protocol_fields(head, name, params, &server.schema)?;
    let method = Method::find(name, server).ok_or_else(|| Rejection::MethodNotFound {
        method: Untrusted::new(name).to_string(),
        served: Method::served(server).map(Method::name).collect(),
    })?;
    let params = params.ok_or(Rejection::InvalidMessage)?;
    server
        .schema
        .params(method.name(), params)
        .map_err(Rejection::InvalidParams)?;
    Ok(Checked::Request(method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_panics_is_a_fault_and_goes_no_further() {
        let fault = contain(|| -> () { panic!("a table lacks its row") }).unwrap_err();
        assert_eq!(fault, Fault::Panic("a table lacks its row".to_owned()));
    }
}
