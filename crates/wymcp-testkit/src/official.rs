//! The judge of answers: the official schema of revision 2026-07-28, which is no part of this repository.
//!
//! The environment variable `MCP_SCHEMA_DIR` names a folder that holds `2026-07-28/schema.json`. Without it nothing is
//! judged, and each run of tests says so once.
//!
//! Which definition is due is read out of the schema too. This file stands alone: the tests of the crates that the
//! testkit depends on compile it by its path.

use std::{
    env, fs,
    io::{self, Write as _},
    path::Path,
    sync::OnceLock,
};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

/// Holds one message of an answer against the definitions that are due: of the result of the request's method, of an
/// error and its code, of a notification. A body that is no request of the revision can be answered by an error alone.
///
/// # Errors
///
/// The method, the definition with the path inside it, and what is violated there.
pub(crate) fn judge(request: &[u8], message: &Value) -> Result<(), String> {
    static OFFICIAL: OnceLock<Option<Official>> = OnceLock::new();
    let Some(official) = OFFICIAL.get_or_init(Official::load) else {
        return Ok(());
    };
    let method = method(request);
    official.judge(method.as_deref(), message).map_err(|fault| {
        let asked = method.as_deref().unwrap_or("no request");
        format!("not valid by the official schema, in answer to {asked}: {fault}")
    })
}

/// The method, if a body is a request.
fn method(request: &[u8]) -> Option<String> {
    let text = request.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(request);
    let message: Value = serde_json::from_slice(text).ok()?;
    let id = message.get("id")?;
    let is_request = id.is_string() || id.is_number();
    let method = message.get("method")?.as_str()?;
    is_request.then(|| method.to_owned())
}

struct Official {
    schema: Value,
    /// One for all definitions: a value stands under the name of the one that it is held against.
    validator: Validator,
}

impl Official {
    fn load() -> Option<Self> {
        let Some(folder) = env::var_os("MCP_SCHEMA_DIR") else {
            // Past the test harness, which shows no output of a test that passes.
            let _ = writeln!(
                io::stderr(),
                "NOT JUDGED by the official schema: MCP_SCHEMA_DIR does not name its folder"
            );
            return None;
        };
        let path = Path::new(&folder).join("2026-07-28/schema.json");
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {}: {fault}", path.display()));
        let schema = serde_json::from_str(&text)
            .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {}: {fault}", path.display()));
        Some(Self::new(schema))
    }

    fn new(schema: Value) -> Self {
        let mut root = schema.clone();
        let names = schema["$defs"].as_object().into_iter().flatten();
        root["properties"] = names
            .map(|(name, _)| (name.clone(), json!({"$ref": format!("#/$defs/{name}")})))
            .collect();
        root["additionalProperties"] = false.into();
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .build(&root)
            .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {fault}"));
        Self { schema, validator }
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

    fn judge_error(&self, error: &Value, message: &Value) -> Result<(), String> {
        let mut message = message.clone();
        // JSON-RPC asks for null where no id is known; the schema knows only an absent one.
        if let Value::Object(members) = &mut message
            && members.get("id") == Some(&Value::Null)
        {
            members.remove("id");
        }
        self.hold("JSONRPCErrorResponse", &message)?;
        // Some definitions of a code are of the error alone, some are of the whole message.
        let code = error.get("code");
        for (name, definition) in self.schema["$defs"].as_object().into_iter().flatten() {
            if definition.pointer("/properties/code/const") == code {
                self.hold(name, error)?;
            }
            if definition.pointer("/properties/error/allOf/1/properties/code/const") == code {
                self.hold(name, &message)?;
            }
        }
        Ok(())
    }

    /// The definition with this method, of those that a definition unites.
    fn of_method(&self, union: &str, method: &str) -> Option<&str> {
        let mut united = references(&self.schema["$defs"][union]);
        united.find(|name| self.schema["$defs"][name]["properties"]["method"]["const"] == method)
    }

    /// Whether in the place of this result the client may be asked.
    fn may_ask(&self, result: &str) -> bool {
        let response = &self.schema["$defs"][format!("{result}Response")];
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
    united.filter_map(|one| one["$ref"].as_str()?.strip_prefix("#/$defs/"))
}
