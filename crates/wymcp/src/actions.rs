//! Action-dispatched tools: one tool, several named actions.

use std::{collections::BTreeMap, future::Future, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wymcp_core::{Action, ArgumentsError, Fault, Icon, Json, Outcome, Tool, ToolAnnotations};

use crate::{
    Context, Result,
    handler::{Closure, Code, Handler, OfTool, Run, ToolHandler, Typed},
    result::IntoToolResult,
    schema,
    tool::RunnableTool,
};

/// Starts the definition of a tool that dispatches actions: its arguments are `{action, data}`.
///
/// A family of related actions under one name keeps a model's list of tools short. Each action has a schema, checked
/// before its code runs; the `help` tool explains them one by one.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Server, action, actions};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Add { title: String, day: String }
///
/// let calendar = actions("calendar")
///     .describe("Keeps a calendar")
///     .action(
///         action("add", "Adds an event")
///             .run(async |event: Add, _ctx: Context| Ok(format!("{} is on {}", event.title, event.day))),
///     );
/// let server = Server::builder("office", "1.0.0").tool(calendar).build();
/// assert!(server.is_ok());
/// ```
pub fn actions(name: impl Into<String>) -> ActionToolBuilder {
    ActionToolBuilder {
        // Even without an action it dispatches actions, and its build says that one is missing.
        definition: Tool::new(name).actions([]),
        handlers: BTreeMap::new(),
    }
}

/// Starts the definition of an action of this name, which does what the description says in one line.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, NoArguments, Server, action, actions};
///
/// let build = |description: &str| {
///     let list = action("list", description).run(async |_: NoArguments, _: Context| Ok("no events"));
///     Server::builder("office", "1.0.0").tool(actions("calendar").action(list)).build()
/// };
/// assert!(build("Lists all events").is_ok());
/// let error = build("Lists all events.\nThe oldest comes first.").unwrap_err();
/// assert!(error.to_string().contains("line"), "{error}");
/// ```
pub fn action(name: impl Into<String>, description: impl Into<String>) -> ActionBuilder {
    ActionBuilder {
        definition: Action::new(name, description),
    }
}

/// Defines a tool that dispatches actions; see [`actions`].
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp::{
///     ActionToolBuilder, Context, Icon, NoArguments, Server, ServerBuilder, ToolAnnotations, action, actions, tool,
/// };
///
/// /// What all tools have in common that only read.
/// fn reading(name: &str) -> ActionToolBuilder {
///     actions(name)
///         .annotations(ToolAnnotations::default().read_only(true))
///         .icon(Icon::new("https://example.com/book.png"))
///         .meta("example.com/shelf", 3)
/// }
///
/// let list = action("list", "Lists all books").run(async |_: NoArguments, _: Context| Ok("Emma"));
/// let books = reading("books").title("Library").action(list);
/// let ping = tool("ping").run(async |_: NoArguments, _: Context| Ok("pong"));
/// let tools = [books.finish(), ping];
/// let server = tools.into_iter().fold(Server::builder("town", "1.0.0"), ServerBuilder::tool).build()?;
/// # let help = |server: &Server, arguments: serde_json::Value| -> serde_json::Value {
/// #     let lines = [("host", "localhost"), ("content-type", "application/json"), ("mcp-method", "tools/call")];
/// #     let headers = [&lines[..], &[("mcp-protocol-version", "2026-07-28"), ("mcp-name", "help")]].concat();
/// #     let head = wymcp::Head::new("POST", &headers);
/// #     let version = "io.modelcontextprotocol/protocolVersion";
/// #     let meta = json!({version: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
/// #     let params = json!({"name": "help", "arguments": arguments, "_meta": meta});
/// #     let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
/// #     let protocol = server.protocol();
/// #     let turn = protocol.receive(&head, body.as_bytes(), wymcp::Decision::anonymous());
/// #     let wymcp_core::Turn::Reply(reply) = turn else { unreachable!("the core answers for help") };
/// #     let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
/// #     serde_json::from_str(body["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
/// # };
/// let books = help(&server, json!({"tool": "books"}));
/// assert_eq!(books["title"], "Library");
/// assert_eq!(books["annotations"]["readOnlyHint"], true);
/// assert_eq!(books["icons"][0]["src"], "https://example.com/book.png");
/// assert_eq!(books["_meta"]["example.com/shelf"], 3);
/// assert_eq!(books["inputSchema"]["properties"]["action"]["enum"], json!(["list"]));
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[must_use = "a tool exists once a server has it"]
pub struct ActionToolBuilder {
    definition: Tool,
    handlers: BTreeMap<String, Arc<dyn Handler>>,
}

/// An action with its code, ready for [`ActionToolBuilder::action`].
///
/// # Examples
///
/// ```
/// use wymcp::{ActionToolBuilder, ConfigError, Context, NoArguments, RunnableAction, Server, action, actions};
///
/// fn list() -> RunnableAction {
///     action("list", "Lists all books").run(async |_: NoArguments, _: Context| Ok("Emma"))
/// }
///
/// let build = |all: Vec<RunnableAction>| {
///     let books = all.into_iter().fold(actions("books"), ActionToolBuilder::action);
///     Server::builder("town", "1.0.0").tool(books).build()
/// };
/// assert!(build(vec![list()]).is_ok());
/// assert!(matches!(build(vec![list(), list()]), Err(ConfigError::Action { field, .. }) if field == "name"));
/// assert!(matches!(build(vec![]), Err(ConfigError::Tool { field, .. }) if field == "actions"));
/// ```
pub struct RunnableAction {
    definition: Action,
    handler: Arc<dyn Handler>,
}

impl ActionToolBuilder {
    /// What a human is shown in the place of the name.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the tool does, for the model that chooses among tools.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.describe(description);
        self
    }

    /// Hints about the tool's behavior.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.definition = self.definition.annotations(annotations);
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

    /// Adds an action.
    pub fn action(mut self, action: RunnableAction) -> Self {
        self.handlers
            .insert(action.definition.name().to_owned(), action.handler);
        self.definition = self.definition.actions([action.definition]);
        self
    }

    /// The tool. [`ServerBuilder::tool`](crate::ServerBuilder::tool) takes the builder as well.
    pub fn finish(self) -> RunnableTool {
        RunnableTool {
            definition: self
                .definition
                .with(Code(Arc::new(Dispatch(self.handlers)))),
        }
    }
}

impl From<ActionToolBuilder> for RunnableTool {
    fn from(builder: ActionToolBuilder) -> Self {
        builder.finish()
    }
}

/// Defines an action; see [`actions`].
///
/// # Examples
///
/// What is declared of the members is held against them when the server is built:
///
/// ```
/// use serde_json::json;
/// use wymcp::{ActionBuilder, Context, NoArguments, Server, action, actions};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Find { customer: Option<String>, number: Option<u64>, limit: Option<u64> }
///
/// let build = |declare: fn(ActionBuilder) -> ActionBuilder| {
///     let find = declare(action("find", "Finds orders"));
///     let find = find.run(async |find: Find, _: Context| Ok(find.limit.unwrap_or(1)));
///     let count = action("count", "Counts orders").run(async |_: NoArguments, _: Context| Ok(7));
///     Server::builder("shop", "1.0.0").tool(actions("orders").action(find).action(count)).build()
/// };
/// let by_either = |find: ActionBuilder| find.required_one_of([["customer"], ["number"]]);
/// assert!(build(by_either).is_ok());
/// assert!(build(|find| find.default("limit", json!(10)).note("The newest comes first")).is_ok());
/// assert!(build(|find| find.example(json!({"customer": "Ada"})).related("count")).is_ok());
///
/// assert!(build(|find| find.required_one_of([["name"]])).is_err());
/// assert!(build(|find| find.default("page", json!(1))).is_err());
/// assert!(build(|find| find.example(json!({"name": "Ada"}))).is_err());
/// assert!(build(|find| find.related("list")).is_err());
/// ```
#[must_use = "run() gives the action its code"]
pub struct ActionBuilder {
    definition: Action,
}

impl ActionBuilder {
    /// Adds the groups of members of which one must be there complete.
    pub fn required_one_of<N: Into<String>, G: IntoIterator<Item = N>>(
        mut self,
        groups: impl IntoIterator<Item = G>,
    ) -> Self {
        self.definition = self.definition.required_one_of(groups);
        self
    }

    /// The value of a member that a call leaves out; filled in after the checks.
    pub fn default(mut self, member: impl Into<String>, value: Value) -> Self {
        self.definition = self.definition.default(member, value);
        self
    }

    /// Adds something worth knowing, for the `help` tool.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.definition = self.definition.note(note);
        self
    }

    /// Names another action of the tool that goes well with this one.
    pub fn related(mut self, action: impl Into<String>) -> Self {
        self.definition = self.definition.related(action);
        self
    }

    /// Adds an example of the action's `data`.
    pub fn example(mut self, data: Value) -> Self {
        self.definition = self.definition.example(data);
        self
    }

    /// Gives the action its code: an async closure of typed `data`, a struct of named members. The type's schema is the
    /// action's; an enum or a flattened map, whose members have no fixed names, is a fault when the server is built.
    pub fn run<A, F, Fut, R>(self, run: F) -> RunnableAction
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoToolResult + 'static,
    {
        self.run_with_schema(schema::inlined::<A>(), run)
    }

    /// Gives the action its code, and a schema of its `data` written by hand: `properties` and `required`. A schema
    /// that says more is a fault when the server is built.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use wymcp::{Context, Server, action, actions};
    ///
    /// let build = |schema: Value| {
    ///     let roll = action("roll", "Rolls dice").run_with_schema(schema, async |_: Value, _: Context| Ok(4));
    ///     Server::builder("games", "1.0.0").tool(actions("dice").action(roll)).build()
    /// };
    /// let sides = json!({"type": "integer", "minimum": 2});
    /// assert!(build(json!({"properties": {"sides": sides}, "required": ["sides"]})).is_ok());
    /// let error = build(json!({"properties": {"sides": sides}, "minProperties": 1})).unwrap_err();
    /// assert!(error.to_string().contains("minProperties"), "{error}");
    /// ```
    #[expect(
        clippy::needless_pass_by_value,
        reason = "as a tool's method of this name takes it"
    )]
    pub fn run_with_schema<A, F, Fut, R>(self, schema: Value, run: F) -> RunnableAction
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoToolResult + 'static,
    {
        self.finish(&schema, Arc::new(Closure::<OfTool, _, _>::new(run)))
    }

    /// Gives the action its code: a type that implements [`ToolHandler`].
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, NoArguments, Result, Server, ToolHandler, action, actions};
    ///
    /// struct Count(Vec<&'static str>);
    ///
    /// impl ToolHandler for Count {
    ///     type Arguments = NoArguments;
    ///     type Output = usize;
    ///
    ///     async fn run(&self, _: NoArguments, _: Context) -> Result<usize> {
    ///         Ok(self.0.len())
    ///     }
    /// }
    ///
    /// let count = action("count", "Counts books").handler(Count(vec!["Emma"]));
    /// assert!(Server::builder("town", "1.0.0").tool(actions("books").action(count)).build().is_ok());
    /// ```
    pub fn handler<H: ToolHandler>(self, handler: H) -> RunnableAction {
        self.finish(
            &schema::inlined::<H::Arguments>(),
            Arc::new(Typed(Arc::new(handler))),
        )
    }

    fn finish(self, schema: &Value, handler: Arc<dyn Handler>) -> RunnableAction {
        RunnableAction {
            definition: self.definition.schema(schema),
            handler,
        }
    }
}

/// Runs the action that the call chose.
struct Dispatch(BTreeMap<String, Arc<dyn Handler>>);

impl Handler for Dispatch {
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError> {
        if let Some(handler) = context.action().and_then(|action| self.0.get(action)) {
            return handler.start(arguments, context);
        }
        let fault = Fault::Internal("no handler for the chosen action".to_owned());
        Ok(Box::pin(async { Outcome::Fault(fault) }))
    }
}
