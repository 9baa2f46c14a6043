//! What a check against a schema can cost, counted before the schema is compiled.

use super::subschemas::{Reach, SchemaFault, Subschemas};

/// The most schemas that may be applied on the way to one place of an instance, each as often as it is reached.
const APPLIED: usize = 100_000;
/// The longest chain of schemas that apply each other to one place of an instance. A check recurses along it at every
/// level of the instance, so it bounds the stack.
const CHAIN: usize = 64;

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
    for index in reached {
        // One member has one name, so of all properties only the most expensive counts.
        let (mut sum, mut member) = (1_usize, 0_usize);
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
            match rest.find(|edge| follow(edge)) {
                Some(edge) => match states.get(edge.to) {
                    Some(State::New) => {
                        set(&mut states, edge.to, State::Open);
                        open.push((edge.to, children(edges, edge.to)));
                    }
                    Some(State::Open) => circle(from)?,
                    _ => {}
                },
                None => {
                    set(&mut states, from, State::Done);
                    order.push(from);
                    open.pop();
                }
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
