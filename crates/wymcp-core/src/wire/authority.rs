//! `host[:port]`, as `Host`, `:authority`, request targets and origins write it.

use std::net::Ipv6Addr;

/// A host and, if it is written, a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority<Text> {
    pub(super) host: Host<Text>,
    pub(super) port: Option<u16>,
}

/// A host. IPv4 addresses are names: only browsers read `127.1` as one, and they send it written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Host<Text> {
    Name(Text),
    Ipv6(Ipv6Addr),
}

impl<'t> Authority<&'t str> {
    /// Reads the one spelling that clients send (RFC 3986, section 3.2): no user, no escapes, no empty port, no port
    /// with leading zeros, an IPv6 address in brackets.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (host, port) = if let Some(bracketed) = text.strip_prefix('[') {
            let (address, after) = bracketed.split_once(']')?;
            let port = match after {
                "" => None,
                _ => Some(after.strip_prefix(':')?),
            };
            (Host::Ipv6(address.parse().ok()?), port)
        } else {
            let (name, port) = match text.split_once(':') {
                Some((name, port)) => (name, Some(port)),
                None => (text, None),
            };
            (Host::Name(parse_name(name)?), port)
        };
        let port = match port {
            None => None,
            Some(digits) => Some(parse_port(digits)?),
        };
        Some(Self { host, port })
    }

    pub(super) fn to_owned(&self) -> Authority<Box<str>> {
        Authority {
            host: match self.host {
                Host::Name(name) => Host::Name(name.into()),
                Host::Ipv6(address) => Host::Ipv6(address),
            },
            port: self.port,
        }
    }
}

impl<Text: AsRef<str>> Host<Text> {
    /// Whether both are the same host: names without case, addresses by value.
    pub(super) fn is(&self, other: &Host<impl AsRef<str>>) -> bool {
        match (self, other) {
            (Self::Name(a), Host::Name(b)) => a.as_ref().eq_ignore_ascii_case(b.as_ref()),
            (Self::Ipv6(a), Host::Ipv6(b)) => a == b,
            _ => false,
        }
    }

    /// Whether this is one of the three names by which a machine calls itself. Others may resolve elsewhere.
    pub(super) fn is_loopback(&self) -> bool {
        match self {
            Self::Name(name) => {
                let name = name.as_ref();
                name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")
            }
            Self::Ipv6(address) => *address == Ipv6Addr::LOCALHOST,
        }
    }
}

/// The port that a scheme leaves out.
pub(super) fn default_port(scheme: &str) -> Option<u16> {
    let is = |name| scheme.eq_ignore_ascii_case(name);
    if is("http") || is("ws") {
        Some(HTTP_PORT)
    } else if is("https") || is("wss") {
        Some(HTTPS_PORT)
    } else {
        None
    }
}

/// Narrower than RFC 3986: what a name outside of this would be is for a resolver to guess.
fn parse_name(name: &str) -> Option<&str> {
    let readable = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'));
    (readable && !name.is_empty()).then_some(name)
}

fn parse_port(digits: &str) -> Option<u16> {
    let one_spelling = digits == "0" || !digits.starts_with(['0', '+']);
    digits.parse().ok().filter(|_| one_spelling)
}

pub(super) const HTTP_PORT: u16 = 80;
pub(super) const HTTPS_PORT: u16 = 443;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_has_one_spelling() {
        for text in [
            "",
            ":80",
            "localhost:",
            "localhost:080",
            "localhost:+80",
            "localhost:99999",
            "localhost:80:80",
            "localhost, evil.com",
            "localhost,evil.com",
            "user@localhost",
            "local%68ost",
            "localhost/",
            "[::1",
            "[::1]80",
            "[::1]:",
            "[[::1]]",
            "[::1%25eth0]",
            "[v1.a]",
            "[127.0.0.1]",
            "::1",
            "*.example.com",
            "caf\u{e9}.example",
        ] {
            assert_eq!(Authority::parse(text), None, "{text}");
        }
    }

    #[test]
    fn hosts_are_the_same_without_case_and_addresses_by_value() {
        let host = |text| Authority::parse(text).unwrap().host;
        assert!(host("Example.COM:1").is(&host("example.com")));
        assert!(host("[::1]").is(&host("[0:0:0:0:0:0:0:1]:80")));
        assert!(host("[2001:DB8::a]").is(&host("[2001:db8::A]")));
        assert!(!host("[::ffff:127.0.0.1]").is(&host("127.0.0.1")));
        assert!(!host("localhost").is(&host("localhost.")));
    }
}
