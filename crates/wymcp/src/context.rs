//! What a handler knows of the call that it runs for.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use serde_json::{Map, Value};
use wymcp_core::{Call, InputRequest, LogLevel, Outcome, Principal, RequestId, RequestMeta};

use crate::{Cancellation, Error, Outlet, Question, Questions, Result, legacy, question::Round};

/// The call that a handler runs for.
///
/// Cheap to clone, and free of borrows, so that it can go wherever the work goes.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, NoArguments, tool};
///
/// let greet = tool("greet").run(async |_: NoArguments, ctx: Context| {
///     let name = ctx.principal().name().unwrap_or("stranger").to_owned();
///     // Work that outlives the handler takes the sign along, and stops when nobody waits any more.
///     let cancellation = ctx.cancellation().clone();
///     # let _ = cancellation;
///     Ok(format!("Hello, {name}! This is {}.", ctx.name()))
/// });
/// # let _ = greet;
/// assert!(Context::detached().require_capability(&["elicitation"]).is_err());
/// ```
///
/// What it says of a call:
///
/// ```
/// use serde_json::json;
/// use wymcp::{Context, NoArguments, Server, action, actions};
///
/// let ask = action("ask", "Says who asks for what").run(async |_: NoArguments, ctx: Context| {
///     let client = ctx.meta().client_info().map_or("unknown", |client| client.name);
///     let action = ctx.action().unwrap_or("none");
///     Ok(format!("request {}: {} {action}, from {client}", ctx.request_id(), ctx.name()))
/// });
/// let server = Server::builder("office", "1.0.0").tool(actions("desk").action(ask)).build()?;
/// # struct Body(Option<wymcp::Bytes>);
/// # impl wymcp::Exchange for Body {
/// #     type BodyFault = std::convert::Infallible;
/// #     async fn next_chunk(&mut self) -> Option<Result<wymcp::Bytes, Self::BodyFault>> { self.0.take().map(Ok) }
/// # }
/// # impl wymcp::Clock for Body {
/// #     fn sleep(&self, _: std::time::Duration) -> impl Future<Output = ()> + use<> { std::future::pending() }
/// # }
/// # fn call(server: &Server, tool: &str, arguments: serde_json::Value) -> serde_json::Value {
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
/// let answer = call(&server, "desk", json!({"action": "ask"}));
/// assert_eq!(answer["result"]["content"][0]["text"], "request 7: desk ask, from notebook");
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    name: Arc<str>,
    action: Option<Arc<str>>,
    mime_type: Option<String>,
    request_id: RequestId<'static>,
    meta: RequestMeta<'static>,
    principal: Principal,
    cancellation: Cancellation,
    outlet: Outlet,
    /// The answers that came with the call.
    run: Mutex<Run>,
}

/// What a handler has asked so far.
#[derive(Default)]
struct Run {
    /// What the client has answered.
    answers: Map<String, Value>,
    /// The answers that it has read, which the client carries if there are more questions.
    read: Map<String, Value>,
    /// Every question, by its key.
    asked: BTreeMap<String, InputRequest>,
}

/// Without what the peer sent.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("name", &self.0.name)
            .field("action", &self.0.action)
            .finish_non_exhaustive()
    }
}

impl Context {
    pub(crate) fn new(call: &Call<'_>, cancellation: Cancellation, outlet: Outlet) -> Self {
        Self(Arc::new(Inner {
            name: Arc::clone(call.name()),
            action: call.action().cloned(),
            mime_type: call.mime_type().map(str::to_owned),
            request_id: call.request_id().clone().into_owned(),
            meta: call.meta().clone().into_owned(),
            principal: call.principal().clone(),
            cancellation,
            outlet,
            run: Mutex::new(Run {
                answers: call.answers(),
                ..Run::default()
            }),
        }))
    }

    /// A context of no call, for testing a handler by itself: an anonymous principal, an empty `_meta`, the id 0, and
    /// no name of a tool.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, NoArguments, Result, ToolHandler};
    ///
    /// struct Dice;
    ///
    /// impl ToolHandler for Dice {
    ///     type Arguments = NoArguments;
    ///     type Output = u8;
    ///
    ///     async fn run(&self, _: NoArguments, _: Context) -> Result<u8> {
    ///         Ok(4)
    ///     }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// assert_eq!(Dice.run(NoArguments {}, Context::detached()).await.unwrap(), 4);
    /// # });
    ///
    /// let context = Context::detached();
    /// assert_eq!((context.name(), context.action()), ("", None));
    /// assert!(context.meta().client_info().is_none() && context.principal().name().is_none());
    /// ```
    pub fn detached() -> Self {
        Self(Arc::new(Inner {
            name: "".into(),
            action: None,
            mime_type: None,
            request_id: RequestId::from(0),
            meta: RequestMeta::default(),
            principal: Principal::anonymous(),
            cancellation: Cancellation::default(),
            outlet: Outlet::new(),
            run: Mutex::default(),
        }))
    }

    /// Adds the answer to a question, as a client would send it, for testing a handler that asks.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp::{Context, Form, Result};
    ///
    /// async fn delete(context: Context) -> Result<&'static str> {
    ///     let answer = context.ask("sure", Form::new("Delete it all?")).await?;
    ///     Ok(answer.accepted().map_or("Kept", |_| "Deleted"))
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let context = Context::detached().answering("sure", json!({"action": "decline"}));
    /// assert_eq!(delete(context).await.unwrap(), "Kept");
    /// assert!(delete(Context::detached()).await.is_err());
    /// # });
    /// ```
    #[must_use]
    pub fn answering(mut self, key: impl Into<String>, answer: Value) -> Self {
        // A detached context is nobody else's yet; a clone of it stays as it is.
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            let run = inner.run.get_mut().unwrap_or_else(PoisonError::into_inner);
            run.answers.insert(key.into(), answer);
        }
        self
    }

    /// The name of the tool or the prompt, the URI of the resource, or the argument that is completed.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The media type that the resource's definition gives, if it does.
    pub(crate) fn mime_type(&self) -> Option<&str> {
        self.0.mime_type.as_deref()
    }

    /// The chosen action, in a tool that dispatches actions.
    pub fn action(&self) -> Option<&str> {
        self.0.action.as_deref()
    }

    /// The id of the request. Unique only among the client's own calls in flight: nothing may be keyed by it.
    pub fn request_id(&self) -> &RequestId<'static> {
        &self.0.request_id
    }

    /// What the request says about its client: name, capabilities, trace context, members of extensions.
    pub fn meta(&self) -> &RequestMeta<'static> {
        &self.0.meta
    }

    /// On whose behalf the call runs.
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }

    /// The sign that nobody waits for the answer any more, for work that outlives the handler.
    pub fn cancellation(&self) -> &Cancellation {
        &self.0.cancellation
    }

    /// Tells the client how far the call is: how much is done, of how much if that is known, and what comes now.
    ///
    /// Sent only to a client that asked for it, and only while it grows; a reader that is slow is told the newest.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, NoArguments, Server, tool};
    ///
    /// let bake = tool("bake").run(async |_: NoArguments, ctx: Context| {
    ///     for (done, step) in ["kneading", "proving", "baking"].into_iter().enumerate() {
    ///         ctx.progress(done as f64, Some(3.0), Some(step));
    ///         // ... and does so.
    ///     }
    ///     Ok("A loaf")
    /// });
    /// assert!(Server::builder("bakery", "1.0.0").tool(bake).build().is_ok());
    /// ```
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        self.0.outlet.progress(done, total, message);
    }

    /// Sends a log record to the client, from a part of the application if it has a name.
    ///
    /// Sent only on a server with [`logging`](crate::ServerBuilder::logging), and only to a client that asked for records
    /// of this severity. It is not for the operator: what he reads goes to `tracing`. Deprecated in revision 2026-07-28 of the protocol, and served until it is removed.
    ///
    /// # Errors
    ///
    /// When the data has no JSON encoding.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp::{Context, LogLevel, NoArguments, Server, tool};
    ///
    /// let bake = tool("bake").run(async |_: NoArguments, ctx: Context| {
    ///     ctx.log(LogLevel::Warning, Some("oven"), &json!({"celsius": 260}))?;
    ///     Ok("A loaf, rather dark")
    /// });
    /// assert!(Server::builder("bakery", "1.0.0").logging().tool(bake).build().is_ok());
    /// ```
    pub fn log(&self, level: LogLevel, logger: Option<&str>, data: &impl Serialize) -> Result<()> {
        let queued = self.0.outlet.log(level, logger, data);
        queued.map_err(Error::internal)
    }

    /// Ends the connection that waits for the answer, where the client can come back for it: in a session whose streams can be
    /// polled (2025-11-25). Everywhere else the connection stays.
    ///
    /// What is said from then on, and the answer, wait for the client. So a call that takes hours holds no connection.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, NoArguments, tool};
    ///
    /// # async fn render_the_film() {}
    /// let film = tool("film").run(async |_: NoArguments, ctx: Context| {
    ///     ctx.hang_up();
    ///     render_the_film().await;
    ///     Ok("rendered")
    /// });
    /// # let _ = film;
    /// ```
    pub fn hang_up(&self) {
        self.0.outlet.hang_up();
    }

    /// Asks the client, under a key: a [`Form`](crate::Form) for its human, a [`Visit`](crate::Visit) to a page, a
    /// message of its model ([`Sampling`](crate::Sampling)), or its [`Roots`](crate::Roots).
    ///
    /// While there is no answer it is an error: return it with `?`. Then the client is asked, and calls again with the
    /// answer; **the handler starts from its first line**, and comes by this line with the answer. So what must happen
    /// once stands behind the last question. The answers of earlier rounds come back with the client, sealed; an answer
    /// of the wrong shape is asked for again. A handler may ask one question after the other.
    ///
    /// # Errors
    ///
    /// The question itself, or that the client does not declare the capability which it takes. A completer cannot ask.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, Elicited, Field, Form, NoArguments, Server, tool};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Person { name: String }
    ///
    /// let greet = tool("greet").run(async |_: NoArguments, ctx: Context| {
    ///     let form = Form::new("Who are you?").field(Field::text("name").required());
    ///     Ok(match ctx.ask("person", form).await?.read::<Person>()? {
    ///         Elicited::Accepted(person) => format!("Hello, {}!", person.name),
    ///         Elicited::Declined | Elicited::Cancelled => "Hello, whoever you are!".to_owned(),
    ///     })
    /// });
    /// assert!(Server::builder("greeter", "1.0.0").tool(greet).build().is_ok());
    /// ```
    pub async fn ask<Q: Question>(&self, key: impl AsRef<str>, question: Q) -> Result<Q::Answer> {
        let (answer,) = self.ask_all(((key, question),)).await?;
        Ok(answer)
    }

    /// Asks several questions at once, each under its key; see [`ask`](Self::ask).
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask), while one of them has no answer. Only those are asked.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, NoArguments, Roots, Sampling, Server, tool};
    ///
    /// let describe = tool("describe").run(async |_: NoArguments, ctx: Context| {
    ///     let title = Sampling::user("Invent a title for a project.", 20);
    ///     let (title, roots) = ctx.ask_all((("title", title), ("roots", Roots))).await?;
    ///     Ok(format!("{}: {} folders", title.text().unwrap_or("Untitled"), roots.len()))
    /// });
    /// assert!(Server::builder("describer", "1.0.0").tool(describe).build().is_ok());
    /// ```
    pub async fn ask_all<Q: Questions>(&self, questions: Q) -> Result<Q::Answers> {
        let Some(session) = self.0.outlet.session() else {
            return self.round(&questions).0;
        };
        let (answers, open) = self.round(&questions);
        if open.is_empty() {
            return answers;
        }
        let capabilities = self.meta().client_capabilities();
        if let Some(required) = InputRequest::missing_of(open.values(), &capabilities) {
            return Err(Error::of(Outcome::MissingClientCapability(required)));
        }
        // In a session the answers are waited for.
        let given = legacy::put(&session, &self.0.outlet, &open).await?;
        self.run().answers.extend(given);
        self.round(&questions).0
    }

    /// What is answered of questions, and those that are not.
    fn round<Q: Questions>(
        &self,
        questions: &Q,
    ) -> (Result<Q::Answers>, BTreeMap<String, InputRequest>) {
        let mut run = self.run();
        let Run {
            answers,
            read,
            asked,
        } = &mut *run;
        let mut round = Round::new(answers, read, asked);
        let answers = questions.put(&mut round);
        let open = round.open();
        (round.answered(answers), open)
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.0.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on only if the client declared a capability, named by its path: `["elicitation", "url"]`.
    ///
    /// # Errors
    ///
    /// The error that tells the client which capability is missing; return it with `?`.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp::{Context, Result};
    ///
    /// fn invite(context: &Context) -> Result<&'static str> {
    ///     context.require_capability(&["elicitation", "url"])?;
    ///     Ok("Follow the link that your client shows")
    /// }
    ///
    /// // The client of a detached context has declared nothing.
    /// let error = invite(&Context::detached()).unwrap_err();
    /// assert!(format!("{error:?}").contains("elicitation"));
    /// ```
    pub fn require_capability(&self, path: &[&str]) -> Result<()> {
        if self.meta().client_capabilities().declares(path) {
            Ok(())
        } else {
            Err(Error::missing_capability(path))
        }
    }
}
