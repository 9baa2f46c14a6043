//! The one strict pass over a body: UTF-8, JSON, depth, number of values, duplicate members.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    fmt,
};

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::{Json, Number, Object};
use crate::{limits::Limits, untrusted::Untrusted};

/// A body that is JSON within its limits.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Document, Limits, read};
///
/// let document: Document<'_> = read(br#"{"a": {"b": 1, "b": 2}}"#, &Limits::default())?;
/// assert_eq!(document.duplicate.as_deref(), Some("b"));
/// let inner = document.root.as_object().and_then(|object| object.get("a")?.as_object());
/// assert_eq!(inner.map(|inner| inner.len()), Some(2));
/// # Ok::<(), wymcp_core::TextFault>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Document<'a> {
    /// The top-level value.
    pub root: Json<'a>,
    /// The first member, as it is shown, whose name stands twice in one object. Both values are kept in the tree, so
    /// that nobody has to decide which of them counts; such a document is refused.
    pub duplicate: Option<String>,
}

/// Why bytes are no usable JSON text. Displays as the fact; what to do about it, whoever reads the bytes says.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Limits, TextFault, read};
///
/// let mut limits = Limits::default();
/// limits.depth = 2;
/// limits.values = 3;
/// assert_eq!(read(b"[[[]]]", &limits), Err(TextFault::TooDeep(2)));
/// assert_eq!(read(b"[1, 2, 3]", &limits), Err(TextFault::TooManyValues(3)));
/// assert!(matches!(read(b"[1, 2,]", &limits), Err(TextFault::Malformed(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFault {
    /// The bytes are not one JSON text: wire.md's MalformedJson.
    Malformed(String),
    /// The nesting passes [`Limits::depth`].
    TooDeep(usize),
    /// The number of values passes [`Limits::values`].
    TooManyValues(usize),
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(it) => write!(f, "no JSON: {it}"),
            Self::TooDeep(it) => write!(f, "nests deeper than {it} levels"),
            Self::TooManyValues(it) => write!(f, "holds more than {it} values"),
        }
    }
}

impl std::error::Error for TextFault {}

/// Reads a body into a borrowed tree, strictly.
///
/// One leading byte order mark is skipped. Everything else that JSON does not know is refused: trailing text, a lone
/// surrogate escape in any string, a number beyond a double, invalid UTF-8. Nesting and the number of values are
/// bounded while the tree grows, so that no body costs more than its limits allow; the whole takes time linear in
/// the body (times the logarithm of the largest object).
///
/// # Errors
///
/// [`TextFault::TooDeep`] and [`TextFault::TooManyValues`] as soon as the limit is passed, [`TextFault::Malformed`]
/// for everything that is no JSON. A repeated member is no error here but [`Document::duplicate`], since the id of
/// such a message may still be read.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Limits, read};
///
/// let document = read(br#"{"jsonrpc":"2.0","id":1,"id":2}"#, &Limits::default()).unwrap();
/// assert_eq!(document.duplicate.as_deref(), Some("id"));
/// assert!(read(br#"{"msg":"\ud800"}"#, &Limits::default()).is_err());
/// ```
pub fn read<'a>(body: &'a [u8], limits: &Limits) -> Result<Document<'a>, TextFault> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    match std::str::from_utf8(body) {
        Ok(text) => read_text(text, limits),
        // What stands before the bad byte may still pass a limit, and the limit comes first.
        Err(fault) => {
            let before = body
                .get(..fault.valid_up_to())
                .and_then(|bytes| std::str::from_utf8(bytes).ok());
            match before.map(|text| read_text(text, limits)) {
                Some(Err(limit @ (TextFault::TooDeep(_) | TextFault::TooManyValues(_)))) => {
                    Err(limit)
                }
                _ => Err(TextFault::Malformed(format!(
                    "invalid UTF-8 at byte {}",
                    fault.valid_up_to()
                ))),
            }
        }
    }
}

/// Reads what this crate has written itself, which no bound of a peer's binds.
pub(crate) fn read_own(text: &[u8]) -> Result<Document<'_>, TextFault> {
    let limits = Limits {
        depth: TOKENIZER_DEPTH,
        values: usize::MAX,
        ..Limits::default()
    };
    read(text, &limits)
}

/// The deepest nesting that the tokenizer reads: a value of [`Limits::MAX_DEPTH`] and the envelope around it.
const TOKENIZER_DEPTH: usize = 127;

fn read_text<'a>(text: &'a str, limits: &Limits) -> Result<Document<'a>, TextFault> {
    let pass = Pass {
        limits,
        values: Cell::new(0),
        limit: Cell::new(None),
        duplicate: RefCell::new(None),
    };
    let mut tokens = serde_json::Deserializer::from_str(text);
    let mut root = Json::Null;
    Value {
        pass: &pass,
        depth: 0,
        place: &mut root,
    }
    .deserialize(&mut tokens)
    .and_then(|()| tokens.end())
    .map_err(|fault| match pass.limit.get() {
        Some(Limit::Depth) => TextFault::TooDeep(limits.depth),
        Some(Limit::Values) => TextFault::TooManyValues(limits.values),
        None => TextFault::Malformed(fault.to_string()),
    })?;
    Ok(Document {
        root,
        duplicate: pass.duplicate.into_inner(),
    })
}

#[derive(Clone, Copy)]
enum Limit {
    Depth,
    Values,
}

/// What one pass counts.
struct Pass<'p> {
    limits: &'p Limits,
    values: Cell<usize>,
    /// Set before the error that stops the pass, since serde's error has no room for it.
    limit: Cell<Option<Limit>>,
    duplicate: RefCell<Option<String>>,
}

impl Pass<'_> {
    fn stop<E: de::Error>(&self, limit: Limit) -> E {
        self.limit.set(Some(limit));
        E::custom("limit")
    }

    fn count<E: de::Error>(&self) -> Result<(), E> {
        let values = self.values.get().saturating_add(1);
        self.values.set(values);
        if values > self.limits.values {
            Err(self.stop(Limit::Values))
        } else {
            Ok(())
        }
    }

    /// Counts a container that stands inside `depth` others, and tells the depth of the values inside it.
    fn enter<E: de::Error>(&self, depth: usize) -> Result<usize, E> {
        self.count()?;
        let depth = depth.saturating_add(1);
        if depth > self.limits.depth {
            return Err(self.stop(Limit::Depth));
        }
        Ok(depth)
    }
}

/// Reads one value, which stands inside `depth` containers, into its place.
///
/// Everything is written where it stays: names and items at the end of their container, a container where it belongs. What
/// is handed up through serde is copied at each step, and a copy of what was just written in parts waits for those parts.
struct Value<'p, 'j, 'de> {
    pass: &'p Pass<'p>,
    depth: usize,
    place: &'j mut Json<'de>,
}

impl Value<'_, '_, '_> {
    fn number<E: de::Error>(self, number: Option<Number>) -> Result<(), E> {
        self.pass.count()?;
        let number = number.ok_or_else(|| E::custom("number out of range"))?;
        *self.place = Json::Number(number);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.pass.count()?;
        *self.place = Json::Null;
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.pass.count()?;
        *self.place = Json::Bool(value);
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.pass.count()?;
        *self.place = Json::Number(value.into());
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.pass.count()?;
        *self.place = Json::Number(value.into());
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.number(Number::from_f64(value))
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<(), E> {
        self.pass.count()?;
        *self.place = Json::String(Cow::Borrowed(text));
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.pass.count()?;
        *self.place = Json::String(Cow::Owned(text.to_owned()));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let (pass, depth) = (self.pass, self.pass.enter(self.depth)?);
        *self.place = Json::Array(Vec::new());
        let Json::Array(array) = self.place else {
            return Err(lost());
        };
        while let Some(()) = items.next_element_seed(Item {
            pass,
            depth,
            array: &mut *array,
        })? {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        *self.place = Json::Object(Object::default());
        let Json::Object(object) = self.place else {
            return Err(lost());
        };
        let mut key = entries.next_key_seed(Key(&mut object.members))?;
        if let Some(Name::NumberToken) = key {
            let token: String = entries.next_value()?;
            return self.number(Number::from_token(&token));
        }
        let (pass, depth) = (self.pass, self.pass.enter(self.depth)?);
        while let Some(Name::Member) = key {
            let (_, place) = object.members.last_mut().ok_or_else(lost)?;
            entries.next_value_seed(Value { pass, depth, place })?;
            key = entries.next_key_seed(Key(&mut object.members))?;
        }
        if let Some(position) = object.index() {
            let mut first = pass.duplicate.borrow_mut();
            if first.is_none() {
                *first = object
                    .iter()
                    .nth(position)
                    .map(|(name, _)| Untrusted::new(name).to_string());
            }
        }
        Ok(())
    }
}

/// That what was just put there is gone: it cannot be, and if it were, nothing must be taken for read.
fn lost<E: de::Error>() -> E {
    E::custom("a place for a value is lost")
}

/// Reads an item of an array to the end of it.
struct Item<'p, 'j, 'de> {
    pass: &'p Pass<'p>,
    depth: usize,
    array: &'j mut Vec<Json<'de>>,
}

impl<'de> DeserializeSeed<'de> for Item<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { pass, depth, array } = self;
        array.push(Json::Null);
        let place = array.last_mut().ok_or_else(lost)?;
        Value { pass, depth, place }.deserialize(deserializer)
    }
}

/// What stands where a member's name is read.
enum Name {
    /// A name, which is now the last member's.
    Member,
    /// With `serde_json/arbitrary_precision`, which any crate of a build may turn on, a number arrives as a map of
    /// one token.
    NumberToken,
}

/// Reads a member's name to the end of the members. A real name answers `deserialize_option` with `visit_some`, the token
/// of a number does not: so no name that a peer sends can pass for a number.
struct Key<'j, 'de>(&'j mut Vec<(Cow<'de, str>, Json<'de>)>);

impl<'de> DeserializeSeed<'de> for Key<'_, 'de> {
    type Value = Name;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Key<'_, 'de> {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_some<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_str(Text(self.0))
    }

    fn visit_borrowed_str<E>(self, _token: &'de str) -> Result<Name, E> {
        Ok(Name::NumberToken)
    }
}

/// The text of a name.
struct Text<'j, 'de>(&'j mut Vec<(Cow<'de, str>, Json<'de>)>);

impl<'de> Visitor<'de> for Text<'_, 'de> {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name, E> {
        self.0.push((Cow::Borrowed(text), Json::Null));
        Ok(Name::Member)
    }

    fn visit_str<E>(self, text: &str) -> Result<Name, E> {
        self.0.push((Cow::Owned(text.to_owned()), Json::Null));
        Ok(Name::Member)
    }
}
