//! A family of resources: its definition, and what becomes of it when the server is built.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    described::{FieldFault, check_completers, check_contents, described},
    listed::{Item, rendered},
    resource::{check_address, check_name, fault},
    template::UriTemplate,
};
use crate::{
    attached::Attached,
    cache::CacheHint,
    config::ConfigError,
    exchange::{Annotations, Icon},
};

/// The definition of a family of resources, whose addresses a [`UriTemplate`] describes.
///
/// Its texts reach the wire character for character. What is faulty in it is found when the server is built. Source:
/// MCP 2026-07-28, Resources.
///
/// # Examples
///
/// ```
/// use wymcp_core::{ResourceTemplate, Server};
///
/// let notes = ResourceTemplate::new("notes://{year}/{+path}", "Notes").mime_type("text/markdown");
/// assert_eq!(notes.uri_template(), "notes://{year}/{+path}");
/// assert!(Server::builder("notes", "1.0.0").resource_template(notes).build().is_ok());
///
/// let broken = ResourceTemplate::new("notes://{year", "Notes");
/// let fault = Server::builder("notes", "1.0.0").resource_template(broken).build().unwrap_err();
/// assert!(fault.to_string().contains("uri_template: has a brace without its partner"));
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    uri_template: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    icons: Vec<Icon>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
    #[serde(skip)]
    cache: Option<CacheHint>,
    #[serde(skip)]
    completers: BTreeMap<String, Attached>,
    #[serde(skip)]
    data: Attached,
    #[serde(skip)]
    fault: Option<FieldFault>,
}

described!(ResourceTemplate);

impl ResourceTemplate {
    /// A family of resources at the addresses that a template describes, under a name for lists.
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri_template: uri_template.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            icons: Vec::new(),
            meta: Map::new(),
            cache: None,
            completers: BTreeMap::new(),
            data: Attached::default(),
            fault: None,
        }
    }

    /// The template.
    pub fn uri_template(&self) -> &str {
        &self.uri_template
    }

    /// The media type of what is there, if all have the same.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// For whom the resources are, and how much they matter.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Annotations, ResourceTemplate, Role};
    ///
    /// let for_models = Annotations::default().audience([Role::Assistant]);
    /// let logs = ResourceTemplate::new("log://{day}", "Logs").annotations(for_models);
    /// assert_eq!(serde_json::to_value(&logs).unwrap()["annotations"], json!({"audience": ["assistant"]}));
    /// ```
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// How long, and for whom, a client may keep what it read here. Without one, the server's hint for
    /// contents holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{CacheHint, ResourceTemplate, Server};
    ///
    /// let logs = ResourceTemplate::new("log://{day}", "Logs").cache(CacheHint::private(60_000));
    /// assert!(Server::builder("logs", "1.0.0").resource_template(logs).build().is_ok());
    /// ```
    #[must_use]
    pub fn cache(mut self, hint: CacheHint) -> Self {
        self.cache = Some(hint);
        self
    }

    /// Says that the driver completes what a human types for a variable, with what it needs to do so;
    /// [`Call::data`](crate::Call::data) gives it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{ResourceTemplate, Server};
    ///
    /// let logs = ResourceTemplate::new("log://{day}", "Logs");
    /// let build = |logs| Server::builder("logs", "1.0.0").resource_template(logs).build();
    /// assert!(build(logs.clone().completed_by("day", ["monday", "tuesday"])).is_ok());
    /// let fault = build(logs.completed_by("hour", ["noon"])).unwrap_err();
    /// assert!(fault.to_string().contains("completion/hour: names no variable of the template; name one of: day"));
    /// ```
    #[must_use]
    pub fn completed_by<T: std::any::Any + Send + Sync>(
        mut self,
        variable: impl Into<String>,
        data: T,
    ) -> Self {
        self.completers.insert(variable.into(), Attached::new(data));
        self
    }
}

/// A family of resources whose definition was checked.
#[derive(Debug)]
pub(crate) struct CompiledTemplate {
    pub(crate) uri: UriTemplate,
    pub(crate) mime_type: Option<String>,
    pub(crate) cache: Option<CacheHint>,
    pub(crate) data: Attached,
    text: Arc<str>,
    completers: BTreeMap<String, Attached>,
    rendered: Box<RawValue>,
}

impl CompiledTemplate {
    pub(crate) fn compile(definition: ResourceTemplate) -> Result<Self, ConfigError> {
        let text = &definition.uri_template;
        check_address(text).map_err(|it| fault(text, "uri_template", it))?;
        let uri =
            UriTemplate::parse(text).map_err(|it| fault(text, "uri_template", &it.to_string()))?;
        check_name(text, &definition.name)?;
        definition
            .check_described()
            .and_then(|()| {
                check_contents(
                    definition.mime_type.as_deref(),
                    definition.annotations.as_ref(),
                )
            })
            .map_err(|(field, it)| fault(text, &field, &it))?;
        check_completers(
            &definition.completers,
            uri.variables(),
            "variable of the template",
        )
        .map_err(|(field, it)| fault(text, &field, &it))?;
        Ok(Self {
            text: text.as_str().into(),
            rendered: rendered(&definition).map_err(|it| fault(text, "definition", &it))?,
            uri,
            mime_type: definition.mime_type,
            cache: definition.cache,
            data: definition.data,
            completers: definition.completers,
        })
    }

    /// Who completes a variable, if somebody does.
    pub(crate) fn completer(&self, variable: &str) -> Option<&Attached> {
        self.completers.get(variable)
    }

    /// Whether any variable is completed.
    pub(crate) fn completes(&self) -> bool {
        !self.completers.is_empty()
    }

    pub(super) fn taken(&self) -> ConfigError {
        fault(
            &self.text,
            "uri_template",
            "is taken by an earlier template; give each template addresses of its own",
        )
    }
}

impl Item for CompiledTemplate {
    fn key(&self) -> &Arc<str> {
        &self.text
    }

    fn rendered(&self) -> &RawValue {
        &self.rendered
    }
}
