//! The actions of one tool, checked and compiled.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    action::Action, action_rules::check_members, header_params::header_params, schema::Schema,
};
use crate::{
    config::ConfigError,
    text::{Json, sorted},
    untrusted::is_line,
};

/// The actions of one tool.
#[derive(Debug)]
pub(crate) struct ActionSet {
    pub(super) tool: String,
    /// In the order of their names.
    pub(super) actions: Vec<Compiled>,
}

/// An action with the schema of its properties.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) action: Action,
    /// Checks the values of the properties and nothing else.
    pub(super) values: Schema,
    pub(super) defaults: Vec<(String, Json<'static>)>,
}

impl ActionSet {
    /// Checks and compiles the actions of a tool.
    ///
    /// # Errors
    ///
    /// The first fault of a definition, with the action and the field that have it.
    pub(crate) fn compile(tool: &str, actions: &[Action]) -> Result<Self, ConfigError> {
        if actions.is_empty() {
            return Err(ConfigError::Tool {
                tool: tool.to_owned(),
                field: "actions".to_owned(),
                fault: "has no action; add one, or register a plain tool".to_owned(),
            });
        }
        let mut names = BTreeSet::new();
        let mut compiled = Vec::with_capacity(actions.len());
        for action in actions {
            let fault = |(field, fault): (String, String)| ConfigError::Action {
                tool: tool.to_owned(),
                action: action.name.clone(),
                field,
                fault,
            };
            if !names.insert(&*action.name) {
                let repeated = "is the name of two actions; rename one";
                return Err(fault(("name".to_owned(), repeated.to_owned())));
            }
            compiled.push(compile(action, actions).map_err(fault)?);
        }
        compiled.sort_by(|a, b| a.action.name.cmp(&b.action.name));
        Ok(Self {
            tool: tool.to_owned(),
            actions: compiled,
        })
    }

    /// The tool's input schema.
    pub(crate) fn input_schema(&self) -> Value {
        let summaries: Vec<String> = self
            .summaries()
            .map(|(name, description)| format!("{name}: {description}"))
            .collect();
        let names: Vec<&str> = self.names().collect();
        sorted(json!({
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": names, "description": summaries.join("\n")},
                "data": {"type": "object"},
            },
            "required": ["action"],
            "additionalProperties": false,
        }))
    }

    /// Each action with its description, for `help`.
    pub(crate) fn summaries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.actions
            .iter()
            .map(|compiled| (&*compiled.action.name, &*compiled.action.description))
    }

    /// Everything about one action, for `help`.
    pub(crate) fn describe(&self, name: &str) -> Option<Value> {
        self.find(name).map(|compiled| compiled.action.complete())
    }

    /// The names of the actions, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().map(|compiled| &*compiled.action.name)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Compiled> {
        let index = self
            .actions
            .binary_search_by(|compiled| (*compiled.action.name).cmp(name))
            .ok()?;
        self.actions.get(index)
    }
}

/// The field that is at fault, and the fault.
type FieldFault = (String, String);

fn compile(action: &Action, all: &[Action]) -> Result<Compiled, FieldFault> {
    check_texts(action)?;
    if let Some(path) = action.unchecked.first() {
        let fault = "is more than an action checks; name each member in properties and required, or give the data a \
                     tool of its own";
        return Err((format!("schema{path}"), fault.to_owned()));
    }
    check_names(action, all)?;
    let schema = action.values_schema();
    let values = Schema::compile(&schema).map_err(|fault| {
        let path = fault.path.strip_prefix("/").unwrap_or(&fault.path);
        let field = if path.is_empty() { "properties" } else { path };
        (field.to_owned(), fault.fault)
    })?;
    let mirrored = header_params(&schema);
    if !mirrored.is_ok_and(|mirrored| mirrored.is_empty()) {
        let fault = "has an x-mcp-header, which an action cannot mirror; give the argument to a tool of its own";
        return Err(("properties".to_owned(), fault.to_owned()));
    }
    for (name, value) in &action.defaults {
        let data = json!({name: value});
        if let Some(violation) = values.violations(&Json::from(&data), 1).first() {
            return Err((
                format!("defaults{}", violation.instance_location),
                format!("breaks its own schema: it {}", violation.message),
            ));
        }
    }
    let compiled = Compiled {
        action: action.clone(),
        values,
        defaults: action
            .defaults
            .iter()
            .map(|(name, value)| (name.clone(), Json::from(value).into_owned()))
            .collect(),
    };
    for (position, example) in action.examples.iter().enumerate() {
        let field = || format!("examples/{position}");
        let json = Json::from(example);
        let Some(data) = json.as_object() else {
            return Err((field(), "is no object; write one, as in data".to_owned()));
        };
        check_members(action, data).map_err(|error| (field(), error.message))?;
        if let Some(violation) = compiled.values.violations(&json, 1).first() {
            return Err((
                format!("{}{}", field(), violation.instance_location),
                format!("breaks its own schema: it {}", violation.message),
            ));
        }
    }
    Ok(compiled)
}

fn check_texts(action: &Action) -> Result<(), FieldFault> {
    for (field, text) in [("name", &action.name), ("description", &action.description)] {
        if is_line(text) {
            continue;
        }
        let fault = if text.contains(['\n', '\r']) {
            "contains a newline; write one line, since the tool's schema lists one action a line"
        } else {
            "is not one line of text; write one"
        };
        return Err((field.to_owned(), fault.to_owned()));
    }
    Ok(())
}

fn check_names(action: &Action, all: &[Action]) -> Result<(), FieldFault> {
    known(action, "required", &action.required)?;
    for (position, group) in action.required_one_of.iter().enumerate() {
        let field = format!("required_one_of/{position}");
        if group.is_empty() {
            let fault = "is empty, and so always complete; name a property or remove it";
            return Err((field, fault.to_owned()));
        }
        known(action, &field, group)?;
    }
    for name in action.defaults.keys() {
        let field = || format!("defaults/{name}");
        if !action.properties.contains_key(name) {
            return Err((
                field(),
                "names no property; declare it or remove the default".to_owned(),
            ));
        }
        if action.required.contains(name) {
            let fault = "is never used, since the property is required; remove one of the two";
            return Err((field(), fault.to_owned()));
        }
    }
    let mut seen = BTreeSet::new();
    for name in &action.related {
        let fault = if *name == action.name {
            "is the action itself; remove it"
        } else if !all.iter().any(|other| other.name == *name) {
            "names no action of this tool; correct it or remove it"
        } else if !seen.insert(name) {
            "is named twice; remove one"
        } else {
            continue;
        };
        return Err(("related".to_owned(), format!("{name:?} {fault}")));
    }
    Ok(())
}

/// Checks that names are properties of the action, each named once.
fn known(action: &Action, field: &str, names: &[String]) -> Result<(), FieldFault> {
    let mut seen = BTreeSet::new();
    for name in names {
        let fault = if !action.properties.contains_key(name) {
            "names no property; declare it or remove the name"
        } else if !seen.insert(name) {
            "is named twice; remove one"
        } else {
            continue;
        };
        return Err((field.to_owned(), format!("{name:?} {fault}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find() -> Action {
        Action::new("find", "Finds orders")
            .property("customer", json!({"type": "string"}))
            .property("limit", json!({"type": "integer"}))
    }

    fn faulty_field(action: Action) -> String {
        let other = Action::new("other", "Is another");
        match ActionSet::compile("orders", &[other, action]) {
            Err(ConfigError::Action { tool, field, .. }) => {
                assert_eq!(tool, "orders");
                field
            }
            outcome => panic!("{outcome:?}"),
        }
    }

    #[test]
    fn each_fault_of_a_definition_names_its_field() {
        for (action, field) in [
            (Action::new("", "x"), "name"),
            (Action::new("a\nb", "x"), "name"),
            (Action::new("other", "x"), "name"),
            (Action::new("a", " "), "description"),
            (Action::new("a", "x\r\ny"), "description"),
            (find().required(["absent"]), "required"),
            (find().required(["limit", "limit"]), "required"),
            (
                find().required_one_of([["limit"], ["absent"]]),
                "required_one_of/1",
            ),
            (find().required_one_of([[""; 0]]), "required_one_of/0"),
            (find().default("absent", json!(1)), "defaults/absent"),
            (
                find().required(["limit"]).default("limit", json!(1)),
                "defaults/limit",
            ),
            (find().related("absent"), "related"),
            (find().related("find"), "related"),
            (find().related("other").related("other"), "related"),
            (find().property("bad", json!(1)), "properties/bad"),
            (
                find().property("bad", json!({"$ref": "http://127.0.0.1:9/"})),
                "properties/bad/$ref",
            ),
            (find().schema(&json!(false)), "schema"),
            (find().schema(&json!({"required": [1]})), "schema/required"),
            (find().schema(&json!({"$defs": []})), "schema/$defs"),
            (find().example(json!([])), "examples/0"),
            (
                find().example(json!({})).example(json!({"absent": 1})),
                "examples/1",
            ),
            (find().required(["limit"]).example(json!({})), "examples/0"),
        ] {
            assert_eq!(faulty_field(action.clone()), field, "{action:?}");
        }
        assert!(matches!(
            ActionSet::compile("orders", &[]),
            Err(ConfigError::Tool { .. })
        ));
    }

    #[cfg(feature = "json-schema")]
    #[test]
    fn a_default_or_an_example_that_breaks_its_schema_is_a_fault() {
        assert_eq!(
            faulty_field(find().default("limit", json!("ten"))),
            "defaults/limit"
        );
        assert_eq!(
            faulty_field(find().example(json!({"limit": 1.5}))),
            "examples/0/limit"
        );
        assert_eq!(
            faulty_field(find().property("bad", json!({"type": "float"}))),
            "properties/bad/type"
        );
    }

    #[cfg(feature = "json-schema")]
    #[test]
    fn properties_refer_to_definitions_of_the_whole() {
        let schema = json!({
            "properties": {"from": {"$ref": "#/$defs/place"}},
            "$defs": {"place": {"type": "string"}},
        });
        let travel = Action::new("travel", "Travels").schema(&schema);
        let set = ActionSet::compile("journeys", &[travel]).unwrap();
        let explained = set.describe("travel").unwrap();
        assert_eq!(explained["input_schema"]["$defs"], schema["$defs"]);
        let data = json!({"from": 1});
        let values = &set.find("travel").unwrap().values;
        assert_eq!(values.violations(&Json::from(&data), 9).len(), 1);
    }

    #[test]
    fn the_input_schema_lists_the_actions_sorted() {
        let set =
            ActionSet::compile("orders", &[find(), Action::new("cancel", "Cancels: one")]).unwrap();
        let schema = set.input_schema();
        let action = &schema["properties"]["action"];
        assert_eq!(action["enum"], json!(["cancel", "find"]));
        assert_eq!(
            action["description"],
            "cancel: Cancels: one\nfind: Finds orders"
        );
        assert_eq!(schema["properties"]["data"]["type"], "object");
        assert!(Schema::compile(&schema).is_ok());
    }

    #[test]
    fn help_reads_an_action_complete_and_without_what_it_lacks() {
        let action = find()
            .required_one_of([["customer"]])
            .default("limit", json!(1))
            .note("Slow")
            .example(json!({"customer": "Ada"}));
        let set = ActionSet::compile("orders", &[action]).unwrap();
        let described = set.describe("find").unwrap();
        let members: Vec<&String> = described.as_object().unwrap().keys().collect();
        assert_eq!(
            members,
            [
                "action",
                "defaults",
                "description",
                "examples",
                "input_schema",
                "notes",
                "required_one_of"
            ]
        );
        assert_eq!(
            described["input_schema"]["anyOf"],
            json!([{"required": ["customer"]}])
        );
        assert_eq!(set.describe("absent"), None);
        assert_eq!(
            set.summaries().collect::<Vec<_>>(),
            [("find", "Finds orders")]
        );
    }
}
