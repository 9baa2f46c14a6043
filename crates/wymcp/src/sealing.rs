//! The time and the randomness by which state is sealed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wymcp_core::{Keyring, Moment};

/// Since the start of 1970.
pub(crate) fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

/// When a question is asked.
///
/// # Errors
///
/// When the host has no randomness.
pub(crate) fn moment() -> Result<Moment, String> {
    let now = now();
    let entropy = random()?;
    Ok(Moment { now, entropy })
}

/// Keys that nobody else has.
///
/// # Errors
///
/// When the host has no randomness.
pub(crate) fn own_keyring() -> Result<Option<Keyring>, String> {
    Ok(Keyring::new([random()?]).filter(|_| cfg!(feature = "sealing")))
}

#[cfg(feature = "sealing")]
fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|fault| format!("no random bytes: {fault}"))?;
    Ok(bytes)
}

/// Nothing is sealed, so nothing is to be guessed.
#[cfg(not(feature = "sealing"))]
#[expect(clippy::unnecessary_wraps, reason = "the other's signature")]
fn random<const N: usize>() -> Result<[u8; N], String> {
    Ok([0; N])
}
