//! A JSON value as the source of an application's own types.

use std::fmt;

use serde::{
    Deserializer,
    de::{
        self, DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};

use super::{Json, Number};
use crate::untrusted::Untrusted;

/// Why arguments do not fit the application's type.
///
/// Reached only where the schema allows what the type does not hold, such as an integer beyond an `i64`. Says what is
/// expected, not what was sent, unless the type's own code says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentsError(String);

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Untrusted::new(&self.0).fmt(f)
    }
}

impl std::error::Error for ArgumentsError {}

impl de::Error for ArgumentsError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }

    // What serde says by itself quotes the value; these say only what is expected.

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self(format!("a value is not {expected}"))
    }

    fn invalid_value(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self(format!("a value is not {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(format!("a value is none of: {}", expected.join(", ")))
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
                let mut items = SeqDeserializer::new(items.iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Json::Object(object) => {
                let mut members = MapDeserializer::new(object.iter());
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
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

impl<'de> IntoDeserializer<'de, ArgumentsError> for &'de Json<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
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
        assert_eq!(error, "a value is not i64");
    }
}
