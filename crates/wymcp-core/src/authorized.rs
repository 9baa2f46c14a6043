//! A message on behalf of somebody: the checks that are left, and its method.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use crate::{
    channel::Channel,
    door::Turn,
    era::{Era, Signs},
    event::{Event, Fault},
    exchange::Principal,
    fields::{RequestMeta, check_protocol_fields},
    head::{Head, Singleton},
    legacy::{self, Session},
    message::{Content, Message},
    method::{Method, Request},
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::{Classified, Json, Object, RequestId, RequestMessage},
    untrusted::Untrusted,
    validate::protocol_version,
    version::ProtocolVersion,
};

/// A message on behalf of a known principal. [`Authentication`](crate::Authentication) makes it, and of a line
/// [`Server::read_line`](crate::Server::read_line).
///
/// # Examples
///
/// ```
/// use wymcp_core::{Authentication, Authorized, Turn};
///
/// # use wymcp_core::{Head, Server};
/// # let server = Server::builder("empty", "1.0.0").build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// # let message = server.admit(&head).unwrap().read(br#"{"method": "x"}"#).unwrap();
/// # let Authentication::Open(authorized) = message.authentication() else { unreachable!("an open server") };
/// let authorized: Authorized<'_> = authorized.at(std::time::Duration::from_secs(1_800_000_000));
/// assert!(matches!(authorized.proceed(), Turn::Reply(_)));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Authorized<'t> {
    pub(crate) message: Message<'t>,
    pub(crate) principal: Principal,
    pub(crate) now: Option<Duration>,
    session: Option<&'t Session>,
}

/// Without what the peer sent.
impl fmt::Debug for Authorized<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorized")
            .field("kind", &self.message.kind())
            .finish_non_exhaustive()
    }
}

impl<'t> Authorized<'t> {
    pub(crate) fn new(message: Message<'t>, principal: Principal) -> Self {
        Self {
            message,
            principal,
            now: None,
            session: None,
        }
    }

    /// The id of the session that the message is of, which the driver looks up; `None` for a message that is of none, and for
    /// one that names none that could be.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use wymcp_core::{Authorized, Session, Turn};
    ///
    /// /// What a message comes to on a server that keeps its sessions in a map.
    /// fn proceed<'t>(authorized: Authorized<'t>, sessions: &'t HashMap<String, Session>) -> Turn<'t> {
    ///     match authorized.session_id().and_then(|id| sessions.get(id)) {
    ///         Some(session) => authorized.in_session(session).proceed(),
    ///         None => authorized.proceed(),
    ///     }
    /// }
    /// # let _ = proceed;
    /// ```
    pub fn session_id(&self) -> Option<&'t str> {
        let head = self.message.channel.head()?;
        match head.session_id() {
            Singleton::Value(id) if self.era() == Era::Legacy => Some(id),
            _ => None,
        }
    }

    /// The session that the message is of: the one that it names, or on lines the one that is open. See
    /// [`Authorized::session_id`] for an example.
    #[must_use]
    pub fn in_session(mut self, session: &'t Session) -> Self {
        self.session = Some(session);
        self
    }

    /// Stage 10: which lane.
    fn era(&self) -> Era {
        if self.message.server.settings.legacy.is_none() {
            return Era::Modern;
        }
        let Content::Message(message) = &self.message.content else {
            return Era::Legacy;
        };
        let head = self.message.channel.head();
        let (method, members) = match message {
            Classified::Request(request) => (Some(&*request.method), Some(&request.members)),
            Classified::UnidentifiedRequest(json)
            | Classified::Notification(json)
            | Classified::Unknown(json) => {
                let members = json.as_object();
                let method = members.and_then(|members| members.get("method")?.as_str());
                (method, members)
            }
        };
        let params = members.and_then(|members| members.get("params")?.as_object());
        let asked = params.and_then(|params| params.get("protocolVersion")?.as_str());
        let signs = Signs {
            header: head.map_or(Singleton::Absent, Head::protocol_version),
            names_session: head.is_some_and(|head| head.session_id() != Singleton::Absent),
            meta: protocol_version(params).ok(),
            method,
            asked,
        };
        match signs.era() {
            // Before a client on lines has opened a session it can say only that it opens one, or that it is there.
            Era::Legacy if head.is_none() && self.session.is_none() => match method {
                Some("initialize" | "ping") => Era::Legacy,
                _ => Era::Modern,
            },
            era => era,
        }
    }

    /// Tells the time, since the start of 1970, which decides whether a `requestState` still holds. Without it none does.
    #[must_use]
    pub fn at(mut self, now: Duration) -> Self {
        self.now = Some(now);
        self
    }

    /// Stages 9 to 16: everything else.
    pub fn proceed(self) -> Turn<'t> {
        let era = self.era();
        let Self {
            message,
            principal,
            now,
            session,
        } = self;
        let (server, channel) = (message.server, message.channel);
        let refuse = |rejection, known| Turn::Reply(Reply::rejection(&rejection, channel, known));
        if server.settings.challenge.is_none() && channel.authorization() == Singleton::Repeated {
            let header = "Authorization";
            return refuse(Rejection::HeaderDuplicated { header }, message.known());
        }
        let content = match (era, message.content) {
            (Era::Modern, Content::Message(content)) => content,
            (_, content) => {
                let message = Message {
                    server,
                    channel,
                    content,
                };
                return legacy::proceed(message, principal, now, session);
            }
        };
        match content {
            Classified::Request(request) => answer(server, channel, request, principal, now),
            Classified::Notification(json) => {
                let reply = Reply::accepted(channel, Known::Other(&json));
                match (channel.head(), cancelled(&json)) {
                    (None, Some(id)) => Turn::Cancel { id, reply },
                    _ => Turn::Reply(reply),
                }
            }
            Classified::UnidentifiedRequest(json) => {
                refuse(Rejection::InvalidId, Known::Other(&json))
            }
            Classified::Unknown(json) => refuse(Rejection::InvalidMessage, Known::Other(&json)),
        }
    }
}

/// Stages 11 to 16 of a request.
fn answer<'t>(
    server: &'t Server,
    channel: Channel<'t>,
    mut request: RequestMessage<'t>,
    principal: Principal,
    now: Option<Duration>,
) -> Turn<'t> {
    let method = match check(server, channel, &request) {
        Ok(method) => method,
        Err(rejection) => {
            let known = Known::Request(&request.method, &request.id);
            return Turn::Reply(Reply::rejection(&rejection, channel, known));
        }
    };
    let mut params = match request.members.take("params") {
        Some(Json::Object(params)) => params,
        _ => Object::default(),
    };
    let meta = match params.take("_meta") {
        Some(Json::Object(meta)) => RequestMeta::new(meta),
        _ => RequestMeta::default(),
    };
    run(
        method,
        Request {
            server,
            channel,
            id: request.id,
            params,
            meta,
            principal,
            now,
        },
    )
}

/// Stages 11 to 15: every check that looks at a request without changing it.
fn check(
    server: &Server,
    channel: Channel<'_>,
    request: &RequestMessage<'_>,
) -> Result<Method, Rejection> {
    let (name, message) = (&*request.method, &request.members);
    server
        .schema
        .framing(message)
        .map_err(Rejection::InvalidFraming)?;
    let params = message.present("params").and_then(Json::as_object);
    let opens_sessions = server.settings.legacy.is_some();
    check_protocol_fields(channel, name, params, &server.schema, opens_sessions)?;
    let method = Method::find(name, server).ok_or_else(|| Rejection::MethodNotFound {
        method: Untrusted::new(name).to_string(),
        served: Method::served(server).map(Method::name).collect(),
        version: ProtocolVersion::modern_names(),
    })?;
    if let Some(params) = params {
        server
            .schema
            .params(method.name(), params)
            .map_err(Rejection::InvalidParams)?;
    }
    Ok(method)
}

/// Stage 16: the method, inside its containment.
pub(crate) fn run(method: Method, request: Request<'_>) -> Turn<'_> {
    let (channel, id) = (request.channel, request.id.clone());
    match contain(|| method.answer(request)) {
        Ok(Ok(turn)) => turn,
        Ok(Err(rejection)) => {
            let known = Known::Request(method.name(), &id);
            Turn::Reply(Reply::rejection(&rejection, channel, known))
        }
        Err(fault) => {
            let event = Event::MethodFaulted {
                method: method.name(),
                request_id: id.shown(),
                fault,
            };
            Turn::Reply(Reply::internal_error(&id, vec![event]))
        }
    }
}

/// The request that a notification cancels, if it does.
pub(crate) fn cancelled(notification: &Json<'_>) -> Option<RequestId<'static>> {
    let members = notification.as_object()?;
    let is_cancelled = members.get("method")?.as_str()? == "notifications/cancelled";
    let id = members.get("params")?.as_object()?.get("requestId")?;
    RequestId::of(id)
        .filter(|_| is_cancelled)
        .map(RequestId::into_owned)
}

/// Runs a method so that nothing which goes wrong in it goes further.
fn contain<T>(method: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(method)).map_err(Fault::panic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Authentication, LegacySessions};

    fn dual() -> Server {
        let server = Server::builder("dual", "1.0.0").legacy(LegacySessions::Kept);
        server.build().unwrap()
    }

    #[test]
    fn before_a_line_has_opened_a_session_only_its_first_words_are_legacy() {
        let server = dual();
        for (method, era) in [
            ("initialize", Era::Legacy),
            ("ping", Era::Legacy),
            ("tools/list", Era::Modern),
            ("server/discover", Era::Modern),
        ] {
            let line = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}"}}"#);
            let authorized = server.read_line(line.as_bytes(), Principal::anonymous());
            assert_eq!(authorized.unwrap().era(), era, "{method}");
        }
    }

    #[test]
    fn only_a_message_of_the_legacy_lane_is_of_the_session_that_it_names_and_none_is_shown() {
        let server = dual();
        for (version, session) in [("2025-11-25", Some("5f3a")), ("2026-07-28", None)] {
            let headers = [
                ("host", "localhost"),
                ("content-type", "application/json"),
                ("mcp-protocol-version", version),
                ("mcp-session-id", "5f3a"),
            ];
            let head = Head::new("POST", &headers);
            let message = server.admit(&head).unwrap();
            let message = message.read(br#"{"id": "secret", "method": "secret"}"#);
            let Authentication::Open(authorized) = message.unwrap().authentication() else {
                panic!("nobody is asked who it is");
            };
            assert_eq!(authorized.session_id(), session, "{version}");
            assert_eq!(
                format!("{authorized:?}"),
                "Authorized { kind: Request, .. }"
            );
        }
    }

    #[test]
    fn a_line_that_cancels_names_the_request_that_it_cancels() {
        let server = dual();
        let cancels = |method: &str, id: &str| {
            let line = format!(
                r#"{{"jsonrpc": "2.0", "method": "{method}", "params": {{"requestId": {id}, "_meta":
                    {{"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}}}}"#
            );
            let authorized = server.read_line(line.as_bytes(), Principal::anonymous());
            match authorized.unwrap().proceed() {
                Turn::Cancel { id, .. } => Some(id.to_string()),
                Turn::Reply(_) => None,
                _ => panic!("a notification is no call"),
            }
        };
        let cancelled = "notifications/cancelled";
        assert_eq!(cancels(cancelled, "7").as_deref(), Some("7"));
        assert_eq!(cancels(cancelled, r#""7""#).as_deref(), Some(r#""7""#));
        assert_eq!(cancels(cancelled, "null"), None);
        assert_eq!(cancels("notifications/progress", "7"), None);
    }

    #[test]
    fn a_method_that_panics_is_a_fault_and_goes_no_further() {
        let fault = contain(|| -> () { panic!("a table lacks its row") }).unwrap_err();
        assert_eq!(fault, Fault::Panic("a table lacks its row".to_owned()));
    }
}
