//! A tool's code, with its types erased.

use std::{future::Future, marker::PhantomData, pin::Pin, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use wymcp_core::{ArgumentsError, Json, Outcome};

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
    /// When the arguments fit the schema and not the handler's type.
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError>;
}

/// A [`ToolHandler`] as a [`Handler`].
pub(crate) struct Typed<H>(pub(crate) Arc<H>);

impl<H: ToolHandler> Handler for Typed<H> {
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError> {
        let arguments = H::Arguments::deserialize(arguments)?;
        let handler = Arc::clone(&self.0);
        Ok(Box::pin(async move {
            outcome(handler.run(arguments, context).await)
        }))
    }
}

/// A closure as a [`Handler`].
pub(crate) struct Closure<F, A> {
    run: Arc<F>,
    arguments: PhantomData<fn(A)>,
}

impl<F, A> Closure<F, A> {
    pub(crate) fn new(run: F) -> Self {
        Self {
            run: Arc::new(run),
            arguments: PhantomData,
        }
    }
}

impl<F, A, Fut, R> Handler for Closure<F, A>
where
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    A: DeserializeOwned + Send + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
    R: IntoToolResult + 'static,
{
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError> {
        let arguments = A::deserialize(arguments)?;
        let run = Arc::clone(&self.run);
        Ok(Box::pin(
            async move { outcome(run(arguments, context).await) },
        ))
    }
}

fn outcome(result: Result<impl IntoToolResult>) -> Outcome {
    match result.map(IntoToolResult::into_tool_result) {
        Ok(Ok(result)) => Outcome::Complete(result),
        Ok(Err(fault)) => Outcome::Fault(fault),
        Err(error) => error.into_outcome(),
    }
}
