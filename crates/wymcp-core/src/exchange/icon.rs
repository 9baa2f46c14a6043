//! Pictures that stand for something.

use serde::Serialize;

/// A picture that a client may show beside a name.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Icon, IconTheme};
///
/// let icon = Icon::new("https://shop.example/icon.png");
/// assert_eq!(serde_json::to_value(&icon).unwrap(), json!({"src": "https://shop.example/icon.png"}));
///
/// let at_night = Icon::new("https://shop.example/night").mime_type("image/svg+xml").sizes(["any"]).theme(IconTheme::Dark);
/// assert_eq!(
///     serde_json::to_value(&at_night).unwrap(),
///     json!({"src": "https://shop.example/night", "mimeType": "image/svg+xml", "sizes": ["any"], "theme": "dark"}),
/// );
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
    /// The sizes for which it fits, as `48x48` or `any`; empty means all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background that it was drawn for; none means any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<IconTheme>,
}

impl Icon {
    /// An icon at an address.
    pub fn new(src: impl Into<String>) -> Self {
        Self {
            src: src.into(),
            mime_type: None,
            sizes: Vec::new(),
            theme: None,
        }
    }

    /// The media type, which an address need not tell.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The sizes for which it fits: each `48x48`, say, or `any` for a picture that scales.
    #[must_use]
    pub fn sizes<S: Into<String>>(mut self, sizes: impl IntoIterator<Item = S>) -> Self {
        self.sizes = sizes.into_iter().map(Into::into).collect();
        self
    }

    /// The background that it was drawn for.
    #[must_use]
    pub fn theme(mut self, theme: IconTheme) -> Self {
        self.theme = Some(theme);
        self
    }
}

/// The background that an [`Icon`] was drawn for.
///
/// # Examples
///
/// ```
/// use wymcp_core::IconTheme;
///
/// assert_eq!(serde_json::to_value([IconTheme::Light, IconTheme::Dark]).unwrap(), serde_json::json!(["light", "dark"]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IconTheme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}
