//! Arguments of a tool that clients mirror in `Mcp-Param-*` headers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::subschemas::{SchemaFault, Subschemas};

/// An argument that is mirrored in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderParam {
    /// The name after `Mcp-Param-`, as the schema spells it; compared without case.
    pub(crate) header: String,
    /// The names of the members that lead to the argument.
    pub(crate) path: Vec<String>,
}

const KEYWORD: &str = "x-mcp-header";
/// The most mirrored arguments of one tool.
const MOST: usize = 32;

/// Reads every `x-mcp-header` of an input schema, in the order of the schema.
///
/// # Errors
///
/// A name that is no token (RFC 9110, section 5.6.2) or that another argument has in whatever case; an argument that is
/// not of exactly the type string, integer or boolean; a place that is reached by anything but `properties`; more than
/// 32 of them.
pub(crate) fn header_params(schema: &Value) -> Result<Vec<HeaderParam>, SchemaFault> {
    let found = Subschemas::of(schema)?;
    let mut params = Vec::new();
    let mut names = BTreeSet::new();
    for (index, place) in found.places.iter().enumerate() {
        let Some(header) = place.schema.get(KEYWORD) else {
            continue;
        };
        let fault =
            |fault: &str| SchemaFault::new(format!("{}/{KEYWORD}", found.path(index)), fault);
        let header = header
            .as_str()
            .filter(|name| is_token(name))
            .ok_or_else(|| {
                fault("is no header name; write letters, digits and any of !#$%&'*+-.^_`|~")
            })?;
        let path = found
            .property_path(index)
            .filter(|path| !path.is_empty())
            .ok_or_else(|| {
                fault("may stand only on an argument that is reached by properties alone; move it there")
            })?;
        let mirrorable = ["string", "integer", "boolean"];
        let kind = place.schema.get("type").and_then(Value::as_str);
        if !kind.is_some_and(|kind| mirrorable.contains(&kind)) {
            return Err(fault(
                "may stand only where type is \"string\", \"integer\" or \"boolean\"; change the type or remove it",
            ));
        }
        if !names.insert(header.to_ascii_lowercase()) {
            return Err(fault(
                "is the header of another argument too, in this or another case; rename one",
            ));
        }
        params.push(HeaderParam {
            header: header.to_owned(),
            path,
        });
        if params.len() > MOST {
            return Err(fault(
                "is one more than the 32 that a tool may have; mirror fewer arguments",
            ));
        }
    }
    Ok(params)
}

fn is_token(name: &str) -> bool {
    let is_char = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_char)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn on(header: &Value) -> Value {
        json!({"type": "string", "x-mcp-header": header})
    }

    #[test]
    fn arguments_reached_by_properties_alone_are_mirrored() {
        let schema = json!({"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "page": {"type": "object", "properties": {"size": {"type": "integer", "x-mcp-header": "Page-Size"}}},
            "dry": {"type": "boolean", "x-mcp-header": "dry!"},
            "properties": {"const": {"x-mcp-header": 1}},
        }});
        let params = header_params(&schema).unwrap();
        let shown: Vec<_> = params
            .iter()
            .map(|param| (&*param.header, param.path.join("/")))
            .collect();
        assert_eq!(
            shown,
            [
                ("dry!", "dry".to_owned()),
                ("Region", "region".to_owned()),
                ("Page-Size", "page/size".to_owned()),
            ]
        );
    }

    #[test]
    fn a_header_that_is_no_token_is_a_fault() {
        for header in [
            json!(""),
            json!("a b"),
            json!("a:b"),
            json!("a\r\nX: y"),
            json!("é"),
            json!(1),
            json!(null),
        ] {
            let fault = header_params(&json!({"properties": {"a": on(&header)}})).unwrap_err();
            assert_eq!(fault.path, "/properties/a/x-mcp-header", "{header}");
        }
    }

    #[test]
    fn two_headers_that_differ_in_case_only_are_a_fault() {
        let schema = json!({"properties": {"a": on(&json!("Region")), "b": on(&json!("region"))}});
        assert_eq!(
            header_params(&schema).unwrap_err().path,
            "/properties/b/x-mcp-header"
        );
    }

    #[test]
    fn other_types_are_a_fault() {
        for kind in [
            json!("number"),
            json!("object"),
            json!("array"),
            json!("null"),
            json!(["string"]),
            json!(["string", "null"]),
            Value::Null,
        ] {
            let mut schema = on(&json!("A"));
            schema["type"] = kind.clone();
            assert!(
                header_params(&json!({"properties": {"a": schema}})).is_err(),
                "{kind}"
            );
        }
        assert!(header_params(&json!({"properties": {"a": {"x-mcp-header": "A"}}})).is_err());
    }

    #[test]
    fn any_other_place_is_a_fault() {
        let on = on(&json!("A"));
        let inside = json!({"properties": {"a": on}});
        for schema in [
            on.clone(),
            json!({"items": on}),
            json!({"prefixItems": [on]}),
            json!({"oneOf": [inside]}),
            json!({"anyOf": [inside]}),
            json!({"allOf": [inside]}),
            json!({"not": inside}),
            json!({"if": inside}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": inside}}),
            json!({"properties": {"b": {"$ref": "#/$defs/a"}}, "$defs": {"a": on}}),
            json!({"additionalProperties": on}),
            json!({"patternProperties": {"a": on}}),
            json!({"properties": {"b": {"items": inside}}}),
        ] {
            assert!(header_params(&schema).is_err(), "{schema}");
        }
    }

    #[test]
    fn there_are_at_most_32() {
        let schema = |count: usize| {
            let properties: serde_json::Map<String, Value> = (0..count)
                .map(|at| (format!("p{at}"), on(&json!(format!("P{at}")))))
                .collect();
            json!({"properties": properties})
        };
        assert_eq!(header_params(&schema(32)).unwrap().len(), 32);
        assert!(header_params(&schema(33)).is_err());
    }
}
