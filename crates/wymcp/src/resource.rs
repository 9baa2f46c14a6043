//! The definition of a resource, or of a family of resources, together with its code.

use std::{fmt, future::Future, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::Value;
use wymcp_core::{
    Annotations, CacheHint, Fault, Icon, Outcome, Resource, ResourceContents, ResourceTemplate,
};

use crate::{
    Bytes, Completing, Context, IntoCompletion, NoArguments, Result,
    completion::OfCompletion,
    handler::{Closure, Code, Kind},
    prompt::OfTexts,
};

/// Starts the definition of a resource at an absolute URI, under a name for lists.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Server, resource};
///
/// let manual = resource("docs://manual", "manual").mime_type("text/markdown").text("# How to use it");
/// let clock = resource("clock://now", "now")
///     .describe("Seconds since the server started")
///     .read(async |_: Context| Ok("7".to_owned()));
/// let server = Server::builder("desk", "1.0.0").resource(manual).resource(clock).build();
/// assert!(server.is_ok());
/// ```
#[must_use = "a resource has contents once it has text(..), bytes(..) or read(..)"]
pub fn resource(uri: impl Into<String>, name: impl Into<String>) -> ResourceBuilder {
    ResourceBuilder {
        definition: Resource::new(uri, name),
        size: None,
    }
}

/// Starts the definition of a family of resources, whose addresses a URI template describes; see
/// [`UriTemplate`](wymcp_core::UriTemplate).
///
/// # Examples
///
/// ```
/// use wymcp::{Completing, Context, Error, Server, resource_template};
///
/// #[derive(serde::Deserialize)]
/// struct Day { year: u16, name: String }
///
/// let notes = resource_template("notes://{year}/{name}", "Notes of a day")
///     .mime_type("text/plain")
///     .complete("name", async |typed: Completing, _: Context| {
///         Ok(["monday", "tuesday"].into_iter().filter(|day| day.starts_with(&typed.value)).collect::<Vec<_>>())
///     })
///     .read(async |day: Day, _: Context| match day.year {
///         2026 => Ok(format!("Nothing on {}.", day.name)),
///         _ => Err(Error::not_found()),
///     });
/// let server = Server::builder("notes", "1.0.0").resource_template(notes).build();
/// assert!(server.is_ok());
/// ```
#[must_use = "a family of resources has contents once it has read(..)"]
pub fn resource_template(
    uri_template: impl Into<String>,
    name: impl Into<String>,
) -> ResourceTemplateBuilder {
    ResourceTemplateBuilder {
        definition: ResourceTemplate::new(uri_template, name),
    }
}

/// Defines a resource; see [`resource`].
///
/// # Examples
///
/// ```
/// use wymcp::{Annotations, CacheHint, Icon, ResourceBuilder, RunnableResource, Server, resource};
///
/// /// What all files have in common.
/// fn file(name: &str) -> ResourceBuilder {
///     resource(format!("file:///{name}"), name)
///         .icon(Icon::new("https://example.com/file.svg"))
///         .cache(CacheHint::private(60_000))
/// }
///
/// let logo: RunnableResource = file("logo.png")
///     .title("The logo")
///     .mime_type("image/png")
///     .annotations(Annotations::default().priority(1.0))
///     .size(4)
///     .meta("example.com/owner", "marketing")
///     .bytes(vec![0x89, 0x50, 0x4E, 0x47]);
/// assert!(Server::builder("files", "1.0.0").resource(logo).build().is_ok());
/// ```
#[derive(Debug)]
#[must_use = "a resource has contents once it has text(..), bytes(..) or read(..)"]
pub struct ResourceBuilder {
    definition: Resource,
    size: Option<u64>,
}

/// Defines a family of resources; see [`resource_template`].
///
/// # Examples
///
/// ```
/// use wymcp::{Context, NoArguments, ResourceTemplateBuilder, RunnableResourceTemplate, Server, resource_template};
///
/// fn logs() -> ResourceTemplateBuilder {
///     resource_template("log://{+path}", "Logs").title("The logs")
/// }
///
/// let logs: RunnableResourceTemplate = logs().read(async |_: NoArguments, _: Context| Ok(vec![0_u8]));
/// assert!(Server::builder("logs", "1.0.0").resource_template(logs).build().is_ok());
/// ```
#[derive(Debug)]
#[must_use = "a family of resources has contents once it has read(..)"]
pub struct ResourceTemplateBuilder {
    definition: ResourceTemplate,
}

/// A resource with its code; see [`resource`].
#[must_use = "a resource exists once a server has it"]
pub struct RunnableResource {
    pub(crate) definition: Resource,
}

/// A family of resources with its code; see [`resource_template`].
#[must_use = "a family of resources exists once a server has it"]
pub struct RunnableResourceTemplate {
    pub(crate) definition: ResourceTemplate,
}

impl fmt::Debug for RunnableResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RunnableResource")
            .field(&self.definition.uri())
            .finish()
    }
}

impl fmt::Debug for RunnableResourceTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RunnableResourceTemplate")
            .field(&self.definition.uri_template())
            .finish()
    }
}

/// What is said of a resource and of a family alike.
macro_rules! shown {
    ($builder:ident) => {
        impl $builder {
            /// What a human is shown in the place of the name.
            pub fn title(mut self, title: impl Into<String>) -> Self {
                self.definition = self.definition.title(title);
                self
            }

            /// What is there.
            pub fn describe(mut self, description: impl Into<String>) -> Self {
                self.definition = self.definition.describe(description);
                self
            }

            /// The media type of what is there. Contents that name none have it too.
            pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
                self.definition = self.definition.mime_type(mime_type);
                self
            }

            /// For whom it is, and how much it matters.
            pub fn annotations(mut self, annotations: Annotations) -> Self {
                self.definition = self.definition.annotations(annotations);
                self
            }

            /// How long, and for whom, a client may keep what it read. Without one, the server's setting holds.
            pub fn cache(mut self, hint: CacheHint) -> Self {
                self.definition = self.definition.cache(hint);
                self
            }

            /// Adds a picture.
            pub fn icon(mut self, icon: Icon) -> Self {
                self.definition = self.definition.icon(icon);
                self
            }

            /// Adds a member to the definition's `_meta`.
            pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
                self.definition = self.definition.meta(key, value);
                self
            }
        }
    };
}

shown!(ResourceBuilder);
shown!(ResourceTemplateBuilder);

impl ResourceBuilder {
    /// How many bytes it has, before any encoding. Another number than [`text`](Self::text) or [`bytes`](Self::bytes)
    /// has is a fault when the server is built.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Server, resource};
    ///
    /// let build = |size| {
    ///     let manual = resource("docs://manual", "manual").size(size).text("# Manual");
    ///     Server::builder("desk", "1.0.0").resource(manual).build()
    /// };
    /// assert!(build(8).is_ok());
    /// let fault = build(99).unwrap_err().to_string();
    /// assert!(fault.ends_with("size: is 99, and the contents have 8 bytes; write 8, or leave it out"), "{fault}");
    /// ```
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Gives the resource a text that never changes.
    pub fn text(self, text: impl Into<Arc<str>>) -> RunnableResource {
        let text = text.into();
        self.sized(text.len()).read(move |_: Context| {
            let text = Arc::clone(&text);
            async move { Ok(text.to_string()) }
        })
    }

    /// Gives the resource bytes that never change.
    pub fn bytes(self, bytes: impl Into<Bytes>) -> RunnableResource {
        let bytes = bytes.into();
        self.sized(bytes.len()).read(move |_: Context| {
            let bytes = bytes.clone();
            async move { Ok(bytes) }
        })
    }

    /// Gives the resource its code, which runs each time that it is read.
    pub fn read<F, Fut, R>(self, read: F) -> RunnableResource
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoContents + 'static,
    {
        let read = move |_: NoArguments, context: Context| read(context);
        let code = Closure::<OfContents, _, _>::new(read);
        let definition = match self.size {
            Some(size) => self.definition.size(size),
            None => self.definition,
        };
        RunnableResource {
            definition: definition.with(Code(Arc::new(code))),
        }
    }

    /// Holds the size that was said against that of what is there.
    fn sized(mut self, bytes: usize) -> Self {
        if let Some(size) = self.size.filter(|size| usize::try_from(*size) != Ok(bytes)) {
            let fault = format!(
                "is {size}, and the contents have {bytes} bytes; write {bytes}, or leave it out"
            );
            self.definition = self.definition.faulty("size", fault);
        }
        self
    }
}

impl ResourceTemplateBuilder {
    /// Proposes values for a variable while a human types it.
    pub fn complete<F, Fut, R>(mut self, variable: impl Into<String>, complete: F) -> Self
    where
        F: Fn(Completing, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoCompletion + 'static,
    {
        let code = Code(Arc::new(Closure::<OfCompletion, _, _>::new(complete)));
        self.definition = self.definition.completed_by(variable, code);
        self
    }

    /// Gives the family its code: an async closure of what the variables stand for, a struct of named members. Numbers,
    /// booleans and unit variants are read from their texts; an address whose texts do not fit names no resource.
    pub fn read<A, F, Fut, R>(self, read: F) -> RunnableResourceTemplate
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoContents + 'static,
    {
        let code = OfTexts(Closure::<OfContents, F, A>::new(read));
        RunnableResourceTemplate {
            definition: self.definition.with(Code(Arc::new(code))),
        }
    }
}

/// The code of a resource.
pub(crate) enum OfContents {}

impl<R: IntoContents> Kind<R> for OfContents {
    fn outcome(returned: R, context: &Context) -> Result<Outcome, Fault> {
        let contents = returned.into_contents(context.name(), context.mime_type());
        Ok(Outcome::Contents(contents))
    }
}

/// What the code of a resource may return.
///
/// # Examples
///
/// ```
/// use wymcp::{IntoContents, ResourceContents};
///
/// let text = "# Manual".into_contents("docs://manual", Some("text/markdown"));
/// assert_eq!(text, [ResourceContents::text("docs://manual", "text/markdown", "# Manual")]);
///
/// let bytes = vec![0xFF].into_contents("docs://logo", None);
/// assert_eq!((bytes[0].mime_type.as_deref(), bytes[0].blob.as_deref()), (None, Some("/w==")));
///
/// struct Pages(Vec<&'static str>);
///
/// impl IntoContents for Pages {
///     fn into_contents(self, uri: &str, _: Option<&str>) -> Vec<ResourceContents> {
///         let pages = self.0.into_iter().enumerate();
///         pages.map(|(at, text)| ResourceContents::text(format!("{uri}#{at}"), "text/plain", text)).collect()
///     }
/// }
///
/// assert_eq!(Pages(vec!["one", "two"]).into_contents("docs://book", None)[1].uri, "docs://book#1");
/// ```
#[diagnostic::on_unimplemented(
    message = "a resource cannot contain `{Self}`",
    note = "answer with a text, with bytes, with `ResourceContents`, or with a `Vec` of them"
)]
pub trait IntoContents {
    /// The contents, at the address that was asked for, of the media type that the definition gives.
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<ResourceContents>;
}

impl IntoContents for ResourceContents {
    fn into_contents(self, _: &str, _: Option<&str>) -> Vec<ResourceContents> {
        vec![self]
    }
}

impl IntoContents for Vec<ResourceContents> {
    fn into_contents(self, _: &str, _: Option<&str>) -> Vec<ResourceContents> {
        self
    }
}

impl IntoContents for String {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<ResourceContents> {
        let mut contents = ResourceContents::text(uri, "", self);
        contents.mime_type = mime_type.map(str::to_owned);
        vec![contents]
    }
}

impl IntoContents for &str {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<ResourceContents> {
        self.to_owned().into_contents(uri, mime_type)
    }
}

impl IntoContents for Bytes {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<ResourceContents> {
        let mut contents = ResourceContents::blob(uri, "", self);
        contents.mime_type = mime_type.map(str::to_owned);
        vec![contents]
    }
}

impl IntoContents for Vec<u8> {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<ResourceContents> {
        Bytes::from(self).into_contents(uri, mime_type)
    }
}
