//! A client in process, for the tests of an application.

use std::{
    convert::Infallible,
    future::{Future, pending},
    time::Duration,
};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use wymcp::{Bytes, Clock, Exchange, Head, Server, answer};
use wymcp_core::sentinel;

use crate::{Answer, official};

/// A client of a server in the same process: no socket, and every stage of the protocol all the same.
///
/// It runs on any runtime, on the clock of none: what a server does after a time does not come, such as the end of a
/// call that outlasts its deadline, or a sign of life.
///
/// # Examples
///
/// The test of an application's tools:
///
/// ```
/// use serde_json::json;
/// use wymcp::{Context, Field, Form, NoArguments, Server, tool};
/// use wymcp_testkit::Client;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Sum { a: i64, b: i64 }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let server = Server::builder("calculator", "1.0.0")
///     .tool(tool("sum").run(async |args: Sum, _: Context| Ok(args.a + args.b)))
///     .tool(tool("greet").run(async |_: NoArguments, ctx: Context| {
///         let who = Form::new("Who are you?").field(Field::text("name").required());
///         let who = ctx.ask("who", who).await?.accepted().unwrap_or_default();
///         Ok(format!("Hello, {}!", who["name"].as_str().unwrap_or("stranger")))
///     }))
///     .build()
///     .unwrap();
/// let client = Client::new(server).capabilities(json!({"elicitation": {}}));
///
/// assert_eq!(client.call("sum", json!({"a": 19, "b": 23})).await.text(), "42");
/// assert!(client.call("sum", json!({"a": "x"})).await.tool_error().contains("/a"));
/// let unknown = (-32602, "Unknown tool: multiply".to_owned());
/// assert_eq!(client.call("multiply", json!({})).await.error(), unknown);
///
/// let asked = client.call("greet", json!({})).await;
/// assert_eq!(asked.question("who")["params"]["message"], "Who are you?");
/// let greeted = client.answer(&asked, json!({"who": {"action": "accept", "content": {"name": "Ada"}}})).await;
/// assert_eq!(greeted.text(), "Hello, Ada!");
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    server: Server,
    capabilities: Value,
    lines: Vec<(String, String)>,
}

impl Client {
    /// A client that declares no capabilities.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            capabilities: json!({}),
            lines: Vec::new(),
        }
    }

    /// What the client declares, as the protocol has it: `{"elicitation": {}, "sampling": {"tools": {}}}`.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Adds a header line to each request: `authorization`, say.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_testkit::{Client, fixture};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let client = Client::new(fixture::server("modern-authenticated"));
    /// assert_eq!(client.request("tools/list", json!({})).await.status(), 401);
    /// let alice = client.header("authorization", "Bearer token-of-alice");
    /// assert_eq!(alice.call("whoami", json!({})).await.text(), "alice");
    /// # });
    /// ```
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.lines.push((name.into(), value.into()));
        self
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Returned {
        let params = json!({"name": tool, "arguments": arguments});
        self.request("tools/call", params).await
    }

    /// Sends a request of any method, with its params. To their `_meta` it adds the protocol's version and the client's
    /// capabilities; what else stands in it goes out as it is.
    ///
    /// # Panics
    ///
    /// When the params are no object, or no answer comes.
    ///
    /// # Examples
    ///
    /// A call that asks to hear of its progress, and a prompt that asks back:
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp::{Context, Field, Form, NoArguments, Server, prompt, tool};
    /// use wymcp_testkit::Client;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let copy = tool("copy").run(async |_: NoArguments, ctx: Context| {
    ///     ctx.progress(1.0, Some(2.0), None);
    ///     Ok("copied")
    /// });
    /// let plan = prompt("plan").run(async |_: NoArguments, ctx: Context| {
    ///     let days = Form::new("How long?").field(Field::text("days").required());
    ///     let days = ctx.ask("days", days).await?.accepted().unwrap_or_default();
    ///     Ok(format!("Plan {}.", days["days"].as_str().unwrap_or("a day")))
    /// });
    /// let server = Server::builder("planner", "1.0.0").tool(copy).prompt(plan).build().unwrap();
    /// let client = Client::new(server).capabilities(json!({"elicitation": {}}));
    ///
    /// let params = json!({"name": "copy", "_meta": {"progressToken": "p1"}});
    /// let copied = client.request("tools/call", params).await;
    /// assert_eq!(copied.messages()[0]["params"]["progress"], 1.0);
    /// assert_eq!(copied.text(), "copied");
    ///
    /// let asked = client.request("prompts/get", json!({"name": "plan"})).await;
    /// let answers = json!({"days": {"action": "accept", "content": {"days": "a week"}}});
    /// let planned = client.answer(&asked, answers).await.result();
    /// assert_eq!(planned["messages"][0]["content"]["text"], "Plan a week.");
    /// # });
    /// ```
    pub async fn request(&self, method: &str, params: Value) -> Returned {
        let Value::Object(params) = params else {
            panic!("params are an object, and these are {params}");
        };
        let mut sent = params.clone();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        let own = sent.entry("_meta").or_insert_with(|| json!({}));
        for (key, value) in meta.as_object().into_iter().flatten() {
            own[key] = value.clone();
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": sent}).to_string();
        let mut lines = vec![
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        let name = ["name", "uri"]
            .iter()
            .find_map(|member| params.get(*member)?.as_str());
        let name = name.map(sentinel::encode);
        lines.extend(name.iter().map(|name| ("mcp-name", &**name)));
        lines.extend(self.lines.iter().map(|(name, value)| (&**name, &**value)));
        let head = Head::new("POST", &lines);
        let mut exchange = InProcess(Some(body.clone().into()));
        let reply = answer(&self.server, &head, &mut exchange).await;
        let answer = Answer::from(reply.unwrap_or_else(|| panic!("{method} gets no answer")));
        // An application's tests are not about the protocol: that it is not judged there need not be said.
        if std::env::var_os(official::FOLDER).is_some() {
            let verdict = answer.judge(body.as_bytes());
            verdict.unwrap_or_else(|fault| panic!("{fault}"));
        }
        Returned {
            method: method.to_owned(),
            params,
            answer,
        }
    }

    /// Sends a request again with answers to what it was asked, each under the key of its question.
    ///
    /// # Panics
    ///
    /// When nothing was asked.
    pub async fn answer(&self, asked: &Returned, answers: Value) -> Returned {
        let result = asked.result();
        assert!(
            result["resultType"] == "input_required",
            "nothing is asked: {result}"
        );
        let mut params = asked.params.clone();
        params.insert("inputResponses".to_owned(), answers);
        if let Some(state) = result.get("requestState") {
            params.insert("requestState".to_owned(), state.clone());
        }
        self.request(&asked.method, params.into()).await
    }
}

/// What came back to a [`Client`]. What is asked of it and not there panics, with the whole answer.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_testkit::{Client, Returned, fixture};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let client = Client::new(fixture::server("modern"));
/// let listed: Returned = client.request("tools/list", json!({})).await;
/// assert_eq!((listed.status(), listed.messages().len()), (200, 1));
/// assert!(listed.result()["tools"].is_array());
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Returned {
    method: String,
    params: Map<String, Value>,
    answer: Answer,
}

impl Returned {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.answer.status
    }

    /// Every message in its order: notifications, then the answer.
    ///
    /// # Panics
    ///
    /// When there is something else.
    #[track_caller]
    pub fn messages(&self) -> Vec<Value> {
        let messages = self.answer.messages();
        messages.unwrap_or_else(|| panic!("no messages: {}", self.answer))
    }

    /// The result.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[track_caller]
    pub fn result(&self) -> Value {
        let last = self.messages().pop().unwrap_or_default();
        let result = last.get("result").cloned();
        result.unwrap_or_else(|| panic!("no result: {last}"))
    }

    #[track_caller]
    fn result_that_is_no_error(&self) -> Value {
        let result = self.result();
        assert!(result["isError"] != true, "an error: {result}");
        result
    }

    /// The first text of a result that is no error.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[track_caller]
    pub fn text(&self) -> String {
        text(&self.result_that_is_no_error())
    }

    /// The structured content of a result that is no error, as a type.
    ///
    /// # Panics
    ///
    /// When there is none, or it is something else.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use wymcp::{Context, NoArguments, Server, Structured, tool};
    /// use wymcp_testkit::Client;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let now = tool("now").run(async |_: NoArguments, _: Context| Ok(Structured(json!({"hour": 12}))));
    /// let client = Client::new(Server::builder("clock", "1.0.0").tool(now).build().unwrap());
    /// assert_eq!(client.call("now", json!({})).await.structured::<Value>(), json!({"hour": 12}));
    /// # });
    /// ```
    #[track_caller]
    pub fn structured<T: DeserializeOwned>(&self) -> T {
        let result = self.result_that_is_no_error();
        let Some(content) = result.get("structuredContent") else {
            panic!("nothing structured: {result}");
        };
        T::deserialize(content).unwrap_or_else(|fault| {
            panic!("the structured content is something else ({fault}): {result}")
        })
    }

    /// The text of a result that is an error for the model.
    ///
    /// # Panics
    ///
    /// When it is none.
    #[track_caller]
    pub fn tool_error(&self) -> String {
        let result = self.result();
        assert!(result["isError"] == true, "no error: {result}");
        text(&result)
    }

    /// The code and the message of an error of the protocol.
    ///
    /// # Panics
    ///
    /// When it is none.
    #[track_caller]
    pub fn error(&self) -> (i64, String) {
        let last = self.messages().pop().unwrap_or_default();
        let code = last["error"]["code"].as_i64();
        let message = last["error"]["message"].as_str();
        match (code, message) {
            (Some(code), Some(message)) => (code, message.to_owned()),
            _ => panic!("no error: {last}"),
        }
    }

    /// The question under a key, as it is sent: `method` and `params`.
    ///
    /// # Panics
    ///
    /// When it is not asked.
    #[track_caller]
    pub fn question(&self, key: &str) -> Value {
        let result = self.result();
        let question = result["inputRequests"].get(key).cloned();
        question.unwrap_or_else(|| panic!("{key} is not asked: {result}"))
    }
}

#[track_caller]
fn text(result: &Value) -> String {
    let text = result["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text: {result}"))
        .to_owned()
}

struct InProcess(Option<Bytes>);

impl Exchange for InProcess {
    type BodyFault = Infallible;

    async fn next_chunk(&mut self) -> Option<Result<Bytes, Infallible>> {
        self.0.take().map(Ok)
    }
}

impl Clock for InProcess {
    fn sleep(&self, _: Duration) -> impl Future<Output = ()> + use<> {
        pending()
    }
}
