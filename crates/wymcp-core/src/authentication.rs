//! What the host's authenticator decided, and the challenge that a refused client reads.

use std::fmt::Write as _;

use crate::{
    config::{ConfigError, check_url},
    exchange::Principal,
};

/// The decision of the host's authenticator about one request.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Decision, Principal};
///
/// /// What a directory says of a token, as a decision.
/// fn decide(scopes: Result<Option<&str>, &str>) -> Decision {
///     match scopes {
///         Ok(Some(scopes)) if scopes.contains("tools:call") => Decision::Granted(Principal::named("alice")),
///         Ok(Some(_)) => Decision::Forbidden {
///             scope: Some("tools:call".to_owned()),
///             detail: "a token that only reads".to_owned(),
///         },
///         Ok(None) => Decision::refused("an unknown token"),
///         Err(fault) => Decision::Failed { fault: fault.to_owned() },
///     }
/// }
///
/// assert!(matches!(decide(Ok(Some("tools:call"))), Decision::Granted(_)));
/// assert!(matches!(decide(Ok(None)), Decision::Refused { .. }));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Decision {
    /// The request runs on behalf of this principal, which has a name.
    Granted(Principal),
    /// The credentials are missing or wrong: 401. The detail goes to the event only.
    Refused {
        /// Why.
        detail: String,
    },
    /// The credentials are fine and do not reach this far: 403.
    Forbidden {
        /// The scope to ask for; without one the challenge's own.
        scope: Option<String>,
        /// Why.
        detail: String,
    },
    /// The authenticator itself failed: to the client like a refusal, to the operator another event.
    Failed {
        /// The failure.
        fault: String,
    },
}

impl Decision {
    /// The decision where nobody is asked who he is. A server with a [`Challenge`] takes it for a failure.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Decision;
    ///
    /// let Decision::Granted(principal) = Decision::anonymous() else {
    ///     unreachable!("nobody is refused");
    /// };
    /// assert_eq!(principal.name(), None);
    /// ```
    pub fn anonymous() -> Self {
        Self::Granted(Principal::anonymous())
    }

    /// A refusal.
    pub fn refused(detail: impl Into<String>) -> Self {
        Self::Refused {
            detail: detail.into(),
        }
    }
}

/// Why somebody is not let in.
#[derive(Debug)]
pub(crate) enum Denial {
    /// See [`Decision::Refused`].
    Refused { detail: String },
    /// See [`Decision::Forbidden`].
    Forbidden {
        scope: Option<String>,
        detail: String,
    },
    /// See [`Decision::Failed`].
    Failed { fault: String },
}

impl Decision {
    /// Who is let in. Nobody is without a name: what is bound to a principal would be bound to nobody.
    pub(crate) fn verdict(self) -> Result<Principal, Denial> {
        match self {
            Self::Granted(principal) if principal.name().is_some() => Ok(principal),
            Self::Granted(_) => Err(Denial::Failed {
                fault: "the principal that was granted access has no name".to_owned(),
            }),
            Self::Refused { detail } => Err(Denial::Refused { detail }),
            Self::Forbidden { scope, detail } => Err(Denial::Forbidden { scope, detail }),
            Self::Failed { fault } => Err(Denial::Failed { fault }),
        }
    }
}

/// The `WWW-Authenticate` of a server that authenticates: the scheme `Bearer` and its parameters (RFC 6750, RFC 9728).
///
/// # Examples
///
/// ```
/// use wymcp_core::{Challenge, Decision, Head, Server, Turn};
///
/// let challenge = Challenge::bearer().resource_metadata("https://mcp.example.com/metadata").scope("tools:call");
/// let server = Server::builder("guarded", "1.0.0").challenge(challenge).build()?;
/// let headers = [("host", "localhost"), ("content-type", "application/json")];
/// let head = Head::new("POST", &headers);
/// let body = br#"{"jsonrpc": "2.0", "id": 1, "method": "server/discover"}"#;
/// let Turn::Reply(reply) = server.receive(&head, body, Decision::refused("no token")) else {
///     unreachable!("a refusal is a reply");
/// };
/// assert_eq!(reply.status, 401);
/// let (_, sent) = reply.headers.iter().find(|(name, _)| *name == "www-authenticate").unwrap();
/// assert_eq!(sent, r#"Bearer scope="tools:call", resource_metadata="https://mcp.example.com/metadata""#);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    resource_metadata: Option<String>,
    scope: Option<String>,
}

/// What the credentials of a refused request were like, as the challenge says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChallengeError<'a> {
    /// None were sent.
    None,
    /// Some were sent and did not do.
    InvalidToken,
    /// They were fine, and lack this scope.
    InsufficientScope(Option<&'a str>),
}

impl Challenge {
    /// A challenge without parameters.
    pub fn bearer() -> Self {
        Self::default()
    }

    /// The address of the protected resource's metadata document (RFC 9728), which the host serves.
    #[must_use]
    pub fn resource_metadata(mut self, url: impl Into<String>) -> Self {
        self.resource_metadata = Some(url.into());
        self
    }

    /// The scopes to ask for, separated by spaces.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = Some(scope.into());
        self
    }

    /// Checks that every parameter can stand in a header.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        for (setting, value) in [
            ("challenge.resource_metadata", &self.resource_metadata),
            ("challenge.scope", &self.scope),
        ] {
            if value
                .as_ref()
                .is_some_and(|value| !value.bytes().all(is_quotable))
            {
                let fault =
                    "has characters that no header can carry; write visible ASCII and spaces"
                        .to_owned();
                return Err(ConfigError::Setting { setting, fault });
            }
        }
        if let Some(url) = &self.resource_metadata {
            check_url(url).map_err(|fault| ConfigError::Setting {
                setting: "challenge.resource_metadata",
                fault: fault.to_owned(),
            })?;
        }
        Ok(())
    }

    /// The header's value.
    pub(crate) fn header(&self, error: ChallengeError<'_>) -> String {
        let (error, scope) = match error {
            ChallengeError::None => (None, None),
            ChallengeError::InvalidToken => (Some("invalid_token"), None),
            ChallengeError::InsufficientScope(scope) => (Some("insufficient_scope"), scope),
        };
        let scope = scope.or(self.scope.as_deref());
        let parameters = [
            ("error", error),
            ("scope", scope),
            ("resource_metadata", self.resource_metadata.as_deref()),
        ];
        let mut header = "Bearer".to_owned();
        let mut separator = " ";
        for (name, value) in parameters {
            let Some(value) = value else { continue };
            // Writing to a String cannot fail.
            let _ = write!(header, "{separator}{name}=\"{}\"", quoted(value));
            separator = ", ";
        }
        header
    }
}

/// Escapes what a quoted string (RFC 9110, section 5.6.4) must escape; drops what it cannot hold.
fn quoted(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for char in value
        .chars()
        .filter(|char| u8::try_from(*char).is_ok_and(is_quotable))
    {
        if matches!(char, '"' | '\\') {
            text.push('\\');
        }
        text.push(char);
    }
    text
}

fn is_quotable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_quoted_and_escaped() {
        let challenge = Challenge::bearer()
            .scope("mcp:\"all\\")
            .resource_metadata("https://a.example/m");
        assert_eq!(
            challenge.header(ChallengeError::InvalidToken),
            r#"Bearer error="invalid_token", scope="mcp:\"all\\", resource_metadata="https://a.example/m""#
        );
        assert_eq!(Challenge::bearer().header(ChallengeError::None), "Bearer");
    }

    #[test]
    fn a_scope_of_the_decision_cannot_break_out_of_the_header() {
        let header =
            Challenge::bearer().header(ChallengeError::InsufficientScope(Some("a\r\nX: y\u{e9}")));
        assert_eq!(
            header,
            r#"Bearer error="insufficient_scope", scope="aX: y""#
        );
    }

    #[test]
    fn a_parameter_that_no_header_can_carry_is_a_configuration_error() {
        assert!(Challenge::bearer().scope("é").check().is_err());
        assert!(
            Challenge::bearer()
                .resource_metadata("a\nb")
                .check()
                .is_err()
        );
    }
}
