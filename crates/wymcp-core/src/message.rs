//! A message that was read: its kind, and on whose behalf it is.

use std::fmt;

use crate::{
    authentication::{Challenge, ChallengeError, Decision, Denial},
    authorized::Authorized,
    channel::Channel,
    event::Event,
    exchange::Principal,
    head::Singleton,
    rejection::Rejection,
    reply::{Known, Reply, sent},
    server::Server,
    text::{Classified, Json, MessageKind},
    untrusted::Untrusted,
};

/// A message that was read and classified.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Authentication, Head, Message, MessageKind, Server, Turn};
///
/// # let server = Server::builder("empty", "1.0.0").build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// let message: Message<'_> = server.admit(&head).unwrap().read(br#"{"method": "x"}"#).unwrap();
/// assert_eq!(message.kind(), MessageKind::Notification);
/// let Authentication::Open(authorized) = message.authentication() else {
///     unreachable!("nobody is asked who he is");
/// };
/// assert!(matches!(authorized.proceed(), Turn::Reply(reply) if reply.status == 202));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Message<'t> {
    pub(crate) server: &'t Server,
    pub(crate) channel: Channel<'t>,
    pub(crate) content: Content<'t>,
}

/// What a request is about.
pub(crate) enum Content<'t> {
    /// A message.
    Message(Classified<'t>),
    /// A stream of a session: `GET`.
    Get,
    /// The end of a session: `DELETE`.
    Delete,
}

/// Without what the peer sent.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}

impl<'t> Message<'t> {
    pub(crate) fn new(server: &'t Server, channel: Channel<'t>, json: Json<'t>) -> Self {
        Self {
            server,
            channel,
            content: Content::Message(Classified::new(json)),
        }
    }

    /// A request without a message.
    pub(crate) fn of_session(
        server: &'t Server,
        channel: Channel<'t>,
        content: Content<'t>,
    ) -> Self {
        Self {
            server,
            channel,
            content,
        }
    }

    /// The message's kind.
    pub fn kind(&self) -> MessageKind {
        match &self.content {
            Content::Message(message) => message.kind(),
            Content::Get | Content::Delete => MessageKind::Unknown,
        }
    }

    /// Stage 8: whether somebody has to be asked on whose behalf the message is.
    ///
    /// Without a [`Challenge`] nobody is asked. With one, an `Authorization` that is repeated or malformed is refused
    /// before anybody looks at it.
    pub fn authentication(self) -> Authentication<'t> {
        let Some(challenge) = &self.server.settings.challenge else {
            return Authentication::Open(Authorized::new(self, Principal::anonymous()));
        };
        let detail = match self.channel.authorization() {
            Singleton::Repeated => "Authorization stands on several lines",
            Singleton::Malformed(_) => "Authorization is malformed",
            Singleton::Absent | Singleton::Value(_) => {
                return Authentication::Asked(Unauthenticated {
                    message: self,
                    challenge,
                });
            }
        };
        let detail = detail.to_owned();
        Authentication::Refused(refuse(&self, challenge, &Denial::Refused { detail }))
    }

    /// The message of a line, on behalf of whoever the driver names: whoever can write lines started the server.
    pub(crate) fn of_line(self, principal: Principal) -> Authorized<'t> {
        Authorized::new(self, principal)
    }

    pub(crate) fn known(&self) -> Known<'_> {
        let Content::Message(message) = &self.content else {
            return Known::Body;
        };
        match message {
            Classified::Request(request) => Known::Request(&request.method, &request.id),
            Classified::UnidentifiedRequest(json)
            | Classified::Notification(json)
            | Classified::Unknown(json) => Known::Other(json),
        }
    }
}

/// Whether somebody has to be asked on whose behalf a message is.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Authentication, Authorized, Decision, Message, Principal, Reply};
///
/// fn authorize<'t>(message: Message<'t>, token: Option<&str>) -> Result<Authorized<'t>, Reply> {
///     match message.authentication() {
///         Authentication::Open(authorized) => Ok(authorized),
///         Authentication::Refused(reply) => Err(reply),
///         Authentication::Asked(somebody) => somebody.decide(match token {
///             Some("s3cr3t") => Decision::Granted(Principal::named("alice")),
///             _ => Decision::refused("an unknown token"),
///         }),
///     }
/// }
/// # use wymcp_core::{Challenge, Head, Server};
/// # let server = Server::builder("empty", "1.0.0").challenge(Challenge::bearer()).build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// # let message = || server.admit(&head).unwrap().read(b"{}").unwrap();
///
/// // `message()` is a message to a server with a challenge.
/// assert!(authorize(message(), Some("s3cr3t")).is_ok());
/// assert_eq!(authorize(message(), None).unwrap_err().status, 401);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that does not know one of these would let nobody in, or everybody"
)]
pub enum Authentication<'t> {
    /// The server asks nobody.
    Open(Authorized<'t>),
    /// The credentials cannot be read, and nobody is asked.
    Refused(Reply),
    /// The driver asks its authenticator.
    Asked(Unauthenticated<'t>),
}

/// A message of somebody who is not known yet. Only a decision of the host's authenticator takes it further.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Authentication, Decision, Principal, Unauthenticated};
///
/// # use wymcp_core::{Challenge, Head, Server};
/// # let server = Server::builder("empty", "1.0.0").challenge(Challenge::bearer()).build()?;
/// # let head = Head::new("POST", &[("host", "localhost"), ("content-type", "application/json")]);
/// # let message = server.admit(&head).unwrap().read(b"{}").unwrap();
/// // `message` is a message to a server with a challenge.
/// let Authentication::Asked(somebody) = message.authentication() else {
///     unreachable!("the server has a challenge");
/// };
/// let somebody: Unauthenticated<'_> = somebody;
/// // Whoever is let in has a name: what is bound to nobody would be everybody's.
/// let refusal = somebody.decide(Decision::Granted(Principal::anonymous())).unwrap_err();
/// assert_eq!(refusal.status, 401);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct Unauthenticated<'t> {
    message: Message<'t>,
    challenge: &'t Challenge,
}

impl<'t> Unauthenticated<'t> {
    /// Applies the authenticator's decision. A principal without a name is a failure of the authenticator.
    ///
    /// # Errors
    ///
    /// The answer to a refused request, with its challenge.
    pub fn decide(self, decision: Decision) -> Result<Authorized<'t>, Reply> {
        let Self { message, challenge } = self;
        match decision.verdict() {
            Ok(principal) => Ok(Authorized::new(message, principal)),
            Err(denial) => Err(refuse(&message, challenge, &denial)),
        }
    }
}

/// The answer to somebody who is not let in.
fn refuse(message: &Message<'_>, challenge: &Challenge, denial: &Denial) -> Reply {
    let (channel, known) = (message.channel, message.known());
    let tried = match channel.authorization() {
        Singleton::Absent => ChallengeError::None,
        _ => ChallengeError::InvalidToken,
    };
    let (rejection, error) = match denial {
        Denial::Refused { .. } | Denial::Failed { .. } => (Rejection::Unauthenticated, tried),
        Denial::Forbidden { scope, .. } => (
            Rejection::Forbidden,
            ChallengeError::InsufficientScope(scope.as_deref()),
        ),
    };
    let request = sent(channel, known);
    let event = match denial {
        Denial::Failed { fault } => Event::AuthFailed {
            request,
            fault: fault.clone(),
        },
        Denial::Refused { detail } | Denial::Forbidden { detail, .. } => Event::AuthRejected {
            reason: rejection.reason(),
            request,
            detail: Untrusted::new(detail).to_string(),
        },
    };
    let text = rejection.to_string();
    let mut reply = Reply::refusal(&rejection, &text, channel, known);
    reply.events = vec![event];
    reply.headers.push((
        http::header::WWW_AUTHENTICATE.as_str(),
        challenge.header(error).into(),
    ));
    reply
}
