//! What a check against a schema can cost, counted before the schema is compiled.

use serde_json::Value;

use super::subschemas::{Reach, SchemaFault, Subschemas};

/// The most schemas that may be applied on the way to one place of an instance, each as often as it is reached.
const APPLIED: usize = 100_000;
/// The longest chain of schemas that apply each other to one place of an instance. A check recurses along it at every
/// level of the instance, so it bounds the stack.
const CHAIN: usize = 64;

/// What one value inside an option of an `enum` weighs, in schemas.
const COMPOSITE: usize = 64;

#[derive(Clone, Copy)]
struct Edge {
    to: usize,
    reach: Reach,
}

/// Checks that no schema applies itself to the same place, and that the rest stays within bounds; answers the
/// longest chain.
///
/// A recursion that descends in the instance counts once: the instance's depth bounds it, and its verdict for each
/// place is remembered.
pub(crate) fn check(
    found: &Subschemas<'_>,
    references: &[Vec<usize>],
) -> Result<usize, SchemaFault> {
    let edges = edges(found, references);
    let chained = in_postorder(
        &edges,
        |edge| edge.reach == Reach::Same,
        |from| {
            Err(SchemaFault::new(
                found.path(from),
                "applies itself to the same value without end; break the circle of references",
            ))
        },
    )?;
    let mut chain = vec![1_usize; edges.len()];
    for index in chained {
        let longest = children(&edges, index)
            .filter(|edge| edge.reach == Reach::Same)
            .map(|edge| of(&chain, edge.to))
            .max();
        let length = longest.unwrap_or(0).saturating_add(1);
        if length > CHAIN {
            return Err(SchemaFault::new(
                found.path(index),
                format!(
                    "applies a chain of more than {CHAIN} schemas to one value; shorten the chain of references"
                ),
            ));
        }
        set(&mut chain, index, length);
    }
    let reached = in_postorder(&edges, |edge| edge.reach != Reach::Never, |_| Ok(()))?;
    let mut applied = vec![1_usize; edges.len()];
    for (index, place) in found.places.iter().enumerate() {
        let options = place.schema.get("enum").and_then(Value::as_array);
        let values: usize = options.into_iter().flatten().map(composite).sum();
        let weight = values.saturating_mul(COMPOSITE).saturating_add(1);
        set(&mut applied, index, weight);
    }
    for index in reached {
        // One member has one name, so of all properties only the most expensive counts.
        let (mut sum, mut member) = (of(&applied, index), 0_usize);
        let repeats = repeats(found, index);
        for edge in children(&edges, index) {
            let cost = of(&applied, edge.to);
            match edge.reach {
                Reach::Same => sum = sum.saturating_add(cost.saturating_mul(repeats)),
                Reach::Inside => sum = sum.saturating_add(cost),
                Reach::Member => member = member.max(cost),
                Reach::Never => {}
            }
        }
        let sum = sum.saturating_add(member);
        if sum > APPLIED {
            return Err(SchemaFault::new(
                found.path(index),
                format!(
                    "expands to more than {APPLIED} schemas for one value; let fewer schemas refer to each other"
                ),
            ));
        }
        set(&mut applied, index, sum);
    }
    Ok(chain.into_iter().max().unwrap_or(1))
}

/// How many values an option holds that is an array or an object: the validator compares those one by one, and finds
/// every other option at once.
fn composite(option: &Value) -> usize {
    match option {
        Value::Array(items) => items.iter().map(values).sum::<usize>().saturating_add(1),
        Value::Object(members) => members
            .values()
            .map(values)
            .sum::<usize>()
            .saturating_add(1),
        _ => 0,
    }
}

fn values(value: &Value) -> usize {
    composite(value).max(1)
}

/// How often a schema applies those that it applies to the same value: to know what is unevaluated, the validator goes
/// through them again (measured: 2.7 times the work).
fn repeats(found: &Subschemas<'_>, index: usize) -> usize {
    let is_unevaluated = found.places.get(index).is_some_and(|place| {
        let schema = place.schema;
        schema.get("unevaluatedItems").is_some() || schema.get("unevaluatedProperties").is_some()
    });
    if is_unevaluated { 3 } else { 1 }
}

fn edges(found: &Subschemas<'_>, references: &[Vec<usize>]) -> Vec<Vec<Edge>> {
    let mut edges: Vec<Vec<Edge>> = references
        .iter()
        .map(|targets| {
            let same = |to: &usize| Edge {
                to: *to,
                reach: Reach::Same,
            };
            targets.iter().map(same).collect()
        })
        .collect();
    for (to, place) in found.places.iter().enumerate() {
        let from = place.parent.and_then(|parent| edges.get_mut(parent));
        if let Some(from) = from {
            from.push(Edge {
                to,
                reach: place.reach,
            });
        }
    }
    edges
}

/// Every place after those that it leads to, except where that closes a circle, of which `circle` decides.
fn in_postorder(
    edges: &[Vec<Edge>],
    follow: impl Fn(&Edge) -> bool,
    circle: impl Fn(usize) -> Result<(), SchemaFault>,
) -> Result<Vec<usize>, SchemaFault> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    let mut order = Vec::with_capacity(edges.len());
    for start in 0..edges.len() {
        let mut open = Vec::new();
        if states.get(start) == Some(&State::New) {
            set(&mut states, start, State::Open);
            open.push((start, children(edges, start)));
        }
        while let Some((from, rest)) = open.last_mut() {
            let from = *from;
            let Some(edge) = rest.find(|edge| follow(edge)) else {
                set(&mut states, from, State::Done);
                order.push(from);
                open.pop();
                continue;
            };
            match states.get(edge.to) {
                Some(State::New) => {
                    set(&mut states, edge.to, State::Open);
                    open.push((edge.to, children(edges, edge.to)));
                }
                Some(State::Open) => circle(from)?,
                _ => {}
            }
        }
    }
    Ok(order)
}

fn children(edges: &[Vec<Edge>], index: usize) -> std::slice::Iter<'_, Edge> {
    edges
        .get(index)
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
}

fn of(values: &[usize], index: usize) -> usize {
    values.get(index).copied().unwrap_or(1)
}

fn set<T>(values: &mut [T], index: usize, value: T) {
    if let Some(slot) = values.get_mut(index) {
        *slot = value;
    }
}

#[cfg(all(test, feature = "json-schema"))]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::{Map, Value, json};

    use crate::{catalog::schema::Schema, text::Json};

    /// Asserts that the larger run takes less than `most` times as long as the smaller one.
    ///
    /// Other tests run beside this one, so a ratio counts only when it is too large each time.
    fn assert_growth(most: f64, smaller: impl Fn(), larger: impl Fn()) {
        let mut ratios = Vec::new();
        for _ in 0..12 {
            let ratio = shortest(&larger).as_secs_f64() / shortest(&smaller).as_secs_f64();
            if ratio < most {
                return;
            }
            ratios.push(ratio);
        }
        panic!("the larger run took {ratios:.1?} times as long, and at most {most} is fine");
    }

    /// The shortest of a few runs, which is the least disturbed one.
    fn shortest(run: impl Fn()) -> Duration {
        let timed = |_| {
            let start = Instant::now();
            run();
            start.elapsed()
        };
        (0..5).map(timed).min().unwrap_or_default()
    }

    #[test]
    fn an_enumeration_of_many_arrays_is_refused_and_one_of_many_texts_is_not() {
        let schema = |options: Vec<Value>| {
            let items = json!({"enum": options});
            json!({"type": "object", "properties": {"x": {"type": "array", "items": items}}})
        };
        let arrays = (0..2_000).map(|number| json!([0, number])).collect();
        let fault = Schema::compile(&schema(arrays)).unwrap_err();
        assert!(
            fault.fault.contains("expands to more than"),
            "{}",
            fault.fault
        );
        let texts = (0..17_000).map(|number| json!(number.to_string()));
        assert!(Schema::compile(&schema(texts.collect())).is_ok());
        let few = (0..100).map(|number| json!([0, number])).collect();
        assert!(Schema::compile(&schema(few)).is_ok());
    }

    #[test]
    fn a_pattern_takes_linear_time() {
        let schema = Schema::compile(&json!({"pattern": "^(a+)+$"})).unwrap();
        let run = |length: usize| {
            let value = json!("a".repeat(length) + "!");
            let schema = &schema;
            move || assert!(!schema.is_valid(&Json::from(&value)))
        };
        // Eight times the text: linear is 8, quadratic 64.
        assert_growth(27.0, run(64 * 1024), run(512 * 1024));
    }

    #[test]
    fn schemas_that_are_refused_are_refused_in_linear_time() {
        let branches = |count: usize| json!({"allOf": vec![json!({"type": "object"}); count]});
        let patterns = |count: usize| json!({"pattern": "(a".repeat(count)});
        let long = |count: usize| json!({"description": "é".repeat(count)});
        let outside = |count: usize| json!({"enum": vec![json!({}); count], "$ref": "http://h/"});
        let each = [
            (branches(5_000), branches(40_000)),
            (patterns(320_000), patterns(2_560_000)),
            (long(320_000), long(2_560_000)),
            (outside(5_000), outside(40_000)),
        ];
        for (small, large) in &each {
            let run = |schema| move || assert!(Schema::compile(schema).is_err());
            // Eight times the schema: linear is 8, quadratic 64.
            assert_growth(27.0, run(small), run(large));
        }
    }

    #[test]
    fn huge_floats_cost_no_more_than_integers_against_an_enumeration() {
        let options: Vec<u32> = (0..300).collect();
        let schema =
            Schema::compile(&json!({"items": {"type": "integer", "enum": options}})).unwrap();
        let run = |number: f64| {
            let (value, schema) = (json!(vec![number; 500]), &schema);
            move || assert!(!schema.is_valid(&Json::from(&value)))
        };
        assert_growth(20.0, run(1000.0), run(1e308));
    }

    #[test]
    fn a_long_name_above_many_wrong_values_is_not_kept_for_each() {
        let schema = json!({"additionalProperties": {"additionalProperties": {"type": "string"}}});
        let schema = Schema::compile(&schema).unwrap();
        let run = |length: usize| {
            let inner: Map<String, Value> =
                (0..2000).map(|at| (at.to_string(), json!(1))).collect();
            let (value, schema) = (json!({"n".repeat(length): inner}), &schema);
            move || assert!(!schema.violations(&Json::from(&value), 32).is_empty())
        };
        assert_growth(27.0, run(10), run(2_000_000));
    }

    /// Unions whose branches all descend: the shape of a recursive enum.
    fn unions() -> [Value; 3] {
        let branch = |op: &str| {
            json!({"type": "object", "required": ["op"], "properties": {
                "op": {"const": op}, "of": {"type": "array", "items": {"$ref": "#"}}}})
        };
        let list = json!({"type": "array", "items": {"$ref": "#"}});
        [
            json!({"oneOf": [branch("and"), branch("or"), branch("not")]}),
            json!({"oneOf": [{"type": "integer"}, list, list]}),
            json!({"anyOf": [{"type": "integer"}, list, {"type": "array", "items": {"allOf": [{"$ref": "#"}]}}]}),
        ]
    }

    fn nested(levels: usize, tagged: bool) -> Value {
        (0..levels).fold(json!("x"), |inner, _| {
            if tagged {
                json!({"op": "and", "of": [inner]})
            } else {
                json!([inner])
            }
        })
    }

    #[test]
    fn nested_unions_take_bounded_time() {
        for (at, schema) in unions().iter().enumerate() {
            let schema = Schema::compile(schema).unwrap();
            let run = |levels: usize| {
                let (value, schema) = (nested(levels, at == 0), &schema);
                move || {
                    let json = Json::from(&value);
                    assert!(!schema.is_valid(&json));
                    assert!(!schema.violations(&json, 32).is_empty());
                }
            };
            assert_growth(30.0, run(20), run(50));
        }
    }

    #[test]
    fn many_wrong_places_cost_no_more_than_their_number() {
        let schema = Schema::compile(&json!({"items": {"type": "string"}})).unwrap();
        let run = |count: usize| {
            let (value, schema) = (Value::Array(vec![json!(0); count]), &schema);
            move || assert_eq!(schema.violations(&Json::from(&value), 32).len(), 32)
        };
        assert_growth(9.0, run(50_000), run(200_000));
        let mut items = vec![json!("x"); 200_000];
        items.push(json!(1));
        let value = Value::Array(items);
        assert_eq!(
            schema.violations(&Json::from(&value), 32)[0].instance_location,
            "/200000"
        );
    }

    /// A recursion with the longest chain that is allowed, through the deepest instance, on the smallest stack that
    /// servers usually give.
    #[test]
    fn the_deepest_recursion_fits_the_stack() {
        let links = |count: usize, wrap: fn(Value) -> Value| {
            let mut defs: serde_json::Map<String, Value> = (0..count)
                .map(|at| {
                    let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
                    (format!("d{at}"), wrap(next))
                })
                .collect();
            let last = json!({"items": {"$ref": "#"}, "not": {"const": 5}});
            defs.insert(format!("d{count}"), last);
            json!({"$ref": "#/$defs/d0", "$defs": defs})
        };
        let schemas = [
            links(29, |next| json!({"oneOf": [next, {"type": "null"}]})),
            links(29, |next| json!({"anyOf": [next, {"const": 7}]})),
            links(19, |next| json!({"if": {"not": next}, "then": false})),
        ];
        let run = move || {
            for schema in &schemas {
                let schema = Schema::compile(schema).unwrap();
                for (inner, valid) in [(json!("x"), true), (json!(5), false)] {
                    let value =
                        (0..crate::Limits::MAX_DEPTH).fold(inner, |inner, _| json!([inner]));
                    let found = schema.violations(&Json::from(&value), 32);
                    assert_eq!(found.is_empty(), valid, "{found:?}");
                }
            }
        };
        std::thread::Builder::new()
            .stack_size(2 * 1024 * 1024)
            .spawn(run)
            .unwrap()
            .join()
            .unwrap();
    }
}
