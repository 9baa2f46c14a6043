//! Everything that results of the newest revision can hold, generated.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::values::{
    Members, Values, anything, count, flag, just, meta, object, of, one_of, role, several, text,
    uri,
};

/// A method with a result of its.
pub(crate) fn result() -> impl Strategy<Value = (&'static str, Value)> {
    let list = |member, item: Values| {
        let items = (member, several(item));
        finished(vec![items], vec![("nextCursor", text())], true)
    };
    prop_oneof![
        of("tools/list", list("tools", tool())),
        of("resources/list", list("resources", resource())),
        of(
            "resources/templates/list",
            list("resourceTemplates", template())
        ),
        of("prompts/list", list("prompts", prompt())),
        of(
            "tools/call",
            finished(
                vec![("content", several(block()))],
                vec![
                    ("structuredContent", anything()),
                    ("isError", any::<bool>().prop_map(Value::Bool).boxed()),
                ],
                false,
            )
        ),
        of(
            "resources/read",
            finished(vec![("contents", several(contents()))], vec![], true)
        ),
        of(
            "prompts/get",
            finished(
                vec![(
                    "messages",
                    several(object(vec![("role", role()), ("content", block())], vec![]))
                )],
                vec![("description", text())],
                false,
            )
        ),
        of(
            "completion/complete",
            finished(
                vec![(
                    "completion",
                    object(
                        vec![("values", several(text()))],
                        vec![("total", count()), ("hasMore", flag())]
                    )
                )],
                vec![],
                false,
            )
        ),
        of(
            "initialize",
            finished(
                vec![
                    ("protocolVersion", text()),
                    ("capabilities", capabilities()),
                    ("serverInfo", info()),
                ],
                vec![("instructions", text())],
                false,
            )
        ),
        of("ping", finished(vec![], vec![], false)),
    ]
}

/// What a server says of itself.
pub(crate) fn info() -> Values {
    object(
        vec![("name", text()), ("version", text())],
        vec![
            ("title", text()),
            ("description", text()),
            ("websiteUrl", uri()),
            ("icons", several(icon())),
        ],
    )
}

/// A result with what every result has.
fn finished(mut required: Members, mut optional: Members, is_cacheable: bool) -> Values {
    required.push(("resultType", just("complete")));
    if is_cacheable {
        required.push(("ttlMs", count()));
        required.push(("cacheScope", one_of(&["private", "public"])));
    }
    let meta = (info(), meta()).prop_map(|(info, own)| {
        let mut meta = json!({"io.modelcontextprotocol/serverInfo": info});
        let own = own.as_object().cloned().unwrap_or_default();
        meta.as_object_mut().unwrap().extend(own);
        meta
    });
    let server = info().prop_map(|info| json!({"io.modelcontextprotocol/serverInfo": info}));
    optional.push(("_meta", prop_oneof![meta, server].boxed()));
    object(required, optional)
}

fn capabilities() -> Values {
    let group = || object(vec![], vec![("listChanged", flag()), ("subscribe", flag())]);
    object(
        vec![],
        vec![
            ("tools", group()),
            ("resources", group()),
            ("prompts", group()),
            ("completions", just(json!({}))),
            ("logging", just(json!({}))),
            ("experimental", just(json!({"a": {"extensions": {}}}))),
            ("extensions", just(json!({"com.example/a": {}}))),
        ],
    )
}

pub(crate) fn tool() -> Values {
    let annotations = object(
        vec![],
        vec![
            ("title", text()),
            ("readOnlyHint", flag()),
            ("destructiveHint", flag()),
            ("idempotentHint", flag()),
            ("openWorldHint", flag()),
        ],
    );
    let output = prop_oneof![
        schema(),
        just(json!({"type": "array"})),
        just(json!({"oneOf": [{"type": "object"}, {"type": "null"}]})),
    ];
    described(
        vec![("name", text()), ("inputSchema", schema())],
        vec![
            ("outputSchema", output.boxed()),
            ("annotations", annotations),
        ],
    )
}

/// The schema of an object, with members that no definition of the protocol has.
fn schema() -> Values {
    let member = prop_oneof![
        just(json!(true)),
        just(json!(false)),
        just(json!({})),
        just(json!({"type": "integer", "icons": true, "title": "ttlMs"})),
    ];
    object(
        vec![("type", just("object"))],
        vec![
            (
                "properties",
                object(
                    vec![],
                    vec![("a", member.clone().boxed()), ("icons", member.boxed())],
                ),
            ),
            ("required", just(json!(["a"]))),
            ("additionalProperties", flag()),
            (
                "$schema",
                just("https://json-schema.org/draft/2020-12/schema"),
            ),
            ("x-example", anything()),
        ],
    )
}

fn resource() -> Values {
    described(
        vec![("uri", uri()), ("name", text())],
        vec![
            ("mimeType", text()),
            ("annotations", annotations()),
            ("size", count()),
        ],
    )
}

fn template() -> Values {
    described(
        vec![("uriTemplate", just("docs://{page}")), ("name", text())],
        vec![("mimeType", text()), ("annotations", annotations())],
    )
}

fn prompt() -> Values {
    let argument = object(
        vec![("name", text())],
        vec![
            ("title", text()),
            ("description", text()),
            ("required", flag()),
        ],
    );
    described(
        vec![("name", text())],
        vec![("arguments", several(argument))],
    )
}

/// What definitions say alike.
fn described(required: Members, mut optional: Members) -> Values {
    optional.extend([
        ("title", text()),
        ("description", text()),
        ("icons", several(icon())),
        ("_meta", meta()),
    ]);
    object(required, optional)
}

fn icon() -> Values {
    object(
        vec![("src", uri())],
        vec![
            ("mimeType", text()),
            ("sizes", several(just("48x48"))),
            ("theme", one_of(&["light", "dark"])),
        ],
    )
}

fn annotations() -> Values {
    object(
        vec![],
        vec![
            ("audience", several(role())),
            ("priority", (0.0..=1.0).prop_map(Value::from).boxed()),
            ("lastModified", just("2026-07-28")),
        ],
    )
}

fn contents() -> Values {
    let of = |member, value| {
        object(
            vec![("uri", uri()), (member, value)],
            vec![("mimeType", text()), ("_meta", meta())],
        )
    };
    prop_oneof![of("text", text()), of("blob", just("AA=="))].boxed()
}

/// A block for people.
pub(crate) fn block() -> Values {
    let link = described(
        vec![
            ("type", just("resource_link")),
            ("uri", uri()),
            ("name", text()),
        ],
        vec![
            ("mimeType", text()),
            ("size", count()),
            ("annotations", annotations()),
        ],
    );
    let resource = object(
        vec![("type", just("resource")), ("resource", contents())],
        vec![("annotations", annotations()), ("_meta", meta())],
    );
    prop_oneof![said(), link, resource].boxed()
}

/// A block for people and models alike.
pub(crate) fn said() -> Values {
    let of = |kind: &'static str, members: Members| {
        let mut required = vec![("type", just(kind))];
        required.extend(members);
        object(
            required,
            vec![("annotations", annotations()), ("_meta", meta())],
        )
    };
    let media = || vec![("data", just("AA==")), ("mimeType", text())];
    prop_oneof![
        of("text", vec![("text", text())]),
        of("image", media()),
        of("audio", media()),
    ]
    .boxed()
}
