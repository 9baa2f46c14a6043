//! References that are too simple to be wrong.

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

/// A JSON value as serde_json tokenizes it, with every member kept where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Naive {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(String),
    Array(Vec<Naive>),
    Object(Vec<(String, Naive)>),
}

impl Naive {
    /// Reads a body, of which one leading byte order mark is no part.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body)).ok()
    }

    /// The values of the top-level members of this name.
    pub(crate) fn named(&self, name: &str) -> Vec<&Naive> {
        match self {
            Self::Object(members) => members
                .iter()
                .filter(|(member, _)| member == name)
                .map(|(_, value)| value)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether an object in here has a name twice.
    pub(crate) fn has_duplicate(&self) -> bool {
        match self {
            Self::Array(items) => items.iter().any(Self::has_duplicate),
            Self::Object(members) => {
                let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
                names.sort_unstable();
                names.windows(2).any(|pair| pair[0] == pair[1])
                    || members.iter().any(|(_, value)| value.has_duplicate())
            }
            _ => false,
        }
    }

    /// How many containers stand in each other.
    pub(crate) fn depth(&self) -> usize {
        1 + match self {
            Self::Array(items) => items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(members) => members
                .iter()
                .map(|(_, value)| value.depth())
                .max()
                .unwrap_or(0),
            _ => return 0,
        }
    }

    /// How many values there are; names are none.
    pub(crate) fn values(&self) -> usize {
        1 + match self {
            Self::Array(items) => items.iter().map(Self::values).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| value.values()).sum(),
            _ => 0,
        }
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    /// The rule for request ids, on doubles.
    pub(crate) fn is_request_id(&self) -> bool {
        match self {
            Self::String(_) => true,
            Self::Number(number) => number.as_f64().is_some_and(|double| {
                double.fract() == 0.0 && double.abs() <= 9_007_199_254_740_991.0
            }),
            _ => false,
        }
    }

    /// Whether a reader with doubles sees the same scalar.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.as_f64() == b.as_f64(),
            _ => self == other,
        }
    }
}

/// The id that every answer to a message carries, once it was read to its end: its own, when no reader could take it
/// for another kind of message or for another call.
pub(crate) fn answer_id(message: &Naive) -> Option<&Naive> {
    let (ids, methods) = (message.named("id"), message.named("method"));
    match (&*ids, &*methods) {
        ([id], [_, ..])
            if methods.iter().all(|method| method.is_string()) && id.is_request_id() =>
        {
            Some(id)
        }
        _ => None,
    }
}

/// The deepest nesting of brackets outside strings, whether or not the rest is JSON.
pub(crate) fn bracket_depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

impl<'de> Deserialize<'de> for Naive {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Naive;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Naive, E> {
        Ok(Naive::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Naive, E> {
        Ok(Naive::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Naive, E> {
        Ok(Naive::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Naive, E> {
        Ok(Naive::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Naive, E> {
        serde_json::Number::from_f64(value)
            .map(Naive::Number)
            .ok_or_else(|| E::custom("not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Naive, E> {
        Ok(Naive::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Naive, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Naive::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Naive, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = entries.next_entry()? {
            members.push(member);
        }
        Ok(Naive::Object(members))
    }
}
