//! Which web pages may send requests: the guard against cross-site requests.

use super::{
    allowed::Allowed,
    authority::{Authority, default_port},
};
use crate::{
    config::ConfigError,
    head::{Head, Singleton},
    rejection::Rejection,
    untrusted::Untrusted,
};

/// The web origins that a server answers.
///
/// A browser says in `Origin` which page sends a request; a client that is no browser sends none and passes. By
/// default only pages of the own machine pass: `http` or `https` from `localhost`, `127.0.0.1` or `[::1]`, at any
/// port. CORS headers are the host framework's affair: this only decides who is answered.
pub(crate) type Origins = Allowed<Origin<Box<str>>>;

impl Origins {
    /// The origins of a list and no others; an empty list denies all.
    ///
    /// An entry is a scheme, a host and, unless it is the scheme's own, a port: `https://app.example.com`,
    /// `http://localhost:6274`, `vscode-webview://abc`. Case does not matter, a default port may be written or not;
    /// there are no wildcards.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Origin`] for an entry that is no origin, such as `*`, `null`, a bare host or a URL with a path.
    pub(crate) fn list<Text: AsRef<str>>(
        entries: impl IntoIterator<Item = Text>,
    ) -> Result<Self, ConfigError> {
        let read = |entry: &str| Origin::parse(entry).map(|origin| origin.to_owned());
        Self::read(entries, read).map_err(|entry| ConfigError::Origin {
            fault: fault(&entry).to_owned(),
            entry,
        })
    }

    fn allow(&self, text: &str) -> bool {
        let origin = Origin::parse(text);
        self.allows(
            || origin.as_ref().is_some_and(Origin::is_loopback),
            |entry| origin.as_ref().is_some_and(|origin| entry.is(origin)),
        )
    }
}

/// The tuple of RFC 6454, section 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin<Text> {
    scheme: Text,
    authority: Authority<Text>,
}

impl<'t> Origin<&'t str> {
    /// Reads one serialized origin: nothing may follow the port.
    fn parse(text: &'t str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let readable = scheme.starts_with(|char: char| char.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        let authority = Authority::parse(authority)?;
        readable.then_some(Self { scheme, authority })
    }

    fn to_owned(&self) -> Origin<Box<str>> {
        Origin {
            scheme: self.scheme.into(),
            authority: self.authority.to_owned(),
        }
    }

    fn is_loopback(&self) -> bool {
        let web = ["http", "https"];
        web.iter()
            .any(|scheme| self.scheme.eq_ignore_ascii_case(scheme))
            && self.authority.host.is_loopback()
    }
}

impl<Text: AsRef<str>> Origin<Text> {
    fn is(&self, other: &Origin<impl AsRef<str>>) -> bool {
        let scheme = self.scheme.as_ref();
        let default = default_port(scheme);
        scheme.eq_ignore_ascii_case(other.scheme.as_ref())
            && self.authority.host.is(&other.authority.host)
            && self.authority.port.or(default) == other.authority.port.or(default)
    }
}

/// Refuses a request of a page that is not allowed, and one that a browser sends for another site without saying
/// which.
pub(crate) fn check(head: &Head<'_>, origins: &Origins) -> Result<(), Rejection> {
    let shown = match head.known.origin {
        Singleton::Absent => return check_site(head),
        Singleton::Repeated => return Err(Rejection::OriginDuplicated),
        Singleton::Value(text) if origins.allow(text) => return Ok(()),
        Singleton::Malformed(_) if *origins == Origins::Any => return Ok(()),
        Singleton::Value(text) => Untrusted::new(text).to_string(),
        Singleton::Malformed(bytes) => Untrusted::bytes(bytes).to_string(),
    };
    Err(Rejection::OriginNotAllowed { origin: shown })
}

/// `Sec-Fetch-Site` (W3C Fetch Metadata) speaks where `Origin` is silent. Of two lines none is the first, and an
/// unreadable one is not an absent one.
fn check_site(head: &Head<'_>) -> Result<(), Rejection> {
    match head.known.sec_fetch_site {
        Singleton::Malformed(_) | Singleton::Repeated => Err(Rejection::CrossSite),
        Singleton::Absent => Ok(()),
        Singleton::Value(value) => {
            // A structured field: what follows the item are its parameters.
            let item = value.split(';').next().unwrap_or_default().trim();
            if item.eq_ignore_ascii_case("cross-site") {
                Err(Rejection::CrossSite)
            } else {
                Ok(())
            }
        }
    }
}

/// What is wrong with an entry of a list.
fn fault(entry: &str) -> &'static str {
    if entry == "*" {
        "is no origin; to allow every origin use allow_any_origin()"
    } else if entry.eq_ignore_ascii_case("null") {
        "is what every sandboxed page sends; give the page an origin of its own, or use allow_any_origin()"
    } else if !entry.is_ascii() {
        "is not ASCII; write the host in its xn-- form, as browsers send it"
    } else if entry.ends_with('/') {
        "has a path; write it without the slash at its end"
    } else {
        "is no origin; write a scheme, a host and, if needed, a port, such as https://app.example.com or \
         http://localhost:6274"
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn verdict(origins: &Origins, headers: &[(&str, &[u8])]) -> u16 {
        check(&Head::new("POST", &headers.to_vec()), origins)
            .map_or_else(|refused| refused.reason().row().status.as_u16(), |()| 200)
    }

    fn sent(origins: &Origins, origin: &str) -> u16 {
        verdict(origins, &[("Origin", origin.as_bytes())])
    }

    #[test]
    fn by_default_pages_of_the_own_machine_pass() {
        for origin in [
            "http://localhost",
            "https://LOCALHOST:6274",
            "HTTP://127.0.0.1:80",
            "http://[::1]:3000",
        ] {
            assert_eq!(sent(&Origins::default(), origin), 200, "{origin}");
        }
        for origin in [
            "http://evil.example",
            "http://localhost.evil.example",
            "http://localhost.",
            "ws://localhost",
            "file://localhost",
            "localhost",
            "http://localhost/",
            "http://localhost:",
            "http:localhost",
            "null",
            "",
            "http://localhost http://localhost",
            "http://localhost, http://localhost",
        ] {
            assert_eq!(sent(&Origins::Loopback, origin), 403, "{origin}");
        }
    }

    #[test]
    fn a_list_is_compared_as_tuples() {
        let origins = Origins::list(["https://app.example.com", "vscode-webview://abc"]).unwrap();
        for origin in [
            "https://app.example.com",
            "HTTPS://APP.EXAMPLE.COM",
            "https://app.example.com:443",
            "vscode-webview://abc",
        ] {
            assert_eq!(sent(&origins, origin), 200, "{origin}");
        }
        for origin in [
            "http://app.example.com",
            "http://app.example.com:443",
            "https://app.example.com:444",
            "https://app.example.com.evil.com",
            "https://evil.com#app.example.com",
            "https://u@app.example.com",
            "https://app.example.com/",
            "https://app.example.com?",
            "http://localhost",
            "null",
            "",
        ] {
            assert_eq!(sent(&origins, origin), 403, "{origin}");
        }
        assert_eq!(
            verdict(&origins, &[("Origin", b"https://app.example.com\xE9")]),
            403
        );
        let written_out = Origins::list(["https://app.example.com:443"]).unwrap();
        assert_eq!(sent(&written_out, "https://app.example.com"), 200);
        let empty: [&str; 0] = [];
        assert_eq!(
            sent(&Origins::list(empty).unwrap(), "http://localhost"),
            403
        );
    }

    #[test]
    fn two_lines_are_refused_in_every_configuration() {
        let listed = Origins::list(["http://localhost"]).unwrap();
        for origins in [Origins::default(), listed, Origins::Any] {
            for second in ["http://localhost", "http://evil.example", "", "\u{e9}"] {
                let headers: [(&str, &[u8]); 2] = [
                    ("Origin", b"http://localhost"),
                    ("origin", second.as_bytes()),
                ];
                assert_eq!(verdict(&origins, &headers), 400, "{second}");
            }
        }
    }

    #[test]
    fn any_origin_passes_where_all_are_allowed() {
        for origin in ["http://evil.example", "null", "", "a b"] {
            assert_eq!(sent(&Origins::Any, origin), 200, "{origin}");
        }
        assert_eq!(verdict(&Origins::Any, &[("Origin", b"\xE9")]), 200);
    }

    #[test]
    fn without_an_origin_the_browser_must_not_say_cross_site() {
        let name = "Sec-Fetch-Site";
        for site in ["none", "same-origin", "same-site", "other", ""] {
            let headers = [(name, site.as_bytes())];
            assert_eq!(verdict(&Origins::default(), &headers), 200, "{site}");
        }
        assert_eq!(verdict(&Origins::default(), &[]), 200);
        let refused: [&[(&str, &[u8])]; 3] = [
            &[(name, b"cross-site")],
            &[(name, b"none"), (name, b"none")],
            &[(name, b"cross-site\xE9")],
        ];
        for headers in refused {
            assert_eq!(verdict(&Origins::default(), headers), 403, "{headers:?}");
        }
        let with_origin: [(&str, &[u8]); 2] =
            [(name, b"cross-site"), ("Origin", b"http://localhost")];
        assert_eq!(verdict(&Origins::default(), &with_origin), 200);
    }

    #[test]
    fn a_refusal_names_the_origin_and_the_setting() {
        for (origin, shown) in [
            ("null", "null"),
            ("", "(empty)"),
            ("http://a.b", "http://a.b"),
        ] {
            let headers = [("Origin", origin)];
            let refused = check(&Head::new("POST", &headers), &Origins::default());
            let message = refused.unwrap_err().to_string();
            assert!(
                message.contains(shown) && message.contains("allow_origins"),
                "{message}"
            );
        }
    }

    #[test]
    fn an_entry_that_is_no_origin_is_a_configuration_error() {
        for entry in [
            "",
            "*",
            "null",
            "app.example.com",
            "https://",
            "https://app.example.com/",
            "https://app.example.com/mcp",
            "https://*.example.com",
            "https://u@app.example.com",
            "://app.example.com",
            "1http://app.example.com",
            "https://b\u{fc}cher.example",
        ] {
            let fault = Origins::list([entry]).unwrap_err();
            assert!(fault.to_string().starts_with("allow_origins: "), "{fault}");
        }
    }

    proptest! {
        #[test]
        fn neither_case_nor_a_default_port_changes_the_verdict(
            (scheme, port) in prop_oneof![Just(("http", 80)), Just(("https", 443))],
            name in "[a-z0-9-]{1,8}(\\.[a-z0-9-]{1,8}){0,3}",
            upper in any::<u64>(),
            other in any::<u16>(),
        ) {
            let origin = format!("{scheme}://{name}");
            let spelled: String = origin.char_indices()
                .map(|(at, char)| if upper >> (at % 64) & 1 == 1 { char.to_ascii_uppercase() } else { char })
                .collect();
            let with_port = format!("{spelled}:{port}");
            for entry in [&origin, &with_port] {
                let origins = Origins::list([entry]).unwrap();
                prop_assert_eq!(sent(&origins, &spelled), 200);
                prop_assert_eq!(sent(&origins, &with_port), 200);
                let expected = if other == port { 200 } else { 403 };
                prop_assert_eq!(sent(&origins, &format!("{spelled}:{other}")), expected);
            }
        }

        #[test]
        fn an_origin_with_one_more_label_is_another_origin(
            name in "[a-z0-9-]{1,8}(\\.[a-z0-9-]{1,8}){0,3}",
            label in "[a-z0-9_-]{1,8}",
        ) {
            let origins = Origins::list([format!("https://{name}")]).unwrap();
            for longer in [format!("{label}.{name}"), format!("{name}.{label}"), format!("{name}.")] {
                prop_assert_eq!(sent(&origins, &format!("https://{longer}")), 403);
            }
        }
    }
}
