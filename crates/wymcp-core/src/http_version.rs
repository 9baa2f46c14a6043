//! The version of HTTP.

/// The version of HTTP that carries a request.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Head, HttpVersion, Server};
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let headers = [("content-type", "application/json")];
/// let head = Head::new("POST", &headers).authority(Some("https"), "localhost:3000");
/// assert!(server.admit(&head.clone().http_version(HttpVersion::Http2)).is_ok());
///
/// let refusal = server.admit(&head.http_version(HttpVersion::Http1)).unwrap_err();
/// assert!(String::from_utf8_lossy(&refusal.body).contains("Host is missing"));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpVersion {
    /// HTTP/1.0 or HTTP/1.1: a `Host` header is due, and a connection can be told to close.
    #[default]
    Http1,
    /// HTTP/2 or HTTP/3: the host stands in `:authority`.
    Http2,
}
