//! Whether a server speaks the legacy revisions, and where their sessions are.

use crate::{builder::ServerBuilder, config::ConfigError, exchange::Keyring};

/// Where the sessions of a server are.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Keyring, LegacySessions, Server};
///
/// let keyring = Keyring::new([[7; 32]]).unwrap();
/// let builder = Server::builder("replica", "1.0.0").sealed_with(keyring);
/// # #[cfg(feature = "sealing")]
/// assert!(builder.legacy(LegacySessions::Sealed).build().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LegacySessions {
    /// The driver keeps them, each under an id that nobody can guess.
    Kept,
    /// Nowhere: the id is the session, under the server's seal, so that any replica that has the key can go on with it. What
    /// takes more than the handshake told is not served: a stream of the session's own (`GET`), an end before its time
    /// (`DELETE`), settings, subscriptions and questions.
    Sealed,
}

impl LegacySessions {
    /// # Errors
    ///
    /// When there is nothing to seal them with.
    pub(crate) fn check(self, keyring: Option<&Keyring>) -> Result<(), ConfigError> {
        let can_seal = cfg!(feature = "sealing") && keyring.is_some();
        if self == Self::Sealed && !can_seal {
            return Err(ConfigError::setting(
                "sealed_sessions",
                "needs the feature sealing and a key; configure sealing keys, or keep the sessions",
            ));
        }
        Ok(())
    }
}

impl ServerBuilder {
    /// Speaks the legacy revisions too, in sessions for which the driver has to care
    /// ([`Turn::Legacy`](crate::Turn::Legacy)). Without it every message is one of the modern revisions.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{LegacySessions, Server};
    ///
    /// assert!(Server::builder("dual", "1.0.0").legacy(LegacySessions::Kept).build().is_ok());
    /// // Nothing is there to seal them with.
    /// assert!(Server::builder("dual", "1.0.0").legacy(LegacySessions::Sealed).build().is_err());
    /// ```
    #[must_use]
    pub fn legacy(mut self, sessions: LegacySessions) -> Self {
        self.legacy = Some(sessions);
        self
    }
}
