//! A JSON value as the source of an application's own types.

use std::{fmt, iter::Enumerate, slice};

use serde::{
    Deserializer,
    de::{
        self, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
        Visitor, value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};

use super::{Json, Number};
use crate::untrusted::Untrusted;

/// Why arguments do not fit the application's type.
///
/// Reached only where the schema allows what the type does not hold, such as an integer beyond an `i64`. Displays as
/// the place, a JSON pointer from the top of the arguments, and what is expected there; what was sent is not shown,
/// unless the type's own code does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentsError {
    /// The way to the place, innermost first.
    place: Vec<String>,
    message: String,
}

impl ArgumentsError {
    fn at(message: impl Into<String>) -> Self {
        Self {
            place: Vec::new(),
            message: message.into(),
        }
    }

    fn inside(mut self, step: impl Into<String>) -> Self {
        self.place.push(step.into());
        self
    }
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.place.iter().rev() {
            let step = step.replace('~', "~0").replace('/', "~1");
            write!(f, "/{}", Untrusted::new(&step))?;
        }
        write!(f, " {}", Untrusted::new(&self.message))
    }
}

impl std::error::Error for ArgumentsError {}

// What serde says by itself quotes the value; these say only what is expected.
impl de::Error for ArgumentsError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::at(message.to_string())
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::at(format!("must be {}", in_words(&expected.to_string())))
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        Self::at(format!("must have the length of {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::at(format!("must be one of: {}", expected.join(", ")))
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Self {
        Self::at(format!("takes no member {}", Untrusted::new(name)))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::at(format!("needs the member {name}"))
    }
}

/// What a type of Rust is called by somebody who does not know Rust.
fn in_words(expected: &str) -> String {
    fn range(from: impl fmt::Display, to: impl fmt::Display) -> String {
        format!("an integer from {from} to {to}")
    }
    match expected {
        "i8" => range(i8::MIN, i8::MAX),
        "i16" => range(i16::MIN, i16::MAX),
        "i32" => range(i32::MIN, i32::MAX),
        "i64" | "isize" => range(i64::MIN, i64::MAX),
        "u8" => range(u8::MIN, u8::MAX),
        "u16" => range(u16::MIN, u16::MAX),
        "u32" => range(u32::MIN, u32::MAX),
        "u64" | "usize" => range(u64::MIN, u64::MAX),
        "f32" | "f64" => "a number".to_owned(),
        other => other.to_owned(),
    }
}

/// An integral double within the safe range arrives as an integer, as JSON Schema's `integer` promises: `2.0` fills an
/// `i64`. A field that holds a double takes it all the same.
impl<'de> Deserializer<'de> for &'de Json<'_> {
    type Error = ArgumentsError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(number) => visit_number(*number, visitor),
            Json::String(text) => visitor.visit_borrowed_str(text),
            Json::Array(items) => {
                let mut items = Items(items.iter().enumerate());
                let value = visitor.visit_seq(&mut items)?;
                match items.0.len() {
                    0 => Ok(value),
                    more => Err(ArgumentsError::at(format!("has {more} items too many"))),
                }
            }
            Json::Object(object) => visitor.visit_map(Members {
                members: object.iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ArgumentsError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgumentsError> {
        match self {
            Json::String(name) => visitor.visit_enum(Variant {
                name,
                content: None,
            }),
            Json::Object(object) => {
                let mut members = object.iter();
                match (members.next(), members.next()) {
                    (Some((name, content)), None) => visitor.visit_enum(Variant {
                        name,
                        content: Some(content),
                    }),
                    _ => Err(de::Error::custom(
                        "expected an object of exactly one member that names a variant",
                    )),
                }
            }
            _ => Err(de::Error::custom(
                "expected a string or an object that names a variant",
            )),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> Result<V::Value, ArgumentsError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

fn visit_number<'de, V: Visitor<'de>>(
    number: Number,
    visitor: V,
) -> Result<V::Value, ArgumentsError> {
    if let Some(value) = number.as_u64() {
        visitor.visit_u64(value)
    } else if let Some(value) = number.as_i64().or_else(|| number.safe_integer()) {
        match u64::try_from(value) {
            Ok(value) => visitor.visit_u64(value),
            Err(_) => visitor.visit_i64(value),
        }
    } else {
        visitor.visit_f64(number.as_f64())
    }
}

/// The items of an array, each of which tells its place when it does not fit.
struct Items<'de, 'a>(Enumerate<slice::Iter<'de, Json<'a>>>);

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = ArgumentsError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ArgumentsError> {
        let Some((position, item)) = self.0.next() else {
            return Ok(None);
        };
        let element = seed.deserialize(item).map(Some);
        element.map_err(|fault| fault.inside(position.to_string()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The members of an object, each of which tells its name when it does not fit.
struct Members<'de, 'a, I> {
    members: I,
    value: Option<(&'de str, &'de Json<'a>)>,
}

impl<'de, 'a: 'de, I: ExactSizeIterator<Item = (&'de str, &'de Json<'a>)>> MapAccess<'de>
    for Members<'de, 'a, I>
{
    type Error = ArgumentsError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ArgumentsError> {
        self.value = self.members.next();
        let Some((name, _)) = self.value else {
            return Ok(None);
        };
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, ArgumentsError> {
        let (name, value) = self
            .value
            .take()
            .ok_or_else(|| ArgumentsError::at("has a value without a name"))?;
        seed.deserialize(value).map_err(|fault| fault.inside(name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

struct Variant<'de, 'a> {
    name: &'de str,
    content: Option<&'de Json<'a>>,
}

impl<'de, 'a> EnumAccess<'de> for Variant<'de, 'a> {
    type Error = ArgumentsError;
    type Variant = Content<'de, 'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'de, 'a>), ArgumentsError> {
        let name = seed.deserialize(self.name.into_deserializer())?;
        Ok((name, Content(self.content)))
    }
}

/// What stands beside a variant's name.
struct Content<'de, 'a>(Option<&'de Json<'a>>);

impl<'de, 'a> Content<'de, 'a> {
    fn value(&self) -> Result<&'de Json<'a>, ArgumentsError> {
        self.0
            .ok_or_else(|| de::Error::custom("the variant has content"))
    }
}

impl<'de> VariantAccess<'de> for Content<'de, '_> {
    type Error = ArgumentsError;

    fn unit_variant(self) -> Result<(), ArgumentsError> {
        match self.0 {
            None | Some(Json::Null) => Ok(()),
            Some(_) => Err(de::Error::custom("the variant has no content")),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<S::Value, ArgumentsError> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, ArgumentsError> {
        self.value()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgumentsError> {
        self.value()?.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    fn arguments<T: de::DeserializeOwned>(value: &serde_json::Value) -> Result<T, ArgumentsError> {
        T::deserialize(&Json::from(value))
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Shape {
        Point,
        Circle(f64),
        Box { width: u8, height: u8 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Everything {
        count: i64,
        ratio: f64,
        name: String,
        #[serde(default)]
        note: Option<String>,
        shapes: Vec<Shape>,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }

    #[test]
    fn derived_types_of_every_shape_are_filled() {
        let value = json!({
            "count": 2.0, "ratio": 3, "name": "n", "note": null, "extra": 7,
            "shapes": ["point", {"circle": 1}, {"box": {"width": 1, "height": 2.0}}],
        });
        assert_eq!(
            arguments::<Everything>(&value).unwrap(),
            Everything {
                count: 2,
                ratio: 3.0,
                name: "n".to_owned(),
                note: None,
                shapes: vec![
                    Shape::Point,
                    Shape::Circle(1.0),
                    Shape::Box {
                        width: 1,
                        height: 2
                    }
                ],
                rest: BTreeMap::from([("extra".to_owned(), 7)]),
            }
        );
    }

    #[test]
    fn what_a_type_does_not_hold_is_an_error_of_one_line() {
        assert!(arguments::<i64>(&json!(1e20)).is_err());
        assert!(arguments::<Shape>(&json!("line")).is_err());
        assert!(arguments::<Shape>(&json!({"circle": 1, "point": null})).is_err());
        let error = arguments::<i64>(&json!("hunter2\n"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            " must be an integer from -9223372036854775808 to 9223372036854775807"
        );
    }

    #[test]
    fn a_fault_names_its_place_and_what_is_expected_there() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Page {
            #[expect(dead_code, reason = "only read")]
            size: u8,
        }
        type Pages = BTreeMap<String, Vec<Page>>;
        for (value, told) in [
            (
                json!({"a/b": [{"size": 1}, {"size": 300}]}),
                "/a~1b/1/size must be an integer from 0 to 255",
            ),
            (
                json!({"a": [{"size": 1, "x": 2}]}),
                "/a/0 takes no member x",
            ),
            (json!({"a": [{}]}), "/a/0 needs the member size"),
        ] {
            assert_eq!(arguments::<Pages>(&value).unwrap_err().to_string(), told);
        }
    }
}
