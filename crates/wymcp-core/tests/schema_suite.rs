//! The verdicts on arguments, held against the JSON-Schema-Test-Suite of 2020-12.
//!
//! The suite is no part of this repository: `.ci/run schema_suite` fetches it, and names its folder in
//! `JSON_SCHEMA_TEST_SUITE`.

#![cfg(feature = "json-schema")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

#[path = "../../wymcp-testkit/src/official.rs"]
mod official;

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use serde_json::{Value, json};
use wymcp_core::{Decision, Head, Server, Tool, Turn};

/// What a tool's schema may not have, so that a group of the suite cannot be put to a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Refused {
    /// An `$id` below the top, which gives what is inside it another base.
    Base,
    /// A reference to another document: nothing is fetched.
    Elsewhere,
    /// A dialect of the suite's own.
    Dialect,
}

impl Refused {
    fn of(fault: &str) -> Option<Self> {
        let faults = [
            ("/$id: may stand only at the top", Self::Base),
            ("$ref: leaves the schema", Self::Elsewhere),
            ("$schema: is no dialect", Self::Dialect),
        ];
        let found = faults.iter().find(|(text, _)| fault.contains(text));
        found.map(|(_, refused)| *refused)
    }
}

/// How many groups of a file are refused, and why: of 368 groups in all.
const REFUSED: [(&str, Refused, usize); 11] = [
    ("anchor", Refused::Base, 3),
    ("defs", Refused::Elsewhere, 1),
    ("dynamicRef", Refused::Base, 11),
    ("dynamicRef", Refused::Elsewhere, 5),
    ("ref", Refused::Base, 11),
    ("ref", Refused::Elsewhere, 4),
    ("refRemote", Refused::Base, 3),
    ("refRemote", Refused::Elsewhere, 12),
    ("unevaluatedItems", Refused::Base, 1),
    ("unevaluatedProperties", Refused::Base, 1),
    ("vocabulary", Refused::Dialect, 2),
];

/// The folder of the tests of 2020-12, if it is here.
fn suite() -> Option<PathBuf> {
    let folder = env::var_os("JSON_SCHEMA_TEST_SUITE")?;
    Some(PathBuf::from(folder).join("tests/draft2020-12"))
}

/// A server with one tool, whose argument `it` has this schema.
fn server(schema: &Value) -> Result<Server, String> {
    let mut schema = schema.clone();
    let mut arguments = json!({"type": "object", "properties": {}});
    // These may stand at the top alone.
    for name in ["$schema", "$id"] {
        if let Some(value) = schema.as_object_mut().and_then(|it| it.remove(name)) {
            arguments[name] = value;
        }
    }
    move_references(&mut schema);
    arguments["properties"]["it"] = schema;
    let server = Server::builder("suite", "1.0.0").tool(Tool::new("judge").input_schema(arguments));
    server.build().map_err(|fault| fault.to_string())
}

/// Lets the references of a schema lead to where it stands now.
fn move_references(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(move_references),
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                match (name.as_str(), &mut *value) {
                    ("$ref" | "$dynamicRef", Value::String(reference)) => {
                        if reference == "#" || reference.starts_with("#/") {
                            *reference = reference.replacen('#', "#/properties/it", 1);
                        }
                    }
                    // Values, and no schemas.
                    ("const" | "enum", _) => {}
                    _ => move_references(value),
                }
            }
        }
        _ => {}
    }
}

/// Whether a call with this value reaches the tool.
fn is_valid(server: &Server, value: &Value) -> bool {
    let headers = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "judge"),
    ];
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
    "name": "judge", "arguments": {"it": value}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }}})
    .to_string();
    let head = Head::new("POST", &headers);
    match server.receive(&head, body.as_bytes(), Decision::anonymous()) {
        Turn::Call(_) => true,
        Turn::Reply(reply) => {
            let message: Value = serde_json::from_slice(&reply.body).unwrap();
            official::judge(body.as_bytes(), &message).unwrap();
            // Refused for the arguments, and for nothing else.
            let told = message["result"]["content"][0]["text"].as_str();
            assert!(told.is_some_and(|it| it.contains("do not fit its input schema")));
            false
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn arguments_are_judged_as_the_suite_judges_them() {
    let Some(folder) = suite() else {
        eprintln!("NOT JUDGED by the suite: JSON_SCHEMA_TEST_SUITE does not name its folder");
        return;
    };
    let (mut groups, mut judged) = (0, 0);
    let mut refused: BTreeMap<(String, Refused), usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // What is optional in the specification, formats among it.
            continue;
        }
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        let content: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for group in content.as_array().unwrap() {
            groups += 1;
            let server = match server(&group["schema"]) {
                Ok(server) => server,
                Err(fault) => {
                    let why = Refused::of(&fault).unwrap_or_else(|| panic!("{file}: {fault}"));
                    *refused.entry((file.clone(), why)).or_default() += 1;
                    continue;
                }
            };
            for test in group["tests"].as_array().unwrap() {
                judged += 1;
                if json!(is_valid(&server, &test["data"])) != test["valid"] {
                    faults.push(format!(
                        "{file}: {}: {}: {}",
                        group["description"], test["description"], test["valid"]
                    ));
                }
            }
        }
    }
    assert_eq!(faults, [""; 0]);
    let expected = REFUSED.map(|(file, why, count)| ((file.to_owned(), why), count));
    assert_eq!(refused, BTreeMap::from(expected));
    assert_eq!((groups, judged), (368, 1_143));
}
