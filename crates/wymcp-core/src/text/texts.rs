//! An object of texts as the source of an application's own types.

use serde::{Deserializer, de::Visitor, forward_to_deserialize_any};

use super::{ArgumentsError, Json, deserialize::Members};

/// An object whose members are all texts, for types whose members need not be: a number, a boolean or a unit variant is
/// read from its text.
///
/// Arguments of prompts and variables of templates are texts on the wire, whatever they mean.
///
/// # Examples
///
/// ```
/// use serde::Deserialize;
/// use wymcp_core::{Limits, Texts, read};
///
/// #[derive(Deserialize)]
/// struct Trip { city: String, days: u8, luggage: Option<bool> }
///
/// let document = read(br#"{"city": "Paris", "days": "3"}"#, &Limits::default()).unwrap();
/// let trip = Trip::deserialize(Texts(&document.root)).unwrap();
/// assert_eq!((&*trip.city, trip.days, trip.luggage), ("Paris", 3, None));
///
/// let document = read(br#"{"city": "Paris", "days": "three"}"#, &Limits::default()).unwrap();
/// let fault = Trip::deserialize(Texts(&document.root)).err().unwrap();
/// assert_eq!(fault.to_string(), "/days must be an integer from 0 to 255");
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "it is a way to look at a value, and nothing more"
)]
pub struct Texts<'j, 'a>(pub &'j Json<'a>);

impl<'de> Deserializer<'de> for Texts<'de, '_> {
    type Error = ArgumentsError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsError> {
        match self.0 {
            Json::Object(object) => visitor.visit_map(Members {
                rest: object.iter(),
                value: None,
                are_texts: true,
            }),
            other => other.deserialize_any(visitor),
        }
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

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}
