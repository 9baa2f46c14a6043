//! What is in a resource.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::{Map, Value};

use super::content::{Meta, readable};

/// The contents of a resource.
///
/// # Examples
///
/// ```
/// use wymcp_core::ResourceContents;
///
/// let text = ResourceContents::text("file:///a.txt", "text/plain", "a");
/// assert_eq!((text.text.as_deref(), text.blob), (Some("a"), None));
///
/// let bytes = ResourceContents::blob("file:///a.bin", "application/octet-stream", [0xFF]);
/// assert_eq!((bytes.text, bytes.blob.as_deref()), (None, Some("/w==")));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// The resource's address.
    pub uri: String,
    /// The media type, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The text, if the resource is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The bytes in base64, if the resource is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// The members of its `_meta`.
    #[serde(
        rename = "_meta",
        skip_serializing_if = "Map::is_empty",
        serialize_with = "readable"
    )]
    pub meta: Meta,
}

impl ResourceContents {
    /// A resource that is text.
    pub fn text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: Some(text.into()),
            blob: None,
            meta: Meta::new(),
        }
    }

    /// A resource that is bytes.
    pub fn blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        Self {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: None,
            blob: Some(STANDARD.encode(bytes)),
            meta: Meta::new(),
        }
    }

    /// Adds a member to the `_meta` of the contents. Keys of the application's own have a prefix, such as `com.example/`.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::ResourceContents;
    ///
    /// let page = ResourceContents::text("docs://page", "text/plain", "A page").meta("com.example/revision", 7);
    /// assert_eq!(serde_json::to_value(&page).unwrap()["_meta"], json!({"com.example/revision": 7}));
    /// ```
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}
