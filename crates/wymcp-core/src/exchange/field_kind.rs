//! The kinds of fields in a form, and what each of them admits.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::text::Json;

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Text,
    Integer,
    Number,
    Flag,
    One(Vec<String>),
    Many(Vec<String>),
}

impl Kind {
    pub(super) fn admits(&self, value: &Json<'_>) -> bool {
        let is_one_of = |options: &[String], value: &Json<'_>| {
            let text = value.as_str();
            text.is_some_and(|text| options.iter().any(|option| option == text))
        };
        match (self, value) {
            (Self::Text, Json::String(_))
            | (Self::Number, Json::Number(_))
            | (Self::Flag, Json::Bool(_)) => true,
            (Self::Integer, Json::Number(number)) => number.is_integer(),
            (Self::One(options), value) => is_one_of(options, value),
            (Self::Many(options), Json::Array(items)) => {
                items.iter().all(|item| is_one_of(options, item))
            }
            _ => false,
        }
    }

    /// The keywords for the least and the largest amount.
    pub(super) fn bounds(&self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("minLength", "maxLength"),
            Self::Many(_) => ("minItems", "maxItems"),
            Self::Integer | Self::Number | Self::Flag | Self::One(_) => ("minimum", "maximum"),
        }
    }

    /// What is wrong with a bound, if it is none for this kind.
    pub(super) fn fault_of_bound(&self, bound: &Value) -> Option<&'static str> {
        match self {
            Self::Flag | Self::One(_) => {
                Some("has bounds, and no amount that they could be of; remove them")
            }
            Self::Text | Self::Many(_) if !bound.is_u64() => Some(
                "has a bound that is no number of characters or choices; write a whole number from 0",
            ),
            Self::Integer | Self::Number if !bound.is_number() => {
                Some("has a bound that is no finite number; write one")
            }
            _ => None,
        }
    }

    pub(super) fn in_words(&self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Flag => "true or false",
            Self::One(_) => "one of its options",
            Self::Many(_) => "an array of its options",
        }
    }

    /// What is wrong with the options, if it has any.
    pub(super) fn fault(&self) -> Option<String> {
        let (Self::One(options) | Self::Many(options)) = self else {
            return None;
        };
        if options.is_empty() {
            return Some("has no options; write at least one".to_owned());
        }
        let mut values = BTreeSet::new();
        let twice = options.iter().find(|option| !values.insert(*option))?;
        Some(format!("has the option {twice:?} twice; write each once"))
    }

    /// How many choices there can be, where there can be several.
    pub(super) fn most_choices(&self) -> Option<f64> {
        match self {
            Self::Many(options) => Some(amount(options.len())),
            _ => None,
        }
    }
}

/// What bounds hold: the number itself, how many characters, or how many items.
pub(super) fn amount_of(value: &Json<'_>) -> Option<f64> {
    match value {
        Json::Number(number) => Some(number.as_f64()),
        Json::String(text) => Some(amount(text.chars().count())),
        Json::Array(items) => Some(amount(items.len())),
        _ => None,
    }
}

/// No message has room for more than the most of these.
fn amount(count: usize) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
