//! The judge of answers: the official schemas of the revisions, which are no part of this repository.
//!
//! The environment variable `MCP_SCHEMA_DIR` names a folder that holds `2026-07-28/schema.json`, and those of the older
//! revisions beside it. Without it nothing is judged, and each run of tests says so once.
//!
//! Which definition is due is read out of the schema too. The revisions with sessions are judged more strictly than
//! their schemas ask, which leave every object open: what a definition does not declare is not to be there. This file
//! stands alone: the tests of the crates that the testkit depends on compile it by its path.

use std::{
    env, fs,
    io::{self, Write as _},
    path::Path,
    slice,
    sync::{Once, OnceLock},
};

use jsonschema::Validator;
use serde_json::{Value, json};

/// The variable of the environment that names the folder.
pub(crate) const FOLDER: &str = "MCP_SCHEMA_DIR";

/// The newest first.
const REVISIONS: [&str; 4] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

/// Holds one message of an answer against the definitions of the newest revision that are due: of the result of the
/// request's method, of an error and its code, of a notification. A body that is no request of the revision can be
/// answered by an error alone.
///
/// # Errors
///
/// The method, the definition with the path inside it, and what is violated there.
pub(crate) fn judge(request: &[u8], message: &Value) -> Result<(), String> {
    judge_by(REVISIONS[0], request, message)
}

/// The same by the schema of any revision. What comes without a request is what came without a body: by a stream that a
/// client opened.
///
/// A client of a revision with sessions may be asked something on the way. A batch is answered by a batch, of the
/// revision that has them, or by an error.
pub(crate) fn judge_by(revision: &str, request: &[u8], message: &Value) -> Result<(), String> {
    let Some(official) = Official::of(revision) else {
        return Ok(());
    };
    let body = read(request);
    let due = if official.has_sessions() {
        official.judge_of_session(request.is_empty(), &body, message)
    } else {
        official.judge(method(&body), message)
    };
    due.map_err(|fault| {
        let asked = method(&body).unwrap_or("no request");
        format!("not valid by the official schema, in answer to {asked}: {fault}")
    })
}

/// A body as JSON; null if it is none.
fn read(body: &[u8]) -> Value {
    let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    serde_json::from_slice(text).unwrap_or_default()
}

/// The method, if a body is a request.
fn method(body: &Value) -> Option<&str> {
    let id = body.get("id")?;
    let is_request = id.is_string() || id.is_number();
    let method = body.get("method")?.as_str()?;
    is_request.then_some(method)
}

struct Official {
    revision: &'static str,
    /// By their names.
    definitions: Value,
    /// One for all definitions: a value stands under the name of the one that it is held against.
    validator: Validator,
}

impl Official {
    fn of(revision: &str) -> Option<&'static Self> {
        static OFFICIAL: [OnceLock<Option<Official>>; REVISIONS.len()] =
            [const { OnceLock::new() }; REVISIONS.len()];
        let mut known = REVISIONS.into_iter().zip(&OFFICIAL);
        let found = known.find(|(name, _)| *name == revision);
        let (revision, kept) = found.unwrap_or_else(|| panic!("{revision:?} is no revision"));
        kept.get_or_init(|| Self::load(revision)).as_ref()
    }

    fn load(revision: &'static str) -> Option<Self> {
        static SAID: Once = Once::new();
        let Some(folder) = env::var_os(FOLDER) else {
            SAID.call_once(|| {
                // Past the test harness, which shows no output of a test that passes.
                let _ = writeln!(
                    io::stderr(),
                    "NOT JUDGED by the official schema: MCP_SCHEMA_DIR does not name its folder"
                );
            });
            return None;
        };
        let path = Path::new(&folder).join(format!("{revision}/schema.json"));
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {}: {fault}", path.display()));
        let schema = serde_json::from_str(&text)
            .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {}: {fault}", path.display()));
        Some(Self::new(revision, schema))
    }

    fn new(revision: &'static str, mut root: Value) -> Self {
        let folder = ["$defs", "definitions"]
            .into_iter()
            .find(|folder| root.get(folder).is_some());
        let folder = folder.unwrap_or_else(|| panic!("MCP_SCHEMA_DIR: no definitions"));
        if revision != REVISIONS[0] {
            close_all(&mut root[folder]);
        }
        let definitions = root[folder].clone();
        let names = definitions.as_object().into_iter().flatten();
        root["properties"] = names
            .map(|(name, _)| (name.clone(), json!({"$ref": format!("#/{folder}/{name}")})))
            .collect();
        root["additionalProperties"] = false.into();
        // The draft is the one that the schema names.
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&root)
            .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {fault}"));
        Self {
            revision,
            definitions,
            validator,
        }
    }

    fn has_sessions(&self) -> bool {
        self.revision != REVISIONS[0]
    }

    fn judge(&self, method: Option<&str>, message: &Value) -> Result<(), String> {
        if let Some(error) = message.get("error") {
            return self.judge_error(error, message);
        }
        let request = method.and_then(|method| self.of_method("ClientRequest", method));
        let request = request.ok_or("only an error can be due")?;
        if let Some(said) = message.get("method") {
            let notification = said
                .as_str()
                .and_then(|said| self.of_method("ServerNotification", said))
                .filter(|_| message.get("id").is_none());
            let notification = notification.ok_or(format!("{said} is no notification"))?;
            return self.hold(notification, message);
        }
        self.hold("JSONRPCResultResponse", message)?;
        let result = &message["result"];
        let complete = request.replace("Request", "Result");
        match result["resultType"].as_str() {
            // The definitions of these two leave open what the type is, so that any result would be a question.
            Some("input_required") if self.may_ask(&complete) => {
                self.hold("InputRequiredResult", result)
            }
            Some("complete") | None => self.hold(&complete, result),
            Some(other) => Err(format!("{complete}: no result is {other:?} here")),
        }
    }

    fn judge_of_session(
        &self,
        is_opened: bool,
        body: &Value,
        message: &Value,
    ) -> Result<(), String> {
        let batches = "JSONRPCBatchResponse";
        match (body, message) {
            (Value::Array(requests), Value::Array(responses)) if self.knows(batches) => {
                let responses: Vec<Value> = responses.iter().map(with_an_id).collect();
                self.hold(batches, &json!(responses))?;
                if responses.is_empty() {
                    return Err(format!("{batches}: there is nothing in it"));
                }
                let mut answered: Vec<&Value> = Vec::new();
                for response in &responses {
                    let id = &response["id"];
                    let is_result = response.get("result").is_some();
                    if is_result && answered.contains(&id) {
                        return Err(format!("{batches}: {id} is answered twice"));
                    }
                    answered.extend(is_result.then_some(id));
                    self.judge_response(requests, response)?;
                }
                Ok(())
            }
            (_, Value::Array(_)) => Err("no batch is due".to_owned()),
            _ if message.get("error").is_some() => self.judge_error(&message["error"], message),
            _ if message.get("method").is_some() => {
                let asked = method(body).and_then(|asked| self.of_method("ClientRequest", asked));
                if asked.is_none() && !is_opened {
                    return Err("only an error can be due".to_owned());
                }
                self.judge_said(message)
            }
            _ => self.judge_response(slice::from_ref(body), message),
        }
    }

    /// A result, or an error, of one of these requests.
    fn judge_response(&self, requests: &[Value], message: &Value) -> Result<(), String> {
        if let Some(error) = message.get("error") {
            return self.judge_error(error, message);
        }
        let of_id = |request: &&Value| is_same(&request["id"], &message["id"]);
        let request = requests.iter().find(of_id).and_then(method);
        let request = request.and_then(|method| self.of_method("ClientRequest", method));
        let request = request.ok_or("only an error can be due")?;
        self.hold(
            self.either("JSONRPCResultResponse", "JSONRPCResponse"),
            message,
        )?;
        let result = &message["result"];
        let complete = request.replace("Request", "Result");
        self.hold(self.either(&complete, "EmptyResult"), result)?;
        if request == "InitializeRequest" && result["protocolVersion"] != self.revision {
            return Err(format!("{complete}: it is of another revision"));
        }
        check_keys(&result["_meta"])
    }

    /// A notification, or a question.
    fn judge_said(&self, message: &Value) -> Result<(), String> {
        let said = message["method"].as_str().unwrap_or_default();
        let (envelope, union) = match message.get("id") {
            Some(_) => ("JSONRPCRequest", "ServerRequest"),
            None => ("JSONRPCNotification", "ServerNotification"),
        };
        let definition = self.of_method(union, said);
        let definition = definition.ok_or(format!("{said:?} is no {union}"))?;
        self.hold(envelope, message)?;
        self.hold(definition, message)?;
        check_keys(&message["params"]["_meta"])
    }

    fn judge_error(&self, error: &Value, message: &Value) -> Result<(), String> {
        let envelope = self.either("JSONRPCErrorResponse", "JSONRPCError");
        let is_identified = self.definitions[envelope]["required"]
            .as_array()
            .is_some_and(|required| required.contains(&"id".into()));
        // JSON-RPC asks for null where no id is known; the schemas know only an absent one, or none.
        let message = if is_identified {
            with_an_id(message)
        } else {
            without_null(message)
        };
        self.hold(envelope, &message)?;
        // Some definitions of a code are of the error alone, some are of the whole message.
        let code = error.get("code");
        for (name, definition) in self.definitions.as_object().into_iter().flatten() {
            if definition.pointer("/properties/code/const") == code {
                self.hold(name, error)?;
            }
            if definition.pointer("/properties/error/allOf/1/properties/code/const") == code {
                self.hold(name, &message)?;
            }
        }
        Ok(())
    }

    fn knows(&self, definition: &str) -> bool {
        self.definitions.get(definition).is_some()
    }

    /// The first definition, or the other one where the revision has no such.
    fn either<'n>(&self, definition: &'n str, other: &'n str) -> &'n str {
        if self.knows(definition) {
            definition
        } else {
            other
        }
    }

    /// The definition with this method, of those that a definition unites.
    fn of_method(&self, union: &str, method: &str) -> Option<&str> {
        let mut united = references(&self.definitions[union]);
        united.find(|name| self.definitions[name]["properties"]["method"]["const"] == method)
    }

    /// Whether in the place of this result the client may be asked.
    fn may_ask(&self, result: &str) -> bool {
        let response = &self.definitions[format!("{result}Response")];
        references(&response["properties"]["result"]).any(|name| name == "InputRequiredResult")
    }

    fn hold(&self, definition: &str, value: &Value) -> Result<(), String> {
        let value = json!({definition: value});
        self.validator
            .validate(&value)
            .map_err(|violation| format!("{}: {violation}", violation.instance_path()))
    }
}

/// The names of the definitions that a schema unites.
fn references(schema: &Value) -> impl Iterator<Item = &str> {
    let united = schema["anyOf"].as_array().into_iter().flatten();
    united.filter_map(|one| Some(one["$ref"].as_str()?.rsplit_once('/')?.1))
}

/// Whether two ids are one, however a number is spelled.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.is_number() && one.as_f64() == other.as_f64()
}

fn with_an_id(message: &Value) -> Value {
    let mut message = message.clone();
    if message["id"].is_null() && message.get("id").is_some() {
        message["id"] = 0.into();
    }
    message
}

fn without_null(message: &Value) -> Value {
    let mut message = message.clone();
    if let Value::Object(members) = &mut message
        && members.get("id") == Some(&Value::Null)
    {
        members.remove("id");
    }
    message
}

/// Of the protocol's own keys these revisions have one, for tasks.
fn check_keys(meta: &Value) -> Result<(), String> {
    let mut keys = meta.as_object().into_iter().flat_map(|meta| meta.keys());
    let unknown = keys.find(|key| key.starts_with("io.modelcontextprotocol/"));
    unknown.map_or(Ok(()), |key| Err(format!("_meta: {key} is not known")))
}

/// Lets definitions admit nothing that they do not declare.
fn close_all(definitions: &mut Value) {
    for (name, definition) in definitions.as_object_mut().into_iter().flatten() {
        // These leave out the members of the envelope.
        let is_message = name.ends_with("Request") || name.ends_with("Notification");
        close(definition, is_message);
    }
    let mut nothing = definitions["Result"].clone();
    nothing["additionalProperties"] = false.into();
    definitions["EmptyResult"] = nothing;
}

fn close(schema: &mut Value, is_open: bool) {
    // What is the application's own.
    let own = [
        "_meta",
        "inputSchema",
        "outputSchema",
        "structuredContent",
        "metadata",
    ];
    if let Some(items) = schema.get_mut("items") {
        close(items, false);
    }
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for (name, inner) in properties {
        if own.contains(&name.as_str()) {
            continue;
        }
        close(inner, false);
        if name == "params" && inner.get("properties").is_some() {
            // Declared where all messages are.
            let meta = &mut inner["properties"]["_meta"];
            if meta.is_null() {
                *meta = json!({"type": "object"});
            }
        }
    }
    if !is_open && schema.get("additionalProperties").is_none() {
        schema["additionalProperties"] = false.into();
    }
}
