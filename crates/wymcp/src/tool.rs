//! The definition of a tool together with its code.

use std::{future::Future, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wymcp_core::{Icon, Tool, ToolAnnotations};

use crate::{
    Context, Result,
    handler::{Closure, Code, Handler, OfTool, ToolHandler, Typed},
    result::IntoToolResult,
    schema,
};

/// Starts the definition of a tool of this name: 1 to 128 characters of `A-Z a-z 0-9 _ - .`.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Server, tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Sum { a: i64, b: i64 }
///
/// let sum = tool("sum")
///     .describe("Adds two numbers")
///     .run(async |args: Sum, _ctx: Context| Ok(args.a + args.b));
/// let server = Server::builder("calculator", "1.0.0").tool(sum).build();
/// assert!(server.is_ok());
/// ```
pub fn tool(name: impl Into<String>) -> ToolBuilder {
    ToolBuilder {
        definition: Tool::new(name),
        output_is_declared: false,
    }
}

/// Defines a tool; see [`tool`].
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Error, Server, Structured, tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Division {
///     dividend: i64,
///     divisor: i64,
/// }
///
/// /// For programs: its schema is declared as the tool's output schema.
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Quotient {
///     quotient: i64,
///     remainder: i64,
/// }
///
/// let divide = tool("divide")
///     .title("Division")
///     .describe("Divides two integers")
///     .meta("example.com/team", "arithmetic")
///     .run(async |args: Division, _ctx: Context| {
///         let (a, b) = (args.dividend, args.divisor);
///         match (a.checked_div(b), a.checked_rem(b)) {
///             (Some(quotient), Some(remainder)) => Ok(Structured(Quotient { quotient, remainder })),
///             _ => Err(Error::new("divisor must not be 0")),
///         }
///     });
/// assert!(Server::builder("calculator", "1.0.0").tool(divide).build().is_ok());
/// ```
///
/// What several tools have in common, and how a client sees it:
///
/// ```
/// use serde_json::json;
/// use wymcp::{Context, Icon, NoArguments, Server, ToolAnnotations, ToolBuilder, tool};
///
/// fn reading(name: &str) -> ToolBuilder {
///     tool(name)
///         .annotations(ToolAnnotations::default().read_only(true).open_world(false))
///         .icon(Icon::new("https://example.com/book.png"))
/// }
///
/// let count = reading("count").describe("Counts books").run(async |_: NoArguments, _: Context| Ok(7));
/// let server = Server::builder("library", "1.0.0").tool(count).build()?;
/// # let ask = |server: &Server, method: &str| -> serde_json::Value {
/// #     let lines = [("host", "localhost"), ("content-type", "application/json"), ("mcp-method", method)];
/// #     let headers = [&lines[..], &[("mcp-protocol-version", "2026-07-28")]].concat();
/// #     let head = wymcp::Head::new("POST", &headers);
/// #     let version = "io.modelcontextprotocol/protocolVersion";
/// #     let meta = json!({version: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
/// #     let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}}).to_string();
/// #     let protocol = server.protocol();
/// #     let turn = protocol.receive(&head, body.as_bytes(), wymcp::Decision::anonymous());
/// #     let wymcp_core::Turn::Reply(reply) = turn else { unreachable!("the core answers") };
/// #     let mut body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
/// #     body["result"].take()
/// # };
/// let list = ask(&server, "tools/list");
/// let count = &list["tools"][0];
/// assert_eq!(count["annotations"], json!({"readOnlyHint": true, "openWorldHint": false}));
/// assert_eq!(count["icons"], json!([{"src": "https://example.com/book.png"}]));
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct ToolBuilder {
    definition: Tool,
    output_is_declared: bool,
}

/// A tool with its code, ready for [`ServerBuilder::tool`](crate::ServerBuilder::tool).
///
/// # Examples
///
/// ```
/// use wymcp::{Context, NoArguments, RunnableTool, Server, ServerBuilder, tool};
///
/// /// The tools of one module, plain ones and those that dispatch actions alike.
/// fn tools() -> Vec<RunnableTool> {
///     vec![
///         tool("ping").run(async |_: NoArguments, _: Context| Ok("pong")),
///         tool("version").run(async |_: NoArguments, _: Context| Ok("1.0.0")),
///     ]
/// }
///
/// let server = tools().into_iter().fold(Server::builder("pinged", "1.0.0"), ServerBuilder::tool);
/// assert!(server.build().is_ok());
/// ```
pub struct RunnableTool {
    pub(crate) definition: Tool,
}

impl std::fmt::Debug for RunnableTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunnableTool")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

/// Arguments of a tool that takes none. A call that brings some all the same is refused.
///
/// # Examples
///
/// ```
/// use serde_json::from_str;
/// use wymcp::NoArguments;
///
/// assert!(from_str::<NoArguments>("{}").is_ok());
/// assert!(from_str::<NoArguments>(r#"{"verbose": true}"#).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "Takes no arguments")]
pub struct NoArguments {}

impl ToolBuilder {
    /// What a human is shown in the place of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the tool does, for the model that chooses among tools.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.describe(description);
        self
    }

    /// Hints about the tool's behavior.
    #[must_use]
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.definition = self.definition.annotations(annotations);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.definition = self.definition.icon(icon);
        self
    }

    /// Adds a member to the definition's `_meta`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.definition = self.definition.meta(key, value);
        self
    }

    /// Declares the schema of the structured content, in the place of the one that [`Structured`](crate::Structured)
    /// has.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp::{ConfigError, Context, NoArguments, Result, Server, StructuredContent, ToolResult, tool};
    ///
    /// async fn measure(_: NoArguments, _: Context) -> Result<ToolResult> {
    ///     let content = StructuredContent::new(&json!({"celsius": 21.5})).map_err(wymcp::Error::internal)?;
    ///     Ok(ToolResult::structured(content))
    /// }
    ///
    /// let schema = json!({"type": "object", "properties": {"celsius": {"type": "number"}}, "required": ["celsius"]});
    /// let weather = tool("weather").output_schema(schema).run(measure);
    /// assert!(Server::builder("weather", "1.0.0").tool(weather).build().is_ok());
    ///
    /// let unclear = tool("weather").output_schema(json!("an object")).run(measure);
    /// let server = Server::builder("weather", "1.0.0").tool(unclear).build();
    /// assert!(matches!(server, Err(ConfigError::Tool { field, .. }) if field == "output_schema"));
    /// ```
    #[must_use]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.definition = self.definition.output_schema(schema);
        self.output_is_declared = true;
        self
    }

    /// Gives the tool its code: an async closure of typed arguments. The type's schema is the tool's input schema; the
    /// type of a tool without arguments is [`NoArguments`].
    ///
    /// A closure that captures state clones it for each call, since calls run side by side; a type that implements
    /// [`ToolHandler`] holds its state itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
    ///
    /// use wymcp::{Context, NoArguments, tool};
    ///
    /// let visits = Arc::new(AtomicU64::new(0));
    /// let visit = tool("visit").run(move |_: NoArguments, _: Context| {
    ///     let visits = Arc::clone(&visits);
    ///     async move { Ok(visits.fetch_add(1, Ordering::Relaxed) + 1) }
    /// });
    /// # let _ = visit;
    /// ```
    #[must_use]
    pub fn run<A, F, Fut, R>(self, run: F) -> RunnableTool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoToolResult + 'static,
    {
        self.run_with_schema(schema::input::<A>(), run)
    }

    /// Gives the tool its code, and an input schema written by hand: `type` is `object`.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use wymcp::{Context, tool};
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 6}},
    ///     "required": ["n"],
    /// });
    /// let roll = tool("roll").run_with_schema(schema, async |args: Value, _ctx: Context| {
    ///     Ok(format!("You bet on {}", args["n"]))
    /// });
    /// # let _ = roll;
    /// ```
    #[must_use]
    pub fn run_with_schema<A, F, Fut, R>(self, schema: Value, run: F) -> RunnableTool
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoToolResult + 'static,
    {
        self.finish::<R>(schema, Arc::new(Closure::<OfTool, _, _>::new(run)))
    }

    /// Gives the tool its code: a type that implements [`ToolHandler`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use wymcp::{Context, NoArguments, Result, Server, ToolHandler, tool};
    ///
    /// #[derive(Default)]
    /// struct Visit { visits: AtomicU64 }
    ///
    /// impl ToolHandler for Visit {
    ///     type Arguments = NoArguments;
    ///     type Output = u64;
    ///
    ///     async fn run(&self, _: NoArguments, _: Context) -> Result<u64> {
    ///         Ok(self.visits.fetch_add(1, Ordering::Relaxed) + 1)
    ///     }
    /// }
    ///
    /// let visit = tool("visit").handler(Visit::default());
    /// assert!(Server::builder("visited", "1.0.0").tool(visit).build().is_ok());
    /// ```
    #[must_use]
    pub fn handler<H: ToolHandler>(self, handler: H) -> RunnableTool {
        self.finish::<H::Output>(
            schema::input::<H::Arguments>(),
            Arc::new(Typed(Arc::new(handler))),
        )
    }

    fn finish<R: IntoToolResult>(self, schema: Value, handler: Arc<dyn Handler>) -> RunnableTool {
        let mut definition = self.definition.input_schema(schema);
        if let Some(schema) = R::output_schema().filter(|_| !self.output_is_declared) {
            definition = definition.output_schema(schema);
        }
        if self.output_is_declared && !R::can_be_structured() {
            let contradiction = "is declared, and the code answers without structured content; answer with Structured(..), \
                                 or leave the schema out";
            definition = definition.faulty("output_schema", contradiction);
        }
        RunnableTool {
            definition: definition.with(Code(handler)),
        }
    }
}
