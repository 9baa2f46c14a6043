//! Content blocks: what a result shows to a model or a user.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value};

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
    },
    /// A pointer to a resource that the client may read.
    ResourceLink {
        /// The resource's address.
        uri: String,
        /// The resource's name.
        name: String,
        /// The media type, if it is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// What it is, for a model.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// For whom it is and how much it matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
    },
    /// A resource itself.
    Resource {
        /// Its contents.
        resource: ResourceContents,
        /// For whom it is and how much it matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
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
        }
    }

    /// An image, from its bytes.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image {
            data: STANDARD.encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
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
        }
    }

    /// A pointer to a resource.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::Content;
    ///
    /// let mut link = Content::resource_link("file:///log.txt", "log.txt");
    /// if let Content::ResourceLink { mime_type, .. } = &mut link {
    ///     *mime_type = Some("text/plain".to_owned());
    /// }
    /// assert_eq!(
    ///     serde_json::to_value(&link).unwrap(),
    ///     json!({"type": "resource_link", "uri": "file:///log.txt", "name": "log.txt", "mimeType": "text/plain"}),
    /// );
    /// ```
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink {
            uri: uri.into(),
            name: name.into(),
            mime_type: None,
            description: None,
            annotations: None,
        }
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
        }
    }

    /// Says for whom the block is and how much it matters.
    #[must_use]
    pub fn annotated(mut self, new: Annotations) -> Self {
        let (Self::Text { annotations, .. }
        | Self::Image { annotations, .. }
        | Self::Audio { annotations, .. }
        | Self::ResourceLink { annotations, .. }
        | Self::Resource { annotations, .. }) = &mut self;
        *annotations = Some(new);
        self
    }
}

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
        }
    }
}

/// For whom a block of content is, and how much it matters.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Annotations, Content, Role};
///
/// let mut annotations = Annotations::default();
/// annotations.audience = vec![Role::User];
/// annotations.priority = Some(0.5);
/// let text = Content::text("Saved.").annotated(annotations);
/// assert_eq!(
///     serde_json::to_value(&text).unwrap(),
///     json!({"type": "text", "text": "Saved.", "annotations": {"audience": ["user"], "priority": 0.5}}),
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// For whom; empty means for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From 0 (optional) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "finite")]
    pub priority: Option<f64>,
    /// When it last changed, as an ISO 8601 date and time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// serde_json would write what is not finite as null.
#[expect(clippy::ref_option, reason = "serde's signature")]
fn finite<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) if !number.is_finite() => Err(S::Error::custom("a priority is not finite")),
        number => number.serialize(serializer),
    }
}

/// Who reads or speaks.
///
/// # Examples
///
/// ```
/// use wymcp_core::Role;
///
/// assert_eq!(serde_json::to_string(&[Role::User, Role::Assistant]).unwrap(), r#"["user","assistant"]"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The human.
    User,
    /// The model.
    Assistant,
}

/// A picture that a client may show beside a name.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::Icon;
///
/// let mut icon = Icon::new("https://shop.example/icon.png");
/// assert_eq!(serde_json::to_value(&icon).unwrap(), json!({"src": "https://shop.example/icon.png"}));
///
/// icon.sizes = vec!["48x48".to_owned()];
/// assert_eq!(serde_json::to_value(&icon).unwrap()["sizes"], json!(["48x48"]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// Its address: `https:` or `data:`.
    pub src: String,
    /// The media type, if the address does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes for which it fits, as `48x48` or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
}

impl Icon {
    /// An icon at an address.
    pub fn new(src: impl Into<String>) -> Self {
        Self {
            src: src.into(),
            mime_type: None,
            sizes: Vec::new(),
        }
    }
}

/// Members that the application adds to a `_meta`.
pub(crate) type Meta = Map<String, Value>;
