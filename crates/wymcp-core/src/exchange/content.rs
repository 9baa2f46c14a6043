//! Content blocks: what a result shows to a model or a user.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value};

use super::{Annotations, ResourceContents, ResourceLink, StructuredContent};

/// One block of content.
///
/// # Examples
///
/// ```
/// use wymcp_core::Content;
///
/// let image = Content::image(b"\x89PNG", "image/png");
/// assert_eq!(
///     serde_json::to_value(&image).unwrap(),
///     serde_json::json!({"type": "image", "data": "iVBORw==", "mimeType": "image/png"}),
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text {
        /// The text, which reaches the wire character for character.
        text: String,
        /// For whom it is and how much it matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
        /// The members of its `_meta`.
        #[serde(
            rename = "_meta",
            skip_serializing_if = "Map::is_empty",
            serialize_with = "readable"
        )]
        meta: Meta,
    },
    /// An image.
    Image {
        /// The bytes, in base64.
        data: String,
        /// The media type.
        mime_type: String,
        /// For whom it is and how much it matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
        /// The members of its `_meta`.
        #[serde(
            rename = "_meta",
            skip_serializing_if = "Map::is_empty",
            serialize_with = "readable"
        )]
        meta: Meta,
    },
    /// A sound.
    Audio {
        /// The bytes, in base64.
        data: String,
        /// The media type.
        mime_type: String,
        /// For whom it is and how much it matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
        /// The members of its `_meta`.
        #[serde(
            rename = "_meta",
            skip_serializing_if = "Map::is_empty",
            serialize_with = "readable"
        )]
        meta: Meta,
    },
    /// A pointer to a resource that the client may read.
    ResourceLink(ResourceLink),
    /// A resource itself.
    Resource {
        /// Its contents.
        resource: ResourceContents,
        /// For whom it is and how much it matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
        /// The members of its `_meta`.
        #[serde(
            rename = "_meta",
            skip_serializing_if = "Map::is_empty",
            serialize_with = "readable"
        )]
        meta: Meta,
    },
}

impl Content {
    /// A block of text.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Content;
    ///
    /// let text = serde_json::to_value(Content::text("21 °C\n")).unwrap();
    /// assert_eq!(text, json!({"type": "text", "text": "21 °C\n"}));
    /// ```
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            annotations: None,
            meta: Meta::new(),
        }
    }

    /// An image, from its bytes.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image {
            data: STANDARD.encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
            meta: Meta::new(),
        }
    }

    /// A sound, from its bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Content;
    ///
    /// let sound = serde_json::to_value(Content::audio(b"RIFF", "audio/wav")).unwrap();
    /// assert_eq!(sound, json!({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}));
    /// ```
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio {
            data: STANDARD.encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
            meta: Meta::new(),
        }
    }

    /// A pointer to a resource, of which no more is said than its name; see [`ResourceLink`] for what else can be.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Content;
    ///
    /// let link = Content::resource_link("file:///log.txt", "log.txt");
    /// assert_eq!(
    ///     serde_json::to_value(&link).unwrap(),
    ///     json!({"type": "resource_link", "uri": "file:///log.txt", "name": "log.txt"}),
    /// );
    /// ```
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink(ResourceLink::new(uri, name))
    }

    /// A resource, embedded.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Content, ResourceContents};
    ///
    /// let log = Content::resource(ResourceContents::text("file:///log.txt", "text/plain", "started"));
    /// assert_eq!(
    ///     serde_json::to_value(&log).unwrap(),
    ///     json!({
    ///         "type": "resource",
    ///         "resource": {"uri": "file:///log.txt", "mimeType": "text/plain", "text": "started"},
    ///     }),
    /// );
    /// ```
    pub fn resource(resource: ResourceContents) -> Self {
        Self::Resource {
            resource,
            annotations: None,
            meta: Meta::new(),
        }
    }

    /// Says for whom the block is and how much it matters.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Annotations, Content, Role};
    ///
    /// let saved = Content::text("Saved.").annotations(Annotations::default().audience([Role::User]));
    /// assert_eq!(
    ///     serde_json::to_value(&saved).unwrap(),
    ///     json!({"type": "text", "text": "Saved.", "annotations": {"audience": ["user"]}}),
    /// );
    /// ```
    #[must_use]
    pub fn annotations(mut self, new: Annotations) -> Self {
        let (Self::Text { annotations, .. }
        | Self::Image { annotations, .. }
        | Self::Audio { annotations, .. }
        | Self::ResourceLink(ResourceLink { annotations, .. })
        | Self::Resource { annotations, .. }) = &mut self;
        *annotations = Some(new);
        self
    }

    /// Adds a member to the block's `_meta`. Keys of the application's own have a prefix, such as `com.example/`. An
    /// embedded resource has one of its own beside this: [`ResourceContents::meta`].
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Content;
    ///
    /// let photo = Content::image([0xFF], "image/png").meta("com.example/camera", "north");
    /// assert_eq!(serde_json::to_value(&photo).unwrap()["_meta"], json!({"com.example/camera": "north"}));
    /// ```
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let (Self::Text { meta, .. }
        | Self::Image { meta, .. }
        | Self::Audio { meta, .. }
        | Self::ResourceLink(ResourceLink { meta, .. })
        | Self::Resource { meta, .. }) = &mut self;
        meta.insert(key.into(), value.into());
        self
    }
}

/// Members that the application adds to a `_meta`.
pub(crate) type Meta = Map<String, Value>;

/// A value of the application can nest deeper than any client reads.
pub(super) fn readable<S: Serializer>(meta: &Meta, serializer: S) -> Result<S::Ok, S::Error> {
    match StructuredContent::new(meta) {
        Ok(_) => meta.serialize(serializer),
        Err(fault) => Err(S::Error::custom(format_args!("a _meta: {fault:?}"))),
    }
}
