//! What can change on a running server.

use std::sync::Arc;

/// A change that clients can be told of.
///
/// A server tells that something changed, never what: a client that cares asks again.
///
/// # Examples
///
/// ```
/// use wymcp_core::Change;
///
/// /// The topic of a broker under which replicas tell each other of a change.
/// fn topic(change: &Change) -> String {
///     match change {
///         Change::Tools => "mcp.tools".to_owned(),
///         Change::Resource(uri) => format!("mcp.resource.{uri}"),
///         other => format!("mcp.{other:?}"),
///     }
/// }
///
/// assert_eq!(topic(&Change::Prompts), "mcp.Prompts");
/// assert_eq!(topic(&Change::Resource("docs://manual".into())), "mcp.resource.docs://manual");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources, or that of their templates.
    Resources,
    /// What is in a resource, by its URI.
    Resource(Arc<str>),
}
