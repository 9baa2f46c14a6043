//! A tool's code, with its types erased.

use std::{future::Future, marker::PhantomData, pin::Pin, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use wymcp_core::{ArgumentsError, Fault, Json, Outcome};

use crate::{Context, Result, result::IntoToolResult};

/// A tool as a type of its own: for tools with state, and for tools that are tested by themselves.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Result, Server, ToolHandler, tool};
///
/// struct Greet { greeting: String }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Name { name: String }
///
/// impl ToolHandler for Greet {
///     type Arguments = Name;
///     type Output = String;
///
///     async fn run(&self, arguments: Name, _context: Context) -> Result<String> {
///         Ok(format!("{}, {}!", self.greeting, arguments.name))
///     }
/// }
///
/// let greet = Greet { greeting: "Hello".to_owned() };
/// let server = Server::builder("greeter", "1.0.0").tool(tool("greet").handler(greet)).build();
/// assert!(server.is_ok());
/// ```
pub trait ToolHandler: Send + Sync + 'static {
    /// The arguments. Their schema is the tool's input schema.
    type Arguments: DeserializeOwned + JsonSchema + Send;
    /// The result.
    type Output: IntoToolResult;

    /// Runs the tool. When the client goes away, the future is dropped.
    fn run(
        &self,
        arguments: Self::Arguments,
        context: Context,
    ) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// The run of a handler.
pub(crate) type Run = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// A handler of any types.
pub(crate) trait Handler: Send + Sync {
    /// Makes the handler's run. Nothing of the application runs before the first poll, except what reads its types.
    ///
    /// # Errors
    ///
    /// When the arguments fit the definition and not the handler's type.
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError>;
}

/// What a definition carries through the core: the code that answers its calls.
pub(crate) struct Code(pub(crate) Arc<dyn Handler>);

/// A [`ToolHandler`] as a [`Handler`].
pub(crate) struct Typed<H>(pub(crate) Arc<H>);

impl<H: ToolHandler> Handler for Typed<H> {
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError> {
        let arguments = H::Arguments::deserialize(arguments)?;
        let handler = Arc::clone(&self.0);
        Ok(Box::pin(async move {
            let returned = handler.run(arguments, context).await;
            outcome(returned, |output| {
                output.into_tool_result().map(Outcome::Tool)
            })
        }))
    }
}

/// How what a handler of one kind returns becomes an outcome.
pub(crate) trait Kind<R>: 'static {
    fn outcome(returned: R, context: &Context) -> Result<Outcome, Fault>;
}

/// The code of a tool.
pub(crate) enum OfTool {}

impl<R: IntoToolResult> Kind<R> for OfTool {
    fn outcome(returned: R, _: &Context) -> Result<Outcome, Fault> {
        returned.into_tool_result().map(Outcome::Tool)
    }
}

/// A closure as a [`Handler`] of a kind `K`.
pub(crate) struct Closure<K, F, A> {
    run: Arc<F>,
    types: PhantomData<fn(K, A)>,
}

impl<K, F, A> Closure<K, F, A> {
    pub(crate) fn new(run: F) -> Self {
        Self {
            run: Arc::new(run),
            types: PhantomData,
        }
    }

    /// The run on arguments that were read.
    pub(crate) fn run<Fut, R>(&self, arguments: A, context: Context) -> Run
    where
        K: Kind<R>,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        A: Send + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: 'static,
    {
        let run = Arc::clone(&self.run);
        Box::pin(async move {
            let returned = run(arguments, context.clone()).await;
            outcome(returned, |returned| K::outcome(returned, &context))
        })
    }
}

impl<K, F, A, Fut, R> Handler for Closure<K, F, A>
where
    K: Kind<R>,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    A: DeserializeOwned + Send + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
    R: 'static,
{
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError> {
        Ok(self.run(A::deserialize(arguments)?, context))
    }
}

fn outcome<R>(
    returned: Result<R>,
    become_outcome: impl FnOnce(R) -> Result<Outcome, Fault>,
) -> Outcome {
    match returned.map(become_outcome) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(fault)) => Outcome::Fault(fault),
        Err(error) => error.into_outcome(),
    }
}
