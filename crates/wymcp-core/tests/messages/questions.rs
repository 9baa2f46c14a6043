//! Everything that questions of the newest revision can hold, generated.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{
    results::{block, said, tool},
    values::{
        Members, Values, anything, count, flag, just, meta, object, of, one_of, role, several,
        text, uri,
    },
};

/// A method that a client is asked with, and params of its.
pub(crate) fn question() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        of(
            "elicitation/create",
            object(
                vec![
                    ("mode", just("form")),
                    ("message", text()),
                    ("requestedSchema", form())
                ],
                vec![]
            )
        ),
        of(
            "elicitation/create",
            object(
                vec![("mode", just("url")), ("message", text()), ("url", uri())],
                vec![]
            )
        ),
        of("sampling/createMessage", sampling()),
        of("roots/list", just(json!({}))),
    ]
}

fn sampling() -> Values {
    let use_of_a_tool = object(
        vec![
            ("type", just("tool_use")),
            ("id", text()),
            ("name", text()),
            ("input", meta()),
        ],
        vec![("_meta", meta())],
    );
    let result_of_a_tool = object(
        vec![
            ("type", just("tool_result")),
            ("toolUseId", text()),
            ("content", several(block())),
        ],
        vec![
            ("structuredContent", anything()),
            ("isError", flag()),
            ("_meta", meta()),
        ],
    );
    let block = prop_oneof![said(), use_of_a_tool, result_of_a_tool].boxed();
    let content = prop_oneof![block.clone(), several(block)].boxed();
    let message = object(vec![("role", role()), ("content", content)], vec![]);
    let preferences = object(
        vec![],
        vec![
            ("hints", several(object(vec![], vec![("name", text())]))),
            ("costPriority", just(0.5)),
            ("speedPriority", just(0)),
            ("intelligencePriority", just(1)),
        ],
    );
    object(
        vec![("messages", several(message)), ("maxTokens", count())],
        vec![
            ("systemPrompt", text()),
            ("temperature", just(0.5)),
            ("stopSequences", several(text())),
            (
                "includeContext",
                one_of(&["none", "thisServer", "allServers"]),
            ),
            ("modelPreferences", preferences),
            ("metadata", meta()),
            ("tools", several(tool())),
            (
                "toolChoice",
                object(
                    vec![("mode", one_of(&["auto", "none", "required"]))],
                    vec![],
                ),
            ),
        ],
    )
}

fn form() -> Values {
    let said = || vec![("title", text()), ("description", text())];
    let of = |required: Members, optional: Members| {
        let optional = said().into_iter().chain(optional).collect();
        object(required, optional)
    };
    let kind = |kind: &'static str| ("type", just(kind));
    let titled = json!([{"const": "a", "title": "First"}, {"const": "b, c", "title": "b"}]);
    let text_field = of(
        vec![kind("string")],
        vec![
            ("minLength", count()),
            ("maxLength", count()),
            ("format", one_of(&["date", "date-time", "email", "uri"])),
            ("default", text()),
        ],
    );
    let bounds = || {
        vec![
            ("minimum", count()),
            ("maximum", count()),
            ("default", count()),
        ]
    };
    let choice = || vec![("default", just("a"))];
    let choices = || {
        vec![
            ("minItems", count()),
            ("maxItems", count()),
            ("default", just(json!(["a"]))),
        ]
    };
    let field = prop_oneof![
        text_field,
        of(vec![kind("integer")], bounds()),
        of(vec![kind("number")], bounds()),
        of(vec![kind("boolean")], vec![("default", flag())]),
        of(
            vec![kind("string"), ("enum", just(json!(["a", "b"])))],
            choice()
        ),
        of(
            vec![kind("string"), ("oneOf", just(titled.clone()))],
            choice()
        ),
        of(
            vec![
                kind("array"),
                ("items", just(json!({"type": "string", "enum": ["a", "b"]})))
            ],
            choices()
        ),
        of(
            vec![kind("array"), ("items", just(json!({"anyOf": titled})))],
            choices()
        ),
    ];
    // Names that meet those of flags.
    let name = prop::sample::select(vec!["days", "days: a", "days: a'", "days: b", "when"]);
    prop::collection::btree_map(name, (field, any::<bool>()), 0..5)
        .prop_map(|fields| {
            let required = fields.iter().filter(|(_, (_, required))| *required);
            let required: Vec<&str> = required.map(|(name, _)| *name).collect();
            let properties: Map<String, Value> = fields
                .iter()
                .map(|(name, (field, _))| ((*name).to_owned(), field.clone()))
                .collect();
            let mut schema = json!({"type": "object", "properties": properties});
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        })
        .boxed()
}
