//! A walk over an application's value that finds numbers which JSON cannot say.
//!
//! serde_json writes NaN and the infinities as `null`, which would reach a client as another value.

use std::fmt;

use serde::{
    Serialize, Serializer,
    ser::{
        self, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};

/// Checks that every number in a value is finite.
///
/// # Errors
///
/// When one is not, or when the value's own `Serialize` fails.
pub(crate) fn check(value: &(impl Serialize + ?Sized)) -> Result<(), NotFinite> {
    value.serialize(Finite)
}

/// Why a value has no JSON.
#[derive(Debug)]
pub(crate) struct NotFinite(String);

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

#[derive(Clone, Copy)]
struct Finite;

type Checked = Result<(), NotFinite>;

/// The methods for values that hold no number which could be infinite.
macro_rules! nothing_to_check {
    ($($method:ident($($type:ty),*);)*) => {
        $(fn $method(self, $(_: $type),*) -> Checked {
            Ok(())
        })*
    };
}

/// The compounds, all of which check each value that they are given.
macro_rules! check_each {
    ($($trait:ident::$method:ident($($key:ty)?);)*) => {
        $(impl $trait for Finite {
            type Ok = ();
            type Error = NotFinite;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Checked {
                check(value)
            }

            fn end(self) -> Checked {
                Ok(())
            }
        })*
    };
}

check_each! {
    SerializeSeq::serialize_element();
    SerializeTuple::serialize_element();
    SerializeTupleStruct::serialize_field();
    SerializeTupleVariant::serialize_field();
    SerializeStruct::serialize_field(&'static str);
    SerializeStructVariant::serialize_field(&'static str);
}

impl SerializeMap for Finite {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> Checked {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
        check(value)
    }

    fn end(self) -> Checked {
        Ok(())
    }
}

impl Serializer for Finite {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    nothing_to_check! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_f32(self, value: f32) -> Checked {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Checked {
        if value.is_finite() {
            Ok(())
        } else {
            Err(ser::Error::custom("a number is not finite"))
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Checked {
        check(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Checked {
        check(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Checked {
        check(value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotFinite> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    enum Shape {
        Circle(f64),
        Box { width: f32 },
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_wherever_it_stands() {
        assert!(check(&f64::NAN).is_err());
        assert!(check(&Some([1.0, f64::INFINITY])).is_err());
        assert!(check(&BTreeMap::from([("a", f64::NEG_INFINITY)])).is_err());
        assert!(check(&(1, "a", Shape::Circle(f64::NAN))).is_err());
        assert!(check(&Shape::Box { width: f32::NAN }).is_err());
    }

    #[test]
    fn every_other_value_passes() {
        assert!(
            check(&(
                1,
                -2.5,
                "a",
                [Some(Shape::Circle(1.0)), None],
                Shape::Box { width: 1.0 }
            ))
            .is_ok()
        );
        assert!(check(&serde_json::json!({"a": [1, null, {"b": 1e300}]})).is_ok());
    }
}
