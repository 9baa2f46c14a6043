//! Values to generate messages from.

use proptest::prelude::*;
use serde_json::{Value, json};

pub(crate) type Values = BoxedStrategy<Value>;
pub(crate) type Members = Vec<(&'static str, Values)>;

/// A method with values of its.
pub(crate) fn of(
    method: &'static str,
    values: Values,
) -> impl Strategy<Value = (&'static str, Value)> + use<> {
    values.prop_map(move |value| (method, value))
}

/// The application's own, with names that the protocol uses elsewhere.
pub(crate) fn meta() -> Values {
    object(
        vec![],
        vec![
            ("com.example/owner", anything()),
            ("resultType", anything()),
            ("icons", anything()),
        ],
    )
}

pub(crate) fn anything() -> Values {
    prop_oneof![
        just(json!(null)),
        just(json!(-0.0)),
        just(json!(u64::MAX)),
        just(json!([1, {"title": null, "_meta": {}}])),
        just(json!({"ttlMs": [], "icons": {"io.modelcontextprotocol/serverInfo": 1}})),
        text(),
    ]
    .boxed()
}

pub(crate) fn object(required: Members, optional: Members) -> Values {
    let required = required
        .into_iter()
        .map(|(name, values)| (Just(name), values.prop_map(Some).boxed()));
    let optional = optional
        .into_iter()
        .map(|(name, values)| (Just(name), prop::option::weighted(0.7, values).boxed()));
    let members: Vec<_> = required.chain(optional).collect();
    members
        .prop_map(|members| {
            let present = members
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?)));
            Value::Object(present.collect())
        })
        .boxed()
}

pub(crate) fn several(values: Values) -> Values {
    prop::collection::vec(values, 0..3)
        .prop_map(Value::Array)
        .boxed()
}

pub(crate) fn one_of(texts: &[&'static str]) -> Values {
    prop::sample::select(texts.to_vec())
        .prop_map(Value::from)
        .boxed()
}

pub(crate) fn just(value: impl Into<Value>) -> Values {
    Just(value.into()).boxed()
}

pub(crate) fn text() -> Values {
    "[a-cé\u{2028}\" ]{0,4}".prop_map(Value::String).boxed()
}

pub(crate) fn uri() -> Values {
    "https://example\\.com/[a-c]{0,3}"
        .prop_map(Value::String)
        .boxed()
}

pub(crate) fn role() -> Values {
    one_of(&["user", "assistant"])
}

pub(crate) fn count() -> Values {
    (0..4_u32).prop_map(Value::from).boxed()
}

pub(crate) fn flag() -> Values {
    any::<bool>().prop_map(Value::Bool).boxed()
}
