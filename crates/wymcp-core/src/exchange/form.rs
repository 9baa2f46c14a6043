//! Forms that a server asks a human to fill in.

use serde::{
    Serialize, Serializer,
    ser::{SerializeMap as _, SerializeStruct as _},
};
use serde_json::{Map, Value, json};

use crate::text::{Json, Object};

/// A form for the human behind the client: a message, and flat fields.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Field, Form};
///
/// let form = Form::new("Where shall it go?")
///     .field(Field::text("city").title("City").required())
///     .field(Field::integer("floor").between(-2, 40).default_value(0))
///     .field(Field::one_of("speed", [("slow", "Whenever"), ("fast", "At once")]).default_value("slow"))
///     .field(Field::many_of("days", [("sat", "Saturday"), ("sun", "Sunday")]))
///     .field(Field::flag("gift"));
/// let schema = form.schema();
/// assert_eq!(schema["required"], json!(["city"]));
/// assert_eq!(schema["properties"]["floor"], json!({"type": "integer", "minimum": -2, "maximum": 40, "default": 0}));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    message: String,
    fields: Vec<Field>,
}

impl Form {
    /// A form that says what it is for.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            fields: Vec::new(),
        }
    }

    /// Adds a field. Of two fields of one name the later one counts.
    #[must_use]
    pub fn field(mut self, field: Field) -> Self {
        self.fields.retain(|known| known.name != field.name);
        self.fields.push(field);
        self
    }

    /// The schema of its contents, as it is sent.
    pub fn schema(&self) -> Value {
        serde_json::to_value(Schema(self)).unwrap_or_default()
    }

    /// What is wrong with the form, if no human could fill it in or its schema says nothing: the fault of a handler.
    pub(crate) fn fault(&self) -> Option<String> {
        self.fields.iter().find_map(|field| {
            let fault = field.fault()?;
            Some(format!("a form's field {:?} {fault}", field.name))
        })
    }

    /// Whether contents fit: every required field is there, and every field that is there has a value of its kind. What
    /// the form does not ask for is ignored.
    pub(crate) fn admits(&self, contents: &Object<'_>) -> bool {
        self.fields
            .iter()
            .all(|field| match contents.present(&field.name) {
                Some(value) => field.admits(value),
                None => !field.is_required,
            })
    }
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut params = serializer.serialize_struct("Form", 3)?;
        params.serialize_field("mode", "form")?;
        params.serialize_field("message", &self.message)?;
        params.serialize_field("requestedSchema", &Schema(self))?;
        params.end()
    }
}

/// The schema of a form's contents, its fields in the order in which a human is to see them.
struct Schema<'f>(&'f Form);

impl Serialize for Schema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = &self.0.fields;
        let required = fields.iter().filter(|field| field.is_required);
        let required: Vec<&str> = required.map(|field| &*field.name).collect();
        let mut schema = serializer.serialize_map(None)?;
        schema.serialize_entry("type", "object")?;
        schema.serialize_entry("properties", &Properties(fields))?;
        if !required.is_empty() {
            schema.serialize_entry("required", &required)?;
        }
        schema.end()
    }
}

struct Properties<'f>(&'f [Field]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (&field.name, &field.schema)))
    }
}

/// A field of a [`Form`].
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Field, Form, TextFormat};
///
/// let mail = Field::text("mail").describe("Where to write to").format(TextFormat::Email).length(3, 100);
/// let share = Field::number("share").between(0.0, 1.0);
/// let form = Form::new("Who are you?").field(mail).field(share);
/// assert_eq!(
///     form.schema()["properties"]["mail"],
///     json!({"type": "string", "description": "Where to write to", "format": "email", "minLength": 3, "maxLength": 100}),
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    name: String,
    is_required: bool,
    kind: Kind,
    schema: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Text,
    Integer,
    Number,
    Flag,
    One(Vec<String>),
    Many(Vec<String>),
}

impl Kind {
    fn admits(&self, value: &Json<'_>) -> bool {
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

    /// A text.
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

    /// Makes it a field that must be filled in.
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

    /// How many characters a text has, at least and at most.
    #[must_use]
    pub fn length(self, least: u32, most: u32) -> Self {
        self.with("minLength", least).with("maxLength", most)
    }

    /// The least and the largest number.
    #[must_use]
    pub fn between(self, least: impl Into<Value>, largest: impl Into<Value>) -> Self {
        self.with("minimum", least).with("maximum", largest)
    }

    fn fault(&self) -> Option<&'static str> {
        let bound = |keyword: &str| self.schema.get(keyword).map(Value::as_f64);
        let is_crossed = |least: &str, most: &str| match (bound(least), bound(most)) {
            (Some(Some(least)), Some(Some(most))) => least > most,
            (least, most) => least == Some(None) || most == Some(None),
        };
        let has = |keyword: &str| self.schema.contains_key(keyword);
        let is_text = self.kind == Kind::Text;
        let is_number = matches!(self.kind, Kind::Integer | Kind::Number);
        let default = self.schema.get("default").map(Json::from);
        if is_crossed("minimum", "maximum") || is_crossed("minLength", "maxLength") {
            Some("has bounds that nothing is between")
        } else if has("minimum") && !is_number {
            Some("is no number, and has bounds of one")
        } else if (has("minLength") || has("format")) && !is_text {
            Some("is no text, and has a length or a format of one")
        } else if matches!(&self.kind, Kind::One(options) | Kind::Many(options) if options.is_empty())
        {
            Some("has no options")
        } else if default.is_some_and(|default| !self.admits(&default)) {
            Some("has a default value that it does not admit")
        } else {
            None
        }
    }

    /// Whether a value is of the kind of the field, and within its bounds. Formats are the client's to check.
    fn admits(&self, value: &Json<'_>) -> bool {
        let bound = |keyword: &str| self.schema.get(keyword).and_then(Value::as_f64);
        let is_within = |amount: f64, least: &str, most: &str| {
            bound(least).is_none_or(|least| least <= amount)
                && bound(most).is_none_or(|most| amount <= most)
        };
        self.kind.admits(value)
            && match value {
                Json::Number(number) => is_within(number.as_f64(), "minimum", "maximum"),
                Json::String(text) => match u32::try_from(text.chars().count()) {
                    Ok(length) => is_within(length.into(), "minLength", "maxLength"),
                    Err(_) => bound("maxLength").is_none(),
                },
                _ => true,
            }
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

    fn admits(form: &Form, contents: &Value) -> bool {
        form.admits(Json::from(contents).as_object().unwrap())
    }

    #[test]
    fn fields_are_sent_in_the_order_in_which_they_were_added() {
        let form = Form::new("?")
            .field(Field::text("z"))
            .field(Field::text("a"))
            .field(Field::text("m"));
        let sent = serde_json::to_string(&form).unwrap();
        let at = |name: &str| sent.find(&format!("{name:?}:")).unwrap();
        assert!(at("z") < at("a") && at("a") < at("m"), "{sent}");
    }

    #[test]
    fn a_form_that_nobody_could_fill_in_is_a_fault() {
        let none: [(&str, &str); 0] = [];
        for field in [
            Field::number("a").between(f64::NAN, 3.0),
            Field::integer("a").between(5, 1),
            Field::text("a").length(9, 3),
            Field::text("a").between(1, 2),
            Field::flag("a").format(TextFormat::Email),
            Field::one_of("a", none),
            Field::many_of("a", none),
            Field::one_of("a", [("s", "Small")]).default_value("m"),
            Field::integer("a").between(1, 3).default_value(4),
        ] {
            let form = Form::new("?").field(Field::text("b")).field(field.clone());
            assert!(
                form.fault().is_some_and(|fault| fault.contains(r#""a""#)),
                "{field:?}"
            );
        }
        let sound = Field::many_of("a", [("s", "Small")]).default_value(json!(["s"]));
        assert_eq!(Form::new("?").field(sound).fault(), None);
    }

    proptest! {
        #[test]
        fn numbers_and_texts_are_held_to_their_bounds(
            least in -20..20_i64,
            spread in 0..20_i64,
            number in -50..50_i64,
            length in 0..9_u32,
            text in ".{0,9}",
        ) {
            let most = least + spread;
            let form = Form::new("?")
                .field(Field::integer("number").between(least, most))
                .field(Field::text("text").length(length, length + 2));
            prop_assert_eq!(admits(&form, &json!({"number": number})), (least..=most).contains(&number));
            let characters = u32::try_from(text.chars().count()).unwrap();
            prop_assert_eq!(admits(&form, &json!({"text": text})), (length..=length + 2).contains(&characters));
        }
    }
}
