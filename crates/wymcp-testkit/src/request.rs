//! A request as its bytes: what a case sends.

use wymcp::Head;

use crate::placeholder::SESSION;

/// A request of HTTP/1, byte for byte as its case writes it.
///
/// # Examples
///
/// ```
/// use wymcp_testkit::{Case, CaseError, Request};
///
/// fn request(lines: &str, body: &str) -> Result<Request, CaseError> {
///     let text = format!("# A case.\nserver: modern\n\nPOST /mcp HTTP/1.1\n{lines}\n\n{body}\n---\nno answer\n");
///     Ok(Case::parse("rule/behavior", &text)?.request)
/// }
///
/// let whole = request("Host: localhost", "[]")?;
/// assert_eq!(whole.to_bytes(), b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n[]");
/// assert_eq!(whole.head().values("host"), [b"localhost"]);
/// assert!(!whole.is_truncated());
///
/// assert!(request("Content-Length: 3", "[]")?.is_truncated());
/// let chunked = request("Transfer-Encoding: chunked", "[]")?;
/// assert!(chunked.to_bytes().ends_with(b"\r\n\r\n2\r\n[]\r\n0\r\n\r\n"));
/// # Ok::<(), CaseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The method of the request line.
    pub method: String,
    /// The target of the request line.
    pub target: String,
    /// The version of the request line.
    pub version: String,
    /// The header lines in their order, the added `Content-Length` last. The white space around a value is kept.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, without transfer coding.
    pub body: Vec<u8>,
    /// Whether the client goes away once it has sent this, without waiting for the answer.
    pub closes: bool,
}

/// The longest piece of a body that is sent in chunks.
const CHUNK: usize = 1000;

impl Request {
    /// The bytes on the wire. Under `Transfer-Encoding: chunked` the body is cut into chunks.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            format!("{} {} {}\r\n", self.method, self.target, self.version).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(b':');
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        if !self.is_chunked() {
            bytes.extend_from_slice(&self.body);
            return bytes;
        }
        for chunk in self.body.chunks(CHUNK) {
            bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            bytes.extend_from_slice(chunk);
            bytes.extend_from_slice(b"\r\n");
        }
        if !self.closes {
            bytes.extend_from_slice(b"0\r\n\r\n");
        }
        bytes
    }

    /// Whether bytes of the body are announced that are never sent.
    pub fn is_truncated(&self) -> bool {
        if self.is_chunked() {
            return self.closes;
        }
        let announced = self
            .values("content-length")
            .next()
            .and_then(|value| std::str::from_utf8(value).ok());
        announced
            .and_then(|length| length.trim().parse().ok())
            .is_some_and(|length: usize| length > self.body.len())
    }

    /// The head as an adapter hands it over: method, headers, and the authority of an absolute-form target.
    pub fn head(&self) -> Head<'_> {
        let head = Head::new(&self.method, &self.headers);
        match self.authority() {
            Some((scheme, authority)) => head.authority(Some(scheme), authority),
            None => head,
        }
    }

    /// The request line and the header lines, for a person to read.
    pub(crate) fn head_lines(&self) -> String {
        let line = format!("{} {} {}", self.method, self.target, self.version);
        let headers = self.headers.iter();
        let headers = headers.map(|(name, value)| format!("{name}:{}", value.escape_ascii()));
        let lines: Vec<_> = std::iter::once(line).chain(headers).collect();
        lines.join("\n")
    }

    fn authority(&self) -> Option<(&str, &str)> {
        let (scheme, rest) = self.target.split_once("://")?;
        Some((scheme, rest.split(['/', '?']).next()?))
    }

    /// A whole request of a client as most are.
    pub(crate) fn new(method: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Self {
        let headers = headers.iter();
        let mut request = Self {
            method: method.to_owned(),
            target: "/mcp".to_owned(),
            version: "HTTP/1.1".to_owned(),
            headers: headers
                .map(|(name, value)| ((*name).to_owned(), format!(" {value}").into_bytes()))
                .collect(),
            body,
            closes: false,
        };
        request.announce_length();
        request
    }

    /// The same with the id of its session, where its headers name that.
    pub(crate) fn in_session(mut self, id: &str) -> Self {
        for (_, value) in &mut self.headers {
            let Ok(text) = std::str::from_utf8(value) else {
                continue;
            };
            *value = text.replace(SESSION, id).into_bytes();
        }
        self
    }

    pub(crate) fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.body
            .chunks(if self.is_chunked() { CHUNK } else { 16 * 1024 })
    }

    fn is_chunked(&self) -> bool {
        self.values("transfer-encoding").next().is_some()
    }

    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let lines = self
            .headers
            .iter()
            .filter(move |(line, _)| line.eq_ignore_ascii_case(name));
        lines.map(|(_, value)| value.as_slice())
    }

    /// Announces the body's length, unless the case does, or there is none and the method means none.
    pub(crate) fn announce_length(&mut self) {
        let announced = self.is_chunked() || self.values("content-length").next().is_some();
        if !announced && (self.method == "POST" || !self.body.is_empty()) {
            self.headers.push((
                "Content-Length".to_owned(),
                format!(" {}", self.body.len()).into_bytes(),
            ));
        }
    }
}
