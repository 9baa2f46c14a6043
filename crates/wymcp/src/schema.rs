//! JSON Schemas of the application's own types.

use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform as _},
};
use serde_json::{Value, json};

/// The schema of a type that a client sends.
pub(crate) fn input<T: JsonSchema>() -> Value {
    let schema = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator()
        .into_root_schema_for::<T>();
    let mut schema = stripped(schema);
    // A type that admits anything, such as a plain JSON value: arguments are an object all the same. A type that admits
    // something else, such as an enum with a unit variant, is a fault when the server is built.
    let is_object = admits_objects(&schema, &schema);
    match schema.as_object_mut() {
        Some(_) if !is_object => schema,
        Some(object) => {
            object.entry("type").or_insert_with(|| json!("object"));
            schema
        }
        None => json!({"type": "object"}),
    }
}

/// Whether a schema, which is part of a whole, can be one of objects alone.
pub(crate) fn admits_objects(schema: &Value, whole: &Value) -> bool {
    if let Some(kind) = schema.get("type") {
        return kind == "object";
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let definition = reference.strip_prefix('#').and_then(|at| whole.pointer(at));
        return definition.is_none_or(|definition| admits_objects(definition, whole));
    }
    let branches = ["oneOf", "anyOf"].map(|union| schema[union].as_array());
    let mut branches = branches.into_iter().flatten().flatten();
    let mut values = schema["enum"].as_array().into_iter().flatten();
    branches.all(|branch| admits_objects(branch, whole))
        && values.all(Value::is_object)
        && schema.get("const").is_none_or(Value::is_object)
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

/// Drops what says nothing to a reader: the dialect, which is the default, the name of the Rust type, and the formats
/// that only Rust knows, of which some clients complain.
fn stripped(mut schema: Schema) -> Value {
    schema.remove("$schema");
    schema.remove("title");
    let mut foreign = RecursiveTransform(|schema: &mut Schema| {
        let format = schema.get("format").and_then(Value::as_str);
        if format.is_some_and(|format| RUST_FORMATS.contains(&format)) {
            schema.remove("format");
        }
    });
    foreign.transform(&mut schema);
    schema.to_value()
}

const RUST_FORMATS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Sized {
        port: u16,
        ratios: Vec<f32>,
    }

    #[test]
    fn a_schema_names_no_format_that_only_rust_knows() {
        let schema = input::<Sized>();
        assert!(!schema.to_string().contains("format"), "{schema}");
        assert_eq!(schema["properties"]["port"]["maximum"], 65535);
        assert_eq!(schema["type"], "object");
    }
}
