//! What the head says about the length of the body.

use crate::{head::Head, limits::Limits, rejection::Rejection};

/// Refuses a body that is announced longer than [`Limits::body_bytes`], before a byte of it is read.
///
/// A length that is absent or unreadable says nothing: the bound on the bytes themselves holds for every body.
pub(crate) fn check(head: &Head<'_>, limits: &Limits) -> Result<(), Rejection> {
    let limit = limits.body_bytes;
    match head.known.content_length {
        // A length that no usize holds is over every limit.
        Some(Ok(length)) if usize::try_from(length).map_or(true, |length| length > limit) => {
            Err(Rejection::BodyTooLarge { limit })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_last_announced_length_that_passes() {
        let limits = Limits::default();
        for (length, passes) in [
            ("0", true),
            ("4194304", true),
            ("4194305", false),
            ("1000000000000", false),
            ("18446744073709551615", false),
            ("+5", true),
            ("ten", true),
            ("", true),
        ] {
            let headers = [("Content-Length", length)];
            let verdict = check(&Head::new("POST", &headers), &limits);
            assert_eq!(verdict.is_ok(), passes, "{length}");
        }
        let chunked = [("Transfer-Encoding", "chunked")];
        assert_eq!(check(&Head::new("POST", &chunked), &limits), Ok(()));
    }
}
