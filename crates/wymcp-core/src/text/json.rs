//! A JSON value that borrows from the body that it was read from.

use std::{borrow::Cow, cmp::Ordering};

use serde::{
    Serialize, Serializer,
    ser::{SerializeMap as _, SerializeSeq as _},
};

use super::Number;

/// A JSON value.
///
/// Strings without escapes borrow from the body; objects keep their members in the order of the text. Made by
/// [`read`](super::read), which bounds its depth and size, or from a [`serde_json::Value`] that the application
/// holds.
///
/// # Examples
///
/// ```
/// use wymcp_core::Json;
///
/// let value = serde_json::json!({"name": "sum", "arguments": {"a": 19}});
/// let json = Json::from(&value);
/// let arguments = json.as_object().and_then(|object| object.get("arguments")).unwrap();
/// assert_eq!(arguments.to_value(), serde_json::json!({"a": 19}));
/// ```
///
/// Each view answers for one type, and for no other:
///
/// ```
/// use wymcp_core::{Json, Number};
///
/// let value = serde_json::json!([null, "19", 19]);
/// let Json::Array(items) = Json::from(&value) else { unreachable!("it is an array") };
/// assert!(items[0].is_null());
/// assert_eq!((items[1].as_str(), items[1].as_number()), (Some("19"), None));
/// assert_eq!((items[2].as_str(), items[2].as_number()), (None, Some(Number::from(19_i64))));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON has six types and will have no seventh"
)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string, with its escapes resolved.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(Object<'a>),
}

impl<'a> Json<'a> {
    /// The object that this is, if it is one.
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The string that this is, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number that this is, if it is one.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// A copy that borrows nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Json, Limits, read};
    ///
    /// let body = br#"{"name": "sum"}"#.to_vec();
    /// let kept: Json<'static> = read(&body, &Limits::default())?.root.into_owned();
    /// drop(body);
    /// assert_eq!(kept.to_value(), serde_json::json!({"name": "sum"}));
    /// # Ok::<(), wymcp_core::TextFault>(())
    /// ```
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(value),
            Self::Number(number) => Json::Number(number),
            Self::String(text) => Json::String(Cow::Owned(text.into_owned())),
            Self::Array(items) => Json::Array(items.into_iter().map(Json::into_owned).collect()),
            Self::Object(object) => Json::Object(object.into_owned()),
        }
    }

    /// The same value in serde_json's own type.
    pub fn to_value(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.to_serde()),
            Self::String(text) => Value::String(text.clone().into_owned()),
            Self::Array(items) => Value::Array(items.iter().map(Json::to_value).collect()),
            Self::Object(object) => Value::Object(
                object
                    .iter()
                    .map(|(name, value)| (name.to_owned(), value.to_value()))
                    .collect(),
            ),
        }
    }
}

impl<'a> From<&'a serde_json::Value> for Json<'a> {
    fn from(value: &'a serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(from_serde(number)),
            Value::String(text) => Self::String(Cow::Borrowed(text)),
            Value::Array(items) => Self::Array(items.iter().map(Json::from).collect()),
            Value::Object(members) => {
                let members = members.iter();
                let borrowed = members.map(|(name, value)| (Cow::Borrowed(&**name), value.into()));
                Self::Object(borrowed.collect())
            }
        }
    }
}

/// A number that the application holds; one beyond a double (only possible with `arbitrary_precision`) is the
/// largest double of its sign.
fn from_serde(number: &serde_json::Number) -> Number {
    if let Some(value) = number.as_u64() {
        return value.into();
    }
    if let Some(value) = number.as_i64() {
        return value.into();
    }
    let value = number
        .as_f64()
        .unwrap_or_default()
        .clamp(f64::MIN, f64::MAX);
    Number::from_f64(value).unwrap_or_else(|| 0_u64.into())
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(item)?;
                }
                sequence.end()
            }
            Self::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (name, value) in object.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// The members of a JSON object, in the order of the text.
///
/// Look-ups are linear in small objects and logarithmic in large ones, so that no object makes a look-up slow.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Json, Limits, Object, read};
///
/// let document = read(br#"{"b": 1, "a": null}"#, &Limits::default())?;
/// let object: &Object<'_> = document.root.as_object().unwrap();
/// assert_eq!((object.len(), object.is_empty()), (2, false));
/// assert_eq!(object.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["b", "a"]);
/// assert!(object.contains("a") && object.get("a").is_some_and(Json::is_null));
/// assert!(!object.contains("A"));
/// # Ok::<(), wymcp_core::TextFault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Object<'a> {
    pub(super) members: Vec<(Cow<'a, str>, Json<'a>)>,
    /// Positions in the order of the names; only in objects of more than [`SCANNED`] members.
    by_name: Option<Box<[u32]>>,
}

/// Up to this many members, comparing each name is faster than a search.
const SCANNED: usize = 12;

impl<'a> Object<'a> {
    /// An object of these members.
    pub(crate) fn new(members: Vec<(Cow<'a, str>, Json<'a>)>) -> Self {
        let mut object = Self {
            members,
            by_name: None,
        };
        object.index();
        object
    }

    /// Makes members that were added findable; the position of the first one whose name an earlier one has.
    pub(super) fn index(&mut self) -> Option<usize> {
        let members = &self.members;
        if members.len() <= SCANNED {
            return members
                .iter()
                .enumerate()
                .skip(1)
                .find_map(|(position, (name, _))| {
                    let mut before = members.iter().take(position);
                    before
                        .any(|(earlier, _)| earlier == name)
                        .then_some(position)
                });
        }
        let mut positions: Vec<(&str, u32)> = members
            .iter()
            .zip(0_u32..)
            .map(|((name, _), position)| (&**name, position))
            .collect();
        positions.sort_unstable();
        let duplicate = positions
            .windows(2)
            .filter_map(|pair| match pair {
                [(earlier, _), (name, position)] if earlier == name => {
                    usize::try_from(*position).ok()
                }
                _ => None,
            })
            .min();
        let by_name = positions.into_iter().map(|(_, position)| position);
        self.by_name = Some(by_name.collect());
        duplicate
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value of the member of exactly this name.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        let found = match &self.by_name {
            None => self.members.iter().find(|(member, _)| member == name),
            Some(_) => self.members.get(self.position(name)?),
        };
        found.map(|(_, value)| value)
    }

    /// The value of the member of exactly this name, unless that is `null`.
    pub(crate) fn present(&self, name: &str) -> Option<&Json<'a>> {
        self.get(name).filter(|value| !value.is_null())
    }

    /// Whether there is a member of exactly this name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// The members in the order of the text.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Json<'a>)> {
        self.members.iter().map(|(name, value)| (&**name, value))
    }

    /// The same, as they are kept.
    #[cfg(feature = "json-schema")]
    pub(crate) fn members(&self) -> &[(Cow<'a, str>, Json<'a>)] {
        &self.members
    }

    /// The members themselves, in the order of the text.
    pub(crate) fn into_members(self) -> impl Iterator<Item = (Cow<'a, str>, Json<'a>)> {
        self.members.into_iter()
    }

    /// Where the member of this name stands in the text.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let Some(by_name) = &self.by_name else {
            return self.members.iter().position(|(member, _)| member == name);
        };
        let at = |position: &u32| {
            usize::try_from(*position)
                .ok()
                .and_then(|position| self.members.get(position))
        };
        let found = by_name
            .binary_search_by(|position| {
                at(position).map_or(Ordering::Less, |(member, _)| (**member).cmp(name))
            })
            .ok()?;
        by_name
            .get(found)
            .and_then(|position| usize::try_from(*position).ok())
    }

    /// Sets the value of a member, which may be a new one.
    pub(crate) fn put(&mut self, name: &str, value: Json<'a>) {
        let position = self.position(name);
        if let Some((_, place)) = position.and_then(|position| self.members.get_mut(position)) {
            *place = value;
            return;
        }
        let mut members = std::mem::take(&mut self.members);
        members.push((Cow::Owned(name.to_owned()), value));
        *self = Self::new(members);
    }

    /// The members that are not `null`.
    pub(crate) fn without_nulls(self) -> Self {
        if !self.members.iter().any(|(_, value)| value.is_null()) {
            return self;
        }
        let members = self.members.into_iter();
        Self::new(members.filter(|(_, value)| !value.is_null()).collect())
    }

    /// Takes the value of a member out, leaving `null`.
    pub(crate) fn take(&mut self, name: &str) -> Option<Json<'a>> {
        let position = self.position(name)?;
        self.members
            .get_mut(position)
            .map(|(_, value)| std::mem::replace(value, Json::Null))
    }

    /// A copy that borrows nothing.
    pub fn into_owned(self) -> Object<'static> {
        let members = self
            .members
            .into_iter()
            .map(|(name, value)| (Cow::Owned(name.into_owned()), value.into_owned()));
        Object {
            members: members.collect(),
            by_name: self.by_name,
        }
    }
}

/// Objects are equal when they have equal members, in whatever order.
impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(name, value)| other.get(name) == Some(value))
    }
}

impl<'a> FromIterator<(Cow<'a, str>, Json<'a>)> for Object<'a> {
    fn from_iter<I: IntoIterator<Item = (Cow<'a, str>, Json<'a>)>>(members: I) -> Self {
        Self::new(members.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(names: &[&'static str]) -> (Object<'static>, Option<usize>) {
        let number = |position: usize| Json::Number(u64::try_from(position).unwrap().into());
        let members = names.iter().enumerate();
        let mut object = Object {
            members: members
                .map(|(at, name)| (Cow::Borrowed(*name), number(at)))
                .collect(),
            by_name: None,
        };
        let duplicate = object.index();
        (object, duplicate)
    }

    #[test]
    fn small_and_large_objects_find_the_same_members() {
        let names: Vec<&'static str> = "q w e r t y u i o p a s d f g h j k l".split(' ').collect();
        for size in [SCANNED, names.len()] {
            let (object, duplicate) = object(&names[..size]);
            assert_eq!(duplicate, None);
            for (position, name) in names[..size].iter().enumerate() {
                assert_eq!(object.position(name), Some(position), "{name}");
            }
            assert!(!object.contains("z"));
        }
    }

    #[test]
    fn the_first_repeated_member_is_found_in_small_and_large_objects() {
        assert_eq!(object(&["a", "b", "a"]).1, Some(2));
        let mut names: Vec<&'static str> =
            "q w e r t y u i o p a s d f g h j k l".split(' ').collect();
        names.extend(["l", "q"]);
        assert_eq!(object(&names).1, Some(19));
    }

    #[test]
    fn objects_are_equal_whatever_the_order_of_their_members() {
        let (a, b) = (
            serde_json::json!({"a": 1, "b": [2.0]}),
            serde_json::json!({"b": [2], "a": 1.0}),
        );
        assert_eq!(Json::from(&a), Json::from(&b));
    }
}
