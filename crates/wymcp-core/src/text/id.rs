//! Request ids: the one rule, and their echo.

use std::{
    borrow::Cow,
    fmt,
    hash::{Hash, Hasher},
};

use serde::{Serialize, Serializer};

use super::{Json, Number};
use crate::untrusted::Untrusted;

/// A request id: a string, or a number that is an integer within ±9007199254740991.
///
/// An integral float counts (`1.0`, `1e3`), since to a client that reads numbers as doubles it is the same integer.
/// An accepted id is echoed JSON-equal to what was sent, in every answer. The same rule serves progress tokens.
///
/// Displays as text for events and logs: `92` and `"92"` differ on purpose.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Json, RequestId};
///
/// assert!(RequestId::of(&Json::from(&serde_json::json!(1.0))).is_some());
/// assert!(RequestId::of(&Json::from(&serde_json::json!(1.5))).is_none());
/// assert!(RequestId::of(&Json::from(&serde_json::json!(null))).is_none());
/// assert_eq!(RequestId::from(7).shown(), RequestId::from(7));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RequestId<'a>(Repr<'a>);

#[derive(Clone, Debug, PartialEq)]
enum Repr<'a> {
    Number(Number),
    String(Cow<'a, str>),
}

impl<'a> RequestId<'a> {
    /// The id that a value is, if it is one.
    pub fn of<'j>(value: &'j Json<'a>) -> Option<RequestId<'j>> {
        match value {
            Json::Number(number) => Some(RequestId(Repr::Number(Self::number(*number)?))),
            Json::String(text) => Some(RequestId(Repr::String(Cow::Borrowed(text)))),
            _ => None,
        }
    }

    /// Like [`RequestId::of`], for an id that outlives the value.
    pub(crate) fn cloned(value: &Json<'a>) -> Option<Self> {
        match value {
            Json::Number(number) => Some(Self(Repr::Number(Self::number(*number)?))),
            Json::String(text) => Some(Self(Repr::String(text.clone()))),
            _ => None,
        }
    }

    fn number(number: Number) -> Option<Number> {
        number.safe_integer().map(|_| number)
    }

    /// A copy for events: a string that is long or not plain is escaped and clipped.
    pub fn shown(&self) -> RequestId<'static> {
        RequestId(match &self.0 {
            Repr::Number(number) => Repr::Number(*number),
            Repr::String(text) => Repr::String(Cow::Owned(Untrusted::new(text).to_string())),
        })
    }

    /// A copy that borrows nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Json, RequestId};
    ///
    /// fn id_of(body: String) -> Option<RequestId<'static>> {
    ///     let value = serde_json::from_str(&body).ok()?;
    ///     RequestId::of(&Json::from(&value)).map(RequestId::into_owned)
    /// }
    ///
    /// assert_eq!(id_of("92".to_owned()), Some(RequestId::from(92)));
    /// assert_eq!(id_of("\"92\"".to_owned()).unwrap().to_string(), "\"92\"");
    /// ```
    pub fn into_owned(self) -> RequestId<'static> {
        RequestId(match self.0 {
            Repr::Number(number) => Repr::Number(number),
            Repr::String(text) => Repr::String(Cow::Owned(text.into_owned())),
        })
    }
}

impl Eq for RequestId<'_> {}

impl Hash for RequestId<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            // Numbers that are equal are the same integer.
            Repr::Number(number) => number.safe_integer().hash(state),
            Repr::String(text) => text.hash(state),
        }
    }
}

impl From<i32> for RequestId<'_> {
    fn from(id: i32) -> Self {
        Self(Repr::Number(i64::from(id).into()))
    }
}

impl Serialize for RequestId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Number(number) => number.serialize(serializer),
            Repr::String(text) => serializer.serialize_str(text),
        }
    }
}

impl fmt::Display for RequestId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Number(number) => number.fmt(f),
            Repr::String(text) => write!(f, "\"{}\"", Untrusted::new(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    use super::*;
    use crate::{limits::Limits, text::read};

    #[test]
    fn ids_have_one_hash_exactly_when_they_are_equal() {
        let hash = |id: &RequestId<'_>| BuildHasherDefault::<DefaultHasher>::default().hash_one(id);
        let body = br#"[1, 1.0, 10e-1, 0, -0, -1, 1000, 1e3, "1", "1.0", "", "a", "b", "\u0061"]"#;
        let Json::Array(values) = read(body, &Limits::default()).unwrap().root else {
            panic!("it is an array");
        };
        let ids: Vec<_> = values.iter().filter_map(RequestId::of).collect();
        assert_eq!(ids.len(), values.len());
        for a in &ids {
            for b in &ids {
                assert_eq!(hash(a) == hash(b), a == b, "{a} {b}");
            }
        }
        // And some of both kinds: 1 stands three times, 0, 1000 and "a" twice.
        let equal = ids.iter().flat_map(|a| ids.iter().filter(move |b| a == *b));
        assert_eq!(equal.count(), 9 + 3 * 4 + 5);
    }
}
