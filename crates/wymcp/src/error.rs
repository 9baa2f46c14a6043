//! What a handler returns when it has no result.

use std::fmt::{self, Write as _};

use serde_json::{Map, Value};
use wymcp_core::{Fault, Outcome, ToolResult};

/// Why a handler has no result.
///
/// Three kinds, by who is told. An error for the model ([`Error::new`], or `?` on any error) is part of the answer:
/// write it so that the model knows what to do next, and keep secrets out of it. A fault ([`Error::internal`]) is for
/// the operator: the client learns only that the tool failed. A missing capability is for the client's programmer.
///
/// # Examples
///
/// ```
/// use wymcp::Error;
///
/// fn parse(text: &str) -> Result<i64, Error> {
///     let number: i64 = text.parse()?;
///     if number < 0 {
///         return Err(Error::new("n must not be negative"));
///     }
///     Ok(number)
/// }
///
/// assert!(parse("x").is_err());
/// assert!(parse("-1").is_err());
/// ```
///
/// Like an error that every other error turns into, it is not itself a [`std::error::Error`].
///
/// What a client is sent of each kind:
///
/// ```
/// use serde_json::{Value, json};
/// use wymcp::{Content, Context, Error, Server, ToolResult, tool};
///
/// let fail = tool("fail").run_with_schema(json!({"type": "object"}), async |how: Value, _: Context| {
///     Err::<(), _>(match how["as"].as_str() {
///         Some("text") => Error::new("n must not be negative"),
///         Some("result") => Error::result(ToolResult::new([Content::resource_link("file:///n.md", "About n")])),
///         Some("capability") => Error::missing_capability(&["elicitation", "url"]),
///         _ => Error::internal("the database is away"),
///     })
/// });
/// let server = Server::builder("failing", "1.0.0").tool(fail).build()?;
/// # struct Body(Option<wymcp::Bytes>);
/// # impl wymcp::Exchange for Body {
/// #     type BodyFault = std::convert::Infallible;
/// #     async fn next_chunk(&mut self) -> Option<Result<wymcp::Bytes, Self::BodyFault>> { self.0.take().map(Ok) }
/// # }
/// # impl wymcp::Clock for Body {
/// #     fn sleep(&self, _: std::time::Duration) -> impl Future<Output = ()> + use<> { std::future::pending() }
/// # }
/// # fn call(server: &Server, tool: &str, arguments: Value) -> Value {
/// #     let lines = [("host", "localhost"), ("content-type", "application/json"), ("mcp-method", "tools/call")];
/// #     let headers = [&lines[..], &[("mcp-protocol-version", "2026-07-28"), ("mcp-name", tool)]].concat();
/// #     let meta = json!({
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientInfo": {"name": "notebook", "version": "1.0.0"},
/// #         "io.modelcontextprotocol/clientCapabilities": {},
/// #     });
/// #     let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
/// #     let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).to_string();
/// #     let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// #     let (head, mut body) = (wymcp::Head::new("POST", &headers), Body(Some(body.into())));
/// #     let reply = runtime.block_on(wymcp::answer(server, &head, &mut body)).unwrap();
/// #     serde_json::from_slice(&reply.body).unwrap()
/// # }
/// let sent = |how: &str| call(&server, "fail", json!({"as": how}));
/// assert_eq!(sent("text")["result"]["isError"], true);
/// assert_eq!(sent("text")["result"]["content"][0]["text"], "n must not be negative");
/// assert_eq!(sent("result")["result"]["isError"], true);
/// assert_eq!(sent("capability")["error"]["data"]["requiredCapabilities"], json!({"elicitation": {"url": {}}}));
/// assert!(!sent("fault").to_string().contains("database"));
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
pub struct Error(Outcome);

/// What a handler returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error for whoever asked: what went wrong, and what to do instead. Of a tool the model reads it; of a prompt, a
    /// resource or a completion it is the message of an error.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Outcome::Refused(text.into()))
    }

    /// There is no such resource, though its address fits the template. For handlers of resources only.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Error, Result};
    ///
    /// fn note(year: u16) -> Result<&'static str> {
    ///     match year {
    ///         2026 => Ok("Nothing to note."),
    ///         _ => Err(Error::not_found()),
    ///     }
    /// }
    ///
    /// assert!(note(2026).is_ok());
    /// assert!(format!("{:?}", note(1999).unwrap_err()).contains("NotFound"));
    /// ```
    pub fn not_found() -> Self {
        Self(Outcome::NotFound)
    }

    /// An error of a tool, for the model, with content of its own; it is marked as an error whatever it says.
    pub fn result(mut result: ToolResult) -> Self {
        result.is_error = true;
        Self(Outcome::Tool(result))
    }

    /// A fault: the operator sees it in an event, with the chain of its sources; the client sees that the tool failed.
    ///
    /// Takes any error, a text, and what turns into a boxed error, such as that of the crate anyhow.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Error, Result};
    ///
    /// /// The operator is told of the file, the model is not.
    /// fn secret() -> Result<String> {
    ///     std::fs::read_to_string("/no/such/file").map_err(Error::internal)
    /// }
    ///
    /// let error = secret().unwrap_err();
    /// assert!(format!("{error:?}").contains("Internal"));
    /// ```
    pub fn internal(fault: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let fault = fault.into();
        let mut text = fault.to_string();
        let mut source = fault.source();
        while let Some(cause) = source {
            // Writing to a String cannot fail.
            let _ = write!(text, ": {cause}");
            source = cause.source();
        }
        Self(Outcome::Fault(Fault::Internal(text)))
    }

    /// The call cannot go on without a capability that the client did not declare, named by its path:
    /// `["elicitation", "url"]`.
    ///
    /// # Examples
    ///
    /// A path of no name is the handler's own fault:
    ///
    /// ```
    /// use wymcp::Error;
    ///
    /// let (missing, unnamed) = (Error::missing_capability(&["sampling"]), Error::missing_capability(&[]));
    /// assert!(format!("{missing:?}").contains("MissingClientCapability"));
    /// assert!(format!("{unnamed:?}").contains("Internal"));
    /// ```
    pub fn missing_capability(path: &[&str]) -> Self {
        if path.is_empty() {
            return Self::internal("a handler asked for a client capability without a name");
        }
        let inner = Value::Object(Map::new());
        let required = path.iter().rev().fold(inner, |inner, name| {
            Value::Object(Map::from_iter([((*name).to_owned(), inner)]))
        });
        Self(Outcome::MissingClientCapability(required))
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        self.0
    }

    /// The error that is this outcome.
    pub(crate) fn of(outcome: Outcome) -> Self {
        Self(outcome)
    }
}

/// Shows the error's text to the model: keep `?` for errors that are fit to be read by strangers, and write
/// `.map_err(Error::internal)?` for all others.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Outcome::Refused(text) => f.debug_tuple("Error").field(text).finish(),
            Outcome::Tool(result) => f.debug_tuple("Error").field(&result.content).finish(),
            outcome => f.debug_tuple("Error").field(outcome).finish(),
        }
    }
}
