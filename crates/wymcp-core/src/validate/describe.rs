//! What an instance that does not fit a schema is told, at a bounded cost.

use std::fmt::Write as _;

use jsonschema::{
    JsonType, ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

use super::{
    Violation,
    representation::{Effort, Tree, Visit},
    violation::{lacks, must_be_of},
    words,
};
use crate::{text::Json, untrusted::Untrusted};

/// The visits of a description, whatever the instance, and those that each of its values adds: enough for every
/// error that can be shown, and for unions nested as deep as people write them.
const EFFORT: usize = 50_000;
const EFFORT_PER_VALUE: usize = 8;
/// The bytes that the paths of all errors may have together: each error holds its own, made of the names on its way, so
/// that a long name above many errors would be kept many times.
const PATH_BYTES: usize = 16 * 1024 * 1024;
/// The levels of a description, times the longest chain of schemas at each: its recursion costs kilobytes of stack for
/// each link in a debug build, and servers give 2 MiB.
const LINKS: usize = 512;

/// The violations of an instance that is known not to fit: never empty. `chain` is the longest chain of schemas that
/// apply to one place.
///
/// Nested unions take time exponential in their depth to describe, since every branch has its own errors; so a
/// description ends with its effort and at a depth that fits the stack, and then tells what it found until there. The
/// verdict itself is not at stake: that remembers what it decided for each place.
pub(crate) fn violations(
    validator: &Validator<Tree>,
    chain: usize,
    instance: &Json<'_>,
    limit: usize,
) -> Vec<Violation> {
    let visits = count(instance)
        .saturating_mul(EFFORT_PER_VALUE)
        .saturating_add(EFFORT)
        .min(
            PATH_BYTES
                .checked_div(longest_path(instance))
                .unwrap_or(usize::MAX),
        );
    let effort = Effort::new(visits, LINKS.checked_div(chain).unwrap_or(LINKS));
    let errors: Vec<ValidationError<'_>> = validator
        .iter_errors(Visit::within(instance, &effort))
        .collect();
    let mut found = Vec::new();
    for error in &errors {
        collect(error, &mut found);
    }
    let mut placed: Vec<(Vec<usize>, &ValidationError<'_>)> = found
        .into_iter()
        .filter_map(|error| Some((positions(instance, error)?, error)))
        .collect();
    placed.sort_by(|(a, _), (b, _)| a.cmp(b));
    let violations: Vec<Violation> = placed
        .chunk_by(|(a, _), (b, _)| a == b)
        .take(limit)
        .filter_map(at_one_place)
        .collect();
    if violations.is_empty() {
        return vec![Violation {
            instance_location: String::new(),
            keyword: "schema",
            message: "breaks the schema, in a place that takes too long to find".to_owned(),
        }];
    }
    violations
}

/// Whether an error was found within the effort; [`Visit::within`] says why this is what its instance tells.
fn is_certain(error: &ValidationError<'_>) -> bool {
    error.instance().as_bool() == Some(true)
}

/// The bytes of the longest path into an instance, as a JSON pointer: an escape doubles a byte, an index has a few.
fn longest_path(json: &Json<'_>) -> usize {
    match json {
        Json::Array(items) => items
            .iter()
            .map(|item| longest_path(item).saturating_add(8))
            .max()
            .unwrap_or(0),
        Json::Object(object) => object
            .iter()
            .map(|(name, value)| longest_path(value).saturating_add(name.len().saturating_mul(2)))
            .max()
            .unwrap_or(0),
        _ => 0,
    }
}

fn count(json: &Json<'_>) -> usize {
    let inside: usize = match json {
        Json::Array(items) => items.iter().map(count).sum(),
        Json::Object(object) => object.iter().map(|(_, value)| count(value)).sum(),
        _ => 0,
    };
    inside.saturating_add(1)
}

/// The errors to tell: those of the branch that was meant stand for the error of a union.
fn collect<'e>(error: &'e ValidationError<'e>, found: &mut Vec<&'e ValidationError<'e>>) {
    if !is_certain(error) {
        return;
    }
    let meant = match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => meant(error, context),
        _ => None,
    };
    match meant {
        Some(errors) => errors.iter().for_each(|error| collect(error, found)),
        None => found.push(error),
    }
}

/// How far an instance is from a branch of a union.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// Something inside is wrong.
    Inside,
    /// It lacks a member or has one too many.
    Members,
    /// A member that tells the branches apart names another one.
    Tag,
    /// It is of another type, or another constant.
    Kind,
}

/// The errors of the branch that is nearer than every other.
fn meant<'e>(
    union: &ValidationError<'_>,
    context: &'e [Vec<ValidationError<'static>>],
) -> Option<&'e [ValidationError<'static>]> {
    let mut nearest = None;
    let mut tied = false;
    for branch in context {
        let distance = branch.iter().map(|error| distance(union, error)).max()?;
        match nearest {
            Some((best, _)) if distance > best => {}
            Some((best, _)) if distance == best => tied = true,
            _ => {
                nearest = Some((distance, branch));
                tied = false;
            }
        }
    }
    let (distance, branch) = nearest?;
    let told = !tied && (distance < Distance::Kind || context.len() == 1);
    told.then_some(branch.as_slice())
}

fn distance(union: &ValidationError<'_>, error: &ValidationError<'_>) -> Distance {
    let below = error
        .instance_path()
        .as_str()
        .strip_prefix(union.instance_path().as_str())
        .unwrap_or_default();
    let is_constant = matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. });
    match below.matches('/').count() {
        0 if is_constant => Distance::Kind,
        0 => match error.kind() {
            Kind::Required { .. } | Kind::AdditionalProperties { .. } => Distance::Members,
            Kind::Type { .. } | Kind::FalseSchema => Distance::Kind,
            _ => Distance::Inside,
        },
        1 if is_constant => Distance::Tag,
        _ => Distance::Inside,
    }
}

/// Where in the text an error's place stands; `None` for a place that is not in the instance.
fn positions(instance: &Json<'_>, error: &ValidationError<'_>) -> Option<Vec<usize>> {
    let mut at = instance;
    let mut positions = Vec::new();
    for segment in error.instance_path().as_str().split('/').skip(1) {
        let position = match at {
            Json::Array(items) => {
                let position = segment.parse().ok()?;
                at = items.get(position)?;
                position
            }
            Json::Object(object) => {
                let name = segment.replace("~1", "/").replace("~0", "~");
                at = object.get(&name)?;
                object.position(&name)?
            }
            _ => return None,
        };
        positions.push(position);
    }
    Some(positions)
}

/// What each form of a union wants first, where none of them was meant more than another.
fn forms(union: &ValidationError<'_>, context: &[Vec<ValidationError<'static>>]) -> String {
    let mut wanted: Vec<String> = Vec::new();
    for branch in context.iter().take(FORMS) {
        let Some(first) = branch.first().filter(|error| is_certain(error)) else {
            continue;
        };
        let below = first
            .instance_path()
            .as_str()
            .strip_prefix(union.instance_path().as_str())
            .unwrap_or_default()
            .trim_start_matches('/');
        let mut text = words::word(first.kind()).1;
        if !below.is_empty() {
            text = format!("{} {text}", Untrusted::new(below));
        }
        if !wanted.contains(&text) {
            wanted.push(text);
        }
    }
    let count = context.len();
    match wanted.as_slice() {
        [] => format!("must match one of its {count} allowed forms"),
        [one] if count <= FORMS => one.clone(),
        several => format!(
            "must match one of its {count} allowed forms, of which none fits: {}{}",
            several.join("; "),
            if count > FORMS { "; …" } else { "" }
        ),
    }
}

/// The most forms of a union that are told apart.
const FORMS: usize = 4;

/// One violation for the errors of one place: the first, except that missing members and types are told together.
fn at_one_place(errors: &[(Vec<usize>, &ValidationError<'_>)]) -> Option<Violation> {
    let errors = || errors.iter().map(|(_, error)| *error);
    let first = errors().next()?;
    let (mut keyword, mut message) = words::word(first.kind());
    let mut place = first.instance_path().as_str();
    match first.kind() {
        Kind::Required { .. } => {
            let mut missing: Vec<&Value> = Vec::new();
            for error in errors() {
                if let Kind::Required { property } = error.kind()
                    && !missing.contains(&property)
                {
                    missing.push(property);
                }
            }
            if missing.len() > 1 {
                let shown: Vec<String> = missing
                    .iter()
                    .map(|name| words::Shown(name).to_string())
                    .collect();
                message = lacks(&shown);
            }
        }
        Kind::FalseSchema
            if first
                .schema_path()
                .as_str()
                .ends_with("/additionalProperties") =>
        {
            keyword = "additionalProperties";
            message = String::from("must have no members");
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            if let Some(types) = expected_types(first, context) {
                message = must_be_of(types.iter().map(|name| name.as_str()));
            } else if let Some((at, options)) = expected_constants(first, context) {
                place = at;
                message = words::one_of(&options);
            } else {
                message = forms(first, context);
            }
        }
        _ => {}
    }
    Some(Violation {
        instance_location: shown(place),
        keyword,
        message,
    })
}

/// The types that a union expects, when the type is all that is wrong in every branch.
fn expected_types(
    union: &ValidationError<'_>,
    context: &[Vec<ValidationError<'static>>],
) -> Option<Vec<JsonType>> {
    let mut types = Vec::new();
    for branch in context {
        let expected = branch.iter().find_map(|error| match error.kind() {
            Kind::Type { kind } if error.instance_path() == union.instance_path() => Some(kind),
            _ => None,
        });
        match expected? {
            TypeKind::Single(one) => types.push(*one),
            TypeKind::Multiple(set) => types.extend(set),
        }
    }
    Some(types)
}

/// The values that a union expects and where, when its branches are told apart by constants at one place: the variants
/// of an enumeration, or the tag of each. A branch of `null` says nothing to send.
fn expected_constants<'e>(
    union: &ValidationError<'_>,
    context: &'e [Vec<ValidationError<'static>>],
) -> Option<(&'e str, Vec<Value>)> {
    let mut place = None;
    let mut options = Vec::new();
    for branch in context {
        let is_null = |error: &ValidationError<'_>| {
            matches!(
                error.kind(),
                Kind::Type {
                    kind: TypeKind::Single(JsonType::Null)
                }
            ) && error.instance_path() == union.instance_path()
        };
        if branch.iter().any(is_null) {
            continue;
        }
        let (error, values) = branch.iter().find_map(|error| match error.kind() {
            Kind::Constant { expected_value } => Some((error, vec![(**expected_value).clone()])),
            Kind::Enum { options } => {
                Some((error, options.as_array().cloned().unwrap_or_default()))
            }
            _ => None,
        })?;
        let at = error.instance_path().as_str();
        if *place.get_or_insert(at) != at {
            return None;
        }
        options.extend(values);
    }
    place.map(|place| (place, options))
}

/// A JSON pointer whose names are escaped and clipped.
fn shown(pointer: &str) -> String {
    let mut shown = String::with_capacity(pointer.len());
    for segment in pointer.split('/').skip(1) {
        // Writing to a string cannot fail.
        let _ = match segment {
            "" => write!(shown, "/"),
            segment => write!(shown, "/{}", Untrusted::new(segment)),
        };
    }
    shown
}
