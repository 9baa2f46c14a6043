//! One field of a form.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::field_kind::{Kind, amount_of};
use crate::{text::Json, untrusted::is_line};

/// A field of a [`Form`](crate::Form).
///
/// Has bounds where it has an amount: a number is its own, a text has characters, and a choice of many has choices. A
/// field that nobody could fill in is a fault of the handler that asks.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Field, Form, TextFormat};
///
/// let size = Field::one_of("size", [("s", "Small"), ("l", "Large")]).title("Size").default_value("s");
/// let mail = Field::text("mail").describe("Where to write to").format(TextFormat::Email).between(3, 100);
/// let age = Field::integer("age").at_least(18);
/// let share = Field::number("share").at_most(0.5);
/// let speed = Field::legacy_one_of("speed", [("slow", "Whenever"), ("fast", "At once")]);
/// let days = Field::many_of("days", [("sat", "sat"), ("sun", "sun")]).at_least(1).required();
/// let form = Form::new("Who are you?").field(mail).field(age).field(share).field(days).field(size).field(speed).field(Field::flag("gift"));
/// assert_eq!(
///     form.schema()["properties"],
///     json!({
///         "mail": {"type": "string", "description": "Where to write to", "format": "email", "minLength": 3, "maxLength": 100},
///         "age": {"type": "integer", "minimum": 18},
///         "share": {"type": "number", "maximum": 0.5},
///         "days": {"type": "array", "items": {"type": "string", "enum": ["sat", "sun"]}, "minItems": 1},
///         "size": {
///             "type": "string",
///             "title": "Size",
///             "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}],
///             "default": "s",
///         },
///         "speed": {"type": "string", "enum": ["slow", "fast"], "enumNames": ["Whenever", "At once"]},
///         "gift": {"type": "boolean"},
///     }),
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub(super) name: String,
    pub(super) is_required: bool,
    kind: Kind,
    pub(super) schema: Map<String, Value>,
}

/// What a text in a form is. Source: MCP 2026-07-28, Elicitation.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Field, Form, TextFormat};
///
/// let birthday = Form::new("When were you born?").field(Field::text("day").format(TextFormat::Date));
/// assert_eq!(birthday.schema()["properties"]["day"]["format"], "date");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TextFormat {
    /// A day: `2026-07-28`.
    Date,
    /// A point in time: `2026-07-28T12:00:00Z`.
    DateTime,
    /// An address for mail.
    Email,
    /// A URI.
    Uri,
}

impl Field {
    fn new(name: impl Into<String>, kind: Kind, schema: Value) -> Self {
        Self {
            name: name.into(),
            is_required: false,
            kind,
            schema: match schema {
                Value::Object(schema) => schema,
                _ => Map::new(),
            },
        }
    }

    /// A text. The name is one line, here and below.
    pub fn text(name: impl Into<String>) -> Self {
        Self::new(name, Kind::Text, json!({"type": "string"}))
    }

    /// A number without a fraction.
    pub fn integer(name: impl Into<String>) -> Self {
        Self::new(name, Kind::Integer, json!({"type": "integer"}))
    }

    /// A number.
    pub fn number(name: impl Into<String>) -> Self {
        Self::new(name, Kind::Number, json!({"type": "number"}))
    }

    /// Yes or no.
    pub fn flag(name: impl Into<String>) -> Self {
        Self::new(name, Kind::Flag, json!({"type": "boolean"}))
    }

    /// One of these values, each with what the human reads; where both are the same, the values alone are sent.
    pub fn one_of<V: Into<String>, T: Into<String>>(
        name: impl Into<String>,
        options: impl IntoIterator<Item = (V, T)>,
    ) -> Self {
        let (values, options, are_titled) = options_of(options);
        let keyword = if are_titled { "oneOf" } else { "enum" };
        let schema = json!({"type": "string", keyword: options});
        Self::new(name, Kind::One(values), schema)
    }

    /// One of these values, each with what the human reads, in the form of revision 2025-06-18, which clients of today
    /// may still need: deprecated since.
    pub fn legacy_one_of<V: Into<String>, T: Into<String>>(
        name: impl Into<String>,
        options: impl IntoIterator<Item = (V, T)>,
    ) -> Self {
        let (values, titles): (Vec<String>, Vec<String>) = options
            .into_iter()
            .map(|(value, title)| (value.into(), title.into()))
            .unzip();
        let schema = json!({"type": "string", "enum": values, "enumNames": titles});
        Self::new(name, Kind::One(values), schema)
    }

    /// Any of these values, each with what the human reads; where both are the same, the values alone are sent.
    pub fn many_of<V: Into<String>, T: Into<String>>(
        name: impl Into<String>,
        options: impl IntoIterator<Item = (V, T)>,
    ) -> Self {
        let (values, options, are_titled) = options_of(options);
        let items = if are_titled {
            json!({"anyOf": options})
        } else {
            json!({"type": "string", "enum": options})
        };
        let schema = json!({"type": "array", "items": items});
        Self::new(name, Kind::Many(values), schema)
    }

    /// What the human reads in the place of the name.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", title.into())
    }

    /// What to fill in.
    #[must_use]
    pub fn describe(self, description: impl Into<String>) -> Self {
        self.with("description", description.into())
    }

    /// Makes it a field that must be there. An empty text is there, and so is a choice of nothing: `at_least(1)` asks for
    /// more.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// What it holds before the human has changed it.
    #[must_use]
    pub fn default_value(self, value: impl Into<Value>) -> Self {
        self.with("default", value)
    }

    /// What a text is.
    #[must_use]
    pub fn format(self, format: TextFormat) -> Self {
        self.with("format", json!(format))
    }

    /// The least number, or how many characters or choices there are at least.
    #[must_use]
    pub fn at_least(self, least: impl Into<Value>) -> Self {
        let (keyword, _) = self.kind.bounds();
        self.with(keyword, least)
    }

    /// The largest number, or how many characters or choices there are at most.
    #[must_use]
    pub fn at_most(self, most: impl Into<Value>) -> Self {
        let (_, keyword) = self.kind.bounds();
        self.with(keyword, most)
    }

    /// Both bounds: [`at_least`](Self::at_least) and [`at_most`](Self::at_most).
    #[must_use]
    pub fn between(self, least: impl Into<Value>, most: impl Into<Value>) -> Self {
        self.at_least(least).at_most(most)
    }

    /// What is wrong with the field, and what to write.
    pub(super) fn fault(&self) -> Option<String> {
        if !is_line(&self.name) {
            return Some("has a name that is not one line of text; write one".to_owned());
        }
        if self.schema.contains_key("format") && self.kind != Kind::Text {
            return Some(
                "has a format, and is no text; remove the format, or make it a text".to_owned(),
            );
        }
        if let Some(fault) = self.kind.fault().or_else(|| self.fault_of_bounds()) {
            return Some(fault);
        }
        let default = self.schema.get("default").map(Json::from)?;
        let is_bounded = self.bound(self.kind.bounds().0).is_some()
            || self.bound(self.kind.bounds().1).is_some();
        (!self.admits(&default)).then(|| {
            let within = if is_bounded {
                ", within its bounds"
            } else {
                ""
            };
            let expected = self.kind.in_words();
            format!("has a default value that it does not admit; write {expected}{within}")
        })
    }

    fn fault_of_bounds(&self) -> Option<String> {
        let (least, most) = self.kind.bounds();
        let bounds = [least, most].map(|keyword| self.schema.get(keyword));
        let mut bounds = bounds.into_iter().flatten();
        if let Some(fault) = bounds.find_map(|bound| self.kind.fault_of_bound(bound)) {
            return Some(fault.to_owned());
        }
        let (mut least, mut most) = (self.bound(least)?, self.bound(most));
        if self.kind == Kind::Integer {
            (least, most) = (least.ceil(), most.map(f64::floor));
        }
        if most.is_some_and(|most| least > most) {
            let fault =
                "has bounds that nothing is between; write a least that is no more than the most";
            return Some(fault.to_owned());
        }
        let options = self.kind.most_choices()?;
        (least > options).then(|| {
            format!(
                "asks for at least {least} choices and has {options} options; ask for fewer, or add options"
            )
        })
    }

    /// Whether a value is of the kind of the field, and within its bounds. Formats are the client's to check.
    pub(super) fn admits(&self, value: &Json<'_>) -> bool {
        let (least, most) = self.kind.bounds();
        let is_within = |amount: f64| {
            self.bound(least).is_none_or(|least| least <= amount)
                && self.bound(most).is_none_or(|most| amount <= most)
        };
        self.kind.admits(value) && amount_of(value).is_none_or(is_within)
    }

    fn bound(&self, keyword: &str) -> Option<f64> {
        self.schema.get(keyword).and_then(Value::as_f64)
    }

    fn with(mut self, keyword: &str, value: impl Into<Value>) -> Self {
        self.schema.insert(keyword.to_owned(), value.into());
        self
    }
}

/// The values, the options as they are sent, and whether they have titles of their own.
fn options_of<V: Into<String>, T: Into<String>>(
    options: impl IntoIterator<Item = (V, T)>,
) -> (Vec<String>, Value, bool) {
    let options: Vec<(String, String)> = options
        .into_iter()
        .map(|(value, title)| (value.into(), title.into()))
        .collect();
    let values: Vec<String> = options.iter().map(|(value, _)| value.clone()).collect();
    let are_titled = options.iter().any(|(value, title)| value != title);
    let sent = if are_titled {
        let titled = options
            .iter()
            .map(|(value, title)| json!({"const": value, "title": title}));
        titled.collect()
    } else {
        json!(values)
    };
    (values, sent, are_titled)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exchange::Form;

    fn admits(field: Field, value: &Value) -> bool {
        let form = Form::new("?").field(field.required());
        form.admits(Json::from(&json!({"a": value})).as_object().unwrap())
    }

    #[test]
    fn a_field_that_nobody_could_fill_in_is_a_fault_that_says_what_to_write() {
        let none: [(&str, &str); 0] = [];
        let size = [("s", "Small"), ("l", "Large")];
        let crossed = "bounds that nothing is between; write a least";
        for (field, told) in [
            (
                Field::number("a").between(f64::NAN, 3.0),
                "no finite number; write one",
            ),
            (
                Field::integer("a").at_most("9"),
                "no finite number; write one",
            ),
            (Field::integer("a").between(5, 1), crossed),
            (Field::integer("a").between(0.2, 0.8), crossed),
            (Field::text("a").between(9, 3), crossed),
            (Field::many_of("a", size).between(2, 1), crossed),
            (
                Field::many_of("a", size).at_least(3),
                "asks for at least 3 choices and has 2 options; ask for fewer",
            ),
            (Field::text("a").at_least(-1), "write a whole number from 0"),
            (
                Field::many_of("a", size).at_most(1.5),
                "write a whole number from 0",
            ),
            (Field::flag("a").at_least(1), "remove them"),
            (Field::one_of("a", size).at_most(1), "remove them"),
            (
                Field::flag("a").format(TextFormat::Email),
                "remove the format",
            ),
            (
                Field::one_of("a", none),
                "has no options; write at least one",
            ),
            (
                Field::many_of("a", none),
                "has no options; write at least one",
            ),
            (
                Field::one_of("a", [size, size].concat()),
                r#"has the option "s" twice; write each once"#,
            ),
            (
                Field::one_of("a", size).default_value("m"),
                "does not admit; write one of its options",
            ),
            (
                Field::integer("a").between(1, 3).default_value(4),
                "does not admit; write an integer, within its bounds",
            ),
            (
                Field::text("a").at_least(1).default_value(""),
                "does not admit; write a text, within its bounds",
            ),
            (
                Field::many_of("a", size).default_value("s"),
                "does not admit; write an array of its options",
            ),
            (
                Field::many_of("a", size)
                    .at_most(1)
                    .default_value(json!(["s", "l"])),
                "an array of its options, within",
            ),
        ] {
            let form = Form::new("?").field(Field::text("b")).field(field);
            let fault = form.fault().unwrap();
            assert!(
                fault.starts_with(r#"a form's field "a" "#) && fault.contains(told),
                "{fault}"
            );
        }
        for name in ["", " ", "a\nb"] {
            let fault = Form::new("?").field(Field::flag(name)).fault().unwrap();
            assert!(
                fault.ends_with("has a name that is not one line of text; write one"),
                "{fault}"
            );
        }
        let sound = Field::many_of("a", size)
            .between(1, 2)
            .default_value(json!(["s"]));
        assert_eq!(Form::new("?").field(sound).fault(), None);
    }

    #[test]
    fn a_required_choice_of_many_can_demand_a_choice() {
        let days = || Field::many_of("a", [("sat", "sat"), ("sun", "sun")]);
        assert!(admits(days(), &json!([])));
        assert!(!admits(days().at_least(1), &json!([])));
        assert!(admits(days().between(1, 1), &json!(["sun"])));
        assert!(!admits(days().at_most(1), &json!(["sat", "sun"])));
    }

    proptest! {
        #[test]
        fn numbers_texts_and_choices_are_held_to_each_bound_that_there_is(
            least in prop::option::of(0..5_u32),
            spread in prop::option::of(0..3_u32),
            number in -2..9_i64,
            text in ".{0,9}",
            choices in prop::collection::vec("[a-h]", 0..9),
        ) {
            let most = spread.map(|spread| least.unwrap_or_default() + spread);
            let bounded = |mut field: Field| {
                if let Some(least) = least {
                    field = field.at_least(least);
                }
                if let Some(most) = most {
                    field = field.at_most(most);
                }
                field
            };
            let is_within = |amount: i64| {
                least.is_none_or(|least| i64::from(least) <= amount)
                    && most.is_none_or(|most| amount <= i64::from(most))
            };
            let letters = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|letter| (letter, letter));
            let count = |count: usize| i64::try_from(count).unwrap();
            prop_assert_eq!(admits(bounded(Field::integer("a")), &json!(number)), is_within(number));
            let characters = count(text.chars().count());
            prop_assert_eq!(admits(bounded(Field::text("a")), &json!(text)), is_within(characters));
            let many = bounded(Field::many_of("a", letters));
            prop_assert_eq!(admits(many, &json!(choices)), is_within(count(choices.len())));
        }
    }
}
