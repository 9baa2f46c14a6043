//! Projected results and questions: laws that need nothing, and what the official schemas say.
//!
//! The schemas are asked where the environment variable `MCP_SCHEMA_DIR` names a folder that holds
//! `2025-03-26/schema.json` and its successors.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::{collections::BTreeSet, env, fs, path::Path};

use jsonschema::Validator;
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use serde_json::{Value, json};

use super::{
    LegacyVersion,
    definition::{Definition, Holds},
    known_questions, known_results,
    projection::{project_info, project_result},
    question::project_question,
};
use crate::text::{Json, to_bytes};

#[path = "../../tests/messages/questions.rs"]
mod questions;
#[path = "../../tests/messages/results.rs"]
mod results;
#[path = "../../tests/messages/values.rs"]
mod values;

const MESSAGES: usize = 1_000;

fn spelled(json: &Json<'_>) -> String {
    String::from_utf8(to_bytes(json)).unwrap()
}

proptest! {
    #[test]
    fn what_is_projected_once_is_projected_for_good((method, result) in results::result()) {
        for version in LegacyVersion::ALL {
            let once = project_result(*version, method, Json::from(&result));
            let twice = project_result(*version, method, once.clone());
            prop_assert_eq!(spelled(&once), spelled(&twice));
        }
    }

    #[test]
    fn the_way_to_a_revision_may_lead_over_a_newer_one((method, result) in results::result()) {
        for (position, version) in LegacyVersion::ALL.iter().enumerate() {
            let at_once = project_result(*version, method, Json::from(&result));
            let newer = &LegacyVersion::ALL[..position];
            let by_steps = newer.iter().fold(Json::from(&result), |result, version| {
                project_result(*version, method, result)
            });
            let by_steps = project_result(*version, method, by_steps);
            prop_assert_eq!(spelled(&at_once), spelled(&by_steps));
        }
    }

    #[test]
    fn the_newest_of_them_knows_what_is_listed_read_and_said((method, result) in results::result()) {
        let projected = project_result(LegacyVersion::NEWEST, method, Json::from(&result));
        let projected = projected.to_value();
        let whole = "resources resourceTemplates prompts contents description messages completion \
                     nextCursor isError instructions serverInfo";
        for member in whole.split_whitespace() {
            prop_assert_eq!(projected.get(member), result.get(member));
        }
        let items = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let blocks = items(&result, "content");
        prop_assert!(items(&projected, "content").starts_with(&blocks));
        // How a schema is spelled is told by other tests.
        let besides = |mut tool: Value| {
            tool["inputSchema"] = Value::Null;
            tool["outputSchema"] = Value::Null;
            tool
        };
        let tools = |value| items(value, "tools").into_iter().map(besides).collect::<Vec<_>>();
        prop_assert_eq!(tools(&projected), tools(&result));
    }

    #[test]
    fn nothing_stands_in_a_result_that_is_in_no_table((method, result) in results::result()) {
        for version in LegacyVersion::ALL {
            let projected = project_result(*version, method, Json::from(&result));
            let unknown = unknown(*version, known_results::result_of(method), &projected);
            prop_assert_eq!(unknown, None, "{} {}", version, spelled(&projected));
        }
    }

    #[test]
    fn nothing_stands_in_a_question_that_is_in_no_table((method, params) in questions::question()) {
        let is_form = params["mode"] == "form";
        for version in LegacyVersion::ALL {
            let projected = project_question(*version, method, Json::from(&params), "e-1");
            let definition = known_questions::params_of(method, is_form);
            let unknown = unknown(*version, definition, &projected);
            prop_assert_eq!(unknown, None, "{} {}", version, spelled(&projected));
        }
    }

    #[test]
    fn what_is_the_application_s_own_comes_through_or_not_at_all((method, result) in results::result()) {
        let mut sent = Vec::new();
        own(&Json::from(&result), &mut sent);
        for version in LegacyVersion::ALL {
            let projected = project_result(*version, method, Json::from(&result));
            let mut kept = Vec::new();
            own(&projected, &mut kept);
            let mut sent = sent.iter();
            for one in kept {
                prop_assert!(sent.any(|sent| *sent == one), "{}", one);
            }
        }
    }
}

/// The name of a member that no table has in its place.
fn unknown(version: LegacyVersion, definition: &Definition, value: &Json<'_>) -> Option<String> {
    let within = |definition: &Definition, value: &Json<'_>| match value {
        Json::Array(items) => items
            .iter()
            .find_map(|item| unknown(version, definition, item)),
        one => unknown(version, definition, one),
    };
    let block = |block: &Json<'_>| {
        let kind = block.as_object()?.get("type")?.as_str()?;
        match known_results::block(version, kind) {
            Some(definition) => unknown(version, definition, block),
            None => Some(kind.to_owned()),
        }
    };
    value.as_object()?.iter().find_map(|(name, value)| {
        let Some(holds) = definition.member(version, name) else {
            return Some(name.to_owned());
        };
        match holds {
            Holds::Anything => None,
            Holds::Object | Holds::ObjectSchema => value.as_object().is_none().then(|| name.into()),
            Holds::One(definition) | Holds::Each(definition) => within(definition, value),
            Holds::Messages => within(&known_questions::SAMPLING_MESSAGE, value),
            Holds::Form => within(&known_questions::REQUESTED_SCHEMA, value),
            Holds::Blocks => match value {
                Json::Array(blocks) => blocks.iter().find_map(block),
                one => block(one),
            },
            Holds::ResultMeta => {
                let meta = value.as_object()?;
                let says_who = meta.contains("io.modelcontextprotocol/serverInfo");
                (says_who || meta.is_empty()).then(|| name.into())
            }
            Holds::Fields => value.as_object()?.iter().find_map(|(_, field)| {
                let definition = known_questions::field(field.as_object()?);
                unknown(version, definition, field)
            }),
        }
    })
}

/// What is the application's own, as it is spelled, in the order of the text.
fn own(value: &Json<'_>, found: &mut Vec<String>) {
    if let Json::Array(items) = value {
        for item in items {
            own(item, found);
        }
    }
    for (name, value) in value.as_object().into_iter().flat_map(crate::Object::iter) {
        let members = value.as_object().into_iter().flat_map(crate::Object::iter);
        match name {
            "_meta" => {
                let members = members.filter(|(name, _)| !name.ends_with("/serverInfo"));
                found.extend(members.map(|(name, value)| format!("{name} {}", spelled(value))));
            }
            "structuredContent" if value.as_object().is_some() => found.push(spelled(value)),
            "structuredContent" => {}
            "inputSchema" | "outputSchema" => {
                let members = members.filter(|(name, _)| *name != "properties");
                found.extend(members.map(|(name, value)| format!("{name} {}", spelled(value))));
            }
            _ => own(value, found),
        }
    }
}

/// The tables by where a revision's schema has the definition.
const TABLES: &[(&Definition, &[&str])] = &[
    (&known_results::INITIALIZE_RESULT, &["InitializeResult"]),
    (&known_results::SERVER_CAPABILITIES, &["ServerCapabilities"]),
    (&known_results::IMPLEMENTATION, &["Implementation"]),
    (&known_results::LIST_TOOLS_RESULT, &["ListToolsResult"]),
    (&known_results::TOOL, &["Tool"]),
    (&known_results::TOOL_ANNOTATIONS, &["ToolAnnotations"]),
    (&known_results::CALL_TOOL_RESULT, &["CallToolResult"]),
    (
        &known_results::LIST_RESOURCES_RESULT,
        &["ListResourcesResult"],
    ),
    (&known_results::RESOURCE, &["Resource"]),
    (
        &known_results::LIST_RESOURCE_TEMPLATES_RESULT,
        &["ListResourceTemplatesResult"],
    ),
    (&known_results::RESOURCE_TEMPLATE, &["ResourceTemplate"]),
    (
        &known_results::READ_RESOURCE_RESULT,
        &["ReadResourceResult"],
    ),
    (
        &known_results::RESOURCE_CONTENTS,
        &["TextResourceContents", "BlobResourceContents"],
    ),
    (&known_results::LIST_PROMPTS_RESULT, &["ListPromptsResult"]),
    (&known_results::PROMPT, &["Prompt"]),
    (&known_results::PROMPT_ARGUMENT, &["PromptArgument"]),
    (&known_results::GET_PROMPT_RESULT, &["GetPromptResult"]),
    (&known_results::PROMPT_MESSAGE, &["PromptMessage"]),
    (&known_results::COMPLETE_RESULT, &["CompleteResult"]),
    (
        &known_results::COMPLETION,
        &["CompleteResult/properties/completion"],
    ),
    (&known_results::TEXT_CONTENT, &["TextContent"]),
    (&known_results::IMAGE_CONTENT, &["ImageContent"]),
    (&known_results::AUDIO_CONTENT, &["AudioContent"]),
    (&known_results::EMBEDDED_RESOURCE, &["EmbeddedResource"]),
    (&known_results::RESOURCE_LINK, &["ResourceLink"]),
    (&known_results::ANNOTATIONS, &["Annotations"]),
    (&known_results::ICON, &["Icon"]),
    (
        &known_questions::ELICIT_FORM,
        &["ElicitRequest/properties/params", "ElicitRequestFormParams"],
    ),
    (&known_questions::ELICIT_URL, &["ElicitRequestURLParams"]),
    (
        &known_questions::REQUESTED_SCHEMA,
        &[
            "ElicitRequest/properties/params/properties/requestedSchema",
            "ElicitRequestFormParams/properties/requestedSchema",
        ],
    ),
    (&known_questions::STRING_SCHEMA, &["StringSchema"]),
    (&known_questions::NUMBER_SCHEMA, &["NumberSchema"]),
    (&known_questions::BOOLEAN_SCHEMA, &["BooleanSchema"]),
    (
        &known_questions::ENUM_SCHEMA,
        &["EnumSchema", "LegacyTitledEnumSchema"],
    ),
    (
        &known_questions::TITLED_SINGLE_SELECT,
        &["TitledSingleSelectEnumSchema"],
    ),
    (
        &known_questions::MULTI_SELECT,
        &[
            "UntitledMultiSelectEnumSchema",
            "TitledMultiSelectEnumSchema",
        ],
    ),
    (
        &known_questions::CREATE_MESSAGE,
        &[
            "CreateMessageRequest/properties/params",
            "CreateMessageRequestParams",
        ],
    ),
    (&known_questions::MODEL_PREFERENCES, &["ModelPreferences"]),
    (&known_questions::MODEL_HINT, &["ModelHint"]),
    (&known_questions::TOOL_CHOICE, &["ToolChoice"]),
    (&known_questions::SAMPLING_MESSAGE, &["SamplingMessage"]),
    (&known_questions::TOOL_USE_CONTENT, &["ToolUseContent"]),
    (
        &known_questions::TOOL_RESULT_CONTENT,
        &["ToolResultContent"],
    ),
    (
        &known_questions::LIST_ROOTS,
        &["ListRootsRequest/properties/params", "RequestParams"],
    ),
];

/// What no answer of ours has.
const LEFT_OUT: [&str; 3] = ["execution", "task", "tasks"];

#[test]
fn the_tables_hold_what_the_official_schemas_declare() {
    for version in LegacyVersion::ALL {
        let Some(schema) = official(*version) else {
            return;
        };
        for (definition, pointers) in TABLES {
            let declared = pointers.iter().filter_map(|pointer| {
                let found = schema.pointer(&format!("/{}/{pointer}", folder(&schema)))?;
                found["properties"].as_object()
            });
            let declared: BTreeSet<&str> = declared
                .flat_map(|properties| properties.keys())
                .map(String::as_str)
                .filter(|name| !LEFT_OUT.contains(name))
                .collect();
            let known: BTreeSet<&str> = definition
                .members(*version)
                .map(|(name, _)| *name)
                .collect();
            assert_eq!(known, declared, "{version} {pointers:?}");
        }
    }
}

#[test]
fn what_is_projected_is_valid_by_the_official_schemas_and_holds_nothing_that_they_do_not_declare() {
    let mut runner = TestRunner::deterministic();
    for version in LegacyVersion::ALL {
        let Some(schema) = official(*version) else {
            return;
        };
        let closed = closed(schema);
        let mut refused = 0;
        for _ in 0..MESSAGES {
            let (method, result) = results::result().new_tree(&mut runner).unwrap().current();
            let projected = project_result(*version, method, Json::from(&result)).to_value();
            let definition = result_definition(method);
            hold(&closed, definition, &projected, &result);
            refused += usize::from(!closed.is_valid(&json!({definition: result})));

            let info = results::info().new_tree(&mut runner).unwrap().current();
            let projected = project_info(*version, Json::from(&info)).to_value();
            hold(&closed, "Implementation", &projected, &info);

            let (method, params) = questions::question()
                .new_tree(&mut runner)
                .unwrap()
                .current();
            if !can_be_asked(*version, method, &params) {
                continue;
            }
            let projected = project_question(*version, method, Json::from(&params), "e-1");
            let projected = projected.to_value();
            let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": projected});
            hold(&closed, question_definition(method), &request, &params);
        }
        // Every result of the newest revision says what it is, which no older one knows.
        assert_eq!(refused, MESSAGES);
    }
}

fn hold(closed: &Validator, definition: &str, projected: &Value, origin: &Value) {
    let named = json!({definition: projected});
    let verdict = closed.validate(&named);
    let verdict = verdict.map_err(|fault| format!("{}: {fault}", fault.instance_path()));
    assert_eq!(verdict, Ok(()), "{projected}\nout of {origin}");
}

fn can_be_asked(version: LegacyVersion, method: &str, params: &Value) -> bool {
    let since = match (method, &params["mode"]) {
        ("elicitation/create", mode) if mode == "url" => LegacyVersion::V2025_11_25,
        ("elicitation/create", _) => LegacyVersion::V2025_06_18,
        _ => LegacyVersion::V2025_03_26,
    };
    since <= version
}

fn result_definition(method: &str) -> &'static str {
    match method {
        "initialize" => "InitializeResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        _ => "Result",
    }
}

fn question_definition(method: &str) -> &'static str {
    match method {
        "elicitation/create" => "ElicitRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        _ => "ListRootsRequest",
    }
}

/// The official schema of a revision, if the environment says where it is.
fn official(version: LegacyVersion) -> Option<Value> {
    let Some(folder) = env::var_os("MCP_SCHEMA_DIR") else {
        eprintln!("skipped: MCP_SCHEMA_DIR does not name the folder of the official schemas");
        return None;
    };
    let path = Path::new(&folder).join(format!("{version}/schema.json"));
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|fault| panic!("MCP_SCHEMA_DIR: {}: {fault}", path.display()));
    Some(serde_json::from_str(&text).unwrap())
}

/// Where a schema has its definitions.
fn folder(schema: &Value) -> &'static str {
    match schema.get("$defs") {
        Some(_) => "$defs",
        None => "definitions",
    }
}

/// A validator of values under the names of their definitions, which may hold nothing that these do not declare.
fn closed(mut schema: Value) -> Validator {
    let folder = folder(&schema);
    let definitions = schema[folder].as_object_mut().unwrap();
    let mut properties = serde_json::Map::new();
    for (name, definition) in definitions {
        properties.insert(name.clone(), json!({"$ref": format!("#/{folder}/{name}")}));
        // Some of them leave out the members of the envelope.
        if definition.get("properties").is_some() && !name.ends_with("Request") {
            definition["additionalProperties"] = false.into();
        }
    }
    schema["properties"] = properties.into();
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}
