//! The borrowed tree as `jsonschema` reads it: in place, without a copy.

use std::{borrow::Cow, cell::Cell};

use jsonschema::{
    JsonType,
    json::{self, NodeIdentity},
};
use serde_json::Value;

use crate::text::{Json, Number, Object};

/// Our tree, as a representation of JSON instances.
pub(crate) enum Tree {}

/// A value while it is checked.
///
/// A verdict visits as much as it needs. A description is made within an [`Effort`], since the errors of nested
/// unions grow with every path through them, and with every place that is wrong.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    json: &'a Json<'a>,
    level: usize,
    effort: Option<&'a Effort>,
}

/// How much a description may still visit, and how deep.
pub(crate) struct Effort {
    visits: Cell<usize>,
    levels: usize,
}

/// What an error costs, in visits: it holds several allocations.
const ERROR: usize = 64;

impl Effort {
    /// So many visits, and so many levels into the instance.
    pub(crate) fn new(visits: usize, levels: usize) -> Self {
        Self {
            visits: Cell::new(visits),
            levels,
        }
    }

    /// Pays, and says whether there was enough.
    fn pay(&self, cost: usize) -> bool {
        let left = self.visits.get().saturating_sub(cost);
        self.visits.set(left);
        left > 0
    }
}

impl<'a> Visit<'a> {
    /// A visit that goes as far as it must.
    pub(crate) fn new(json: &'a Json<'a>) -> Self {
        Self {
            json,
            level: 0,
            effort: None,
        }
    }

    /// A visit that ends with the effort: from then on containers look empty.
    ///
    /// The instance of an error says whether the error was found before that (`true`) and can be believed; it is
    /// never the value, so that no error copies a tree.
    pub(crate) fn within(json: &'a Json<'a>, effort: &'a Effort) -> Self {
        Self {
            json,
            level: 0,
            effort: Some(effort),
        }
    }

    fn step(self, json: &'a Json<'a>) -> Option<Self> {
        let level = self.level.saturating_add(1);
        if let Some(effort) = self.effort {
            // What lies deeper is unknown, so from here on nothing is certain.
            let cost = if level > effort.levels { usize::MAX } else { 1 };
            if !effort.pay(cost) {
                return None;
            }
        }
        Some(Self {
            json,
            level,
            effort: self.effort,
        })
    }
}

impl json::Json for Tree {
    type Node<'a> = Visit<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Visit<'_>) -> T) -> T {
        f(Visit::new(&Json::String(Cow::Borrowed(string))))
    }
}

impl<'a> json::Node<'a, Tree> for Visit<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = Number;

    fn as_object(&self) -> Option<Members<'a>> {
        match self.json {
            Json::Object(object) => Some(Members {
                visit: *self,
                object,
            }),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Items<'a>> {
        match self.json {
            Json::Array(items) => Some(Items {
                visit: *self,
                items,
            }),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.json.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number> {
        self.json.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.json {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json.is_null()
    }

    fn json_type(&self) -> JsonType {
        match self.json {
            Json::Null => JsonType::Null,
            Json::Bool(_) => JsonType::Boolean,
            Json::Number(_) => JsonType::Number,
            Json::String(_) => JsonType::String,
            Json::Array(_) => JsonType::Array,
            Json::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        equal(self.json, expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self.effort {
            Some(effort) => Value::Bool(effort.pay(ERROR)),
            None => self.json.to_value(),
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref(self.json).addr()))
    }
}

/// Compares without a copy; numbers compare mathematically.
fn equal(json: &Json<'_>, expected: &Value) -> bool {
    match (json, expected) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(a), Value::Bool(b)) => a == b,
        (Json::Number(_), Value::Number(_)) => *json == Json::from(expected),
        (Json::String(a), Value::String(b)) => a == b,
        (Json::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Json::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && b.iter()
                    .all(|(name, b)| a.get(name).is_some_and(|a| equal(a, b)))
        }
        _ => false,
    }
}

/// An object while it is checked.
pub(crate) struct Members<'a> {
    visit: Visit<'a>,
    object: &'a Object<'a>,
}

impl<'a> json::Object<'a, Tree> for Members<'a> {
    type Node = Visit<'a>;
    type MemberName = &'a str;
    type MembersIter = Entries<'a>;

    fn len(&self) -> usize {
        self.object.len()
    }

    fn get(&self, key: &String) -> Option<Visit<'a>> {
        self.visit.step(self.object.get(key)?)
    }

    fn members(&self) -> Entries<'a> {
        Entries {
            visit: self.visit,
            members: self.object.members().iter(),
        }
    }
}

/// The members of an object while it is checked.
pub(crate) struct Entries<'a> {
    visit: Visit<'a>,
    members: std::slice::Iter<'a, (Cow<'a, str>, Json<'a>)>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a str, Visit<'a>);

    fn next(&mut self) -> Option<(&'a str, Visit<'a>)> {
        let (name, value) = self.members.next()?;
        Some((name, self.visit.step(value)?))
    }
}

/// An array while it is checked.
pub(crate) struct Items<'a> {
    visit: Visit<'a>,
    items: &'a [Json<'a>],
}

impl<'a> json::Array<'a, Tree> for Items<'a> {
    type Node = Visit<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn elements(&self) -> Elements<'a> {
        Elements {
            visit: self.visit,
            items: self.items.iter(),
        }
    }

    fn is_unique(&self) -> bool {
        let values: Vec<Value> = self.items.iter().map(Json::to_value).collect();
        json::unique::is_unique(&values)
    }
}

/// The items of an array while it is checked.
pub(crate) struct Elements<'a> {
    visit: Visit<'a>,
    items: std::slice::Iter<'a, Json<'a>>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Visit<'a>;

    fn next(&mut self) -> Option<Visit<'a>> {
        self.visit.step(self.items.next()?)
    }
}

impl json::JsonNumber for Number {
    fn as_u64(&self) -> Option<u64> {
        Number::as_u64(*self)
    }

    fn as_i64(&self) -> Option<i64> {
        Number::as_i64(*self)
    }

    fn as_f64(&self) -> Option<f64> {
        Some(Number::as_f64(*self))
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_serde().to_string())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        Cow::Owned(self.to_serde())
    }

    fn is_integer(&self) -> bool {
        Number::is_integer(*self)
    }

    /// Draft 4 looks at the spelling; here `2.0` is an integer in every dialect.
    fn is_written_as_integer(&self) -> bool {
        Number::is_integer(*self)
    }
}

#[cfg(test)]
mod tests {
    use jsonschema::json::conformance;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_tree_keeps_the_contract_of_a_representation() {
        let document = conformance::document();
        let json = Json::from(&document);
        conformance::assert_conformance::<Tree>(&Visit::new(&json));
    }

    #[test]
    fn an_error_after_the_effort_is_not_to_be_believed() {
        let schema = json!({"items": {"type": "integer"}, "contains": {"const": 7}});
        let validator = jsonschema::options_for::<Tree>().build(&schema).unwrap();
        let mut items = vec![json!(1); 100];
        items.push(json!(7));
        let value = Value::Array(items);
        let json = Json::from(&value);
        assert!(validator.is_valid(Visit::new(&json)));
        for effort in [Effort::new(50, 10), Effort::new(1_000_000, 0)] {
            let errors: Vec<_> = validator
                .iter_errors(Visit::within(&json, &effort))
                .collect();
            assert!(
                errors
                    .iter()
                    .all(|error| *error.instance().as_ref() == Value::Bool(false))
            );
        }
    }

    fn schemas() -> Vec<Value> {
        vec![
            json!({"type": "integer"}),
            json!({"type": ["number", "null"], "minimum": -1, "exclusiveMaximum": 3}),
            json!({"multipleOf": 0.5}),
            json!({"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^[a-cé]+$"}),
            json!({"const": {"a": 1.0, "b": [2]}}),
            json!({"enum": [1, "a", null, [], {"a": 1}, 18_446_744_073_709_551_615_u64]}),
            json!({"uniqueItems": true, "items": {"type": ["integer", "string", "array"]}}),
            json!({"prefixItems": [{"type": "integer"}], "unevaluatedItems": false}),
            json!({"contains": {"type": "number"}, "maxContains": 2}),
            json!({"required": ["a"], "properties": {"a": {"type": "integer"}},
                   "additionalProperties": {"type": "string"}}),
            json!({"propertyNames": {"maxLength": 1}, "maxProperties": 3}),
            json!({"patternProperties": {"^a": {"type": "number"}}, "unevaluatedProperties": false}),
            json!({"dependentRequired": {"a": ["b"]}, "not": {"required": ["c"]}}),
            json!({"oneOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}},
                             {"type": "object", "additionalProperties": {"$ref": "#"}}]}),
        ]
    }

    fn instances() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3_i64..4).prop_map(Value::from),
            (-6_i32..7).prop_map(|half| Value::from(f64::from(half) / 2.0)),
            any::<u64>().prop_map(Value::from),
            any::<f64>()
                .prop_filter("finite", |f| f.is_finite())
                .prop_map(Value::from),
            "[a-dé]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 14, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..17).prop_map(Value::Array),
                proptest::collection::btree_map("[a-d]{1,2}", inner, 0..16)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_verdict_is_that_on_a_serde_value(instance in instances()) {
            let json = Json::from(&instance);
            for schema in schemas() {
                let ours = jsonschema::options_for::<Tree>().build(&schema).unwrap();
                let theirs = jsonschema::options().build(&schema).unwrap();
                prop_assert_eq!(
                    ours.is_valid(Visit::new(&json)),
                    theirs.is_valid(&instance),
                    "{}", schema
                );
            }
        }
    }
}
