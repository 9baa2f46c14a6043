//! One resource, at one address: its definition, and what becomes of it when the server is built.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    described::{FieldFault, check_contents, described},
    listed::{Item, rendered},
};
use crate::{
    attached::Attached,
    cache::CacheHint,
    config::ConfigError,
    exchange::{Annotations, Icon},
    untrusted::is_line,
};

/// The definition of a resource at one address.
///
/// Its texts reach the wire character for character. What is faulty in it is found when the server is built. Source:
/// MCP 2026-07-28, Resources.
///
/// # Examples
///
/// ```
/// use wymcp_core::{CacheHint, Resource, Server};
///
/// let readme = Resource::new("file:///README.md", "README.md")
///     .title("Read me first")
///     .describe("What the project is")
///     .mime_type("text/markdown")
///     .size(2_048)
///     .cache(CacheHint::private(60_000));
/// assert_eq!(readme.uri(), "file:///README.md");
/// assert!(Server::builder("files", "1.0.0").resource(readme).build().is_ok());
///
/// let relative = Resource::new("README.md", "README.md");
/// let fault = Server::builder("files", "1.0.0").resource(relative).build().unwrap_err();
/// assert!(fault.to_string().starts_with(r#"resource "README.md", uri: has no scheme"#));
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    uri: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    icons: Vec<Icon>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
    #[serde(skip)]
    cache: Option<CacheHint>,
    #[serde(skip)]
    data: Attached,
    #[serde(skip)]
    fault: Option<FieldFault>,
}

described!(Resource);

impl Resource {
    /// A resource at an absolute URI, under a name for lists.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            size: None,
            icons: Vec::new(),
            meta: Map::new(),
            cache: None,
            data: Attached::default(),
            fault: None,
        }
    }

    /// The address.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The media type of what is there, if it is known.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// For whom the resource is, and how much it matters.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Annotations, Resource, Server};
    ///
    /// let resource = Resource::new("file:///a", "a").annotations(Annotations::default().priority(2.0));
    /// let fault = Server::builder("files", "1.0.0").resource(resource).build().unwrap_err();
    /// assert!(fault.to_string().contains("annotations/priority: is not between 0 and 1"));
    /// ```
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// How many bytes it has, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// How long, and for whom, a client may keep what it read here. Without one, the server's hint for
    /// contents holds.
    #[must_use]
    pub fn cache(mut self, hint: CacheHint) -> Self {
        self.cache = Some(hint);
        self
    }
}

/// A resource whose definition was checked.
#[derive(Debug)]
pub(crate) struct CompiledResource {
    pub(crate) uri: Arc<str>,
    pub(crate) mime_type: Option<String>,
    pub(crate) cache: Option<CacheHint>,
    pub(crate) data: Attached,
    rendered: Box<RawValue>,
}

impl CompiledResource {
    pub(crate) fn compile(definition: Resource) -> Result<Self, ConfigError> {
        check_address(&definition.uri).map_err(|it| fault(&definition.uri, "uri", it))?;
        check_name(&definition.uri, &definition.name)?;
        definition
            .check_described()
            .and_then(|()| {
                check_contents(
                    definition.mime_type.as_deref(),
                    definition.annotations.as_ref(),
                )
            })
            .map_err(|(field, it)| fault(&definition.uri, &field, &it))?;
        let rendered =
            rendered(&definition).map_err(|it| fault(&definition.uri, "definition", &it))?;
        Ok(Self {
            uri: definition.uri.as_str().into(),
            rendered,
            mime_type: definition.mime_type,
            cache: definition.cache,
            data: definition.data,
        })
    }

    pub(super) fn taken(&self) -> ConfigError {
        fault(
            &self.uri,
            "uri",
            "is taken by an earlier resource; give each resource an address of its own",
        )
    }
}

impl Item for CompiledResource {
    fn key(&self) -> &Arc<str> {
        &self.uri
    }

    fn rendered(&self) -> &RawValue {
        &self.rendered
    }
}

/// What is wrong with an address, or with the text of a template of addresses.
pub(crate) fn check_address(uri: &str) -> Result<(), &'static str> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.'));
    if !is_scheme {
        return Err("has no scheme; write an absolute URI, such as file:///notes.md");
    }
    if uri.contains(|char: char| char.is_control() || char.is_whitespace()) {
        return Err("has white space or a control character; percent-encode it");
    }
    Ok(())
}

/// Checks what a list shows beside the address.
pub(super) fn check_name(address: &str, name: &str) -> Result<(), ConfigError> {
    if !is_line(name) {
        return Err(fault(address, "name", "is not one line of text; write one"));
    }
    Ok(())
}

pub(super) fn fault(address: &str, field: &str, fault: &str) -> ConfigError {
    ConfigError::Resource {
        resource: address.to_owned(),
        field: field.to_owned(),
        fault: fault.to_owned(),
    }
}
