//! Choices in a form, for the revision that knows neither titled ones nor several at once.
//!
//! A titled choice becomes values and names beside them. A choice of many becomes one flag for each option, since that
//! revision's answers hold no arrays; [`from_flags`] reads the flags as the choice again.

use std::borrow::Cow;

use crate::text::{Json, Object};

/// A choice of one with its titles as names.
pub(super) fn with_names(mut field: Object<'_>) -> Object<'_> {
    let Some(Json::Array(options)) = field.take("oneOf") else {
        return field;
    };
    let (values, names) = options.into_iter().map(titled).unzip();
    let others = field
        .into_members()
        .filter(|(name, _)| name != "oneOf")
        .chain([
            (Cow::Borrowed("enum"), Json::Array(values)),
            (Cow::Borrowed("enumNames"), Json::Array(names)),
        ]);
    others.collect()
}

/// The value and the title of a titled option; of another, itself twice.
fn titled(option: Json<'_>) -> (Json<'_>, Json<'_>) {
    match option {
        Json::Object(mut titled) => {
            let value = titled.take("const").unwrap_or(Json::Null);
            let title = titled.take("title").unwrap_or_else(|| value.clone());
            (value, title)
        }
        value => (value.clone(), value),
    }
}

/// The schema of a form with flags in the place of each choice of many.
///
/// The form requires none of them: what is not said is not chosen.
pub(super) fn as_flags(mut schema: Object<'_>) -> Object<'_> {
    let Some(Json::Object(fields)) = schema.take("properties") else {
        return schema;
    };
    let choices = choices(&fields);
    let is_choice = |name: &str| choices.iter().any(|choice| choice.field == name);
    if let Some(Json::Array(mut required)) = schema.take("required") {
        required.retain(|name| !name.as_str().is_some_and(is_choice));
        schema.put("required", Json::Array(required));
    }
    let mut flagged = Vec::with_capacity(fields.len());
    for (name, field) in fields.clone().into_members() {
        match choices.iter().find(|choice| choice.field == name) {
            Some(choice) => flagged.extend(choice.flags()),
            None => flagged.push((name, field)),
        }
    }
    schema.put("properties", Json::Object(flagged.into_iter().collect()));
    schema
}

/// The contents of a form with the choices of many that were made by flags.
pub(super) fn from_flags<'j>(schema: &Object<'_>, contents: Object<'j>) -> Object<'j> {
    let Some(fields) = schema.get("properties").and_then(Json::as_object) else {
        return contents;
    };
    let required = match schema.get("required") {
        Some(Json::Array(required)) => &**required,
        _ => &[],
    };
    let mut contents = contents;
    for choice in choices(fields) {
        let is_flag = |name: &str| choice.options.iter().any(|option| option.flag == name);
        let is_required = required
            .iter()
            .any(|name| name.as_str() == Some(choice.field));
        let is_answered = contents.iter().any(|(name, _)| is_flag(name));
        if contents.contains(choice.field) || !(is_answered || is_required) {
            continue;
        }
        let chosen = choice.options.iter().filter(|option| {
            let flag = contents.get(&option.flag);
            flag == Some(&Json::Bool(true))
        });
        let chosen = chosen.map(|option| text(option.value.to_owned())).collect();
        let others = contents.into_members().filter(|(name, _)| !is_flag(name));
        contents = others.collect();
        contents.put(choice.field, Json::Array(chosen));
    }
    contents
}

/// A choice of many.
struct Choice<'f> {
    field: &'f str,
    schema: &'f Object<'f>,
    options: Vec<Choosable<'f>>,
}

/// One of its options.
struct Choosable<'f> {
    value: &'f str,
    title: &'f str,
    /// The name of the field that stands for it, which no other field has.
    flag: String,
}

/// The choices of many among the fields of a form.
fn choices<'f>(fields: &'f Object<'f>) -> Vec<Choice<'f>> {
    let mut flags: Vec<String> = Vec::new();
    let choices = fields.iter().filter_map(|(name, schema)| {
        let schema = schema.as_object()?;
        (schema.get("type")?.as_str()? == "array").then_some(())?;
        let items = schema.get("items")?.as_object()?;
        let Json::Array(options) = items.get("anyOf").or_else(|| items.get("enum"))? else {
            return None;
        };
        let options = options.iter().filter_map(|option| {
            let (value, title) = match option {
                Json::Object(titled) => {
                    let value = titled.get("const")?.as_str()?;
                    (
                        value,
                        titled.get("title").and_then(Json::as_str).unwrap_or(value),
                    )
                }
                value => (value.as_str()?, value.as_str()?),
            };
            let mut flag = format!("{name}: {value}");
            while fields.contains(&flag) || flags.contains(&flag) {
                flag.push('\'');
            }
            flags.push(flag.clone());
            Some(Choosable { value, title, flag })
        });
        Some(Choice {
            field: name,
            schema,
            options: options.collect(),
        })
    });
    choices.collect()
}

impl Choice<'_> {
    /// The fields that stand for its options.
    fn flags<'j>(&self) -> impl Iterator<Item = (Cow<'j, str>, Json<'j>)> {
        let said = |member: &str| self.schema.get(member).and_then(Json::as_str);
        let name = said("title").unwrap_or(self.field);
        let description = said("description").into_iter().map(str::to_owned);
        let bounds = [("minItems", "at least"), ("maxItems", "at most")];
        let bounds = bounds.into_iter().filter_map(|(member, words)| {
            let bound = self.schema.get(member)?.as_number()?;
            Some(format!("Choose {words} {bound}."))
        });
        let description: Vec<String> = description.chain(bounds).collect();
        let default = match self.schema.get("default") {
            Some(Json::Array(default)) => Some(default),
            _ => None,
        };
        self.options.iter().map(move |option| {
            let title = format!("{name}: {}", option.title);
            let described = (!description.is_empty()).then(|| text(description.join(" ")));
            let is_default = default.map(|default| {
                let is_it = |value: &Json<'_>| value.as_str() == Some(option.value);
                Json::Bool(default.iter().any(is_it))
            });
            let members = [
                ("type", Some(text("boolean".to_owned()))),
                ("title", Some(text(title))),
                ("description", described),
                ("default", is_default),
            ];
            let members = members
                .into_iter()
                .filter_map(|(name, value)| Some((Cow::Borrowed(name), value?)));
            (
                Cow::Owned(option.flag.clone()),
                Json::Object(members.collect()),
            )
        })
    }
}

fn text<'j>(text: String) -> Json<'j> {
    Json::String(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn object(value: &Value) -> Object<'_> {
        Json::from(value).as_object().cloned().unwrap()
    }

    #[test]
    fn a_choice_of_many_is_a_flag_for_each_option() {
        let form = json!({"type": "object", "required": ["when", "days"], "properties": {
            "days": {"type": "array", "title": "Days", "description": "When you can.", "minItems": 1,
                "items": {"anyOf": [{"const": "sat", "title": "Saturday"}, {"const": "sun", "title": "Sunday"}]},
                "default": ["sun"]},
            "when": {"type": "string"},
        }});
        let said = "When you can. Choose at least 1.";
        let expected = json!({"type": "object", "required": ["when"], "properties": {
            "days: sat": {"type": "boolean", "title": "Days: Saturday", "description": said, "default": false},
            "days: sun": {"type": "boolean", "title": "Days: Sunday", "description": said, "default": true},
            "when": {"type": "string"},
        }});
        assert_eq!(Json::Object(as_flags(object(&form))).to_value(), expected);
        for (content, expected) in [
            (
                json!({"when": "now", "days: sat": true, "days: sun": false}),
                json!({"when": "now", "days": ["sat"]}),
            ),
            (json!({"days: sun": true}), json!({"days": ["sun"]})),
            (json!({"when": "now"}), json!({"when": "now", "days": []})),
            // A client that knows better.
            (json!({"days": ["sat"]}), json!({"days": ["sat"]})),
        ] {
            let restored = from_flags(&object(&form), object(&content));
            assert_eq!(Json::Object(restored).to_value(), expected);
        }
        let mut optional = form;
        optional["required"] = json!([]);
        let nothing = from_flags(&object(&optional), Object::default());
        assert!(nothing.is_empty());
    }

    #[test]
    fn a_choice_with_titles_has_them_as_names() {
        let choice = json!({"type": "string", "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]});
        let named = json!({"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"]});
        assert_eq!(Json::Object(with_names(object(&choice))).to_value(), named);
        assert_eq!(Json::Object(with_names(object(&named))).to_value(), named);
    }

    proptest! {
        #[test]
        fn what_is_chosen_by_flags_comes_back_whatever_the_fields_are_called(
            kinds in prop::collection::btree_map("d(: a'{0,3})?", any::<bool>(), 0..5),
            chosen: u64,
        ) {
            let many = json!({"type": "array", "items": {"type": "string", "enum": ["a", "a'"]}});
            let fields: serde_json::Map<String, Value> = kinds
                .iter()
                .map(|(name, many_of)| {
                    let one = json!({"type": "string"});
                    (name.clone(), if *many_of { many.clone() } else { one })
                })
                .collect();
            let form = json!({"type": "object", "properties": fields});
            let flagged = Json::Object(as_flags(object(&form))).to_value();
            let flagged = flagged["properties"].as_object().unwrap();
            let (mut content, mut expected) = (serde_json::Map::new(), serde_json::Map::new());
            for (name, _) in kinds.iter().filter(|(_, many_of)| !**many_of) {
                content.insert(name.clone(), "said".into());
                expected.insert(name.clone(), "said".into());
            }
            let form_fields = form["properties"].clone();
            let form_fields = object(&form_fields);
            let mut bits = (0..64).map(|bit| chosen >> bit & 1 == 1);
            for choice in choices(&form_fields) {
                let mut values = Vec::new();
                for option in choice.options {
                    let is_chosen = bits.next().unwrap();
                    prop_assert!(flagged.contains_key(&option.flag));
                    prop_assert_eq!(content.insert(option.flag, is_chosen.into()), None);
                    if is_chosen {
                        values.push(Value::from(option.value));
                    }
                }
                expected.insert(choice.field.to_owned(), values.into());
            }
            prop_assert_eq!(flagged.len(), content.len());
            let content = Value::from(content);
            let restored = from_flags(&object(&form), object(&content));
            prop_assert_eq!(Json::Object(restored).to_value(), Value::from(expected));
        }
    }
}
