//! A JSON value as the source of an application's own types.

use std::{iter::Enumerate, slice};

use serde::{
    Deserializer,
    de::{
        self, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
        Visitor, value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};

use super::{ArgumentsError, Json, Number, number::Integer};

/// An integral double of 64 bits arrives as an integer, as JSON Schema's `integer` promises: `2.0` fills an
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
                rest: object.iter(),
                value: None,
                are_texts: false,
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
    match number.as_integer() {
        Some(Integer::Unsigned(value)) => visitor.visit_u64(value),
        Some(Integer::Signed(value)) => visitor.visit_i64(value),
        None => visitor.visit_f64(number.as_f64()),
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
pub(super) struct Members<'de, 'a, I> {
    pub(super) rest: I,
    pub(super) value: Option<(&'de str, &'de Json<'a>)>,
    /// Whether a text stands for what its type reads from it.
    pub(super) are_texts: bool,
}

impl<'de, 'a: 'de, I: ExactSizeIterator<Item = (&'de str, &'de Json<'a>)>> MapAccess<'de>
    for Members<'de, 'a, I>
{
    type Error = ArgumentsError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ArgumentsError> {
        self.value = self.rest.next();
        match self.value {
            Some((name, _)) => Name::new(name)?.read(seed).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, ArgumentsError> {
        let (name, value) = self
            .value
            .take()
            .ok_or_else(|| ArgumentsError::at("has a value without a name"))?;
        let read = match value {
            Json::String(text) if self.are_texts => seed.deserialize(Name(text)),
            other => seed.deserialize(other),
        };
        read.map_err(|fault| fault.inside(name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A member's name as a map's key: a text, or the number or boolean that the key's type reads from it.
pub(super) struct Name<'de>(pub(super) &'de str);

/// What begins the names by which serde_json tells its own types how to read a value: an object with such a member would
/// become whatever the text in it says, behind every check.
const RESERVED: &str = "$serde_json::private::";

/// Whether no type could read an object with a member of this name as it was sent.
pub(crate) fn is_reserved(name: &str) -> bool {
    name.starts_with(RESERVED)
}

impl<'de> Name<'de> {
    /// A member's name.
    ///
    /// # Errors
    ///
    /// When no type could read the member as it was sent.
    pub(super) fn new(name: &'de str) -> Result<Self, ArgumentsError> {
        if is_reserved(name) {
            let fault = format!("has a member whose name is reserved: {name}");
            return Err(ArgumentsError::at(fault));
        }
        Ok(Self(name))
    }

    pub(super) fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, ArgumentsError> {
        seed.deserialize(self)
    }
}

/// The methods for keys that are read from their text, which any other text leaves to the visitor's own words.
macro_rules! read_from_text {
    ($($method:ident $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = ArgumentsError;

    read_from_text! {
        deserialize_bool visit_bool;
        deserialize_i8 visit_i8;
        deserialize_i16 visit_i16;
        deserialize_i32 visit_i32;
        deserialize_i64 visit_i64;
        deserialize_i128 visit_i128;
        deserialize_u8 visit_u8;
        deserialize_u16 visit_u16;
        deserialize_u32 visit_u32;
        deserialize_u64 visit_u64;
        deserialize_u128 visit_u128;
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        match self.0.parse::<f64>() {
            Ok(value) if value.is_finite() => visitor.visit_f64(value),
            _ => visitor.visit_borrowed_str(self.0),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        visitor.visit_some(self)
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
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
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
    fn no_member_becomes_what_its_text_says() {
        #[derive(Debug, Deserialize)]
        #[expect(dead_code, reason = "nothing is read")]
        struct Rest {
            #[serde(flatten)]
            rest: BTreeMap<String, serde_json::Value>,
        }
        for name in ["RawValue", "Number"] {
            let name = format!("$serde_json::private::{name}");
            let smuggled = json!({name: "[[7]]"});
            for arguments in [
                smuggled.clone(),
                json!({"a": smuggled}),
                json!({"a": [smuggled]}),
            ] {
                let json = Json::from(&arguments);
                assert!(
                    serde_json::Value::deserialize(&json).is_err(),
                    "{arguments}"
                );
                assert!(Rest::deserialize(&json).is_err(), "{arguments}");
                let refused = BTreeMap::<String, serde_json::Value>::deserialize(&json);
                let fault = refused.unwrap_err().to_string();
                assert!(
                    fault.contains("has a member whose name is reserved"),
                    "{fault}"
                );
            }
        }
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
        assert_eq!(
            arguments::<i64>(&json!(1e18)).unwrap(),
            1_000_000_000_000_000_000
        );
        assert_eq!(
            arguments::<i64>(&json!(-9_223_372_036_854_775_808.0)).unwrap(),
            i64::MIN
        );
        assert!(arguments::<Shape>(&json!("line")).is_err());
        assert!(arguments::<Shape>(&json!({"circle": 1, "point": null})).is_err());
        let error = arguments::<i64>(&json!("hunter2\n"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "the top level must be an integer from -9223372036854775808 to 9223372036854775807"
        );
    }

    #[test]
    fn the_names_of_members_fill_keys_of_every_kind() {
        #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        struct Id(String);
        let numbers: BTreeMap<u32, bool> = arguments(&json!({"7": true})).unwrap();
        assert_eq!(numbers, BTreeMap::from([(7, true)]));
        let flags: BTreeMap<bool, u8> = arguments(&json!({"true": 1})).unwrap();
        assert_eq!(flags, BTreeMap::from([(true, 1)]));
        let ids: BTreeMap<Id, u8> = arguments(&json!({"a": 1})).unwrap();
        assert_eq!(ids, BTreeMap::from([(Id("a".to_owned()), 1)]));
        assert!(arguments::<BTreeMap<u32, bool>>(&json!({"x": true})).is_err());
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
                "/a/0 takes no member x; there are size",
            ),
            (json!({"a": [{}]}), "/a/0 needs the member size"),
        ] {
            assert_eq!(arguments::<Pages>(&value).unwrap_err().to_string(), told);
        }
    }
}
