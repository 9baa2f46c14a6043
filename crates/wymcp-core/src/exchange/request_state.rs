//! What a client carries from one round of questions to the next, sealed so that it can neither read nor change it.

use std::fmt;

#[cfg(feature = "sealing")]
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
#[cfg(feature = "sealing")]
use chacha20poly1305::{
    Key, XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};

use super::{Principal, target::Target};
use crate::{
    server::Server,
    text::{Object, canonical},
};

/// The keys that seal `requestState`: the first one seals, each of them opens.
///
/// Replicas that share them can take each other's retries. To rotate, add the new key last everywhere, then put it first
/// everywhere, and take the old one out when what it sealed has expired. `Debug` shows none.
///
/// # Examples
///
/// ```
/// use wymcp_core::Keyring;
///
/// let (new, old) = ([7; 32], [3; 32]);
/// assert!(Keyring::new([new, old]).is_some());
/// assert!(Keyring::new([]).is_none());
/// ```
#[derive(Clone)]
pub struct Keyring {
    keys: Vec<[u8; 32]>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keyring({} keys)", self.keys.len())
    }
}

impl Keyring {
    /// A keyring of these keys, the sealing one first; `None` without any.
    pub fn new(keys: impl IntoIterator<Item = [u8; 32]>) -> Option<Self> {
        let keys: Vec<[u8; 32]> = keys.into_iter().collect();
        (!keys.is_empty()).then_some(Self { keys })
    }
}

/// The time and the randomness of one sealing.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, SystemTime, UNIX_EPOCH};
///
/// use wymcp_core::Moment;
///
/// let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
/// # let random = [1; 24];
/// // `random` are 24 bytes that nobody could guess and that never come again.
/// let moment = Moment { now, entropy: random };
/// assert!(moment.now > Duration::from_secs(1_700_000_000));
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a driver makes it")]
pub struct Moment {
    /// Since the start of 1970.
    pub now: std::time::Duration,
    /// Random bytes, never the same twice.
    pub entropy: [u8; 24],
}

/// Which call a state belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'c> {
    server: &'c str,
    principal: &'c Principal,
    target: &'c Target<'c>,
    arguments: &'c Object<'c>,
}

impl<'c> Binding<'c> {
    /// The binding of a call; the arguments as they were sent.
    pub(crate) fn new(
        server: &'c Server,
        principal: &'c Principal,
        target: &'c Target<'c>,
        arguments: &'c Object<'c>,
    ) -> Self {
        Self {
            server: &server.settings.name,
            principal,
            target,
            arguments,
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let method = self.target.method().name();
        let call = [self.server, method, self.target.name()];
        bytes_of(call, self.principal.name(), self.arguments)
    }
}

/// Each part has its length before it, so that no two calls have the same bytes.
fn bytes_of(call: [&str; 3], principal: Option<&str>, arguments: &Object<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in call.into_iter().chain([principal.unwrap_or_default()]) {
        bytes.extend_from_slice(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    // An empty name is another one than none.
    bytes.push(u8::from(principal.is_some()));
    canonical(arguments, &mut bytes);
    bytes
}

/// What was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) content: Vec<u8>,
    /// What no other state has.
    pub(crate) nonce: [u8; 24],
}

#[cfg(feature = "sealing")]
impl Keyring {
    /// Seals content for a call, until a time.
    pub(crate) fn seal(
        &self,
        content: &[u8],
        binding: &[u8],
        until: std::time::Duration,
        nonce: [u8; 24],
    ) -> Option<String> {
        let key = self.keys.first()?;
        let mut plain = until.as_secs().to_be_bytes().to_vec();
        plain.extend_from_slice(content);
        let payload = Payload {
            msg: &plain,
            aad: binding,
        };
        let cipher = XChaCha20Poly1305::new(&Key::from(*key));
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
        let mut token = vec![FORMAT];
        token.extend_from_slice(&nonce);
        token.extend_from_slice(&sealed);
        Some(URL_SAFE_NO_PAD.encode(token))
    }

    /// Opens what was sealed for this call, unless its time is over.
    pub(crate) fn open(
        &self,
        token: &str,
        binding: &[u8],
        now: std::time::Duration,
    ) -> Option<Opened> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (format, rest) = token.split_first()?;
        let (nonce, sealed) = rest.split_first_chunk::<24>()?;
        if *format != FORMAT {
            return None;
        }
        let plain = self.keys.iter().find_map(|key| {
            let payload = Payload {
                msg: sealed,
                aad: binding,
            };
            let cipher = XChaCha20Poly1305::new(&Key::from(*key));
            cipher.decrypt(&XNonce::from(*nonce), payload).ok()
        })?;
        let (until, content) = plain.split_first_chunk::<8>()?;
        (now.as_secs() <= u64::from_be_bytes(*until)).then(|| Opened {
            content: content.to_vec(),
            nonce: *nonce,
        })
    }
}

/// Nothing is sealed, and nothing opens.
#[cfg(not(feature = "sealing"))]
impl Keyring {
    #[expect(clippy::unused_self, reason = "the other's signature")]
    pub(crate) fn seal(
        &self,
        _: &[u8],
        _: &[u8],
        _: std::time::Duration,
        _: [u8; 24],
    ) -> Option<String> {
        None
    }

    #[expect(clippy::unused_self, reason = "the other's signature")]
    pub(crate) fn open(&self, _: &str, _: &[u8], _: std::time::Duration) -> Option<Opened> {
        None
    }
}

/// The first byte of each token.
#[cfg(feature = "sealing")]
const FORMAT: u8 = 1;

#[cfg(all(test, feature = "sealing"))]
mod tests {
    use std::{collections::BTreeMap, time::Duration};

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::text::Json;

    const NOW: Duration = Duration::from_secs(1_000);

    fn keyring() -> Keyring {
        Keyring::new([[7; 32], [3; 32]]).unwrap()
    }

    #[test]
    fn a_state_opens_until_its_time_and_not_after() {
        let token = keyring().seal(b"state", b"call", NOW, [1; 24]).unwrap();
        for (seconds, opens) in [(999, true), (1_000, true), (1_001, false)] {
            let opened = keyring().open(&token, b"call", Duration::from_secs(seconds));
            assert_eq!(opened.is_some(), opens, "{seconds}");
        }
        let opened = keyring().open(&token, b"call", NOW).unwrap();
        assert_eq!(
            (&*opened.content, opened.nonce),
            (b"state".as_slice(), [1; 24])
        );
    }

    #[test]
    fn old_keys_open_and_strange_ones_do_not() {
        let old = Keyring::new([[3; 32]]).unwrap();
        let token = old.seal(b"state", b"call", NOW, [1; 24]).unwrap();
        assert!(keyring().open(&token, b"call", NOW).is_some());
        let strange = Keyring::new([[9; 32]]).unwrap();
        assert!(strange.open(&token, b"call", NOW).is_none());
    }

    /// Few texts and short ones, so that parts run into each other where they can.
    fn text() -> impl Strategy<Value = String> {
        "[ab]{0,2}"
    }

    type Parts = ([String; 3], Option<String>, BTreeMap<String, String>);

    fn parts() -> impl Strategy<Value = Parts> {
        (
            [text(), text(), text()],
            prop::option::of(text()),
            prop::collection::btree_map(text(), text(), 0..3),
        )
    }

    fn bytes((call, principal, arguments): &Parts) -> Vec<u8> {
        let arguments = json!(arguments);
        let arguments = Json::from(&arguments);
        let call = [&*call[0], &*call[1], &*call[2]];
        bytes_of(call, principal.as_deref(), arguments.as_object().unwrap())
    }

    proptest! {
        #[test]
        fn no_two_calls_are_bound_to_the_same_bytes(one in parts(), other in parts()) {
            prop_assert_eq!(bytes(&one) == bytes(&other), one == other);
        }

        #[test]
        fn what_was_sealed_comes_back_for_its_own_call_alone(
            content in prop::collection::vec(any::<u8>(), 0..60),
            binding in prop::collection::vec(any::<u8>(), 0..60),
            other in prop::collection::vec(any::<u8>(), 0..60),
            nonce in any::<[u8; 24]>(),
        ) {
            let token = keyring().seal(&content, &binding, NOW, nonce).unwrap();
            let opened = keyring().open(&token, &binding, NOW).unwrap();
            prop_assert_eq!(opened.content, content);
            prop_assert_eq!(keyring().open(&token, &other, NOW).is_some(), other == binding);
        }

        #[test]
        fn a_token_that_was_changed_does_not_open(
            content in prop::collection::vec(any::<u8>(), 0..40),
            nonce in any::<[u8; 24]>(),
        ) {
            let token = keyring().seal(&content, b"call", NOW, nonce).unwrap();
            for at in 0..token.len() {
                prop_assert!(keyring().open(&token[..at], b"call", NOW).is_none(), "cut at {}", at);
                let mut bytes = token.clone().into_bytes();
                bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
                let changed = String::from_utf8(bytes).unwrap();
                prop_assert!(keyring().open(&changed, b"call", NOW).is_none(), "changed at {}", at);
            }
        }

        #[test]
        fn no_text_opens(text in ".{0,80}") {
            prop_assert!(keyring().open(&text, b"call", NOW).is_none());
        }

        #[test]
        fn nothing_opens_that_only_looks_like_a_token(rest in prop::collection::vec(any::<u8>(), 24..120)) {
            let token = URL_SAFE_NO_PAD.encode([&[FORMAT], &*rest].concat());
            prop_assert!(keyring().open(&token, b"call", NOW).is_none());
        }
    }
}
