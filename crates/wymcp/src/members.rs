//! The members of a type in the order of their declaration, which its schema does not keep.

use std::{error, fmt};

use serde::{
    Deserializer,
    de::{self, DeserializeOwned, Visitor},
    forward_to_deserialize_any,
};

/// The names of a struct's members, as they are declared and as they are read. Of any other type, and of a struct with a
/// flattened member, there are none.
pub(crate) fn members<T: DeserializeOwned>() -> &'static [&'static str] {
    // A struct names its members to whoever it wants to be read from, before it reads one.
    match T::deserialize(Asked) {
        Ok(_) => &[],
        Err(Told(members)) => members,
    }
}

/// A source that has nothing, and hears what is asked of it.
struct Asked;

/// The end of reading, with the members that were asked for.
#[derive(Debug)]
struct Told(&'static [&'static str]);

impl<'de> Deserializer<'de> for Asked {
    type Error = Told;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Told> {
        Err(Told(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Told> {
        Err(Told(fields))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Told> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Told> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

impl de::Error for Told {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is nothing to read")
    }
}

impl error::Error for Told {}

#[cfg(test)]
mod tests {
    #![expect(dead_code, reason = "only the names of the members are of interest")]

    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Trip {
        to_city: String,
        days: Option<u8>,
        #[serde(rename = "by")]
        vehicle: String,
        #[serde(skip)]
        price: u64,
    }

    #[derive(Deserialize)]
    struct Wrapped(Box<Trip>);

    #[derive(Deserialize)]
    #[serde(try_from = "Trip")]
    struct Checked;

    impl TryFrom<Trip> for Checked {
        type Error = String;

        fn try_from(_: Trip) -> Result<Self, String> {
            Ok(Self)
        }
    }

    #[derive(Deserialize)]
    struct Flat {
        #[serde(flatten)]
        trip: Trip,
    }

    #[test]
    fn members_are_told_as_they_are_declared_and_read() {
        let declared = ["toCity", "days", "by"];
        assert_eq!(members::<Trip>(), declared);
        assert_eq!(members::<Wrapped>(), declared);
        assert_eq!(members::<Checked>(), declared);
        assert_eq!(members::<Option<Trip>>(), declared);
    }

    #[test]
    fn a_type_without_members_of_its_own_tells_none() {
        assert_eq!(members::<Flat>(), [""; 0]);
        assert_eq!(members::<BTreeMap<String, String>>(), [""; 0]);
        assert_eq!(members::<()>(), [""; 0]);
    }
}
