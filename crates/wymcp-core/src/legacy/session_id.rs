//! The id of a session: a random name, or the session itself under a seal.

use std::time::Duration;

use super::Session;
use crate::{exchange::Moment, server::Server, text::to_bytes};

/// A random name of 48 hexadecimal digits.
pub(super) fn random(entropy: &[u8; 24]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    entropy
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// Seals a session for as long as one is kept that is in use.
pub(super) fn sealed(session: &Session, server: &Server, moment: &Moment) -> Option<String> {
    let until = moment.now.saturating_add(server.limits().session_idle);
    let keyring = server.settings.keyring.as_ref()?;
    keyring.seal(&to_bytes(session), &binding(server), until, moment.entropy)
}

/// The session that an id is, if it is one that this server has sealed and that still holds.
pub(crate) fn opened(server: &Server, id: &str, now: Duration) -> Option<Session> {
    let keyring = server.settings.keyring.as_ref()?;
    let opened = keyring.open(id, &binding(server), now)?;
    serde_json::from_slice(&opened.content).ok()
}

/// No state of a call opens as a session, nor one of another server's.
fn binding(server: &Server) -> Vec<u8> {
    let mut binding = b"session of ".to_vec();
    binding.extend_from_slice(server.settings.name.as_bytes());
    binding
}
