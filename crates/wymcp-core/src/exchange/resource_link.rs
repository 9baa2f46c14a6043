//! A pointer to a resource, as a result carries it.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Annotations, Content, Icon,
    content::{Meta, readable},
};

/// A pointer to a resource that the client may read, with all that a list would say of it. The resource need not be in
/// any list. Source: MCP 2026-07-28, `ResourceLink`.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Annotations, Content, Icon, ResourceLink};
///
/// let log = ResourceLink::new("file:///log.txt", "log.txt")
///     .title("Today's log")
///     .describe("What the server did since midnight")
///     .mime_type("text/plain")
///     .size(2_048)
///     .icon(Icon::new("https://example.com/log.png"))
///     .annotations(Annotations::default().priority(0.5))
///     .meta("com.example/rotates", true);
/// assert_eq!(
///     serde_json::to_value(Content::from(log)).unwrap(),
///     json!({
///         "type": "resource_link",
///         "uri": "file:///log.txt",
///         "name": "log.txt",
///         "title": "Today's log",
///         "description": "What the server did since midnight",
///         "mimeType": "text/plain",
///         "size": 2_048,
///         "icons": [{"src": "https://example.com/log.png"}],
///         "annotations": {"priority": 0.5},
///         "_meta": {"com.example/rotates": true},
///     }),
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// The resource's address.
    pub uri: String,
    /// The resource's name.
    pub name: String,
    /// What a human is shown in the place of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is, for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// How many bytes it has before any encoding, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// For whom it is and how much it matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The members of its `_meta`.
    #[serde(
        rename = "_meta",
        skip_serializing_if = "Map::is_empty",
        serialize_with = "readable"
    )]
    pub meta: Meta,
}

impl ResourceLink {
    /// A pointer to an address, under the resource's name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            meta: Meta::new(),
        }
    }

    /// What a human is shown in the place of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What is there, for a model.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The media type of what is there.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// How many bytes it has, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// For whom it is, and how much it matters.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Adds a member to its `_meta`. Keys of the application's own have a prefix, such as `com.example/`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}
