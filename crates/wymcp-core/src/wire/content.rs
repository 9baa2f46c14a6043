//! What the body is announced to be.

use std::collections::BTreeSet;

use super::media::MediaType;
use crate::{
    head::{Head, Singleton},
    rejection::Rejection,
    untrusted::Untrusted,
};

/// Refuses a body that is not announced as plain JSON in UTF-8.
///
/// This is a guard as well: a page may send `text/plain` or a form to any site without asking it first, and
/// `application/json` only after a preflight.
pub(crate) fn check(head: &Head<'_>) -> Result<(), Rejection> {
    check_type(head.known.content_type)?;
    check_encoding(head.known.content_encoding)
}

fn check_type(content_type: Singleton<'_>) -> Result<(), Rejection> {
    let fault = match content_type {
        Singleton::Value("application/json") => return Ok(()),
        Singleton::Value("") => "Content-Type is empty".to_owned(),
        Singleton::Value(text) => match fault(text) {
            None => return Ok(()),
            Some(fault) => format!("Content-Type {} {fault}", Untrusted::new(text)),
        },
        Singleton::Absent => "Content-Type is missing".to_owned(),
        Singleton::Malformed(_) => "Content-Type is unreadable".to_owned(),
        Singleton::Repeated => "Content-Type stands on several lines".to_owned(),
    };
    Err(Rejection::UnsupportedMediaType { fault })
}

/// Why a media type is not JSON in UTF-8, if it is not.
fn fault(text: &str) -> Option<&'static str> {
    let Some((media, parameters)) = MediaType::parse(text) else {
        return Some("is no media type");
    };
    if !media.is("application", "json") {
        return Some("is not application/json");
    }
    let mut names = BTreeSet::new();
    for parameter in parameters {
        let Some(parameter) = parameter else {
            return Some("is no media type");
        };
        let name = parameter.name.to_ascii_lowercase();
        // In another encoding (RFC 8187) it would be the same parameter twice for some, and none for others.
        let is_charset = name.trim_end_matches('*') == "charset";
        if is_charset && (name.ends_with('*') || !parameter.value.is("utf-8")) {
            return Some("names another charset than utf-8");
        }
        if !names.insert(name) {
            return Some("has a parameter twice");
        }
    }
    None
}

fn check_encoding(content_encoding: Singleton<'_>) -> Result<(), Rejection> {
    let fault = match content_encoding {
        Singleton::Absent => return Ok(()),
        Singleton::Value(coding) if coding.eq_ignore_ascii_case("identity") => return Ok(()),
        Singleton::Value("") => "Content-Encoding is empty".to_owned(),
        Singleton::Value(coding) => {
            format!("Content-Encoding {} is not served", Untrusted::new(coding))
        }
        Singleton::Malformed(_) => "Content-Encoding is unreadable".to_owned(),
        Singleton::Repeated => "Content-Encoding stands on several lines".to_owned(),
    };
    Err(Rejection::UnsupportedMediaType { fault })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passes(headers: &[(&str, &[u8])]) -> bool {
        match check(&Head::new("POST", &headers.to_vec())) {
            Ok(()) => true,
            Err(refused) => {
                assert_eq!(refused.reason().row().status, 415);
                false
            }
        }
    }

    fn typed(content_type: &str) -> bool {
        passes(&[("Content-Type", content_type.as_bytes())])
    }

    #[test]
    fn json_in_utf_8_passes_however_it_is_spelled() {
        for content_type in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; CHARSET=\"UTF\\-8\"",
            "application/json ; profile=\"a;charset=latin1, b\"; charset=utf-8",
            "application/json;",
            "application/json; version=1",
        ] {
            assert!(typed(content_type), "{content_type}");
        }
    }

    #[test]
    fn every_other_content_type_is_refused() {
        for content_type in [
            "",
            "json",
            "text/plain",
            "text/plain; a=application/json",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/jsonx",
            "application/json+x",
            "application/json, text/plain",
            "application/json,application/json",
            "application/json;charset=latin1",
            "application/json;charset=utf8",
            "application/json;charset=\"utf-8",
            "application/json;charset =utf-8",
            "application/json;charset",
            "application/json;charset=utf-8;charset=utf-8",
            "application/json;a=1;A=2",
            "application/json charset=utf-8",
            "application / json",
        ] {
            assert!(!typed(content_type), "{content_type}");
        }
        let lines: [&[(&str, &[u8])]; 4] = [
            &[],
            &[("Content-Type", b"application/json;a=\"\xE9\"")],
            &[
                ("Content-Type", b"application/json"),
                ("content-type", b"application/json"),
            ],
            &[("Content-Type", b"application/json"), ("content-type", b"")],
        ];
        for headers in lines {
            assert!(!passes(headers), "{headers:?}");
        }
    }

    #[test]
    fn no_encoding_but_identity_is_served() {
        let json: (&str, &[u8]) = ("Content-Type", b"application/json");
        assert!(passes(&[json, ("Content-Encoding", b"Identity")]));
        for coding in ["gzip", "identity, gzip", "", "br", "identity;q=1"] {
            assert!(
                !passes(&[json, ("Content-Encoding", coding.as_bytes())]),
                "{coding}"
            );
        }
        let twice: (&str, &[u8]) = ("Content-Encoding", b"identity");
        assert!(!passes(&[json, twice, twice]));
    }

    #[test]
    fn a_refusal_shows_the_value_and_what_to_send() {
        let headers = [("Content-Type", "text/plain")];
        let message = check(&Head::new("POST", &headers)).unwrap_err().to_string();
        assert!(message.starts_with("Content-Type text/plain is not application/json"));
        assert!(message.contains("Send Content-Type: application/json"));
    }

    proptest! {
        #[test]
        fn what_passes_is_json_before_its_first_semicolon(
            text in "(application/json|[a-z/]{1,4})[ ;,a\"=\\\\/]{0,12}",
        ) {
            let essence = text.split(';').next().unwrap().trim_matches([' ', '\t']);
            if typed(&text) {
                prop_assert_eq!(essence, "application/json");
            }
        }
    }
}
