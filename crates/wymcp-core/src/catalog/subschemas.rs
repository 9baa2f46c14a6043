//! The places of a JSON Schema at which subschemas stand.

use std::collections::BTreeMap;

use serde_json::Value;

/// Why a schema cannot be used, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemaFault {
    /// A JSON pointer into the schema; empty for its top.
    pub(crate) path: String,
    /// What is wrong there and what to write.
    pub(crate) fault: String,
}

impl std::fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.fault)
    }
}

impl SchemaFault {
    pub(crate) fn new(path: impl Into<String>, fault: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            fault: fault.into(),
        }
    }
}

/// How a subschema is applied, seen from the schema that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// To the same instance location.
    Same,
    /// To the member that it is named after.
    Member,
    /// To members, items or names of the instance.
    Inside,
    /// Only by reference.
    Never,
}

/// What a keyword holds.
#[derive(Clone, Copy)]
enum Shape {
    One,
    Many,
    Named,
    /// One or many: `items` before 2020-12.
    OneOrMany,
    /// Schemas or lists of names: `dependencies` before 2019-09.
    NamedOrNames,
}

/// The keywords that hold subschemas, of all dialects together; everything else is data.
const KEYWORDS: [(&str, Shape, Reach); 22] = [
    ("$defs", Shape::Named, Reach::Never),
    ("additionalItems", Shape::One, Reach::Inside),
    ("additionalProperties", Shape::One, Reach::Inside),
    ("allOf", Shape::Many, Reach::Same),
    ("anyOf", Shape::Many, Reach::Same),
    ("contains", Shape::One, Reach::Inside),
    ("contentSchema", Shape::One, Reach::Never),
    ("definitions", Shape::Named, Reach::Never),
    ("dependencies", Shape::NamedOrNames, Reach::Same),
    ("dependentSchemas", Shape::Named, Reach::Same),
    ("else", Shape::One, Reach::Same),
    ("if", Shape::One, Reach::Same),
    ("items", Shape::OneOrMany, Reach::Inside),
    ("not", Shape::One, Reach::Same),
    ("oneOf", Shape::Many, Reach::Same),
    ("patternProperties", Shape::Named, Reach::Inside),
    ("prefixItems", Shape::Many, Reach::Inside),
    ("properties", Shape::Named, Reach::Member),
    ("propertyNames", Shape::One, Reach::Inside),
    ("then", Shape::One, Reach::Same),
    ("unevaluatedItems", Shape::One, Reach::Inside),
    ("unevaluatedProperties", Shape::One, Reach::Inside),
];

/// A schema within a schema.
#[derive(Clone, Debug)]
pub(crate) struct Place<'s> {
    /// The schema that stands here.
    pub(crate) schema: &'s Value,
    /// The place that it stands in; `None` for the top.
    pub(crate) parent: Option<usize>,
    /// How it is applied there.
    pub(crate) reach: Reach,
    keyword: &'static str,
    name: Option<Name<'s>>,
}

#[derive(Clone, Copy, Debug)]
enum Name<'s> {
    Member(&'s str),
    Item(usize),
}

/// All places of one schema; the top is the first, and each stands after the one that it stands in.
pub(crate) struct Subschemas<'s> {
    pub(crate) places: Vec<Place<'s>>,
    by_address: BTreeMap<usize, usize>,
}

impl<'s> Subschemas<'s> {
    /// The most places.
    pub(crate) const MOST: usize = 4_096;

    /// Finds every place, without recursion.
    ///
    /// # Errors
    ///
    /// More than [`Self::MOST`] places, or a place that holds no schema.
    pub(crate) fn of(schema: &'s Value) -> Result<Self, SchemaFault> {
        let mut found = Self {
            places: vec![Place {
                schema,
                parent: None,
                reach: Reach::Same,
                keyword: "",
                name: None,
            }],
            by_address: BTreeMap::new(),
        };
        let mut next = 0;
        while let Some(place) = found.places.get(next) {
            let schema = place.schema;
            if !(schema.is_object() || schema.is_boolean()) {
                return Err(SchemaFault::new(
                    found.path(next),
                    "is no schema; write an object, such as {\"type\": \"string\"}, or true or false",
                ));
            }
            found
                .by_address
                .insert(std::ptr::from_ref(schema).addr(), next);
            found.enter(next, schema);
            if found.places.len() > Self::MOST {
                return Err(SchemaFault::new(
                    "",
                    format!("has more than {} subschemas; split the tool", Self::MOST),
                ));
            }
            next = next.saturating_add(1);
        }
        Ok(found)
    }

    /// The place at which this very value stands.
    pub(crate) fn at(&self, schema: &Value) -> Option<usize> {
        self.by_address
            .get(&std::ptr::from_ref(schema).addr())
            .copied()
    }

    /// Where a place is, as a JSON pointer from the top.
    pub(crate) fn path(&self, index: usize) -> String {
        let mut segments = Vec::new();
        let mut at = self.places.get(index);
        while let Some(place) = at {
            match place.name {
                Some(Name::Member(name)) => segments.push(escaped(name)),
                Some(Name::Item(item)) => segments.push(item.to_string()),
                None => {}
            }
            if place.parent.is_some() {
                segments.push(place.keyword.to_owned());
            }
            at = place.parent.and_then(|parent| self.places.get(parent));
        }
        segments
            .iter()
            .rev()
            .flat_map(|segment| ["/", segment])
            .collect()
    }

    /// The names of the properties that lead from the top to a place; `None` when anything else is on the way.
    pub(crate) fn property_path(&self, index: usize) -> Option<Vec<String>> {
        let mut names = Vec::new();
        let mut at = self.places.get(index)?;
        while let Some(parent) = at.parent {
            match (at.reach, at.name) {
                (Reach::Member, Some(Name::Member(name))) => names.push(name.to_owned()),
                _ => return None,
            }
            at = self.places.get(parent)?;
        }
        names.reverse();
        Some(names)
    }

    fn enter(&mut self, parent: usize, schema: &'s Value) {
        let Some(members) = schema.as_object() else {
            return;
        };
        for (keyword, shape, reach) in KEYWORDS {
            let Some(value) = members.get(keyword) else {
                continue;
            };
            let mut add = |schema, name| {
                // One more than allowed is enough to refuse; a schema of data cannot fill memory.
                if self.places.len() <= Self::MOST {
                    self.places.push(Place {
                        schema,
                        parent: Some(parent),
                        reach,
                        keyword,
                        name,
                    });
                }
            };
            match (shape, value) {
                (Shape::Many | Shape::OneOrMany, Value::Array(items)) => {
                    for (item, schema) in items.iter().enumerate() {
                        add(schema, Some(Name::Item(item)));
                    }
                }
                (Shape::Named | Shape::NamedOrNames, Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        if !matches!((shape, schema), (Shape::NamedOrNames, Value::Array(_))) {
                            add(schema, Some(Name::Member(name)));
                        }
                    }
                }
                (Shape::NamedOrNames, _) => {}
                _ => add(value, None),
            }
        }
    }
}

/// A segment of a JSON pointer (RFC 6901).
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paths(schema: &Value) -> Vec<String> {
        let found = Subschemas::of(schema).unwrap();
        (0..found.places.len()).map(|at| found.path(at)).collect()
    }

    #[test]
    fn schemas_are_told_from_data() {
        let schema = json!({
            "enum": [{"properties": {"x": 1}}],
            "default": {"$ref": "http://x/"},
            "properties": {"enum": {"const": {"not": 1}}, "a/b~": {"items": [true]}},
            "dependencies": {"a": ["b"], "c": {}},
        });
        assert_eq!(
            paths(&schema),
            [
                "",
                "/dependencies/c",
                "/properties/a~1b~0",
                "/properties/enum",
                "/properties/a~1b~0/items/0",
            ]
        );
    }

    #[test]
    fn a_place_without_a_schema_is_a_fault_with_its_path() {
        for (schema, path) in [
            (json!([]), ""),
            (json!({"properties": {"a": 1}}), "/properties/a"),
            (json!({"allOf": [true, "x"]}), "/allOf/1"),
            (json!({"properties": []}), "/properties"),
        ] {
            assert_eq!(
                Subschemas::of(&schema).err().unwrap().path,
                path,
                "{schema}"
            );
        }
    }
}
