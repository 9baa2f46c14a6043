//! The header names that a host's CORS layer lists, so that pages of an allowed origin can call the server.
//!
//! No answer of this crate has a CORS header, and no preflight reaches it: the layer of the host's own framework
//! answers them. The layer's origins and the server's own must name the same pages; this crate checks `Origin` whatever
//! the layer says. Names are in lower case, as HTTP/2 and `http::HeaderName::from_static` want them.
//!
//! # Examples
//!
//! ```
//! use wymcp_core::cors;
//!
//! assert!(cors::ALLOW_HEADERS.contains(&"mcp-protocol-version"));
//! assert_eq!(cors::ALLOW_METHODS, ["GET", "POST", "DELETE"]);
//! assert_eq!(cors::EXPOSE_HEADERS, ["mcp-session-id", "www-authenticate"]);
//! ```

/// The methods for `Access-Control-Allow-Methods`. `GET` and `DELETE` are those of sessions of older revisions.
pub const ALLOW_METHODS: &[&str] = &["GET", "POST", "DELETE"];

/// The names for `Access-Control-Allow-Headers`: what a client sends and a browser asks about first.
///
/// A tool that mirrors arguments needs its own `mcp-param-*` names besides: there is no prefix form, and a `*` covers
/// neither `authorization` nor requests with credentials (WHATWG Fetch, CORS protocol).
pub const ALLOW_HEADERS: &[&str] = &[
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// The names for `Access-Control-Expose-Headers`: what a page may read only if the layer says so.
pub const EXPOSE_HEADERS: &[&str] = &["mcp-session-id", "www-authenticate"];
