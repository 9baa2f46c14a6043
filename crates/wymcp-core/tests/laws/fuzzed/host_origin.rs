//! A host and an origin that a server allows, each a line, and the `Host` and the `Origin` that are sent to it. An empty
//! line allows what is allowed by default, or sends nothing.

use std::sync::LazyLock;

use url::Url;
use wymcp_core::{Head, RejectionReason, Server};

use crate::{oracle::refusal, requests::trim};

static DEFAULT: LazyLock<Server> = LazyLock::new(|| server("", "").unwrap());

pub(crate) fn host_origin(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let mut line = || trim(lines.next().unwrap_or_default());
    let (allowed_host, allowed_origin) = (
        String::from_utf8_lossy(line()).into_owned(),
        String::from_utf8_lossy(line()).into_owned(),
    );
    let (host, origin) = (line(), line());
    let is_default = allowed_host.is_empty() && allowed_origin.is_empty();
    let listed = (!is_default).then(|| server(&allowed_host, &allowed_origin));
    let server = match &listed {
        None => &*DEFAULT,
        Some(Some(server)) => server,
        Some(None) => return,
    };
    let mut headers = vec![("Content-Type", &b"application/json"[..])];
    for (name, value) in [("Host", host), ("Origin", origin)] {
        headers.extend((!value.is_empty()).then_some((name, value)));
    }
    let head = Head::new("POST", &headers);
    let refused = server.admit(&head).err();
    let reason = refused.as_ref().and_then(refusal);
    check_host(host, &allowed_host, reason);
    let is_of_host = matches!(
        reason,
        Some(RejectionReason::HostNotAllowed | RejectionReason::HostMalformed)
    );
    if !is_of_host {
        check_origin(origin, &allowed_origin, reason);
    }
}

fn server(host: &str, origin: &str) -> Option<Server> {
    let mut builder = Server::builder("guarded", "1");
    if !host.is_empty() {
        builder = builder.allow_hosts([host]);
    }
    if !origin.is_empty() {
        builder = builder.allow_origins([origin]);
    }
    builder.build().ok()
}

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

fn check_host(sent: &[u8], allowed: &str, reason: Option<RejectionReason>) {
    let read = |text: &str| Url::parse(&format!("http://{text}/")).ok();
    let entry = read(allowed).filter(|_| !allowed.is_empty());
    if !allowed.is_empty() && entry.is_none() {
        // A list may name what no URL can, `1.example.256`, and then means that alone.
        return;
    }
    let seen = std::str::from_utf8(sent).ok();
    let seen = seen.and_then(|text| Some((text, read(text)?)));
    let is_listed = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        let Some(entry) = &entry else {
            return LOOPBACK.contains(&host);
        };
        let port = port_of(allowed);
        let sent = seen.as_ref().and_then(|(text, _)| port_of(text));
        let is_port = match (port, sent) {
            (None, _) => true,
            (Some(port), None) => port == 80 || port == 443,
            (Some(port), Some(sent)) => port == sent,
        };
        entry.host_str() == Some(host) && is_port
    };
    if !matches!(
        reason,
        Some(RejectionReason::HostNotAllowed | RejectionReason::HostMalformed)
    ) {
        let Some((text, url)) = &seen else {
            panic!("no host for a URL: {sent:?}")
        };
        assert!(is_only_host(url), "more than a host: {text}");
        assert!(is_listed(url), "{text} is not {allowed}");
    } else if let Some((text, url)) = &seen {
        let is_canonical = text.eq_ignore_ascii_case(&spelled(url, port_of(text)));
        let is_due = is_canonical && is_only_host(url) && is_listed(url);
        assert!(!is_due, "{text} is {allowed}, and {reason:?}");
    }
}

fn check_origin(sent: &[u8], allowed: &str, reason: Option<RejectionReason>) {
    let read = |text: &str| Url::parse(text).ok();
    if !allowed.is_empty() && read(allowed).is_none() {
        return;
    }
    let seen = std::str::from_utf8(sent).ok();
    let seen = seen.and_then(|text| Some((text, read(text)?)));
    let is_listed = |url: &Url| {
        let is_web = matches!(url.scheme(), "http" | "https");
        let host = url.host_str().unwrap_or_default();
        if allowed.is_empty() {
            return Some(is_web && LOOPBACK.contains(&host));
        }
        let entry = read(allowed)?;
        let is_same = entry.scheme() == url.scheme()
            && entry.host_str()?.eq_ignore_ascii_case(host)
            && entry.port_or_known_default() == url.port_or_known_default();
        Some(is_same)
    };
    if sent.is_empty() {
        assert_ne!(reason, Some(RejectionReason::OriginNotAllowed));
    } else if reason != Some(RejectionReason::OriginNotAllowed) {
        let Some((text, url)) = &seen else {
            panic!("no origin for a URL: {sent:?}")
        };
        assert!(is_only_host(url), "more than an origin: {text}");
        assert_ne!(is_listed(url), Some(false), "{text} is not {allowed}");
    } else if let Some((text, url)) = &seen {
        let canonical = format!("{}://{}", url.scheme(), spelled(url, port_of(text)));
        let is_due = text.eq_ignore_ascii_case(&canonical) && is_listed(url) == Some(true);
        assert!(!is_due, "{text} is {allowed}, and {reason:?}");
    }
}

/// The number behind the last colon.
fn port_of(text: &str) -> Option<u16> {
    text.rsplit_once(':')?.1.parse().ok()
}

fn spelled(url: &Url, port: Option<u16>) -> String {
    let host = url.host_str().unwrap_or_default();
    port.map_or(host.to_owned(), |port| format!("{host}:{port}"))
}

fn is_only_host(url: &Url) -> bool {
    let has_no_user = url.username().is_empty() && url.password().is_none();
    let has_no_path = matches!(url.path(), "" | "/");
    has_no_user && has_no_path && url.query().is_none() && url.fragment().is_none()
}
