//! One tool: its definition, and what becomes of it when the server is built.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json, value::RawValue};

use super::{
    Action, ActionSet, HeaderParam, Schema,
    described::{FieldFault, described},
    header_params::header_params,
    listed::{Item, rendered},
    subschemas::SchemaFault,
};
use crate::{
    attached::Attached, config::ConfigError, exchange::Icon, text::sorted, validate::words,
};

/// The definition of a tool.
///
/// Its texts reach the wire character for character. What is faulty in it is found when the server is built.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Icon, Tool, ToolAnnotations};
///
/// let sum = Tool::new("sum")
///     .title("Sum")
///     .describe("Adds two numbers")
///     .input_schema(json!({
///         "type": "object",
///         "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
///         "required": ["a", "b"],
///     }))
///     .annotations(ToolAnnotations::default().read_only(true))
///     .icon(Icon::new("https://calc.example/sum.svg"))
///     .meta("calc.example/group", "arithmetic");
/// assert_eq!(sum.name(), "sum");
/// let shown = serde_json::to_value(&sum).unwrap();
/// assert_eq!(shown["title"], "Sum");
/// assert_eq!(shown["_meta"], json!({"calc.example/group": "arithmetic"}));
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    input_schema: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ToolAnnotations>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    icons: Vec<Icon>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
    #[serde(skip)]
    actions: Option<Vec<Action>>,
    #[serde(skip)]
    data: Attached,
    #[serde(skip)]
    fault: Option<FieldFault>,
}

described!(Tool);

impl Tool {
    /// A tool that takes any object. Names have 1 to 128 characters of `A-Z a-z 0-9 _ - .`.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Server, Tool};
    ///
    /// let fault = Server::builder("calculator", "1.0.0").tool(Tool::new("add up")).build().unwrap_err();
    /// assert!(fault.to_string().starts_with(r#"tool "add up", name: is not 1 to 128 characters"#));
    /// ```
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input_schema: json!({"type": "object"}),
            output_schema: None,
            annotations: None,
            icons: Vec::new(),
            meta: Map::new(),
            actions: None,
            data: Attached::default(),
            fault: None,
        }
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The JSON Schema of the arguments: `type` is `object`, references stay inside the schema, patterns are
    /// linear-time. 2020-12 unless `$schema` says otherwise.
    #[must_use]
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input_schema = sorted(schema);
        self
    }

    /// The JSON Schema of the structured content. With one, every success carries structured content that fits it.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use serde_json::json;
    /// # use wymcp_core::{Decision, Head, Server, Turn};
    /// use wymcp_core::{Event, Fault, Outcome, Tool, ToolResult};
    ///
    /// let sum = Tool::new("sum").output_schema(json!({"type": "integer"}));
    /// # let server = Server::builder("calculator", "1.0.0").tool(sum).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "sum"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "sum", "arguments": {}, "_meta": {
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("the message passes every stage");
    /// # };
    ///
    /// // `call` is a call of this tool, and its handler answers with text alone.
    /// let reply = call.finish(Outcome::Tool(ToolResult::text("42")), Duration::ZERO);
    /// assert!(String::from_utf8_lossy(&reply.body).contains(r#""code":-32603"#));
    /// assert!(matches!(&reply.events[0], Event::ToolFaulted { fault: Fault::OutputSchema(_), .. }));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(sorted(schema));
        self
    }

    /// Hints about the tool's behavior.
    #[must_use]
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Makes the tool dispatch actions: its arguments are `{action, data}`, and its input schema is made from them.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// # use wymcp_core::{Decision, Head, Server, Turn};
    /// use wymcp_core::{Action, Tool};
    ///
    /// let find = Action::new("find", "Finds orders").property("customer", json!({"type": "string"}));
    /// let orders = Tool::new("orders").actions([find, Action::new("count", "Counts the orders")]);
    /// # let server = Server::builder("shop", "1.0.0").tool(orders).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "orders"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "orders", "arguments": {"action": "find", "data": {"customer": "Ada"}}, "_meta": {
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("the message passes every stage");
    /// # };
    ///
    /// // `call` is a call with `{"action": "find", "data": {"customer": "Ada"}}`.
    /// assert_eq!(call.action().map(|action| &**action), Some("find"));
    /// assert_eq!(call.arguments().to_value(), json!({"customer": "Ada"}));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn actions(mut self, actions: impl IntoIterator<Item = Action>) -> Self {
        self.actions.get_or_insert_default().extend(actions);
        self
    }
}

/// Hints about a tool's behavior. A client must not trust them from a server that it does not trust.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::ToolAnnotations;
///
/// let delete = ToolAnnotations::default().title("Delete a file").destructive(true).idempotent(true).open_world(false);
/// assert_eq!(
///     serde_json::to_value(&delete).unwrap(),
///     json!({"title": "Delete a file", "destructiveHint": true, "idempotentHint": true, "openWorldHint": false}),
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// What a human is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the tool leaves its environment as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// Whether the tool may destroy something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Whether a second call with the same arguments changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// Whether the tool reaches beyond a closed world: the web, say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// Sets what a human is shown.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says whether the tool leaves its environment as it is.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> Self {
        self.read_only_hint = Some(hint);
        self
    }

    /// Says whether the tool may destroy something.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> Self {
        self.destructive_hint = Some(hint);
        self
    }

    /// Says whether a second call with the same arguments changes nothing more.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.idempotent_hint = Some(hint);
        self
    }

    /// Says whether the tool reaches beyond a closed world.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> Self {
        self.open_world_hint = Some(hint);
        self
    }
}

/// A tool whose definition was checked.
#[derive(Debug)]
pub(crate) struct CompiledTool {
    pub(crate) name: Arc<str>,
    pub(crate) definition: Tool,
    /// The definition as `tools/list` sends it.
    pub(crate) rendered: Box<RawValue>,
    pub(crate) input: Schema,
    pub(crate) output: Option<Schema>,
    pub(crate) header_params: Vec<HeaderParam>,
    pub(crate) actions: Option<ActionSet>,
    /// Whether refused arguments are told that the help tool explains.
    pub(crate) explained: bool,
}

/// The most characters of a tool's name.
const NAME_CHARS: usize = 128;

impl CompiledTool {
    pub(crate) fn compile(mut definition: Tool, explained: bool) -> Result<Self, ConfigError> {
        let fault = |field: &str, fault: &str| fault_of(&definition.name, field, fault);
        let named = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
        if !(1..=NAME_CHARS).contains(&definition.name.len()) || !definition.name.chars().all(named)
        {
            return Err(fault(
                "name",
                "is not 1 to 128 characters of A-Z, a-z, 0-9, _, - and .; write those only, such as add_up",
            ));
        }
        definition
            .check_described()
            .map_err(|(field, it)| fault(&field, &it))?;
        let actions = definition
            .actions
            .as_ref()
            .map(|actions| ActionSet::compile(&definition.name, actions))
            .transpose()?;
        if let Some(actions) = &actions {
            definition.input_schema = actions.input_schema();
        }
        if definition.input_schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(fault_of(
                &definition.name,
                "input_schema",
                r#"is no schema of an object. Arguments are an object: write "type": "object", or let a struct or a map be the type of the arguments, and NoArguments for none"#,
            ));
        }
        let compile = |field: &str, schema: &Value| {
            Schema::compile(schema).map_err(|fault| at(&definition.name, field, &fault))
        };
        let input = compile("input_schema", &definition.input_schema)?;
        let output = definition
            .output_schema
            .as_ref()
            .map(|schema| compile("output_schema", schema))
            .transpose()?;
        let header_params = header_params(&definition.input_schema)
            .map_err(|fault| at(&definition.name, "input_schema", &fault))?;
        let rendered = rendered(&definition)
            .map_err(|fault| fault_of(&definition.name, "definition", &fault))?;
        Ok(Self {
            name: definition.name.as_str().into(),
            rendered,
            definition,
            input,
            output,
            header_params,
            actions,
            explained,
        })
    }

    /// How the help tool explains this tool, or one of its actions, if it does.
    pub(crate) fn help_with(&self, action: Option<&str>) -> Option<String> {
        self.explained.then(|| words::help_with(&self.name, action))
    }

    /// What the driver attached.
    pub(crate) fn data(&self) -> &Attached {
        &self.definition.data
    }

    pub(super) fn taken(&self) -> ConfigError {
        self.fault(
            "name",
            "is taken by an earlier tool; give each tool a name of its own",
        )
    }

    /// A fault of this tool's definition.
    pub(crate) fn fault(&self, field: &str, fault: &str) -> ConfigError {
        fault_of(&self.name, field, fault)
    }
}

impl Item for CompiledTool {
    fn key(&self) -> &Arc<str> {
        &self.name
    }

    fn rendered(&self) -> &RawValue {
        &self.rendered
    }
}

fn fault_of(tool: &str, field: &str, fault: &str) -> ConfigError {
    ConfigError::Tool {
        tool: tool.to_owned(),
        field: field.to_owned(),
        fault: fault.to_owned(),
    }
}

fn at(tool: &str, field: &str, fault: &SchemaFault) -> ConfigError {
    fault_of(tool, &format!("{field}{}", fault.path), &fault.fault)
}
