//! The actions of a tool that dispatches on a name, as an application declares them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::text::sorted;

/// One action of an action-dispatched tool: what a call `{"action": name, "data": {...}}` may say.
///
/// Everything here reaches the wire character for character. A fault of the definition, such as a default that breaks
/// its own schema, is a [`ConfigError`](crate::ConfigError) when the server is built.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Action, Server, Tool};
///
/// let find = Action::new("find", "Finds orders")
///     .property("customer", json!({"type": "string"}))
///     .property("number", json!({"type": "integer"}))
///     .property("limit", json!({"type": "integer", "minimum": 1}))
///     .required_one_of([["customer"], ["number"]])
///     .default("limit", json!(10))
///     .related("cancel")
///     .example(json!({"customer": "Ada"}));
/// let cancel = Action::new("cancel", "Cancels an order")
///     .property("number", json!({"type": "integer"}))
///     .required(["number"]);
/// assert_eq!(find.name(), "find");
/// let orders = Tool::new("orders").actions([find, cancel]);
/// assert!(Server::builder("shop", "1.0.0").tool(orders).build().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) properties: Map<String, Value>,
    pub(crate) required: Vec<String>,
    pub(crate) required_one_of: Vec<Vec<String>>,
    pub(crate) defaults: Map<String, Value>,
    pub(crate) notes: Vec<String>,
    pub(crate) related: Vec<String>,
    pub(crate) examples: Vec<Value>,
    /// What properties refer to.
    pub(crate) definitions: Map<String, Value>,
    /// Where a schema of the whole data says what an action cannot check, as paths.
    pub(crate) unchecked: Vec<String>,
}

impl Action {
    /// An action that takes no data. The name and the description are one line each: the tool's schema joins them, a
    /// line for each action.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            properties: Map::new(),
            required: Vec::new(),
            required_one_of: Vec::new(),
            defaults: Map::new(),
            notes: Vec::new(),
            related: Vec::new(),
            examples: Vec::new(),
            definitions: Map::new(),
            unchecked: Vec::new(),
        }
    }

    /// The action's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a property of `data`, with its JSON Schema. A reference in it starts at the whole: `#/properties/...`.
    #[must_use]
    pub fn property(mut self, name: impl Into<String>, schema: Value) -> Self {
        self.properties.insert(name.into(), schema);
        self
    }

    /// Adds several properties of `data`, each with its JSON Schema.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::{Map, json};
    /// use wymcp_core::Action;
    ///
    /// let names = ["number", "year"];
    /// let integers: Map<_, _> = names.map(|name| (name.to_owned(), json!({"type": "integer"}))).into_iter().collect();
    /// assert_eq!(
    ///     Action::new("find", "Finds orders").properties(integers),
    ///     Action::new("find", "Finds orders")
    ///         .property("number", json!({"type": "integer"}))
    ///         .property("year", json!({"type": "integer"})),
    /// );
    /// ```
    #[must_use]
    pub fn properties(mut self, properties: Map<String, Value>) -> Self {
        self.properties.extend(properties);
        self
    }

    /// Takes properties, required ones and `$defs` from a JSON Schema of the whole `data`. A schema that says more than
    /// that, such as `oneOf` or an `additionalProperties` other than `false`, is a fault when the server is built: the
    /// members of an action are all named.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Action, Server, Tool};
    ///
    /// let number = json!({"type": "integer"});
    /// let mut schema = json!({"type": "object", "properties": {"number": number}, "required": ["number"]});
    /// assert_eq!(
    ///     Action::new("cancel", "Cancels an order").schema(&schema),
    ///     Action::new("cancel", "Cancels an order").property("number", number).required(["number"]),
    /// );
    ///
    /// schema["minProperties"] = json!(1);
    /// let cancel = Action::new("cancel", "Cancels an order").schema(&schema);
    /// let fault = Server::builder("shop", "1.0.0").tool(Tool::new("orders").actions([cancel])).build().unwrap_err();
    /// assert!(fault.to_string().contains("schema/minProperties: is more than an action checks"));
    /// ```
    #[must_use]
    pub fn schema(mut self, schema: &Value) -> Self {
        let Value::Object(members) = schema else {
            self.unchecked.push(String::new());
            return self;
        };
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    self.properties.extend(properties.clone());
                }
                ("$defs", Value::Object(definitions)) => {
                    self.definitions.extend(definitions.clone());
                }
                ("required", Value::Array(names)) if names.iter().all(Value::is_string) => {
                    let names = names.iter().filter_map(Value::as_str);
                    self.required.extend(names.map(str::to_owned));
                }
                ("type", Value::String(name)) if name == "object" => {}
                ("additionalProperties", Value::Bool(false))
                | ("$schema" | "title" | "description" | "$comment" | "examples", _) => {}
                _ => self.unchecked.push(format!("/{keyword}")),
            }
        }
        self
    }

    /// The schema of the values in `data`.
    pub(crate) fn values_schema(&self) -> Value {
        let mut schema = json!({"properties": self.properties});
        self.define(&mut schema);
        sorted(schema)
    }

    fn define(&self, schema: &mut Value) {
        if let Some(members) = schema.as_object_mut()
            && !self.definitions.is_empty()
        {
            members.insert("$defs".to_owned(), json!(self.definitions));
        }
    }

    /// Adds properties that must be present and not null.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
    /// use wymcp_core::Action;
    ///
    /// let cancel = Action::new("cancel", "Cancels an order")
    ///     .property("number", json!({"type": "integer"}))
    ///     .required(["number"]);
    /// # let server = Server::builder("shop", "1.0.0").tool(Tool::new("orders").actions([cancel])).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "orders"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "orders", "arguments": {"action": "cancel", "data": {"number": null}}, "_meta": {
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Reply(reply) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("no handler runs");
    /// # };
    ///
    /// // `reply` answers a call with `{"action": "cancel", "data": {"number": null}}`.
    /// assert!(String::from_utf8_lossy(&reply.body).contains("data lacks number. Send every required field"));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn required<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.required.extend(names.into_iter().map(Into::into));
        self
    }

    /// Adds groups of properties; one group must be complete.
    #[must_use]
    pub fn required_one_of<N: Into<String>, G: IntoIterator<Item = N>>(
        mut self,
        groups: impl IntoIterator<Item = G>,
    ) -> Self {
        let groups = groups.into_iter();
        self.required_one_of
            .extend(groups.map(|group| group.into_iter().map(Into::into).collect()));
        self
    }

    /// The value of a property that a call leaves out. It is merged after the checks, so it cannot stand in for a
    /// required one.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Action, Server, Tool};
    ///
    /// let find = Action::new("find", "Finds orders")
    ///     .property("limit", json!({"type": "integer"}))
    ///     .required(["limit"])
    ///     .default("limit", json!(10));
    /// let fault = Server::builder("shop", "1.0.0").tool(Tool::new("orders").actions([find])).build().unwrap_err();
    /// assert!(fault.to_string().contains("defaults/limit: is never used, since the property is required"));
    /// ```
    #[must_use]
    pub fn default(mut self, name: impl Into<String>, value: Value) -> Self {
        self.defaults.insert(name.into(), value);
        // What is filled in comes in this order.
        self.defaults.sort_keys();
        self
    }

    /// Adds a note for whoever asks `help` about the action.
    ///
    /// # Examples
    ///
    /// ```
    /// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
    /// use wymcp_core::Action;
    ///
    /// let find = Action::new("find", "Finds orders").note("Orders of last year are in the archive.");
    /// # let server = Server::builder("shop", "1.0.0").tool(Tool::new("orders").actions([find])).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "help"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "help", "arguments": {"tool": "orders", "action": "find"}, "_meta": {
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Reply(reply) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("no handler runs");
    /// # };
    ///
    /// // `reply` answers a call of `help` with `{"tool": "orders", "action": "find"}`.
    /// assert!(String::from_utf8_lossy(&reply.body).contains("Orders of last year are in the archive."));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds another action of the same tool that is worth knowing together with this one.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Action, Server, Tool};
    ///
    /// let find = Action::new("find", "Finds orders").related("cancle");
    /// let cancel = Action::new("cancel", "Cancels an order");
    /// let orders = Tool::new("orders").actions([find, cancel]);
    /// let fault = Server::builder("shop", "1.0.0").tool(orders).build().unwrap_err();
    /// assert!(fault.to_string().contains(r#""cancle" names no action of this tool"#));
    /// ```
    #[must_use]
    pub fn related(mut self, name: impl Into<String>) -> Self {
        self.related.push(name.into());
        self
    }

    /// Adds an example of `data`; it must pass the action's own checks.
    #[must_use]
    pub fn example(mut self, data: Value) -> Self {
        self.examples.push(data);
        self
    }

    /// The schema of `data`: what the gate checks, for a model to read.
    pub(crate) fn data_schema(&self) -> Value {
        let mut schema = json!({
            "type": "object",
            "properties": self.properties,
            "additionalProperties": false,
        });
        if let Some(members) = schema.as_object_mut() {
            if !self.required.is_empty() {
                members.insert("required".to_owned(), json!(self.required));
            }
            if !self.required_one_of.is_empty() {
                let groups = self.required_one_of.iter();
                let groups: Vec<Value> = groups.map(|group| json!({"required": group})).collect();
                members.insert("anyOf".to_owned(), Value::Array(groups));
            }
        }
        self.define(&mut schema);
        sorted(schema)
    }

    /// Everything about the action, for `help`; what it does not have is absent.
    pub(crate) fn complete(&self) -> Value {
        let mut members = Map::new();
        members.insert("action".to_owned(), json!(self.name));
        members.insert("description".to_owned(), json!(self.description));
        members.insert("input_schema".to_owned(), self.data_schema());
        let lists = [
            ("required", json!(self.required)),
            ("required_one_of", json!(self.required_one_of)),
            ("defaults", json!(self.defaults)),
            ("notes", json!(self.notes)),
            ("related", json!(self.related)),
            ("examples", json!(self.examples)),
        ];
        for (name, value) in lists {
            if value != json!([]) && value != json!({}) {
                members.insert(name.to_owned(), value);
            }
        }
        sorted(Value::Object(members))
    }
}

/// A next step that a result offers: a call that is worth making now.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::Hint;
///
/// let hint = Hint::new("orders", "find", "Finds the order's number").example(json!({"customer": "Ada"}));
/// assert_eq!(
///     serde_json::to_string(&hint).unwrap(),
///     r#"{"tool":"orders","action":"find","description":"Finds the order's number","example":{"customer":"Ada"}}"#
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Hint {
    /// The tool to call.
    pub tool: String,
    /// The action to name.
    pub action: String,
    /// What the call would do.
    pub description: String,
    /// The `data` to send, for example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Value>,
}

impl Hint {
    /// A hint without an example.
    pub fn new(
        tool: impl Into<String>,
        action: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            tool: tool.into(),
            action: action.into(),
            description: description.into(),
            example: None,
        }
    }

    /// Adds an example of `data`.
    #[must_use]
    pub fn example(mut self, data: Value) -> Self {
        self.example = Some(data);
        self
    }
}
