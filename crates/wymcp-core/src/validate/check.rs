//! The typed checks of single values: what they share with the protocol's schema is each keyword's meaning.

use super::{Violation, location::Location, violation::Keyword};
use crate::text::{Json, MAX_SAFE_INTEGER, Object};

/// The outcome of a typed check: its first violation in the order of the document.
pub(crate) type Check<T = ()> = Result<T, Violation>;

fn wrong_type(at: &Location<'_>, types: &[&str]) -> Violation {
    Violation::at(at, &Keyword::Type(types))
}

/// The object that a value has to be.
pub(crate) fn object<'j, 'a>(value: &'j Json<'a>, at: &Location<'_>) -> Check<&'j Object<'a>> {
    value.as_object().ok_or_else(|| wrong_type(at, &["object"]))
}

/// The string that a value has to be.
pub(crate) fn string<'j>(value: &'j Json<'_>, at: &Location<'_>) -> Check<&'j str> {
    value.as_str().ok_or_else(|| wrong_type(at, &["string"]))
}

pub(crate) fn boolean(value: &Json<'_>, at: &Location<'_>) -> Check {
    match value {
        Json::Bool(_) => Ok(()),
        _ => Err(wrong_type(at, &["boolean"])),
    }
}

/// A string, or an integer that every reader of doubles sees alike: request ids and progress tokens.
pub(crate) fn identifier(value: &Json<'_>, at: &Location<'_>) -> Check {
    let number = match value {
        Json::String(_) => return Ok(()),
        Json::Number(number) if number.is_integer() => number,
        _ => return Err(wrong_type(at, &["string", "integer"])),
    };
    match number.safe_integer() {
        Some(_) => Ok(()),
        None if number.as_f64() < 0.0 => {
            Err(Violation::at(at, &Keyword::Minimum(-MAX_SAFE_INTEGER)))
        }
        None => Err(Violation::at(at, &Keyword::Maximum(MAX_SAFE_INTEGER))),
    }
}

/// Exactly this string.
pub(crate) fn exactly(value: &Json<'_>, expected: &str, at: &Location<'_>) -> Check {
    if value.as_str() == Some(expected) {
        Ok(())
    } else {
        Err(Violation::at(at, &Keyword::Const(expected)))
    }
}

/// One of these strings, which it returns.
pub(crate) fn one_of<'o>(
    value: &Json<'_>,
    options: &[&'o str],
    at: &Location<'_>,
) -> Check<&'o str> {
    value
        .as_str()
        .and_then(|text| options.iter().find(|option| **option == text))
        .copied()
        .ok_or_else(|| Violation::at(at, &Keyword::Enum(options)))
}

/// An object all of whose values are objects.
pub(crate) fn object_of_objects(value: &Json<'_>, at: &Location<'_>) -> Check {
    object(value, at)?
        .iter()
        .try_for_each(|(name, value)| object(value, &at.member(name)).map(drop))
}

/// An object all of whose values are strings.
pub(crate) fn object_of_strings(value: &Json<'_>, at: &Location<'_>) -> Check {
    object(value, at)?
        .iter()
        .try_for_each(|(name, value)| string(value, &at.member(name)).map(drop))
}

/// An array of strings.
pub(crate) fn array_of_strings(value: &Json<'_>, at: &Location<'_>) -> Check {
    let Json::Array(items) = value else {
        return Err(wrong_type(at, &["array"]));
    };
    items
        .iter()
        .enumerate()
        .try_for_each(|(position, item)| string(item, &at.item(position)).map(drop))
}

/// These members, whatever their values.
pub(crate) fn required(object: &Object<'_>, members: &[&str], at: &Location<'_>) -> Check {
    if members.iter().all(|member| object.contains(member)) {
        return Ok(());
    }
    let missing = members.iter().filter(|member| !object.contains(member));
    let missing: Vec<&str> = missing.copied().collect();
    Err(Violation::at(at, &Keyword::Required(&missing)))
}

/// An object that has the required members and whose known members are strings.
pub(crate) fn members(
    value: &Json<'_>,
    needed: &[&str],
    strings: &[&str],
    at: &Location<'_>,
) -> Check {
    let object = object(value, at)?;
    required(object, needed, at)?;
    for (name, value) in object.iter() {
        if strings.contains(&name) {
            string(value, &at.member(name))?;
        }
    }
    Ok(())
}
