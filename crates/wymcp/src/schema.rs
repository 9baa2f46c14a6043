//! JSON Schemas of the application's own types.

use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Value, json};

/// The schema of a type that a client sends.
pub(crate) fn input<T: JsonSchema>() -> Value {
    let schema = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator()
        .into_root_schema_for::<T>();
    let mut schema = stripped(schema);
    // A type that admits anything, such as a plain JSON value: arguments are an object all the same.
    if let Some(object) = schema.as_object_mut() {
        object.entry("type").or_insert_with(|| json!("object"));
        schema
    } else {
        json!({"type": "object"})
    }
}

/// The schema of a type that a tool sends.
pub(crate) fn output<T: JsonSchema>() -> Value {
    let schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>();
    match stripped(schema) {
        schema @ Value::Object(_) => schema,
        _ => json!({}),
    }
}

/// The schema of a type that a client sends, without references: every part stands where it is used.
pub(crate) fn inlined<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    stripped(settings.into_generator().into_root_schema_for::<T>())
}

/// Drops what says nothing to a reader: the dialect, which is the default, and the name of the Rust type.
fn stripped(mut schema: Schema) -> Value {
    schema.remove("$schema");
    schema.remove("title");
    schema.to_value()
}
