//! The time and the randomness by which state is sealed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wymcp_core::{ConfigError, Keyring, Moment};

/// Since the start of 1970; by a clock that stands before it everything has expired.
pub(crate) fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::MAX)
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

/// What the event ids of one session begin with.
///
/// # Errors
///
/// When the host has no randomness.
pub(crate) fn mark() -> Result<String, String> {
    let bytes: [u8; 8] = random()?;
    Ok(format!("{:016x}", u64::from_be_bytes(bytes)))
}

/// The keys of a server: those that it was given, or one that nobody else has.
///
/// # Errors
///
/// When an empty list is given, when this build seals nothing, or when the host has no randomness.
pub(crate) fn keyring(given: Option<Vec<[u8; 32]>>) -> Result<Option<Keyring>, ConfigError> {
    let is_on = cfg!(feature = "sealing");
    let fault = |fault: String| ConfigError::Setting {
        setting: "sealing_keys",
        fault,
    };
    match given {
        None if !is_on => Ok(None),
        None => Ok(Keyring::new([random().map_err(fault)?])),
        Some(_) if !is_on => Err(fault(
            "needs the feature sealing, which this build leaves out".to_owned(),
        )),
        Some(keys) => match Keyring::new(keys) {
            None => Err(fault("is empty; give it a key, or leave it out".to_owned())),
            keyring => Ok(keyring),
        },
    }
}

fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|fault| format!("no random bytes: {fault}"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_refused_by_a_build_that_seals_nothing_and_never_left_unused() {
        let given = keyring(Some(vec![[7; 32]]));
        assert_eq!(given.is_ok(), cfg!(feature = "sealing"));
        assert!(keyring(Some(Vec::new())).is_err());
        assert_eq!(keyring(None).unwrap().is_some(), cfg!(feature = "sealing"));
    }
}
