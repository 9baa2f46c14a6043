//! What a schema must keep to before it is compiled, so that neither its compilation nor a check can explode.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    schema_cost,
    subschemas::{SchemaFault, Subschemas, escaped},
};
use crate::text::to_bytes_within;

/// The deepest nesting of a schema's own text; its top is level 1.
const DEPTH: usize = 64;
/// The longest schema, in bytes of compact JSON.
const BYTES: usize = 256 * 1024;
/// The most regular expressions, names of `patternProperties` included.
const PATTERNS: usize = 64;
/// The longest regular expression, in bytes.
const PATTERN_BYTES: usize = 1024;

/// The dialects that are served, without a trailing `#`.
const DIALECTS: [&str; 5] = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
    DRAFT_4,
];
const DRAFT_4: &str = "http://json-schema.org/draft-04/schema";

/// Checks a schema of whatever size and depth, without recursion into what is not yet known to be shallow; answers
/// the longest chain of schemas that apply to one value.
///
/// # Errors
///
/// The first bound that is passed, a reference that leaves the schema, an unknown dialect.
pub(crate) fn check(schema: &Value) -> Result<usize, SchemaFault> {
    check_depth(schema)?;
    if to_bytes_within(schema, BYTES).is_err() {
        return Err(SchemaFault::new(
            "",
            format!("is longer than {BYTES} bytes; write a smaller schema"),
        ));
    }
    let found = Subschemas::of(schema)?;
    let draft_4 = check_dialect(schema)?;
    check_identifiers(&found, draft_4)?;
    check_patterns(&found)?;
    let references = references(schema, &found)?;
    schema_cost::check(&found, &references)
}

fn check_depth(schema: &Value) -> Result<(), SchemaFault> {
    let mut open = vec![(schema, 1_usize)];
    while let Some((value, level)) = open.pop() {
        let inside = level.saturating_add(1);
        if level > DEPTH {
            return Err(SchemaFault::new(
                "",
                format!("nests deeper than {DEPTH} levels; move parts of it to $defs"),
            ));
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, inside))),
            Value::Object(members) => open.extend(members.values().map(|value| (value, inside))),
            _ => {}
        }
    }
    Ok(())
}

/// Whether the dialect is the one in which `id` is what `$id` is in the others.
fn check_dialect(schema: &Value) -> Result<bool, SchemaFault> {
    let Some(dialect) = schema.get("$schema") else {
        return Ok(false);
    };
    let known = dialect
        .as_str()
        .map(|uri| uri.trim_end_matches('#'))
        .filter(|uri| DIALECTS.contains(uri));
    known.map(|uri| uri == DRAFT_4).ok_or_else(|| {
        SchemaFault::new(
            "/$schema",
            format!(
                "is no dialect that is known here; leave it out or write \"{}\"",
                DIALECTS.first().unwrap_or(&"")
            ),
        )
    })
}

fn check_identifiers(found: &Subschemas<'_>, draft_4: bool) -> Result<(), SchemaFault> {
    let keywords: &[&str] = if draft_4 {
        &["$id", "$schema", "id"]
    } else {
        &["$id", "$schema"]
    };
    for (index, place) in found.places.iter().enumerate().skip(1) {
        if let Some(keyword) = keywords
            .iter()
            .find(|name| place.schema.get(name).is_some())
        {
            return Err(SchemaFault::new(
                format!("{}/{keyword}", found.path(index)),
                "may stand only at the top of the schema; remove it",
            ));
        }
    }
    Ok(())
}

fn check_patterns(found: &Subschemas<'_>) -> Result<(), SchemaFault> {
    let mut count = 0_usize;
    for (index, place) in found.places.iter().enumerate() {
        let pattern = place.schema.get("pattern").and_then(Value::as_str);
        let names = place.schema.get("patternProperties");
        let names = names.and_then(Value::as_object).into_iter().flatten();
        let all = pattern
            .map(|pattern| (pattern, "pattern".to_owned()))
            .into_iter()
            .chain(
                names.map(|(name, _)| (&**name, format!("patternProperties/{}", escaped(name)))),
            );
        for (pattern, keyword) in all {
            count = count.saturating_add(1);
            let fault = if pattern.len() > PATTERN_BYTES {
                format!("is longer than {PATTERN_BYTES} bytes; write a shorter pattern")
            } else if count > PATTERNS {
                format!("is one pattern more than {PATTERNS}; use fewer patterns")
            } else {
                continue;
            };
            let keyword: String = keyword.chars().take(PATTERN_BYTES).collect();
            return Err(SchemaFault::new(
                format!("{}/{keyword}", found.path(index)),
                fault,
            ));
        }
    }
    Ok(())
}

/// For each place the places that it refers to.
fn references(schema: &Value, found: &Subschemas<'_>) -> Result<Vec<Vec<usize>>, SchemaFault> {
    let anchors = anchors(found)?;
    let mut references = Vec::with_capacity(found.places.len());
    for (index, place) in found.places.iter().enumerate() {
        let mut targets = Vec::new();
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = place.schema.get(keyword) else {
                continue;
            };
            let fault = |fault| SchemaFault::new(format!("{}/{keyword}", found.path(index)), fault);
            let fragment = reference
                .as_str()
                .and_then(|text| text.strip_prefix('#'))
                .ok_or_else(|| {
                    fault("leaves the schema; refer to a place in it, such as \"#/$defs/name\"")
                })?;
            let target = if fragment.is_empty() || fragment.starts_with('/') {
                decoded(fragment)
                    .and_then(|pointer| schema.pointer(&pointer))
                    .and_then(|target| found.at(target))
            } else {
                anchors.get(fragment).copied()
            };
            targets.push(target.ok_or_else(|| {
                fault("names no subschema; refer to one that stands in this schema, such as \"#/$defs/name\"")
            })?);
        }
        references.push(targets);
    }
    Ok(references)
}

fn anchors<'s>(found: &Subschemas<'s>) -> Result<BTreeMap<&'s str, usize>, SchemaFault> {
    let mut anchors = BTreeMap::new();
    for (index, place) in found.places.iter().enumerate() {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let anchor = place.schema.get(keyword).and_then(Value::as_str);
            if let Some(anchor) = anchor
                && anchors.insert(anchor, index).is_some_and(|at| at != index)
            {
                return Err(SchemaFault::new(
                    format!("{}/{keyword}", found.path(index)),
                    "is the anchor of another subschema too; rename one",
                ));
            }
        }
    }
    Ok(anchors)
}

/// Undoes the percent-encoding of a URI fragment; `None` when it is broken.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high.checked_mul(16)?.checked_add(low)?).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    fn fault(schema: &Value) -> (String, String) {
        let fault = check(schema).err().unwrap_or_else(|| {
            let text = schema.to_string();
            panic!("passed: {}", &text[..text.len().min(200)])
        });
        (fault.path, fault.fault)
    }

    /// `not` in `not`; dismantled by hand, since dropping it would recurse.
    fn with_nots(levels: usize, test: impl FnOnce(&Value)) {
        let mut schema = json!({});
        for _ in 0..levels {
            let mut outer = serde_json::Map::new();
            outer.insert("not".to_owned(), schema);
            schema = Value::Object(outer);
        }
        test(&schema);
        while let Some(inner) = schema.as_object_mut().and_then(|outer| outer.remove("not")) {
            schema = inner;
        }
    }

    #[test]
    fn nesting_is_refused_without_recursion() {
        for levels in [64, 1_000, 10_000, 100_000] {
            with_nots(levels, |schema| {
                assert!(fault(schema).1.contains("deeper than 64"), "{levels}");
            });
        }
        with_nots(63, |schema| assert!(check(schema).is_ok()));
    }

    #[test]
    fn size_is_refused() {
        assert!(
            fault(&json!({"description": "x".repeat(256 * 1024)}))
                .1
                .contains("longer")
        );
        let many = |count| json!({"allOf": vec![json!({}); count]});
        assert!(check(&many(4_095)).is_ok());
        assert!(fault(&many(4_096)).1.contains("subschemas"));
        assert!(fault(&many(5_000)).1.contains("subschemas"));
    }

    #[test]
    fn patterns_are_few_and_short() {
        let fields = |count: usize| {
            let properties: serde_json::Map<String, Value> = (0..count)
                .map(|at| (format!("p{at}"), json!({"pattern": "a"})))
                .collect();
            json!({"properties": properties})
        };
        assert!(check(&fields(64)).is_ok());
        assert!(fault(&fields(65)).1.contains("64"));
        let long = "a".repeat(1025);
        assert_eq!(fault(&json!({"pattern": long})).0, "/pattern");
        assert!(
            fault(&json!({"patternProperties": {long: true}}))
                .0
                .starts_with("/patternProperties/a")
        );
        assert!(check(&json!({"properties": {"pattern": {"const": "a".repeat(1025)}}})).is_ok());
    }

    #[test]
    fn references_that_leave_the_schema_are_refused_even_unused_ones() {
        for target in [
            "http://127.0.0.1:9/",
            "https://169.254.169.254/",
            "file:///etc/passwd",
            "//host/x",
            "other.json",
            "x",
            "",
            "#/$defs/absent",
            "#/$defs/%zz",
            "#/properties",
            "#absent",
        ] {
            for keyword in ["$ref", "$dynamicRef"] {
                let (path, _) = fault(
                    &json!({"$id": "http://h/", "$defs": {"a": {keyword: target}}, "properties": {}}),
                );
                assert_eq!(path, format!("/$defs/a/{keyword}"), "{target}");
            }
        }
        assert_eq!(fault(&json!({"$ref": 1})).0, "/$ref");
        for dialect in [
            json!("http://127.0.0.1:9/"),
            json!("https://json-schema.org/draft/2030-01/schema"),
            json!(1),
        ] {
            assert_eq!(fault(&json!({"$schema": dialect})).0, "/$schema");
        }
        assert_eq!(
            fault(&json!({"items": {"$id": "http://h/"}})).0,
            "/items/$id"
        );
        let draft_4 = "http://json-schema.org/draft-04/schema#";
        assert_eq!(
            fault(&json!({"$schema": draft_4, "items": {"id": "x"}})).0,
            "/items/id"
        );
    }

    #[test]
    fn references_within_the_schema_pass() {
        for schema in [
            json!({"$ref": "#/$defs/a%20b~1c", "$defs": {"a b/c": true}}),
            json!({"$ref": "#name", "$defs": {"a": {"$anchor": "name"}}}),
            json!({"$id": "http://h/", "items": {"$dynamicRef": "#node"}, "$dynamicAnchor": "node"}),
            json!({"properties": {"child": {"$ref": "#"}}}),
            json!({"default": {"$ref": "http://127.0.0.1:9/"}, "enum": [{"$schema": "x", "$id": "y"}]}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}, "$ref": "#/definitions/a"}),
        ] {
            assert!(check(&schema).is_ok(), "{schema}");
        }
        assert_eq!(
            fault(&json!({"$anchor": "a", "items": {"$anchor": "a"}})).0,
            "/items/$anchor"
        );
    }

    #[test]
    fn a_schema_that_applies_itself_to_the_same_value_is_refused() {
        for schema in [
            json!({"$ref": "#"}),
            json!({"allOf": [{"$ref": "#"}]}),
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}}),
        ] {
            assert!(fault(&schema).1.contains("circle"), "{schema}");
        }
    }

    fn doubling(levels: usize, twice: impl Fn(Value) -> Value) -> Value {
        let mut defs: serde_json::Map<String, Value> = (1..levels)
            .map(|at| {
                (
                    format!("d{at}"),
                    twice(json!({"$ref": format!("#/$defs/d{}", at - 1)})),
                )
            })
            .collect();
        defs.insert("d0".to_owned(), json!({"type": "object"}));
        json!({"$ref": format!("#/$defs/d{}", levels - 1), "$defs": defs})
    }

    #[test]
    fn expansion_is_counted_without_expanding() {
        let start = Instant::now();
        for levels in [25, 30] {
            let all_of = doubling(levels, |inner| json!({"allOf": [inner, inner]}));
            assert!(fault(&all_of).1.contains("expands"));
            let items = doubling(
                levels,
                |inner| json!({"anyOf": [{"items": inner}, {"contains": inner}]}),
            );
            assert!(fault(&items).1.contains("expands"));
        }
        let unevaluated = (0..20).fold(
            json!({}),
            |inner, _| json!({"allOf": [inner], "unevaluatedItems": false}),
        );
        assert!(fault(&unevaluated).1.contains("expands"));
        // Far above what it takes, far below what an expansion would take.
        assert!(start.elapsed() < Duration::from_secs(2));
        assert!(check(&doubling(10, |inner| json!({"allOf": [inner, inner]}))).is_ok());
        let members = doubling(20, |inner| json!({"properties": {"a": inner, "b": inner}}));
        assert!(
            check(&members).is_ok(),
            "a value is reached by one name only"
        );
    }

    #[test]
    fn a_long_chain_of_references_is_refused() {
        let chain = |levels: usize| {
            let mut defs: serde_json::Map<String, Value> = (1..levels)
                .map(|at| {
                    (
                        format!("d{at}"),
                        json!({"$ref": format!("#/$defs/d{}", at - 1)}),
                    )
                })
                .collect();
            defs.insert(
                "d0".to_owned(),
                json!({"items": {"$ref": format!("#/$defs/d{}", levels - 1)}}),
            );
            json!({"$defs": defs})
        };
        assert!(check(&chain(60)).is_ok());
        assert!(fault(&chain(70)).1.contains("chain"));
    }
}
