//! JSON as a case file shows it: the members in their order, a line broken only where it is too long.

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The longest line that is not broken.
const WIDTH: usize = 110;

/// Lays a JSON text out; any other text stays as it is.
pub(crate) fn layout(json: &str) -> String {
    let mut text = String::new();
    lay(json.trim(), 0, &mut text);
    text
}

/// The members of an object in the order of the text, which a map would lose.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Deserialize<'a> for Members<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered;
        impl<'a> Visitor<'a> for Ordered {
            type Value = Members<'a>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Ordered)
    }
}

fn lay(json: &str, depth: usize, text: &mut String) {
    if json.len() + 2 * depth <= WIDTH {
        text.push_str(json);
        return;
    }
    let inner = depth + 1;
    if let Ok(Members(members)) = serde_json::from_str(json) {
        let members = members
            .iter()
            .map(|(name, value)| (Some(name), value.get()));
        return lay_all(('{', '}'), members, inner, text);
    }
    if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json) {
        return lay_all(
            ('[', ']'),
            items.iter().map(|item| (None, item.get())),
            inner,
            text,
        );
    }
    text.push_str(json);
}

fn lay_all<'a>(
    (open, close): (char, char),
    parts: impl Iterator<Item = (Option<&'a String>, &'a str)>,
    depth: usize,
    text: &mut String,
) {
    text.push(open);
    for (index, (name, value)) in parts.enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth));
        if let Some(name) = name {
            text.push_str(&serde_json::Value::from(name.as_str()).to_string());
            text.push_str(": ");
        }
        lay(value, depth, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth.saturating_sub(1)));
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_too_long_is_broken_and_nothing_changes_its_place() {
        let long = "x".repeat(WIDTH);
        let laid = layout(&format!(r#"{{"b":1,"a":["{long}",{{"c":2}}]}}"#));
        assert_eq!(
            laid,
            format!("{{\n  \"b\": 1,\n  \"a\": [\n    \"{long}\",\n    {{\"c\":2}}\n  ]\n}}")
        );
        assert_eq!(layout("no json"), "no json");
    }
}
