//! Every fault of a server's definition is an error when it is built, and says where it stands and what to write.

use std::time::Duration;

use serde_json::{Value, json};
use wymcp_core::{
    Action, Annotations, Challenge, ConfigError, Icon, Limits, Prompt, PromptArgument, Resource,
    ResourceTemplate, Server, ServerBuilder, Tool,
};

fn server() -> ServerBuilder {
    Server::builder("test", "1")
}

fn with_schema(schema: Value) -> ServerBuilder {
    server().tool(Tool::new("t").input_schema(schema))
}

fn with_limits(change: impl FnOnce(&mut Limits)) -> ServerBuilder {
    let mut limits = Limits::default();
    change(&mut limits);
    server().limits(limits)
}

/// Asserts that the build fails and that the error has each of these words.
fn assert_fault(builder: ServerBuilder, words: &[&str]) {
    let fault: ConfigError = builder.build().unwrap_err();
    let text = fault.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    for word in words {
        assert!(text.contains(word), "{text} lacks {word}");
    }
}

#[test]
fn settings_out_of_their_range_are_named() {
    assert_fault(
        server().allow_hosts(["http://a"]),
        &["allow_hosts", "http://a"],
    );
    assert_fault(
        server().allow_hosts(["*"]),
        &["allow_hosts", "allow_any_host()"],
    );
    assert_fault(
        server().allow_origins(["a.example"]),
        &["allow_origins", "a.example"],
    );
    assert_fault(
        server().allow_origins(["*"]),
        &["allow_origins", "allow_any_origin()"],
    );
    assert_fault(server().page_size(0), &["page_size"]);
    assert_fault(
        server().challenge(Challenge::bearer().scope("é")),
        &["challenge.scope"],
    );
    assert_fault(
        with_limits(|limits| limits.depth = 0),
        &["limits.depth", "1 to 120"],
    );
    assert_fault(
        with_limits(|limits| limits.depth = 121),
        &["limits.depth", "1 to 120"],
    );
    assert_fault(
        with_limits(|limits| limits.body_bytes = 0),
        &["limits.body_bytes"],
    );
    assert_fault(with_limits(|limits| limits.values = 0), &["limits.values"]);
    assert_fault(
        with_limits(|limits| limits.answer_bytes = 0),
        &["limits.answer_bytes"],
    );
    assert_fault(
        with_limits(|limits| limits.body_timeout = Duration::ZERO),
        &["body_timeout"],
    );
    assert_fault(
        with_limits(|limits| limits.call_deadline = Some(Duration::ZERO)),
        &["call_deadline"],
    );
}

#[test]
fn a_tool_has_a_name_of_its_own() {
    for name in ["", "a b", "a/b", "é", "a\n", &"a".repeat(129)] {
        assert_fault(
            server().tool(Tool::new(name)),
            &["name", "1 to 128 characters"],
        );
    }
    assert!(server().tool(Tool::new("a".repeat(128))).build().is_ok());
    assert_fault(
        server().tool(Tool::new("a")).tool(Tool::new("a")),
        &["\"a\"", "taken"],
    );
    assert_fault(
        server().tool(Tool::new("help")),
        &["\"help\"", "reserved", "without_help()"],
    );
    assert!(
        server()
            .tool(Tool::new("help"))
            .without_help()
            .build()
            .is_ok()
    );
}

#[test]
fn a_schema_is_an_object_schema_that_can_be_compiled() {
    for schema in [
        json!(true),
        json!({}),
        json!({"type": "string"}),
        json!({"type": ["object"]}),
    ] {
        assert_fault(
            with_schema(schema),
            &["tool \"t\"", "input_schema", "object"],
        );
    }
    let faulty = [
        (json!({"$ref": "http://127.0.0.1:9/"}), "$ref"),
        (json!({"$ref": "file:///etc/passwd"}), "$ref"),
        (json!({"$defs": {"unused": {"$ref": "other.json"}}}), "$ref"),
        (json!({"$schema": "http://example.com/mine"}), "$schema"),
        (json!({"properties": {"a": {"$id": "http://h/"}}}), "$id"),
        (
            json!({"properties": {"a": {"x-mcp-header": "A"}}}),
            "x-mcp-header",
        ),
    ];
    for (mut schema, place) in faulty {
        schema["type"] = "object".into();
        assert_fault(with_schema(schema), &["tool \"t\"", "input_schema", place]);
    }
    let output = Tool::new("t").output_schema(json!({"$ref": "//host/x"}));
    assert_fault(server().tool(output), &["tool \"t\"", "output_schema/$ref"]);
}

#[cfg(feature = "json-schema")]
#[test]
fn a_schema_that_breaks_its_dialect_or_needs_backtracking_is_refused() {
    for property in [
        json!({"type": "strin"}),
        json!({"minimum": "1"}),
        json!({"pattern": "(?=a)b"}),
        json!({"pattern": r"(a)\1"}),
        json!({"pattern": "(((a{100}){100}){100}){100}"}),
    ] {
        let schema = json!({"type": "object", "properties": {"a": property}});
        assert_fault(
            with_schema(schema),
            &["tool \"t\"", "input_schema/properties/a"],
        );
    }
}

#[test]
fn an_action_is_defined_whole() {
    let with = |action: Action| server().tool(Tool::new("t").actions([action]));
    assert_fault(
        server().tool(Tool::new("t").actions([])),
        &["tool \"t\"", "actions"],
    );
    assert_fault(with(Action::new("", "Does")), &["tool \"t\"", "name"]);
    assert_fault(
        with(Action::new("a", "Does\nthis")),
        &["action \"a\"", "description"],
    );
    assert_fault(
        with(Action::new("a", "Does").required(["x"])),
        &["action \"a\"", "required"],
    );
    assert_fault(
        with(Action::new("a", "Does").default("x", json!(1))),
        &["action \"a\"", "defaults/x"],
    );
    assert_fault(
        with(Action::new("a", "Does").related("b")),
        &["action \"a\"", "related"],
    );
    assert_fault(
        with(Action::new("a", "Does").example(json!(1))),
        &["action \"a\"", "examples/0"],
    );
    for schema in [
        json!({"oneOf": [{}]}),
        json!({"additionalProperties": true}),
        json!({"type": "array"}),
    ] {
        assert_fault(
            with(Action::new("a", "Does").schema(&schema)),
            &["action \"a\"", "schema/"],
        );
    }
    let mirrored = json!({"type": "string", "x-mcp-header": "X"});
    assert_fault(
        with(Action::new("a", "Does").property("x", mirrored)),
        &["action \"a\"", "properties", "x-mcp-header"],
    );
}

#[test]
fn a_resource_has_an_address_of_its_own() {
    let with = |uri: &str| server().resource(Resource::new(uri, "r"));
    for uri in ["", "manual", "/manual", "1a:b", "a b:c"] {
        assert_fault(with(uri), &["resource", "uri", "has no scheme"]);
    }
    for uri in ["docs://a b", "docs://a\nb", "docs://a\u{2028}b"] {
        assert_fault(with(uri), &["resource", "uri", "white space"]);
    }
    assert_fault(
        with("docs://a").resource(Resource::new("docs://a", "s")),
        &["resource \"docs://a\"", "uri", "is taken"],
    );
    assert_fault(
        server().resource(Resource::new("docs://a", " ")),
        &["resource \"docs://a\"", "name"],
    );
    let with = |template: &str| server().resource_template(ResourceTemplate::new(template, "t"));
    assert_fault(with("{a}"), &["uri_template", "has no scheme"]);
    assert_fault(with("a:b"), &["uri_template", "has no variable"]);
    assert_fault(
        with("a:{b}").resource_template(ResourceTemplate::new("a:{b}", "t")),
        &["resource \"a:{b}\"", "uri_template", "is taken"],
    );
}

#[test]
fn a_prompt_has_a_name_and_arguments_of_its_own() {
    for name in ["", " ", "a\nb", "\u{200b}"] {
        assert_fault(server().prompt(Prompt::new(name)), &["prompt", "name"]);
        let with_argument = Prompt::new("p").argument(PromptArgument::new(name));
        assert_fault(
            server().prompt(with_argument),
            &["prompt \"p\"", "arguments/"],
        );
    }
    assert_fault(
        server().prompt(Prompt::new("p")).prompt(Prompt::new("p")),
        &["prompt \"p\"", "name", "is taken"],
    );
}

/// A server for each kind of definition, which is given the same icon and the same member of `_meta`, and is faulty or
/// not.
fn of_every_kind(
    icon: &Icon,
    key: &str,
    fault: Option<(&str, &str)>,
) -> [(&'static str, ServerBuilder); 4] {
    macro_rules! described {
        ($definition:expr) => {{
            let definition = $definition.icon(icon.clone()).meta(key, 1);
            match fault {
                Some((field, fault)) => definition.faulty(field, fault),
                None => definition,
            }
        }};
    }
    [
        ("tool \"d\"", server().tool(described!(Tool::new("d")))),
        (
            "prompt \"d\"",
            server().prompt(described!(Prompt::new("d"))),
        ),
        (
            "resource \"d://\"",
            server().resource(described!(Resource::new("d://", "d"))),
        ),
        (
            "resource \"d:{d}\"",
            server().resource_template(described!(ResourceTemplate::new("d:{d}", "d"))),
        ),
    ]
}

#[test]
fn what_every_definition_may_show_is_what_clients_can_read() {
    let icon = || Icon::new("https://example.com/icon.png");
    let (mut sized, mut typed) = (icon(), icon());
    sized.sizes = vec!["any".to_owned(), "big".to_owned()];
    typed.mime_type = Some("nonsense".to_owned());
    for (icon, key, words) in [
        (
            Icon::new("icon.png"),
            "a",
            ["icons/0/src", "https://example.com/icon.png"],
        ),
        (sized, "a", ["icons/0/sizes", "write such as 48x48, or any"]),
        (typed, "a", ["icons/0/mime_type", "such as text/markdown"]),
        (
            icon(),
            "bad key!",
            ["meta/bad key!", "such as com.example/owner"],
        ),
    ] {
        for (kind, builder) in of_every_kind(&icon, key, None) {
            assert_fault(builder, &[kind, words[0], words[1]]);
        }
    }
    // A key of the protocol's own may be that of an extension.
    for key in ["com.example/owner", "io.modelcontextprotocol/owner"] {
        let mut builders = of_every_kind(&icon(), key, None).into_iter();
        assert!(builders.all(|(_, builder)| builder.build().is_ok()));
    }
    assert_fault(
        server().icon(Icon::new("icon.png")),
        &["icon: icons/0/src is no absolute address"],
    );
}

#[test]
fn what_the_driver_cannot_run_is_refused_in_its_words() {
    let icon = Icon::new("https://example.com/icon.png");
    for (kind, builder) in of_every_kind(&icon, "a", Some(("size", "is too small"))) {
        assert_fault(builder, &[&format!("{kind}, size: is too small")]);
    }
}

#[test]
fn what_is_said_of_contents_is_what_clients_can_read() {
    let annotated = |change: fn(&mut Annotations)| {
        let mut annotations = Annotations::default();
        change(&mut annotations);
        annotations
    };
    let important = annotated(|it| it.priority = Some(f64::NAN));
    let old = annotated(|it| it.last_modified = Some("yesterday".to_owned()));
    let sound = annotated(|it| it.last_modified = Some("2026-07-28T12:00:00Z".to_owned()));
    let with = |mime_type: &str, annotations: &Annotations| {
        let resource = Resource::new("d://", "d").mime_type(mime_type);
        let template = ResourceTemplate::new("d:{d}", "d").mime_type(mime_type);
        [
            server().resource(resource.annotations(annotations.clone())),
            server().resource_template(template.annotations(annotations.clone())),
        ]
    };
    for mime_type in ["nonsense", "", "text/", "text/plain; charset"] {
        for builder in with(mime_type, &sound) {
            assert_fault(builder, &["mime_type", "is no media type; write a type"]);
        }
    }
    for builder in with("text/plain", &important) {
        assert_fault(builder, &["annotations/priority", "between 0 and 1"]);
    }
    for builder in with("text/plain", &old) {
        assert_fault(
            builder,
            &["annotations/last_modified", "such as 2026-07-28T12:00:00Z"],
        );
    }
    for builder in with("text/plain; charset=utf-8", &sound) {
        assert!(builder.build().is_ok());
    }
}

#[test]
fn a_completer_completes_something_and_is_told_what_there_is() {
    let plan = Prompt::new("plan");
    assert_fault(
        server().prompt(plan.clone().completed_by("to", ())),
        &[
            "completion/to",
            "names no argument of the prompt; there is none",
        ],
    );
    let plan = plan
        .argument(PromptArgument::new("from"))
        .argument(PromptArgument::new("by"));
    assert_fault(
        server().prompt(plan.completed_by("to", ())),
        &["completion/to", "name one of: from, by"],
    );
    let notes = ResourceTemplate::new("notes://{year}/{day}", "Notes").completed_by("month", ());
    assert_fault(
        server().resource_template(notes),
        &[
            "completion/month",
            "names no variable of the template; name one of: year, day",
        ],
    );
}
