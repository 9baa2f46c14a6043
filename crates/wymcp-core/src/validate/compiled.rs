//! The protocol's schema, compiled: every violation of a message that a typed check refused.

use std::{collections::BTreeMap, str::Split, sync::OnceLock};

use jsonschema::{
    Draft, JsonType, Validator,
    error::{TypeKind, ValidationErrorKind},
};
use serde_json::Value;

use super::{Violation, location::Location, params::definitions, violation::Keyword};
use crate::text::{Json, Object};

const SCHEMA: &str = include_str!("../../schemas/2026-07-28.json");

/// A message of more values than this is told its first violation only: the validator keeps one error for each, and a
/// large message could hold one for each of its values.
const EXPLAINED_VALUES: usize = 10_000;

/// The definitions that a part of a message is checked against, each compiled when it is first needed.
#[derive(Debug)]
pub(super) struct Definitions(BTreeMap<&'static str, OnceLock<Option<Validator>>>);

impl Default for Definitions {
    fn default() -> Self {
        let names = ["Framing", "RequestParams"]
            .into_iter()
            .chain(definitions());
        Self(names.map(|name| (name, OnceLock::new())).collect())
    }
}

impl Definitions {
    /// The violations of a definition, one for each place, in the order of the document; none when the definition
    /// cannot say, which leaves the word to the typed check.
    ///
    /// `at` is where the instance stands in its message.
    pub(super) fn violations(
        &self,
        definition: &str,
        instance: &Object<'_>,
        at: &Location<'_>,
    ) -> Vec<Violation> {
        let mut left = EXPLAINED_VALUES;
        if !instance.iter().all(|(_, value)| fits(value, &mut left)) {
            return Vec::new();
        }
        self.validator(definition)
            .map(|validator| explain(validator, &Json::Object(instance.clone()), at))
            .unwrap_or_default()
    }

    #[cfg(test)]
    pub(super) fn all_compile(&self) -> bool {
        self.0.keys().all(|name| self.validator(name).is_some())
    }

    fn validator(&self, definition: &str) -> Option<&Validator> {
        let (name, compiled) = self.0.get_key_value(definition)?;
        compiled.get_or_init(|| compile(name)).as_ref()
    }
}

/// Whether a value is of at most so many values, which it takes off.
fn fits(value: &Json<'_>, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else {
        return false;
    };
    *left = rest;
    match value {
        Json::Array(items) => items.iter().all(|item| fits(item, left)),
        Json::Object(object) => object.iter().all(|(_, value)| fits(value, left)),
        _ => true,
    }
}

/// `None` only if our own schema is broken, which a test rules out.
fn compile(definition: &str) -> Option<Validator> {
    let mut schema: Value = serde_json::from_str(SCHEMA).ok()?;
    let root = schema.as_object_mut()?;
    root.insert("$ref".to_owned(), format!("#/$defs/{definition}").into());
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .build(&schema)
        .ok()
}

fn explain(validator: &Validator, instance: &Json<'_>, at: &Location<'_>) -> Vec<Violation> {
    // A place is its positions from the top, so the order of places is the order of the document.
    let mut places: BTreeMap<Vec<usize>, Violation> = BTreeMap::new();
    for error in validator.iter_errors(&instance.to_value()) {
        // Not `Location::segments`, which leaves out a member whose name is empty.
        let mut segments = error.instance_path().as_str().split('/');
        segments.next();
        let place = place(instance, segments.clone());
        if !places.contains_key(&place) {
            places.extend(violation_below(at, segments, error.kind()).map(|found| (place, found)));
        }
    }
    places.into_values().collect()
}

/// The positions of the members and items on the way to a place.
fn place(root: &Json<'_>, segments: Split<'_, char>) -> Vec<usize> {
    let mut node = Some(root);
    let positions = segments.map_while(|segment| {
        let name = unescaped(segment);
        match node? {
            Json::Object(object) => {
                node = object.get(&name);
                object.position(&name)
            }
            Json::Array(items) => {
                let position = name.parse().ok()?;
                node = items.get(position);
                Some(position)
            }
            _ => None,
        }
    });
    positions.collect()
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

fn violation_below(
    at: &Location<'_>,
    mut segments: Split<'_, char>,
    kind: &ValidationErrorKind,
) -> Option<Violation> {
    match segments.next() {
        Some(segment) => violation_below(&at.member(&unescaped(segment)), segments, kind),
        None => violation(at, kind),
    }
}

/// The violation that an error of the validator tells of; `None` for keywords that our schema does not use.
fn violation(at: &Location<'_>, kind: &ValidationErrorKind) -> Option<Violation> {
    let say = |keyword: Keyword<'_>| Some(Violation::at(at, &keyword));
    match kind {
        ValidationErrorKind::Type { kind } => {
            let types: Vec<&str> = match kind {
                TypeKind::Single(name) => vec![name.as_str()],
                TypeKind::Multiple(names) => names.iter().map(JsonType::as_str).collect(),
            };
            say(Keyword::Type(&types))
        }
        ValidationErrorKind::Required { property } => say(Keyword::Required(property.as_str()?)),
        ValidationErrorKind::Constant { expected_value } => {
            say(Keyword::Const(expected_value.as_str()?))
        }
        ValidationErrorKind::Enum { options } => {
            let options: Vec<&str> = options
                .as_array()?
                .iter()
                .filter_map(Value::as_str)
                .collect();
            say(Keyword::Enum(&options))
        }
        ValidationErrorKind::Minimum { limit } => say(Keyword::Minimum(limit.as_i64()?)),
        ValidationErrorKind::Maximum { limit } => say(Keyword::Maximum(limit.as_i64()?)),
        _ => None,
    }
}
