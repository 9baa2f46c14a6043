//! The keys that seal what clients carry between two rounds of questions, and the states that came back.

use std::{
    collections::HashMap,
    env::{self, VarError},
    sync::Mutex,
    time::Instant,
};

use wymcp::{Limits, ServerBuilder};

/// Names the keys: each 64 hexadecimal digits, with commas between them. The first one seals, all of them open.
const VARIABLE: &str = "WYMCP_SEALING_KEYS";

/// Seals with the keys that the environment gives, if it gives any, and lets each state be used once.
///
/// # Errors
///
/// When the variable is there and holds something else than keys.
pub(crate) fn sealed(server: ServerBuilder) -> Result<ServerBuilder, String> {
    let server = match env::var(VARIABLE) {
        Ok(keys) => server.sealing_keys(read(&keys)?),
        Err(VarError::NotPresent) => server,
        Err(VarError::NotUnicode(_)) => return Err(malformed(1)),
    };
    let used = UsedStates::default();
    Ok(server.states_used_once(move |id| {
        let is_first = used.insert(id);
        async move { is_first }
    }))
}

fn read(keys: &str) -> Result<Vec<[u8; 32]>, String> {
    let keys = keys.split(',').map(str::trim).enumerate();
    keys.map(|(at, digits)| key(digits).ok_or_else(|| malformed(at + 1)))
        .collect()
}

fn key(digits: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    // Signs, which `from_str_radix` reads, are no digits.
    if digits.len() != 2 * key.len() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in key.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?;
    }
    Some(key)
}

/// What is there is not shown: it may be a key but for one digit.
fn malformed(number: usize) -> String {
    format!(
        "{VARIABLE}: key {number} is not 64 hexadecimal digits; `openssl rand -hex 32` makes one"
    )
}

/// The states that came back, for as long as they would open. Replicas would ask a store that they share.
#[derive(Default)]
struct UsedStates(Mutex<HashMap<[u8; 24], Instant>>);

impl UsedStates {
    /// Whether the state comes back for the first time.
    fn insert(&self, id: [u8; 24]) -> bool {
        let lifetime = Limits::default().state_ttl;
        // Without its memory it lets nothing pass.
        self.0.lock().is_ok_and(|mut used| {
            used.retain(|_, since| since.elapsed() <= lifetime);
            used.insert(id, Instant::now()).is_none()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_in_their_order_and_in_both_cases() {
        let (first, second) = ("0f".repeat(32), "A0".repeat(32));
        let keys = read(&format!("{first}, {second}"));
        assert_eq!(keys, Ok(vec![[0x0F; 32], [0xA0; 32]]));
    }

    #[test]
    fn what_is_no_key_is_named_by_its_place_and_not_shown() {
        let good = "0f".repeat(32);
        for bad in [
            String::new(),
            "0f".repeat(31),
            "0f".repeat(33),
            "+f".repeat(32),
            "zz".repeat(32),
            "é".repeat(32),
        ] {
            let fault = read(&format!("{good},{bad}")).unwrap_err();
            assert!(fault.contains("key 2 is not 64"), "{fault}");
            assert!(bad.is_empty() || !fault.contains(&bad), "{fault}");
        }
        assert!(read("").is_err() && read(&format!("{good},")).is_err());
    }

    #[test]
    fn a_state_is_used_once() {
        let used = UsedStates::default();
        assert!(used.insert([1; 24]) && used.insert([2; 24]) && !used.insert([1; 24]));
    }
}
