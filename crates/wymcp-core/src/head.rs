//! What an adapter hands in before the body: the request line and the headers.

use std::{any::Any, fmt};

use crate::{http_version::HttpVersion, limits::Limits};

/// Header lines in the order in which they came.
///
/// An adapter implements this once for its host's header map; a slice of pairs implements it for pure use. Values are
/// bytes, since not every peer sends text. Names may be in any case.
///
/// # Examples
///
/// ```
/// use http::{HeaderMap, HeaderValue};
/// use wymcp_core::{Head, Headers, Singleton};
///
/// struct Lines(HeaderMap);
///
/// impl Headers for Lines {
///     fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8])) {
///         for (name, value) in &self.0 {
///             line(name.as_str(), value.as_bytes());
///         }
///     }
/// }
///
/// let mut lines = Lines(HeaderMap::new());
/// lines.0.append("mcp-method", HeaderValue::from_static("tools/list"));
/// assert_eq!(Head::new("POST", &lines).mcp_method(), Singleton::Value("tools/list"));
///
/// lines.0.append("mcp-method", HeaderValue::from_static("tools/call"));
/// assert_eq!(Head::new("POST", &lines).mcp_method(), Singleton::Repeated);
/// ```
pub trait Headers: Sync {
    /// Calls `line` with the name and the value of each header line; a name that stands on two lines comes twice.
    fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8]));
}

impl<N: AsRef<str> + Sync, V: AsRef<[u8]> + Sync> Headers for [(N, V)] {
    fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8])) {
        for (name, value) in self {
            line(name.as_ref(), value.as_ref());
        }
    }
}

impl<N: AsRef<str> + Sync, V: AsRef<[u8]> + Sync, const COUNT: usize> Headers for [(N, V); COUNT] {
    fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8])) {
        self.as_slice().each(line);
    }
}

impl<N: AsRef<str> + Sync, V: AsRef<[u8]> + Sync> Headers for Vec<(N, V)> {
    fn each<'h>(&'h self, line: &mut dyn FnMut(&'h str, &'h [u8])) {
        self.as_slice().each(line);
    }
}

/// What a request says under a name that may stand on one line only.
///
/// The four states are never folded into each other: a malformed value is not an absent one, and of two lines none is
/// the first.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Head, Singleton};
///
/// let headers: [(&str, &[u8]); 2] = [("Mcp-Name", b"caf\xE9"), ("Authorization", b"Bearer s3cr3t")];
/// let head = Head::new("POST", &headers);
/// assert_eq!(head.mcp_method(), Singleton::Absent);
/// assert_eq!(head.mcp_name(), Singleton::Malformed(b"caf\xE9"));
/// assert_eq!(head.authorization(), Singleton::Value("Bearer s3cr3t"));
/// assert_eq!(format!("{:?}", head.authorization()), "Value(..)");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a reader that forgets one of the four states is a hole"
)]
pub enum Singleton<'h> {
    /// No line has the name.
    #[default]
    Absent,
    /// One line, and its value is visible ASCII, spaces and tabs, at most [`Limits::HEADER_VALUE_BYTES`] long. The
    /// spaces and tabs around it are gone; an empty value is a value.
    Value(&'h str),
    /// One line with any other value.
    Malformed(&'h [u8]),
    /// Two lines or more, equal or not.
    Repeated,
}

/// Without the value, which may be a secret.
impl fmt::Debug for Singleton<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "Absent",
            Self::Value(_) => "Value(..)",
            Self::Malformed(_) => "Malformed(..)",
            Self::Repeated => "Repeated",
        })
    }
}

impl<'h> Singleton<'h> {
    fn of(value: &'h [u8]) -> Self {
        let trimmed = trim(value);
        // Without a way out in the middle, since a loop over all bytes is several at a time.
        let visible = |all, byte: &u8| all & matches!(byte, b'\t' | b' '..=b'~');
        let readable =
            trimmed.len() <= Limits::HEADER_VALUE_BYTES && trimmed.iter().fold(true, visible);
        match std::str::from_utf8(trimmed) {
            Ok(text) if readable => Self::Value(text),
            _ => Self::Malformed(trimmed),
        }
    }

    fn add(&mut self, value: &'h [u8]) {
        *self = if *self == Self::Absent {
            Self::of(value)
        } else {
            Self::Repeated
        };
    }
}

/// Removes the white space that HTTP allows around a field value.
fn trim(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

/// The head of a request: all that is known before its body is read.
///
/// Made once a request by the adapter, in one pass over the headers; borrows from the adapter's own request.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Head, Singleton};
///
/// let headers = [
///     ("MCP-Protocol-Version", "2026-07-28"),
///     ("Mcp-Method", " tools/list "),
///     ("mcp-name", "a"),
///     ("Mcp-Name", "a"),
/// ];
/// let head = Head::new("POST", &headers);
/// assert_eq!(head.method(), "POST");
/// assert_eq!(head.protocol_version(), Singleton::Value("2026-07-28"));
/// assert_eq!(head.mcp_method(), Singleton::Value("tools/list"));
/// assert_eq!(head.mcp_name(), Singleton::Repeated);
/// assert_eq!(head.authorization(), Singleton::Absent);
/// ```
#[derive(Clone)]
pub struct Head<'h> {
    method: &'h str,
    version: HttpVersion,
    target: Option<Target<'h>>,
    headers: &'h (dyn Headers + 'h),
    data: Option<&'h (dyn Any + Send + Sync)>,
    pub(crate) known: Known<'h>,
}

/// Where a request line points when it names a host of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target<'h> {
    pub(crate) scheme: Option<&'h str>,
    pub(crate) authority: &'h str,
}

/// The headers that this crate reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known<'h> {
    pub(crate) host: Singleton<'h>,
    pub(crate) origin: Singleton<'h>,
    pub(crate) sec_fetch_site: Singleton<'h>,
    pub(crate) content_type: Singleton<'h>,
    pub(crate) content_encoding: Singleton<'h>,
    pub(crate) authorization: Singleton<'h>,
    pub(crate) protocol_version: Singleton<'h>,
    pub(crate) mcp_method: Singleton<'h>,
    pub(crate) mcp_name: Singleton<'h>,
    pub(crate) session_id: Singleton<'h>,
    pub(crate) last_event_id: Singleton<'h>,
    /// The lines of `Accept` are one list.
    pub(crate) accept: AcceptLines<'h>,
    /// The announced length of the body. `Some(Err(()))` when it is no number.
    pub(crate) content_length: Option<Result<u64, ()>>,
    pub(crate) transfer_encoding: bool,
}

/// `Accept`, one line of which is nearly always all.
#[derive(Clone, Debug, Default)]
pub(crate) struct AcceptLines<'h> {
    pub(crate) first: Option<&'h [u8]>,
    pub(crate) more: Vec<&'h [u8]>,
}

impl<'h> AcceptLines<'h> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'h [u8]> {
        self.first.into_iter().chain(self.more.iter().copied())
    }
}

/// The length that a header announces; one beyond 64 bits is as long as can be.
fn announced_length(value: &[u8]) -> Result<u64, ()> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(());
    }
    let text = std::str::from_utf8(value).map_err(|_| ())?;
    Ok(text.parse().unwrap_or(u64::MAX))
}

/// The prefix of the headers that mirror a tool's arguments.
const PARAM_PREFIX: &str = "mcp-param-";

impl<'h> Known<'h> {
    fn add(&mut self, name: &'h str, value: &'h [u8]) {
        // The length decides nearly always; names come in any case from hosts that keep it.
        let slot = match name.len() {
            4 if name.eq_ignore_ascii_case("host") => &mut self.host,
            6 if name.eq_ignore_ascii_case("origin") => &mut self.origin,
            6 if name.eq_ignore_ascii_case("accept") => {
                match self.accept.first {
                    None => self.accept.first = Some(trim(value)),
                    Some(_) => self.accept.more.push(trim(value)),
                }
                return;
            }
            8 if name.eq_ignore_ascii_case("mcp-name") => &mut self.mcp_name,
            10 if name.eq_ignore_ascii_case("mcp-method") => &mut self.mcp_method,
            12 if name.eq_ignore_ascii_case("content-type") => &mut self.content_type,
            13 if name.eq_ignore_ascii_case("authorization") => &mut self.authorization,
            13 if name.eq_ignore_ascii_case("last-event-id") => &mut self.last_event_id,
            14 if name.eq_ignore_ascii_case("mcp-session-id") => &mut self.session_id,
            14 if name.eq_ignore_ascii_case("sec-fetch-site") => &mut self.sec_fetch_site,
            14 if name.eq_ignore_ascii_case("content-length") => {
                self.content_length = Some(announced_length(trim(value)));
                return;
            }
            16 if name.eq_ignore_ascii_case("content-encoding") => &mut self.content_encoding,
            17 if name.eq_ignore_ascii_case("transfer-encoding") => {
                self.transfer_encoding = true;
                return;
            }
            20 if name.eq_ignore_ascii_case("mcp-protocol-version") => &mut self.protocol_version,
            _ => return,
        };
        slot.add(value);
    }
}

impl<'h> Head<'h> {
    /// The head of an HTTP/1 request with an origin-form target.
    pub fn new(method: &'h str, headers: &'h (dyn Headers + 'h)) -> Self {
        let mut known = Known::default();
        headers.each(&mut |name, value| known.add(name, value));
        Self {
            method,
            version: HttpVersion::Http1,
            target: None,
            headers,
            data: None,
            known,
        }
    }

    /// Sets the version of HTTP.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Head, HttpVersion};
    ///
    /// let head = Head::new("POST", &[("mcp-method", "tools/list")]).http_version(HttpVersion::Http2);
    /// assert_eq!(head.method(), "POST");
    /// ```
    #[must_use]
    pub fn http_version(mut self, version: HttpVersion) -> Self {
        self.version = version;
        self
    }

    /// Sets the authority that the request line names: an absolute-form target on HTTP/1, `:authority` on HTTP/2. The
    /// scheme decides which port may be left out when `Host` is compared with it; without a scheme that is 80 on
    /// HTTP/1, and none on HTTP/2.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Head, Server};
    ///
    /// let server = Server::builder("empty", "1.0.0").build()?;
    /// let headers = [("host", "localhost"), ("content-type", "application/json")];
    /// let head = Head::new("POST", &headers);
    /// assert!(server.admit(&head.clone().authority(Some("https"), "localhost:443")).is_ok());
    /// assert!(server.admit(&head.authority(Some("http"), "localhost:443")).is_err());
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn authority(mut self, scheme: Option<&'h str>, authority: &'h str) -> Self {
        self.target = Some(Target { scheme, authority });
        self
    }

    /// Attaches what the host knows of the request besides: for axum, the extensions that its layers filled.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::net::IpAddr;
    ///
    /// use wymcp_core::Head;
    ///
    /// let peer = IpAddr::from([203, 0, 113, 7]);
    /// let headers = [("host", "localhost")];
    /// let head = Head::new("POST", &headers).with_data(&peer);
    /// assert_eq!(head.data::<IpAddr>(), Some(&peer));
    /// assert_eq!(head.data::<String>(), None);
    /// ```
    #[must_use]
    pub fn with_data(mut self, data: &'h (dyn Any + Send + Sync)) -> Self {
        self.data = Some(data);
        self
    }

    /// What the host knows of the request besides, if it has this type: for axum `http::Extensions`.
    pub fn data<T: Any>(&self) -> Option<&'h T> {
        self.data.and_then(|data| data.downcast_ref())
    }

    /// The HTTP method, as it was sent.
    pub fn method(&self) -> &'h str {
        self.method
    }

    /// All values of a header, by its name in any case, for an authenticator that reads what this crate does not.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Head;
    ///
    /// let headers = [("X-Api-Key", " k1 "), ("host", "localhost"), ("x-api-key", "k2")];
    /// let head = Head::new("POST", &headers);
    /// assert_eq!(head.values("x-API-key"), [b"k1", b"k2"]);
    /// assert!(head.values("cookie").is_empty());
    /// ```
    pub fn values(&self, name: &str) -> Vec<&'h [u8]> {
        let mut values = Vec::new();
        self.headers.each(&mut |line, value| {
            if line.eq_ignore_ascii_case(name) {
                values.push(trim(value));
            }
        });
        values
    }

    /// The `Authorization` header.
    pub fn authorization(&self) -> Singleton<'h> {
        self.known.authorization
    }

    /// The `MCP-Protocol-Version` header.
    pub fn protocol_version(&self) -> Singleton<'h> {
        self.known.protocol_version
    }

    /// The `Mcp-Method` header.
    pub fn mcp_method(&self) -> Singleton<'h> {
        self.known.mcp_method
    }

    /// The `Mcp-Name` header.
    pub fn mcp_name(&self) -> Singleton<'h> {
        self.known.mcp_name
    }

    pub(crate) fn session_id(&self) -> Singleton<'h> {
        self.known.session_id
    }

    pub(crate) fn last_event_id(&self) -> Singleton<'h> {
        self.known.last_event_id
    }

    pub(crate) fn is_http1(&self) -> bool {
        self.version == HttpVersion::Http1
    }

    pub(crate) fn target(&self) -> Option<Target<'h>> {
        self.target
    }

    /// The `Mcp-Param-*` header of this name, which is compared without case.
    ///
    /// Looked for when it is asked for: the tool decides how often that is, while the peer decides how many such lines
    /// there are.
    pub(crate) fn param(&self, name: &str) -> Singleton<'h> {
        let mut found = Singleton::Absent;
        self.headers.each(&mut |line, value| {
            let param = line
                .split_at_checked(PARAM_PREFIX.len())
                .filter(|(prefix, _)| prefix.eq_ignore_ascii_case(PARAM_PREFIX));
            if param.is_some_and(|(_, param)| param.eq_ignore_ascii_case(name)) {
                found.add(value);
            }
        });
        found
    }

    /// The length that is announced for the body.
    pub(crate) fn announced_length(&self) -> Option<usize> {
        let length = self.known.content_length?.ok()?;
        usize::try_from(length).ok()
    }

    /// Whether the head announces a body, so that a refusal before the body leaves bytes on the connection.
    pub(crate) fn announces_body(&self) -> bool {
        self.known.transfer_encoding || !matches!(self.known.content_length, None | Some(Ok(0)))
    }
}

impl fmt::Debug for Head<'_> {
    /// Without the values of headers, which may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Head")
            .field("method", &self.method)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_trimmed_and_an_empty_value_is_a_value() {
        let headers = [("Origin", " \t "), ("mcp-method", "\ttools/list ")];
        let head = Head::new("POST", &headers);
        assert_eq!(head.known.origin, Singleton::Value(""));
        assert_eq!(head.mcp_method(), Singleton::Value("tools/list"));
    }

    #[test]
    fn bytes_outside_visible_ascii_and_long_values_are_malformed_and_not_absent() {
        for value in [
            b"caf\xE9".to_vec(),
            b"a\x7f".to_vec(),
            vec![b'a'; Limits::HEADER_VALUE_BYTES + 1],
        ] {
            let headers = [("Mcp-Name", value.clone())];
            assert_eq!(
                Head::new("POST", &headers).mcp_name(),
                Singleton::Malformed(&value)
            );
        }
    }

    #[test]
    fn two_lines_are_repeated_whatever_they_say() {
        for second in ["a", "b", "", "\u{e9}"] {
            let headers = [("Mcp-Name", "a"), ("mcp-NAME", second)];
            assert_eq!(
                Head::new("POST", &headers).mcp_name(),
                Singleton::Repeated,
                "{second}"
            );
        }
    }

    #[test]
    fn a_mirrored_argument_is_found_by_any_case_of_its_name() {
        let headers = [
            ("Mcp-Param-Region", "eu"),
            ("MCP-PARAM-user", "a"),
            ("mcp-param-USER", "a"),
        ];
        let head = Head::new("POST", &headers);
        assert_eq!(head.param("region"), Singleton::Value("eu"));
        assert_eq!(head.param("User"), Singleton::Repeated);
        assert_eq!(head.param("other"), Singleton::Absent);
    }
}
