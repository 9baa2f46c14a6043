//! One spelling for each value, so that two requests can be compared.

use super::{Json, Object};

/// Appends an object with its members in the order of their names and its numbers in one spelling.
pub(crate) fn canonical(object: &Object<'_>, bytes: &mut Vec<u8>) {
    let mut members: Vec<(&str, &Json<'_>)> = object.iter().collect();
    members.sort_by_key(|(name, _)| *name);
    bytes.push(b'{');
    for (name, member) in members {
        scalar(&Json::String(name.into()), bytes);
        value(member, bytes);
    }
    bytes.push(b'}');
}

fn value(json: &Json<'_>, bytes: &mut Vec<u8>) {
    match json {
        Json::Object(object) => canonical(object, bytes),
        Json::Array(items) => {
            bytes.push(b'[');
            for item in items {
                value(item, bytes);
                bytes.push(b',');
            }
            bytes.push(b']');
        }
        Json::Number(number) => match number.safe_integer() {
            Some(integer) => bytes.extend_from_slice(integer.to_string().as_bytes()),
            None => scalar(json, bytes),
        },
        _ => scalar(json, bytes),
    }
}

fn scalar(json: &Json<'_>, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&super::to_bytes(json));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{limits::Limits, text::read};

    fn of(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        value(
            &read(text.as_bytes(), &Limits::default()).unwrap().root,
            &mut bytes,
        );
        bytes
    }

    #[test]
    fn equal_values_have_one_spelling_and_others_another() {
        assert_eq!(
            of(r#"{"a": 1, "b": [1.0, "x"]}"#),
            of(r#"{"b":[1,"\u0078"],"a":1e0}"#)
        );
        let values = [
            "null",
            "[]",
            "{}",
            "0",
            "1",
            "\"1\"",
            "[1]",
            "[[1]]",
            "[1,1]",
            "[11]",
            "true",
            "1.5",
            r#"{"a":1}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":{},"b":1}"#,
            r#"["a",1]"#,
            "9007199254740993",
        ];
        for (at, one) in values.iter().enumerate() {
            for other in &values[at + 1..] {
                assert_ne!(of(one), of(other), "{one} {other}");
            }
        }
    }
}
