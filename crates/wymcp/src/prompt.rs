//! The definition of a prompt together with its code.

use std::{fmt, future::Future, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wymcp_core::{
    ArgumentsError, Content, Fault, Icon, Json, Outcome, Prompt, PromptArgument, PromptMessage,
    PromptResult, Texts,
};

use crate::{
    Completing, Context, IntoCompletion, Result,
    completion::OfCompletion,
    handler::{Closure, Code, Handler, Kind, Run},
    prompt_arguments,
};

/// Starts the definition of a prompt of this name: messages that a human chooses to send.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, PromptMessage, Server, prompt};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Review {
///     /// The file to look at
///     path: String,
///     /// At most so many remarks
///     most: Option<u8>,
/// }
///
/// let review = prompt("review")
///     .title("Review of a file")
///     .complete("path", async |typed: wymcp::Completing, _: Context| {
///         let files = ["src/lib.rs", "src/main.rs"];
///         Ok(files.into_iter().filter(|file| file.starts_with(&typed.value)).collect::<Vec<_>>())
///     })
///     .run(async |args: Review, _: Context| {
///         let most = args.most.unwrap_or(10);
///         Ok(PromptMessage::user(format!("Review {}. Make at most {most} remarks.", args.path)))
///     });
/// let server = Server::builder("reviewer", "1.0.0").prompt(review).build();
/// assert!(server.is_ok());
/// ```
#[must_use = "a prompt has code once it has run(..)"]
pub fn prompt(name: impl Into<String>) -> PromptBuilder {
    PromptBuilder {
        definition: Prompt::new(name),
    }
}

/// Defines a prompt; see [`prompt`].
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Icon, NoArguments, PromptBuilder, PromptResult, PromptMessage, RunnablePrompt, Server, prompt};
///
/// /// What all prompts of the house have in common.
/// fn of_the_house(prompt: PromptBuilder) -> PromptBuilder {
///     prompt.icon(Icon::new("https://example.com/house.svg")).meta("example.com/house", true)
/// }
///
/// let greet: RunnablePrompt = of_the_house(prompt("greet"))
///     .describe("Says hello")
///     .run(async |_: NoArguments, _: Context| {
///         Ok(PromptResult::new([PromptMessage::user("Hello!")]).describe("A greeting"))
///     });
/// assert!(Server::builder("greeter", "1.0.0").prompt(greet).build().is_ok());
/// ```
#[derive(Debug)]
#[must_use = "a prompt has code once it has run(..)"]
pub struct PromptBuilder {
    definition: Prompt,
}

/// A prompt with its code; see [`prompt`].
#[must_use = "a prompt exists once a server has it"]
pub struct RunnablePrompt {
    pub(crate) definition: Prompt,
}

impl fmt::Debug for RunnablePrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnablePrompt")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

impl PromptBuilder {
    /// What a human is shown in the place of the name.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the prompt is for.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.describe(description);
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

    /// Proposes values for an argument while a human types it.
    pub fn complete<F, Fut, R>(mut self, argument: impl Into<String>, complete: F) -> Self
    where
        F: Fn(Completing, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoCompletion + 'static,
    {
        let code = Code(Arc::new(Closure::<OfCompletion, _, _>::new(complete)));
        self.definition = self.definition.completed_by(argument, code);
        self
    }

    /// Gives the prompt its code: an async closure of typed arguments, a struct of named members. Each member is an
    /// argument, in the order of the declaration; its documentation is the argument's description, and an [`Option`] may
    /// be left out. Arguments are texts on the wire: numbers, booleans and unit variants are read from them, and a member
    /// that is read from none, such as a list, is a fault when the server is built. Where a member is flattened, arguments
    /// are in the order of their names.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, Server, prompt};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Tagged { tags: Vec<String> }
    ///
    /// let find = prompt("find").run(async |args: Tagged, _: Context| Ok(format!("Find {:?}.", args.tags)));
    /// let fault = Server::builder("finder", "1.0.0").prompt(find).build().unwrap_err();
    /// assert!(fault.to_string().starts_with(r#"prompt "find", arguments/tags: is of a type that no text can be read as"#));
    /// ```
    pub fn run<A, F, Fut, R>(self, run: F) -> RunnablePrompt
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoPromptResult + 'static,
    {
        let (arguments, fault) = prompt_arguments::arguments::<A>();
        let mut prompt = self.run_with_arguments(arguments, run);
        if let Some((field, fault)) = fault {
            prompt.definition = prompt.definition.faulty(field, fault);
        }
        prompt
    }

    /// Gives the prompt its code, and arguments that are declared by hand.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use wymcp::{Context, PromptArgument, Server, prompt};
    ///
    /// let mail = prompt("mail").run_with_arguments(
    ///     [PromptArgument::new("to").title("To").required(), PromptArgument::new("about")],
    ///     async |args: BTreeMap<String, String>, _: Context| Ok(format!("Write a mail to {}.", args["to"])),
    /// );
    /// assert!(Server::builder("mailer", "1.0.0").prompt(mail).build().is_ok());
    /// ```
    pub fn run_with_arguments<A, F, Fut, R>(
        self,
        arguments: impl IntoIterator<Item = PromptArgument>,
        run: F,
    ) -> RunnablePrompt
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + Send + 'static,
        R: IntoPromptResult + 'static,
    {
        let definition = arguments
            .into_iter()
            .fold(self.definition, Prompt::argument);
        let code = OfTexts(Closure::<OfPrompt, F, A>::new(run));
        RunnablePrompt {
            definition: definition.with(Code(Arc::new(code))),
        }
    }
}

/// Code whose arguments are texts.
pub(crate) struct OfTexts<H>(pub(crate) H);

impl<K, F, A, Fut, R> Handler for OfTexts<Closure<K, F, A>>
where
    K: Kind<R>,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    A: DeserializeOwned + Send + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
    R: 'static,
{
    fn start(&self, arguments: &Json<'_>, context: Context) -> Result<Run, ArgumentsError> {
        Ok(self.0.run(A::deserialize(Texts(arguments))?, context))
    }
}

/// The code of a prompt.
pub(crate) enum OfPrompt {}

impl<R: IntoPromptResult> Kind<R> for OfPrompt {
    fn outcome(returned: R, _: &Context) -> Result<Outcome, Fault> {
        Ok(Outcome::Prompt(returned.into_prompt_result()))
    }
}

/// What the code of a prompt may return.
///
/// # Examples
///
/// ```
/// use wymcp::{IntoPromptResult, PromptMessage, PromptResult};
///
/// let texts = ["Review src/lib.rs.".into_prompt_result(), PromptMessage::user("Review src/lib.rs.").into_prompt_result()];
/// assert!(texts.iter().all(|result: &PromptResult| result.messages == [PromptMessage::user("Review src/lib.rs.")]));
///
/// struct Dialog(&'static str, &'static str);
///
/// impl IntoPromptResult for Dialog {
///     fn into_prompt_result(self) -> PromptResult {
///         vec![PromptMessage::user(self.0), PromptMessage::assistant(self.1)].into_prompt_result()
///     }
/// }
///
/// assert_eq!(Dialog("2 + 2?", "4").into_prompt_result().messages.len(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "a prompt cannot become `{Self}`",
    note = "answer with a text, a `PromptMessage`, a `Vec` of them, or a `PromptResult`"
)]
pub trait IntoPromptResult {
    /// The messages.
    fn into_prompt_result(self) -> PromptResult;
}

impl IntoPromptResult for PromptResult {
    fn into_prompt_result(self) -> PromptResult {
        self
    }
}

impl IntoPromptResult for PromptMessage {
    fn into_prompt_result(self) -> PromptResult {
        PromptResult::new([self])
    }
}

impl IntoPromptResult for Vec<PromptMessage> {
    fn into_prompt_result(self) -> PromptResult {
        PromptResult::new(self)
    }
}

/// One message of the human.
impl IntoPromptResult for String {
    fn into_prompt_result(self) -> PromptResult {
        PromptMessage::user(self).into_prompt_result()
    }
}

/// One message of the human.
impl IntoPromptResult for &str {
    fn into_prompt_result(self) -> PromptResult {
        PromptMessage::user(self).into_prompt_result()
    }
}

/// One message of the human.
impl IntoPromptResult for Content {
    fn into_prompt_result(self) -> PromptResult {
        PromptMessage::new(wymcp_core::Role::User, self).into_prompt_result()
    }
}
