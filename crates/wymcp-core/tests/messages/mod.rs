//! Messages of every method: valid ones, and what is left of them after a few mutations.

use proptest::{
    prelude::{Just, Strategy, any, prop_oneof},
    sample::{Index, select},
};
use serde_json::{Value, json};

/// The methods of the revision, and one that it does not know.
const METHODS: &[&str] = &[
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "subscriptions/listen",
    "tasks/get",
];

/// Members that mutations add, wherever they fit or not.
const MEMBERS: &[&str] = &[
    "",
    "a/b~c",
    "id",
    "params",
    "cursor",
    "arguments",
    "title",
    "type",
    "name",
    "context",
    "requestState",
    "inputResponses",
    "progressToken",
    "sampling",
    "x\ny",
];

/// Messages with no to three mutations.
pub(crate) fn message() -> impl Strategy<Value = Value> {
    let mutations = proptest::collection::vec(mutation(), 0..=3);
    (valid(), mutations).prop_map(|(mut message, mutations)| {
        for mutation in &mutations {
            mutation.apply(&mut message);
        }
        message
    })
}

fn valid() -> impl Strategy<Value = Value> {
    let kinds = (select(METHODS), any::<bool>(), any::<bool>());
    kinds.prop_map(|(method, all_params, all_meta)| {
        let mut params = params(method, all_params);
        params["_meta"] = meta(all_meta);
        json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    })
}

/// A valid `_meta`: with every member, or with the required ones.
fn meta(all: bool) -> Value {
    if !all {
        return json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}, "url": {"x": [1, "y", {}]}},
            "sampling": {"context": {}, "tools": {}},
            "roots": {},
            "experimental": {"com.example/a": {"on": true}},
            "extensions": {"com.example/b": {}},
            "unknown": null,
        },
        "io.modelcontextprotocol/clientInfo": {
            "name": "client",
            "version": "1.0",
            "title": "Client",
            "description": "A client",
            "websiteUrl": "https://example.com",
            "icons": [{"src": "https://example.com/a.png", "theme": "dark", "sizes": ["any"]}],
        },
        "io.modelcontextprotocol/logLevel": "info",
        "progressToken": 42,
        "traceparent": "00-1-2-3",
    })
}

/// Valid params without `_meta`: with every member, or with the required ones.
fn params(method: &str, all: bool) -> Value {
    match (method, all) {
        ("tools/list" | "resources/list" | "resources/templates/list" | "prompts/list", true) => {
            json!({"cursor": "c"})
        }
        ("tools/call", true) => json!({
            "name": "sum", "arguments": {"a": 1, "b": [null]}, "inputResponses": {}, "requestState": "s",
        }),
        ("tools/call" | "prompts/get", false) => json!({"name": "sum"}),
        ("prompts/get", true) => json!({
            "name": "p", "arguments": {"a": "b", "a/b~c": ""}, "inputResponses": {}, "requestState": "s",
        }),
        ("resources/read", true) => json!({
            "uri": "file:///a",
            "inputResponses": {"q": {"action": "accept", "content": {"x": 1}}},
            "requestState": "s",
        }),
        ("resources/read", false) => json!({"uri": "file:///a"}),
        ("completion/complete", true) => json!({
            "ref": {"type": "ref/prompt", "name": "p", "title": "P"},
            "argument": {"name": "a", "value": ""},
            "context": {"arguments": {"b": "c"}},
        }),
        ("completion/complete", false) => json!({
            "ref": {"type": "ref/resource", "uri": "file:///{a}"},
            "argument": {"name": "a", "value": "b"},
        }),
        ("subscriptions/listen", true) => json!({"notifications": {
            "toolsListChanged": true,
            "promptsListChanged": false,
            "resourcesListChanged": true,
            "resourceSubscriptions": ["file:///a", "file:///b"],
        }}),
        ("subscriptions/listen", false) => json!({"notifications": {}}),
        _ => json!({}),
    }
}

#[derive(Clone, Debug)]
enum Mutation {
    Drop(Index),
    Replace(Index, Value),
    Insert(Index, &'static str, Value),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        any::<Index>().prop_map(Mutation::Drop),
        (any::<Index>(), value()).prop_map(|(place, value)| Mutation::Replace(place, value)),
        (any::<Index>(), select(MEMBERS), value())
            .prop_map(|(place, name, value)| Mutation::Insert(place, name, value)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let strings = [
        "",
        "2.0",
        "x",
        "debug",
        "ref/prompt",
        "ref/resource",
        "tools/call",
        "prompts/get",
    ];
    let numbers = [
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!(-0.0),
        json!(1e20),
        json!(-1e20),
        json!(9_007_199_254_740_991_i64),
        json!(-9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(-9_007_199_254_740_992_i64),
        json!(9_007_199_254_740_991.0),
        json!(9_007_199_254_740_992.0),
        json!(u64::MAX),
        json!(i64::MIN),
    ];
    let others = [
        json!(true),
        json!([]),
        json!(["x"]),
        json!([1, "x", null]),
        json!({}),
        json!({"x": null}),
        json!({"x": 1.5, "y": [{"z": null}]}),
        json!({"x": "y"}),
        json!({"x": {}, "0": 1, "": 2, "a/b~c": 3}),
        json!({"type": "ref/prompt", "name": 1}),
        json!({"type": "ref/resource", "title": 1}),
    ];
    prop_oneof![
        2 => Just(Value::Null),
        2 => select(numbers.to_vec()),
        2 => select(strings.map(Value::from).to_vec()),
        3 => select(others.to_vec()),
    ]
}

impl Mutation {
    fn apply(&self, message: &mut Value) {
        match self {
            Self::Drop(place) => {
                let pointers = places(message, |_| true);
                let pointer = place.get(&pointers);
                let Some((parent, name)) = pointer.rsplit_once('/') else {
                    return;
                };
                let name = name.replace("~1", "/").replace("~0", "~");
                match message.pointer_mut(parent) {
                    Some(Value::Object(object)) => drop(object.remove(&name)),
                    Some(Value::Array(items)) => drop(items.pop()),
                    _ => {}
                }
            }
            Self::Replace(place, value) => {
                let pointers = places(message, |_| true);
                *message.pointer_mut(place.get::<String>(&pointers)).unwrap() = value.clone();
            }
            Self::Insert(place, name, value) => {
                let pointers = places(message, Value::is_object);
                if !pointers.is_empty() {
                    let object = message.pointer_mut(place.get::<String>(&pointers)).unwrap();
                    object[*name] = value.clone();
                }
            }
        }
    }
}

/// The JSON pointers of the values that are wanted.
fn places(value: &Value, wanted: impl Fn(&Value) -> bool + Copy) -> Vec<String> {
    let mut found = Vec::new();
    if wanted(value) {
        found.push(String::new());
    }
    let children: Vec<(String, &Value)> = match value {
        Value::Object(object) => object
            .iter()
            .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(position, item)| (position.to_string(), item))
            .collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        let below = places(child, wanted);
        found.extend(below.into_iter().map(|pointer| format!("/{name}{pointer}")));
    }
    found
}
