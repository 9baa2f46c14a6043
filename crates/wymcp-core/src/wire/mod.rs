//! The checks that need only the head: stages 1 to 5 of the pipeline. The first that fails answers.

pub(crate) mod accept;
mod allowed;
mod authority;
mod content;
mod host;
mod media;
mod method;
mod origin;
mod size;

pub(crate) use host::Hosts;
pub(crate) use media::is_media_type;
pub(crate) use method::Verbs;
pub(crate) use origin::Origins;

use crate::{head::Head, limits::Limits, rejection::Rejection};

/// Refuses a request before a byte of its body is read.
///
/// Who may ask comes before what is asked: a page that is not allowed learns nothing else about the server.
pub(crate) fn check(
    head: &Head<'_>,
    hosts: &Hosts,
    origins: &Origins,
    limits: &Limits,
    verbs: Verbs,
) -> Result<(), Rejection> {
    host::check(head, hosts)?;
    origin::check(head, origins)?;
    method::check(head, verbs)?;
    match head.method() {
        "GET" => return accept::check_stream(head),
        "DELETE" => return Ok(()),
        _ => {}
    }
    content::check(head)?;
    accept::check(head)?;
    size::check(head, limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::RejectionReason;

    /// A head that every stage refuses, mended from the first stage to the last.
    #[test]
    fn the_first_stage_that_fails_answers() {
        let mut headers = vec![
            ("Host", "evil.com"),
            ("Origin", "http://evil.com"),
            ("Content-Type", "text/plain"),
            ("Accept", "text/html"),
            ("Content-Length", "4194305"),
        ];
        let mends: [(&str, &str, RejectionReason); 6] = [
            ("Host", "localhost", RejectionReason::HostNotAllowed),
            (
                "Origin",
                "http://localhost",
                RejectionReason::OriginNotAllowed,
            ),
            ("", "POST", RejectionReason::MethodNotAllowed),
            (
                "Content-Type",
                "application/json",
                RejectionReason::UnsupportedMediaType,
            ),
            ("Accept", "*/*", RejectionReason::NotAcceptable),
            ("Content-Length", "4194304", RejectionReason::BodyTooLarge),
        ];
        let mut method = "GET";
        for (name, value, reason) in mends {
            let refused = verdict(method, &headers).unwrap_err();
            assert_eq!(refused.reason(), reason);
            match headers.iter_mut().find(|(header, _)| *header == name) {
                Some(line) => line.1 = value,
                None => method = value,
            }
        }
        assert_eq!(verdict(method, &headers), Ok(()));
    }

    #[test]
    fn two_lines_of_a_singleton_are_refused_whatever_they_say() {
        let usual = [
            ("Host", "localhost"),
            ("Origin", "http://localhost"),
            ("Content-Type", "application/json"),
        ];
        for (at, status) in [(0, 400), (1, 400), (2, 415)] {
            let (name, value) = usual[at];
            for second in [value, "other", "", "\u{e9}"] {
                for first in [false, true] {
                    let mut headers = usual.to_vec();
                    headers.insert(if first { 0 } else { 3 }, (name, second));
                    let refused = verdict("POST", &headers).unwrap_err();
                    assert_eq!(refused.reason().row().status, status, "{headers:?}");
                }
            }
        }
    }

    fn verdict(method: &str, headers: &[(&str, &str)]) -> Result<(), Rejection> {
        let headers = headers.to_vec();
        let (hosts, origins) = (Hosts::default(), Origins::default());
        check(
            &Head::new(method, &headers),
            &hosts,
            &origins,
            &Limits::default(),
            Verbs::PostAlone,
        )
    }
}
