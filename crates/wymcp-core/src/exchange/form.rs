//! Forms that a server asks a human to fill in.

use std::collections::BTreeSet;

use serde::{
    Serialize, Serializer,
    ser::{SerializeMap as _, SerializeStruct as _},
};
use serde_json::Value;

use super::Field;
use crate::text::Object;

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
    /// A form that says what it is for. Without a field it asks for consent alone.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            fields: Vec::new(),
        }
    }

    /// Adds a field, under a name of its own.
    #[must_use]
    pub fn field(mut self, field: Field) -> Self {
        self.fields.push(field);
        self
    }

    /// The schema of its contents, as it is sent.
    pub fn schema(&self) -> Value {
        serde_json::to_value(Schema(self)).unwrap_or_default()
    }

    /// What is wrong with the form, if no human could fill it in or its schema says nothing: the fault of a handler.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.message.trim().is_empty() {
            return Some("a form has an empty message; write what it asks for".to_owned());
        }
        let mut names = BTreeSet::new();
        self.fields.iter().find_map(|field| {
            let fault = if names.insert(&field.name) {
                field.fault()?
            } else {
                "stands there twice; give each field a name of its own".to_owned()
            };
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_form_without_a_message_or_with_a_name_twice_is_a_fault() {
        let a = || Field::text("a");
        for (form, told) in [
            (
                Form::new(""),
                "a form has an empty message; write what it asks for",
            ),
            (
                Form::new(" \n"),
                "a form has an empty message; write what it asks for",
            ),
            (
                Form::new("?").field(a()).field(Field::flag("a")),
                r#"a form's field "a" stands there twice; give each field a name of its own"#,
            ),
        ] {
            assert_eq!(form.fault().as_deref(), Some(told));
        }
        assert_eq!(Form::new("Sure?").fault(), None);
        assert_eq!(
            Form::new("?").field(a()).field(Field::text("A")).fault(),
            None
        );
    }
}
