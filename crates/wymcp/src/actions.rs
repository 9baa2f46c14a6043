//! Action-dispatched tools: one tool, several named actions.

use std::{collections::BTreeMap, future::Future, sync::Arc};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use wymcp_core::{
    Action, ArgumentsError, Fault, Hint, Icon, Json, Outcome, StructuredContent, Tool,
    ToolAnnotations, ToolResult,
};

use crate::{
    Context, Error, Result,
    handler::{Closure, Handler, Run, ToolHandler, Typed},
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
pub fn action(name: impl Into<String>, description: impl Into<String>) -> ActionBuilder {
    ActionBuilder {
        definition: Action::new(name, description),
    }
}

/// Defines a tool that dispatches actions; see [`actions`].
#[must_use = "a tool exists once a server has it"]
pub struct ActionToolBuilder {
    definition: Tool,
    handlers: BTreeMap<String, Arc<dyn Handler>>,
}

/// An action with its code, ready for [`ActionToolBuilder::action`].
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
            definition: self.definition,
            handler: Arc::new(Dispatch(self.handlers)),
        }
    }
}

impl From<ActionToolBuilder> for RunnableTool {
    fn from(builder: ActionToolBuilder) -> Self {
        builder.finish()
    }
}

/// Defines an action; see [`actions`].
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
        self.finish(&schema, Arc::new(Closure::new(run)))
    }

    /// Gives the action its code: a type that implements [`ToolHandler`].
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

/// A result of an action, with hints at what to call next and a context to go by.
///
/// Sent as one JSON text: `{"result": ..., "hints": [...], "context": ...}`.
///
/// # Examples
///
/// ```
/// use wymcp::{ActionOutput, Hint, IntoToolResult};
///
/// let output = ActionOutput::new("added").hint(Hint::new("calendar", "list", "Shows all events"));
/// assert!(output.into_tool_result().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct ActionOutput<T> {
    result: T,
    beside: Beside,
}

/// What stands beside a result or an error.
#[derive(Clone, Debug, Default)]
struct Beside {
    hints: Vec<Hint>,
    context: Option<Value>,
}

impl<T: Serialize> ActionOutput<T> {
    /// A result without hints.
    pub fn new(result: T) -> Self {
        Self {
            result,
            beside: Beside::default(),
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: Hint) -> Self {
        self.beside.hints.push(hint);
        self
    }

    /// Sets the context: what the model should keep in mind.
    #[must_use]
    pub fn context(mut self, context: impl Into<Value>) -> Self {
        self.beside.context = Some(context.into());
        self
    }
}

impl<T: Serialize> IntoToolResult for ActionOutput<T> {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        let text = with_beside("result", &self.result, &self.beside)?;
        Ok(ToolResult::text(text.as_str()))
    }
}

/// An error of an action for the model, with hints at what to call instead and a context.
///
/// Sent as one JSON text: `{"error": ..., "hints": [...], "context": ...}`. Turns into an [`Error`] with `?`.
///
/// # Examples
///
/// ```
/// use wymcp::{ActionError, Error, Hint};
///
/// fn remove(id: u64, events: &mut Vec<u64>) -> Result<(), Error> {
///     let Some(at) = events.iter().position(|event| *event == id) else {
///         return Err(ActionError::new(format!("no event has the id {id}"))
///             .hint(Hint::new("calendar", "list", "Shows all events with their ids"))
///             .into());
///     };
///     events.remove(at);
///     Ok(())
/// }
///
/// assert!(remove(7, &mut vec![7]).is_ok());
/// let error = remove(8, &mut vec![7]).unwrap_err();
/// assert!(format!("{error:?}").contains("Shows all events"));
/// ```
#[derive(Clone, Debug)]
pub struct ActionError {
    message: String,
    beside: Beside,
}

impl ActionError {
    /// An error: what went wrong, and what to do instead.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            beside: Beside::default(),
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: Hint) -> Self {
        self.beside.hints.push(hint);
        self
    }

    /// Sets the context: what the model should keep in mind.
    #[must_use]
    pub fn context(mut self, context: impl Into<Value>) -> Self {
        self.beside.context = Some(context.into());
        self
    }
}

impl From<ActionError> for Error {
    fn from(error: ActionError) -> Self {
        match with_beside("error", &error.message, &error.beside) {
            Ok(text) => Self::new(text.as_str()),
            Err(fault) => Self::internal(fault),
        }
    }
}

fn with_beside(
    name: &str,
    value: &impl Serialize,
    beside: &Beside,
) -> Result<StructuredContent, Fault> {
    let mut members = Map::new();
    members.insert(name.to_owned(), StructuredContent::new(value)?.to_value());
    if !beside.hints.is_empty() {
        members.insert(
            "hints".to_owned(),
            StructuredContent::new(&beside.hints)?.to_value(),
        );
    }
    if let Some(context) = &beside.context {
        members.insert("context".to_owned(), context.clone());
    }
    StructuredContent::new(&members)
}
