//! JSON of the application, in an order that nothing else of a build can change.

use serde_json::Value;

/// A value with the members of each of its objects in the order of their names.
///
/// Without it a text of JSON would read otherwise as soon as any crate of a build turns on `serde_json/preserve_order`: then
/// a [`Value`] keeps the order in which it was made.
pub(crate) fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_stand_in_the_order_of_their_names_at_every_depth() {
        let value = json!({"b": [{"d": 1, "c": 2}], "a": {"f": 3, "e": 4}});
        assert_eq!(
            sorted(value).to_string(),
            r#"{"a":{"e":4,"f":3},"b":[{"c":2,"d":1}]}"#
        );
    }
}
