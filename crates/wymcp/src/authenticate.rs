//! Who sends a request: the host's authenticator, and one for fixed bearer tokens.

use std::{fmt, future::Future, pin::Pin, sync::Arc};

use subtle::{Choice, ConstantTimeEq};
use wymcp_core::{ConfigError, Decision, Head, Principal, Singleton};

/// Tells on whose behalf a request runs, or refuses it.
///
/// Asked once for every request, after its body was read, so that a refusal can carry the request's id; not asked when
/// `Authorization` is repeated or malformed, which is refused at once. A panic counts as [`Decision::Failed`]. What is
/// decided holds for one request only.
///
/// A client learns nothing of the reason: every refusal has the same body. The reason goes to the event.
///
/// # Examples
///
/// ```
/// use wymcp::{Authenticate, Decision, Head, Principal};
///
/// /// Trusts a proxy that authenticates and says who it is.
/// struct Proxied;
///
/// impl Authenticate for Proxied {
///     async fn authenticate(&self, head: &Head<'_>) -> Decision {
///         match head.values("x-authenticated-user").as_slice() {
///             [user] => match std::str::from_utf8(user) {
///                 Ok(user) => Decision::Granted(Principal::named(user)),
///                 Err(_) => Decision::refused("the user is not text"),
///             },
///             _ => Decision::refused("not exactly one user"),
///         }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let head = Head::new("POST", &[("x-authenticated-user", "alice")]);
/// let decision = Proxied.authenticate(&head).await;
/// assert!(matches!(decision, Decision::Granted(user) if user.name() == Some("alice")));
/// # });
/// ```
pub trait Authenticate: Send + Sync + 'static {
    /// Decides about a request by its head.
    fn authenticate(&self, head: &Head<'_>) -> impl Future<Output = Decision> + Send;
}

/// An authenticator of any type.
pub(crate) trait AnyAuthenticator: Send + Sync {
    fn ask<'a>(&'a self, head: &'a Head<'_>)
    -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>>;
}

impl<A: Authenticate> AnyAuthenticator for A {
    fn ask<'a>(
        &'a self,
        head: &'a Head<'_>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(self.authenticate(head))
    }
}

/// The token of an `Authorization` header of the scheme `Bearer` (RFC 6750, section 2.1).
///
/// The scheme is compared without case; the token is one word of the characters that RFC 6750 gives it. Anything else
/// is `None`. A token in the query string is never read.
///
/// # Examples
///
/// ```
/// use wymcp::{Head, bearer_token};
///
/// let token = |value: &'static str| bearer_token(&Head::new("POST", &[("authorization", value)])).map(str::to_owned);
/// assert_eq!(token("bearer abc").as_deref(), Some("abc"));
/// assert_eq!(token("Bearer a b"), None);
/// assert_eq!(token("Basic abc"), None);
/// ```
pub fn bearer_token<'h>(head: &Head<'h>) -> Option<&'h str> {
    let Singleton::Value(value) = head.authorization() else {
        return None;
    };
    let (scheme, rest) = value.split_once(' ')?;
    let token = rest.trim_start_matches(' ');
    let body = token.trim_end_matches('=');
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    let readable = !body.is_empty() && body.bytes().all(allowed);
    (scheme.eq_ignore_ascii_case("bearer") && readable).then_some(token)
}

/// An authenticator of fixed bearer tokens, one for each principal.
///
/// Every configured token is compared, in a time that tells nothing about it: not where it differs, not its length,
/// not which of them it was.
///
/// # Examples
///
/// ```
/// use wymcp::{BearerTokens, Challenge, Server};
///
/// let tokens = BearerTokens::new([("s3cr3t-of-alice", "alice"), ("s3cr3t-of-bob", "bob")])?;
/// let server = Server::builder("private", "1.0.0").authenticate(tokens, Challenge::bearer()).build()?;
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
pub struct BearerTokens(Vec<(Token, Principal)>);

impl BearerTokens {
    /// The longest token, in bytes.
    pub const MAX_TOKEN_BYTES: usize = 512;

    /// Pairs of a token and the name of its principal.
    ///
    /// # Errors
    ///
    /// A token that is empty, longer than [`BearerTokens::MAX_TOKEN_BYTES`], or has characters that a bearer token
    /// cannot have; a token that stands twice; no token at all.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::BearerTokens;
    ///
    /// let longest = "a".repeat(BearerTokens::MAX_TOKEN_BYTES);
    /// assert!(BearerTokens::new([(&*longest, "alice")]).is_ok());
    /// assert!(BearerTokens::new([(longest + "a", "alice")]).is_err());
    /// assert!(BearerTokens::new([("white space", "alice")]).is_err());
    /// assert!(BearerTokens::new([("s3cr3t", "alice"), ("s3cr3t", "bob")]).is_err());
    /// assert!(BearerTokens::new([("", ""); 0]).is_err());
    /// ```
    pub fn new<T: AsRef<str>, N: Into<Arc<str>>>(
        tokens: impl IntoIterator<Item = (T, N)>,
    ) -> Result<Self, ConfigError> {
        let mut known: Vec<(Token, Principal)> = Vec::new();
        for (token, name) in tokens {
            let token = Token::new(token.as_ref())?;
            if known
                .iter()
                .any(|(earlier, _)| bool::from(earlier.0.equals(&token.0)))
            {
                return Err(fault("a token stands twice; give each principal its own"));
            }
            known.push((token, Principal::named(name)));
        }
        if known.is_empty() {
            return Err(fault(
                "there is no token, so everybody would be refused; give at least one",
            ));
        }
        Ok(Self(known))
    }
}

fn fault(fault: impl Into<String>) -> ConfigError {
    ConfigError::Setting {
        setting: "BearerTokens",
        fault: fault.into(),
    }
}

impl Authenticate for BearerTokens {
    async fn authenticate(&self, head: &Head<'_>) -> Decision {
        let Some(sent) = bearer_token(head) else {
            return Decision::refused("no bearer token");
        };
        let sent = Padded::new(sent.as_bytes());
        let mut known = None;
        for (token, principal) in &self.0 {
            if bool::from(token.0.equals(&sent)) {
                known = Some(principal);
            }
        }
        known.map_or_else(
            || Decision::refused("an unknown bearer token"),
            |known| Decision::Granted(known.clone()),
        )
    }
}

impl fmt::Debug for BearerTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BearerTokens").field(&self.0.len()).finish()
    }
}

/// A configured secret. It has no `==` and shows nothing of itself:
///
/// ```compile_fail
/// let tokens = wymcp::BearerTokens::new([("a", "alice")]).unwrap();
/// assert!(tokens == wymcp::BearerTokens::new([("a", "alice")]).unwrap());
/// ```
struct Token(Padded);

impl Token {
    fn new(text: &str) -> Result<Self, ConfigError> {
        let headers = [("authorization", format!("Bearer {text}"))];
        let head = Head::new("POST", &headers);
        if bearer_token(&head) != Some(text) || text.len() > BearerTokens::MAX_TOKEN_BYTES {
            return Err(fault(format!(
                "a token is not 1 to {} characters of A-Z, a-z, 0-9 and -._~+/, with = at its end at most",
                BearerTokens::MAX_TOKEN_BYTES
            )));
        }
        Ok(Self(Padded::new(text.as_bytes())))
    }
}

/// Bytes of one length, whatever they hold, so that comparing them takes the same time.
struct Padded {
    bytes: [u8; BearerTokens::MAX_TOKEN_BYTES],
    /// Of the text itself, which may be longer than what is kept of it.
    length: u64,
}

impl Padded {
    fn new(text: &[u8]) -> Self {
        let mut bytes = [0; BearerTokens::MAX_TOKEN_BYTES];
        for (slot, byte) in bytes.iter_mut().zip(text) {
            *slot = *byte;
        }
        Self {
            bytes,
            length: u64::try_from(text.len()).unwrap_or(u64::MAX),
        }
    }

    fn equals(&self, other: &Self) -> Choice {
        self.bytes.ct_eq(&other.bytes) & self.length.ct_eq(&other.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn decide(tokens: &BearerTokens, authorization: &str) -> Option<String> {
        let headers = [("Authorization", authorization)];
        match tokens.authenticate(&Head::new("POST", &headers)).await {
            Decision::Granted(principal) => principal.name().map(str::to_owned),
            _ => None,
        }
    }

    #[tokio::test]
    async fn each_token_is_its_principal_and_nothing_else_is_anybody() {
        let tokens = BearerTokens::new([("alpha", "alice"), ("beta==", "bob")]).unwrap();
        assert_eq!(
            decide(&tokens, "Bearer alpha").await.as_deref(),
            Some("alice")
        );
        assert_eq!(
            decide(&tokens, "bEaReR   beta==").await.as_deref(),
            Some("bob")
        );
        let long = format!("Bearer alpha{}", "\0".repeat(600));
        for refused in [
            "",
            "Bearer",
            "Bearer ",
            "Basic alpha",
            "Bearer alph",
            "Bearer alphaa",
            "Bearer alpha x",
            &long,
        ] {
            assert_eq!(decide(&tokens, refused).await, None, "{refused}");
        }
    }

    #[test]
    fn a_token_that_no_client_could_send_is_a_configuration_error() {
        for token in [
            "",
            "a b",
            "é",
            "=",
            &"a".repeat(BearerTokens::MAX_TOKEN_BYTES + 1),
        ] {
            assert!(BearerTokens::new([(token, "a")]).is_err(), "{token}");
        }
        assert!(BearerTokens::new([("a", "alice"), ("a", "bob")]).is_err());
        assert!(BearerTokens::new([("", ""); 0]).is_err());
        assert!(BearerTokens::new([("a".repeat(BearerTokens::MAX_TOKEN_BYTES), "a")]).is_ok());
    }

    #[test]
    fn debug_shows_no_secret() {
        let tokens = BearerTokens::new([("alpha", "alice")]).unwrap();
        assert_eq!(format!("{tokens:?}"), "BearerTokens(1)");
    }
}
