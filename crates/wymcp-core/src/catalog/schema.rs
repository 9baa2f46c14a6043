//! A JSON Schema, checked for its bounds and compiled.

use serde_json::Value;

use super::{schema_bounds, subschemas::SchemaFault};
use crate::{text::Json, validate::Violation};

/// A schema that tools' arguments or results are checked against.
///
/// JSON Schema 2020-12 unless `$schema` says otherwise; formats are annotations; nothing is ever fetched. `2.0` is an
/// integer. Without the feature `json-schema` a definition is still checked for its bounds, but nothing is compiled
/// and every instance passes.
pub(crate) struct Schema {
    #[cfg(feature = "json-schema")]
    validator: jsonschema::Validator<crate::validate::representation::Tree>,
    #[cfg(feature = "json-schema")]
    chain: usize,
}

/// The largest program that one regular expression may compile to, in bytes.
#[cfg(feature = "json-schema")]
const PATTERN_SIZE: usize = 1024 * 1024;

impl Schema {
    /// Checks and compiles a schema.
    ///
    /// # Errors
    ///
    /// What `schema_bounds` refuses; what the dialect's own schema refuses; a pattern that a linear engine cannot
    /// match (look-around, back-references) or that is too large.
    pub(crate) fn compile(schema: &Value) -> Result<Self, SchemaFault> {
        let chain = schema_bounds::check(schema)?;
        #[cfg(feature = "json-schema")]
        {
            let validator = jsonschema::options_for::<crate::validate::representation::Tree>()
                .with_draft(draft(schema))
                .with_pattern_options(
                    jsonschema::PatternOptions::regex()
                        .size_limit(PATTERN_SIZE)
                        .dfa_size_limit(PATTERN_SIZE),
                )
                .should_validate_formats(false)
                .offline()
                .build(schema)
                .map_err(|fault| compile_fault(&fault))?;
            Ok(Self { validator, chain })
        }
        #[cfg(not(feature = "json-schema"))]
        {
            let _ = chain;
            Ok(Self {})
        }
    }

    /// Whether an instance fits.
    pub(crate) fn is_valid(&self, instance: &Json<'_>) -> bool {
        #[cfg(feature = "json-schema")]
        {
            self.validator
                .is_valid(crate::validate::representation::Visit::new(instance))
        }
        #[cfg(not(feature = "json-schema"))]
        {
            let _ = (self, instance);
            true
        }
    }

    /// Where an instance does not fit and how: one entry for each place, in the order of the text, at most `limit`.
    /// Empty exactly when it fits.
    pub(crate) fn violations(&self, instance: &Json<'_>, limit: usize) -> Vec<Violation> {
        if self.is_valid(instance) {
            return Vec::new();
        }
        #[cfg(feature = "json-schema")]
        {
            crate::validate::describe::violations(&self.validator, self.chain, instance, limit)
        }
        #[cfg(not(feature = "json-schema"))]
        {
            let _ = limit;
            Vec::new()
        }
    }
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schema").finish_non_exhaustive()
    }
}

#[cfg(feature = "json-schema")]
fn draft(schema: &Value) -> jsonschema::Draft {
    let dialect = schema.get("$schema").and_then(Value::as_str);
    match dialect.map(|uri| uri.trim_end_matches('#')) {
        Some("https://json-schema.org/draft/2019-09/schema") => jsonschema::Draft::Draft201909,
        Some("http://json-schema.org/draft-07/schema") => jsonschema::Draft::Draft7,
        Some("http://json-schema.org/draft-06/schema") => jsonschema::Draft::Draft6,
        Some("http://json-schema.org/draft-04/schema") => jsonschema::Draft::Draft4,
        _ => jsonschema::Draft::Draft202012,
    }
}

#[cfg(feature = "json-schema")]
fn compile_fault(fault: &jsonschema::ValidationError<'_>) -> SchemaFault {
    use jsonschema::error::ValidationErrorKind as Kind;
    let path = fault.instance_path().as_str();
    let words = match fault.kind() {
        Kind::Format { format } if format == "regex" => {
            "is no pattern that can be matched in linear time; mend its syntax, and write it without look-around, \
             back-references and large repetitions"
                .to_owned()
        }
        Kind::Custom { message, .. } => crate::Untrusted::new(message).to_string(),
        Kind::Referencing(fault) => crate::Untrusted::new(&fault.to_string()).to_string(),
        kind => crate::validate::words::word(kind).1,
    };
    SchemaFault::new(path, words)
}

#[cfg(all(test, feature = "json-schema"))]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(schema: &Value, instance: &Value) -> Vec<String> {
        let schema = Schema::compile(schema).unwrap();
        let json = Json::from(instance);
        let violations = schema.violations(&json, 32);
        assert_eq!(schema.is_valid(&json), violations.is_empty());
        violations
            .iter()
            .map(|violation| format!("{} {}", violation.instance_location, violation.message))
            .collect()
    }

    #[test]
    fn each_rule_says_what_to_send() {
        for (schema, instance, expected) in [
            (json!({"type": "string"}), json!(1), " must be a string"),
            (
                json!({"type": ["integer", "null"]}),
                json!(1.5),
                " must be an integer",
            ),
            (json!({"maximum": 10}), json!(99), " must be at most 10"),
            (json!({"exclusiveMinimum": 0}), json!(0), " must be above 0"),
            (
                json!({"multipleOf": 0.5}),
                json!(0.3),
                " must be a multiple of 0.5",
            ),
            (
                json!({"enum": ["a", 2]}),
                json!("secret"),
                " must be one of: \"a\", 2",
            ),
            (json!({"const": {"a": 1}}), json!(0), " must be {\"a\":1}"),
            (
                json!({"pattern": "^a"}),
                json!("secret"),
                " must match the pattern ^a",
            ),
            (
                json!({"minLength": 1}),
                json!(""),
                " must have at least 1 character",
            ),
            (
                json!({"maxItems": 2}),
                json!([1, 2, 3]),
                " must have at most 2 items",
            ),
            (
                json!({"uniqueItems": true}),
                json!([1, 1.0]),
                " must not repeat an item",
            ),
            (
                json!({"required": ["b", "c"]}),
                json!({}),
                " is missing the required members \"b\", \"c\"",
            ),
            (
                json!({"required": ["b"]}),
                json!({"a": 1}),
                " is missing the required member \"b\"",
            ),
            (
                json!({"properties": {"a": true}, "additionalProperties": false}),
                json!({"x\n": 1}),
                " has an unexpected member: \"x\\n\"",
            ),
            (
                json!({"properties": {"a/b": {"items": {"type": "null"}}}}),
                json!({"a/b": [null, 1]}),
                "/a~1b/1 must be null",
            ),
            (
                json!({"additionalProperties": false}),
                json!({"secret": 1}),
                " must have no members",
            ),
            (
                json!({"properties": {"a": false}}),
                json!({"a": 1}),
                "/a is not allowed here",
            ),
            (
                json!({"propertyNames": {"maxLength": 1}}),
                json!({"secret": 1}),
                " has a member whose name must have at most 1 character",
            ),
            (
                json!({"not": {"type": "null"}}),
                json!(null),
                " has a form that is not allowed",
            ),
            (
                json!({"contains": {"const": 1}}),
                json!(["secret"]),
                " must hold the demanded number of matching items",
            ),
            (
                json!({"prefixItems": [true], "unevaluatedItems": false}),
                json!([1, "secret"]),
                " has items that no part of the schema admits as they are",
            ),
        ] {
            assert_eq!(told(&schema, &instance), [expected], "{schema}");
        }
    }

    #[test]
    fn a_union_of_constants_lists_them() {
        let variants = json!({"oneOf": [{"const": "celsius", "type": "string"}, {"const": "kelvin", "type": "string"}]});
        let optional = json!({"anyOf": [{"enum": ["celsius", "kelvin"]}, {"type": "null"}]});
        for schema in [variants, optional] {
            assert_eq!(
                told(&schema, &json!("fahrenheit")),
                [" must be one of: \"celsius\", \"kelvin\""],
                "{schema}"
            );
        }
        let branch = |tag: &str, member: &str| {
            json!({"type": "object", "required": ["type", member], "properties": {
                "type": {"const": tag}, member: {"type": "number"}}})
        };
        let tagged = json!({"oneOf": [branch("circle", "radius"), branch("square", "side")]});
        assert_eq!(
            told(&tagged, &json!({"type": "line", "radius": 1})),
            ["/type must be one of: \"circle\", \"square\""]
        );
        assert_eq!(
            told(&tagged, &json!({"type": "circle", "radius": "1"})),
            ["/radius must be a number"]
        );
    }

    #[test]
    fn a_union_tells_of_the_branch_that_was_meant() {
        let union = json!({"oneOf": [
            {"type": "object", "properties": {"op": {"const": "and"}, "of": {"type": "array", "items": {"$ref": "#"}}}, "required": ["op", "of"]},
            {"type": "object", "properties": {"op": {"const": "is"}, "value": {"type": "integer"}}, "required": ["op", "value"]},
            {"type": "null"},
        ]});
        assert_eq!(
            told(&union, &json!({"op": "is", "value": "x"})),
            ["/value must be an integer"]
        );
        assert_eq!(
            told(&union, &json!({"op": "and", "of": [null, {"op": "is"}]})),
            ["/of/1 is missing the required member \"value\""]
        );
        assert_eq!(told(&union, &json!(7)), [" must be an object"]);
        assert_eq!(
            told(&union, &json!({"op": "or"})),
            ["/op must be one of: \"and\", \"is\""]
        );
    }

    #[test]
    fn violations_stand_in_the_order_of_the_text_one_for_each_place() {
        let schema = json!({"properties": {
            "a": {"type": "string", "maximum": 3}, "z": {"type": "null"}, "list": {"items": {"type": "integer"}},
        }, "required": ["q"]});
        let text = br#"{"z": 1, "list": [1, "x", 2, "y"], "a": 5}"#;
        let document = crate::read(text, &crate::Limits::default()).unwrap();
        let schema = Schema::compile(&schema).unwrap();
        let places: Vec<String> = schema
            .violations(&document.root, 4)
            .into_iter()
            .map(|violation| violation.instance_location)
            .collect();
        assert_eq!(places, ["", "/z", "/list/1", "/list/3"]);
    }

    #[test]
    fn an_integer_is_a_number_without_a_fraction_in_every_dialect() {
        for dialect in [
            "http://json-schema.org/draft-04/schema#",
            "https://json-schema.org/draft/2020-12/schema",
        ] {
            let schema = Schema::compile(&json!({"$schema": dialect, "type": "integer"})).unwrap();
            assert!(schema.is_valid(&Json::from(&json!(2.0))));
            assert!(!schema.is_valid(&Json::from(&json!(2.5))));
        }
    }

    #[test]
    fn formats_are_annotations() {
        assert!(told(&json!({"format": "email"}), &json!("x")).is_empty());
    }

    #[test]
    fn a_schema_that_its_dialect_refuses_is_a_fault_with_a_path() {
        for (schema, path) in [
            (
                json!({"properties": {"a": {"type": "float"}}}),
                "/properties/a/type",
            ),
            (json!({"required": "a"}), "/required"),
            (json!({"maximum": "1"}), "/maximum"),
        ] {
            assert_eq!(Schema::compile(&schema).unwrap_err().path, path, "{schema}");
        }
    }

    #[test]
    fn patterns_that_are_not_linear_or_too_large_are_refused() {
        for pattern in [
            "(((a{100}){100}){100}){100}",
            "(?=a)b",
            "(?<!a)b",
            r"(a)\1",
            "(",
        ] {
            for schema in [
                json!({"properties": {"a": {"pattern": pattern}}}),
                json!({"patternProperties": {pattern: true}}),
            ] {
                let fault = Schema::compile(&schema).unwrap_err();
                assert!(fault.fault.contains("pattern"), "{fault}");
                assert!(fault.path.starts_with("/p"), "{fault}");
            }
        }
    }
}
