//! Which hosts a request may be addressed to: the guard against DNS rebinding.

use super::{
    allowed::Allowed,
    authority::{Authority, HTTP_PORT, HTTPS_PORT, default_port},
};
use crate::{
    config::ConfigError,
    head::{Head, Singleton},
    rejection::Rejection,
    untrusted::Untrusted,
};

/// The hosts that a server answers to.
///
/// A page in a browser can point a name of its own at a local server (DNS rebinding); its requests then come from
/// the user's machine and are same-origin to the browser, and only the `Host` that they carry gives them away.
/// Therefore a server answers to no name but its own: by default `localhost`, `127.0.0.1` and `[::1]`, at any port.
/// A server behind a proxy lists the names under which the proxy passes requests on; `X-Forwarded-Host` is never
/// read.
pub(crate) type Hosts = Allowed<Authority<Box<str>>>;

impl Hosts {
    /// The hosts of a list and no others; an empty list denies all.
    ///
    /// An entry is a host, such as `example.com`, `10.0.0.7` or `[2001:db8::7]`, and matches that host at every port;
    /// with a port, such as `example.com:8080`, it matches that port only. A `Host` without a port is at port 80 or
    /// 443, whichever the entry names. Case does not matter; there are no wildcards.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Host`] for an entry that is no host, such as `*`, a URL or an empty text.
    pub(crate) fn list<Text: AsRef<str>>(
        entries: impl IntoIterator<Item = Text>,
    ) -> Result<Self, ConfigError> {
        let read = |entry: &str| Authority::parse(entry).map(|authority| authority.to_owned());
        Self::read(entries, read).map_err(|entry| ConfigError::Host {
            fault: fault(&entry).to_owned(),
            entry,
        })
    }

    fn allow(&self, seen: &Authority<&str>) -> bool {
        self.allows(
            || seen.host.is_loopback(),
            |entry| {
                entry.host.is(&seen.host)
                    && match (entry.port, seen.port) {
                        (None, _) => true,
                        // Whether TLS ends before us is not ours to know.
                        (Some(port), None) => matches!(port, HTTP_PORT | HTTPS_PORT),
                        (Some(port), Some(seen)) => port == seen,
                    }
            },
        )
    }
}

/// Refuses a request that is addressed to nobody, to two hosts, or to a host that is not allowed.
///
/// The host is `Host`, or on HTTP/2 `:authority`; where a request names it twice, both must be the same.
pub(crate) fn check(head: &Head<'_>, hosts: &Hosts) -> Result<(), Rejection> {
    let line = match head.known.host {
        Singleton::Absent => None,
        Singleton::Value("") => return Err(malformed("Host is empty")),
        Singleton::Value(text) => Some((text, parse(text, "Host is no host")?)),
        Singleton::Malformed(_) => return Err(malformed("Host is unreadable")),
        Singleton::Repeated => return Err(malformed("Host stands on several lines")),
    };
    let target = match head.target() {
        None => None,
        Some(target) => Some((
            target,
            parse(target.authority, "The request target names no host")?,
        )),
    };
    let (text, seen) = match (line, target) {
        (Some((text, host)), Some((target, named))) => {
            // Without a scheme, HTTP/1 is plain as far as we can see; of HTTP/2 nothing is known.
            let default = match target.scheme {
                Some(scheme) => default_port(scheme),
                None if head.is_http1() => Some(HTTP_PORT),
                None => None,
            };
            if !host.host.is(&named.host) || host.port.or(default) != named.port.or(default) {
                return Err(malformed("Host and the request target differ"));
            }
            (text, host)
        }
        (Some(line), None) => line,
        (None, Some((target, named))) if !head.is_http1() => (target.authority, named),
        (None, _) => return Err(malformed("Host is missing")),
    };
    if hosts.allow(&seen) {
        Ok(())
    } else {
        Err(Rejection::HostNotAllowed {
            host: Untrusted::new(text).to_string(),
        })
    }
}

fn parse<'t>(text: &'t str, fault: &'static str) -> Result<Authority<&'t str>, Rejection> {
    Authority::parse(text).ok_or(malformed(fault))
}

fn malformed(fault: &'static str) -> Rejection {
    Rejection::HostMalformed { fault }
}

/// What is wrong with an entry of a list.
fn fault(entry: &str) -> &'static str {
    if entry == "*" {
        "is no host; to allow every host use allow_any_host()"
    } else if entry.contains("://") {
        "is a URL; write the host alone, such as example.com or example.com:8080"
    } else if !entry.is_ascii() {
        "is not ASCII; write the name in its xn-- form, as clients send it"
    } else if entry
        .rsplit_once(':')
        .is_some_and(|(host, _)| Authority::parse(host).is_some())
    {
        "has no port behind its colon; write a number from 0 to 65535, without a sign or leading zeros"
    } else {
        "is no host; write a name or an address and, if needed, a port, such as example.com, 127.0.0.1 or [::1]:8080"
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::HttpVersion;

    fn verdict(hosts: &Hosts, host: &str) -> u16 {
        status(&Head::new("POST", &[("Host", host)]), hosts)
    }

    fn status(head: &Head<'_>, hosts: &Hosts) -> u16 {
        check(head, hosts).map_or_else(|refused| refused.reason().row().status.as_u16(), |()| 200)
    }

    #[test]
    fn by_default_only_the_names_of_the_own_machine_pass() {
        for host in [
            "localhost:3000",
            "LOCALHOST",
            "127.0.0.1",
            "127.0.0.1:1",
            "[::1]:3000",
            " localhost\t",
        ] {
            assert_eq!(verdict(&Hosts::default(), host), 200, "{host}");
        }
        for host in [
            "evil.com",
            "localhost.evil.com",
            "evil.localhost",
            "127.0.0.1.nip.io",
            "0.0.0.0",
            "127.1",
            "2130706433",
            "0177.0.0.1",
            "[::ffff:127.0.0.1]",
            "[::]",
            "localhost.",
        ] {
            assert_eq!(verdict(&Hosts::Loopback, host), 403, "{host}");
        }
    }

    #[test]
    fn a_malformed_host_is_refused_in_every_configuration() {
        let empty: [&str; 0] = [];
        for hosts in [
            Hosts::default(),
            Hosts::Any,
            Hosts::list(["example.com"]).unwrap(),
            Hosts::list(empty).unwrap(),
        ] {
            for host in [
                "",
                "localhost, evil.com",
                "user@localhost",
                "localhost:99999",
                "localhost:",
                "[[::1]]",
                "localhost/mcp",
                "http://localhost",
            ] {
                assert_eq!(verdict(&hosts, host), 400, "{host}");
            }
            let lines: [Vec<(&str, &[u8])>; 4] = [
                vec![],
                vec![("Host", b"caf\xE9")],
                vec![("Host", b"localhost"), ("host", b"localhost")],
                vec![("Host", b"localhost"), ("host", b"evil.com")],
            ];
            for headers in lines {
                assert_eq!(
                    status(&Head::new("POST", &headers), &hosts),
                    400,
                    "{headers:?}"
                );
            }
        }
    }

    #[test]
    fn a_list_replaces_the_default_and_a_port_in_it_counts() {
        let hosts = Hosts::list(["example.com:8080", "Other.example", "tls.example:443"]).unwrap();
        for (host, expected) in [
            ("example.com:8080", 200),
            ("EXAMPLE.com:8080", 200),
            ("example.com", 403),
            ("example.com:8081", 403),
            ("other.example", 200),
            ("other.example:9", 200),
            ("tls.example", 200),
            ("tls.example:443", 200),
            ("tls.example:80", 403),
            ("localhost", 403),
        ] {
            assert_eq!(verdict(&hosts, host), expected, "{host}");
        }
        let empty: [&str; 0] = [];
        assert_eq!(verdict(&Hosts::list(empty).unwrap(), "localhost"), 403);
        assert_eq!(verdict(&Hosts::Any, "evil.com"), 200);
    }

    #[test]
    fn a_target_that_names_a_host_must_name_the_same_one() {
        for (scheme, target, host, expected) in [
            (Some("http"), "localhost", "localhost", 200),
            (Some("http"), "LOCALHOST:80", "localhost", 200),
            (Some("https"), "localhost", "localhost:443", 200),
            (Some("HTTPS"), "localhost:443", "localhost", 200),
            (None, "localhost:80", "localhost", 200),
            (Some("https"), "localhost:80", "localhost", 400),
            (Some("http"), "localhost:81", "localhost", 400),
            (None, "localhost:443", "localhost", 400),
            (Some("http"), "evil.com", "localhost", 400),
            (Some("http"), "localhost", "evil.com", 400),
            (Some("http"), "user@localhost", "localhost", 400),
            (Some("http"), "", "localhost", 400),
            (Some("http"), "evil.com", "evil.com", 403),
        ] {
            let headers = [("Host", host)];
            let head = Head::new("POST", &headers).authority(scheme, target);
            let shown = format!("{scheme:?} {target} {host}");
            assert_eq!(status(&head, &Hosts::default()), expected, "{shown}");
            if scheme.is_some() {
                let head = head.http_version(HttpVersion::Http2);
                assert_eq!(status(&head, &Hosts::default()), expected, "h2 {shown}");
            }
        }
    }

    #[test]
    fn on_http_2_the_authority_is_the_host_and_on_http_1_it_does_not_replace_it() {
        let none: [(&str, &str); 0] = [];
        let head = Head::new("POST", &none);
        let http2 = head.clone().http_version(HttpVersion::Http2);
        for (authority, expected) in [("localhost:3000", 200), ("evil.com", 403), ("a b", 400)] {
            let named = http2.clone().authority(Some("https"), authority);
            assert_eq!(status(&named, &Hosts::default()), expected, "{authority}");
        }
        assert_eq!(status(&http2, &Hosts::Any), 400);
        let absolute = head.authority(Some("http"), "localhost");
        assert_eq!(status(&absolute, &Hosts::default()), 400);
        let headers = [("Host", "localhost")];
        let only_host = Head::new("POST", &headers).http_version(HttpVersion::Http2);
        assert_eq!(status(&only_host, &Hosts::default()), 200);
    }

    #[test]
    fn a_refusal_names_the_host_and_the_setting() {
        let refused = check(
            &Head::new("POST", &[("Host", "evil.com:80")]),
            &Hosts::default(),
        );
        let message = refused.unwrap_err().to_string();
        assert!(
            message.contains("evil.com:80") && message.contains("allow_hosts"),
            "{message}"
        );
    }

    #[test]
    fn an_entry_that_is_no_host_is_a_configuration_error() {
        for entry in [
            "",
            "*",
            "*.example.com",
            "http://x",
            "x/y",
            " x",
            "x:",
            "::1",
            "b\u{fc}cher.example",
        ] {
            let fault = Hosts::list(["example.com", entry]).unwrap_err();
            assert!(fault.to_string().starts_with("allow_hosts: "), "{fault}");
        }
    }

    proptest! {
        #[test]
        fn neither_case_nor_port_changes_the_verdict_on_a_host(
            name in "[a-z0-9-]{1,8}(\\.[a-z0-9-]{1,8}){0,3}",
            upper in any::<u64>(),
            port in any::<u16>(),
        ) {
            let spelled: String = name.char_indices()
                .map(|(at, char)| if upper >> (at % 64) & 1 == 1 { char.to_ascii_uppercase() } else { char })
                .collect();
            let hosts = Hosts::list([&name]).unwrap();
            prop_assert_eq!(verdict(&hosts, &spelled), 200);
            prop_assert_eq!(verdict(&hosts, &format!("{spelled}:{port}")), 200);
            let default = verdict(&Hosts::default(), &name);
            prop_assert_eq!(verdict(&Hosts::default(), &format!("{spelled}:{port}")), default);
        }

        #[test]
        fn a_host_with_one_more_label_is_another_host(
            name in "[a-z0-9-]{1,8}(\\.[a-z0-9-]{1,8}){0,3}",
            label in "[a-z0-9_-]{1,8}",
        ) {
            let ends = [format!("{label}.{name}"), format!("{name}.{label}")];
            let roots = [format!("{name}."), format!(".{name}")];
            for longer in ends.into_iter().chain(roots) {
                prop_assert_eq!(verdict(&Hosts::list([&name]).unwrap(), &longer), 403);
            }
        }

        #[test]
        fn no_bytes_panic_and_what_passes_is_a_loopback_name(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
            let headers = [("Host", bytes.clone())];
            if check(&Head::new("POST", &headers), &Hosts::default()).is_ok() {
                let text = String::from_utf8(bytes).unwrap().trim().to_ascii_lowercase();
                let prefixes = ["localhost", "127.0.0.1", "["];
                prop_assert!(prefixes.iter().any(|prefix| text.starts_with(prefix)), "{}", text);
            }
        }
    }
}
