//! Results as each revision knows them: a walk along the tables of `known_results`.

use std::borrow::Cow;

use super::{
    LegacyVersion,
    definition::{Definition, Holds},
    known_results::{IMPLEMENTATION, block, result_of},
    question,
};
use crate::{
    text::{Json, Object, to_bytes},
    validate::key,
};

/// A result of the newest revision as an older one knows it: nothing that it does not declare, and what it requires.
///
/// What a revision has other words for is said in those: a link is a text, and so is structured content, unless a text
/// is there already. Nothing that is the application's own is touched but for [`object_schema`].
pub(crate) fn project_result<'j>(
    version: LegacyVersion,
    method: &str,
    result: Json<'j>,
) -> Json<'j> {
    let result = match method {
        "tools/call" => structured_as_text(version, result),
        _ => result,
    };
    one(version, result_of(method), result)
}

/// What a server says of itself.
pub(crate) fn project_info(version: LegacyVersion, info: Json<'_>) -> Json<'_> {
    one(version, &IMPLEMENTATION, info)
}

/// An object with the members that its definition declares.
pub(super) fn one<'j>(
    version: LegacyVersion,
    definition: &Definition,
    value: Json<'j>,
) -> Json<'j> {
    let Json::Object(object) = value else {
        return value;
    };
    let known = object.into_members().filter_map(|(name, value)| {
        let holds = definition.member(version, &name)?;
        Some((name, held(version, holds, value)?))
    });
    Json::Object(known.collect())
}

/// What a member holds, if anything is left of it.
fn held(version: LegacyVersion, holds: Holds, value: Json<'_>) -> Option<Json<'_>> {
    Some(match holds {
        Holds::Anything => value,
        Holds::One(definition) => one(version, definition, value),
        Holds::Each(definition) => each(value, |item| one(version, definition, item)),
        Holds::Blocks => each(value, |item| content(version, item)),
        Holds::Object => return value.as_object().is_some().then_some(value),
        Holds::ObjectSchema => return object_schema(value),
        Holds::ResultMeta => return result_meta(value),
        Holds::Messages => question::messages(version, value),
        Holds::Form => question::form(version, value),
        Holds::Fields => question::fields(version, value),
    })
}

/// Every item of an array, or the one value that stands in the place of an array.
fn each<'j>(value: Json<'j>, project: impl Fn(Json<'j>) -> Json<'j>) -> Json<'j> {
    match value {
        Json::Array(items) => Json::Array(items.into_iter().map(project).collect()),
        item => project(item),
    }
}

/// A block of content; one that the revision does not know is a text that says the same.
fn content(version: LegacyVersion, value: Json<'_>) -> Json<'_> {
    let Json::Object(members) = value else {
        return value;
    };
    let kind = members
        .get("type")
        .and_then(Json::as_str)
        .unwrap_or_default();
    if let Some(definition) = block(version, kind) {
        let value = match kind {
            "tool_result" => structured_as_text(version, Json::Object(members)),
            _ => Json::Object(members),
        };
        return one(version, definition, value);
    }
    content(version, as_text(members))
}

/// A block as a text: the address of a link after its name, and of anything else its JSON.
fn as_text(mut members: Object<'_>) -> Json<'_> {
    let text = |name: &str| members.present(name).and_then(Json::as_str);
    let shown = match (text("title").or_else(|| text("name")), text("uri")) {
        (Some(name), Some(uri)) => format!("{name}: {uri}"),
        _ => json_text(&Json::Object(members.clone())),
    };
    let annotations = members.take("annotations");
    let annotations = annotations.map(|annotations| (Cow::Borrowed("annotations"), annotations));
    Json::Object(text_block(shown).into_iter().chain(annotations).collect())
}

fn text_block<'j>(text: String) -> [(Cow<'j, str>, Json<'j>); 2] {
    let text = Json::String(Cow::Owned(text));
    let kind = Json::String(Cow::Borrowed("text"));
    [(Cow::Borrowed("type"), kind), (Cow::Borrowed("text"), text)]
}

fn json_text(value: &Json<'_>) -> String {
    String::from_utf8(to_bytes(value)).unwrap_or_default()
}

/// A tool's result, with a text in the place of structured content that the revision does not know.
///
/// Tools that show what they structure have one already.
fn structured_as_text(version: LegacyVersion, result: Json<'_>) -> Json<'_> {
    let Json::Object(mut members) = result else {
        return result;
    };
    let knows_objects = version >= LegacyVersion::V2025_06_18;
    let is_known = |structured: &Json<'_>| knows_objects && structured.as_object().is_some();
    let is_text = |block: &Json<'_>| {
        let kind = block.as_object().and_then(|block| block.get("type"));
        kind.and_then(Json::as_str) == Some("text")
    };
    let shows_text = match members.get("content") {
        Some(Json::Array(blocks)) => blocks.iter().any(is_text),
        _ => false,
    };
    let structured = members.get("structuredContent");
    let Some(lost) = structured.filter(|structured| !shows_text && !is_known(structured)) else {
        return Json::Object(members);
    };
    let text = Json::Object(text_block(json_text(lost)).into_iter().collect());
    let mut blocks = match members.take("content") {
        Some(Json::Array(blocks)) => blocks,
        _ => Vec::new(),
    };
    blocks.push(text);
    members.put("content", Json::Array(blocks));
    Json::Object(members)
}

/// A schema, if it says that it is one of an object, as all of these revisions ask.
///
/// They ask too that the schema of each member is an object, where a boolean means as much: clients refuse a whole list
/// of tools for one. So it is spelled as an object here.
fn object_schema(value: Json<'_>) -> Option<Json<'_>> {
    let Json::Object(mut schema) = value else {
        return None;
    };
    if schema.get("type").and_then(Json::as_str) != Some("object") {
        return None;
    }
    let is_boolean = |(_, schema): (&str, &Json<'_>)| matches!(schema, Json::Bool(_));
    let properties = schema.get("properties").and_then(Json::as_object);
    if properties.is_some_and(|properties| properties.iter().any(is_boolean))
        && let Some(Json::Object(properties)) = schema.take("properties")
    {
        let spelled = properties.into_members().map(|(name, value)| match value {
            Json::Bool(true) => (name, Json::Object(Object::default())),
            Json::Bool(false) => (name, nothing()),
            schema => (name, schema),
        });
        schema.put("properties", Json::Object(spelled.collect()));
    }
    Some(Json::Object(schema))
}

/// The schema that nothing fits, as an object.
fn nothing<'j>() -> Json<'j> {
    let anything = Json::Object(Object::default());
    Json::Object([(Cow::Borrowed("not"), anything)].into_iter().collect())
}

/// The `_meta` of a result, if anything of the application's is in it: who serves was said at the session's start.
fn result_meta(value: Json<'_>) -> Option<Json<'_>> {
    let Json::Object(meta) = value else {
        return Some(value);
    };
    let own = meta
        .into_members()
        .filter(|(name, _)| name != key::SERVER_INFO);
    let own: Object<'_> = own.collect();
    (!own.is_empty()).then_some(Json::Object(own))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ALL: [LegacyVersion; 3] = [
        LegacyVersion::V2025_03_26,
        LegacyVersion::V2025_06_18,
        LegacyVersion::V2025_11_25,
    ];

    /// A result by each revision, oldest first.
    fn projected(method: &str, result: &Value) -> [Value; 3] {
        ALL.map(|version| project_result(version, method, Json::from(result)).to_value())
    }

    #[test]
    fn what_only_the_newest_revision_says_is_said_to_nobody_else() {
        let server = json!({"name": "s", "version": "1"});
        let mut list = json!({
            "resultType": "complete", "tools": [], "nextCursor": "c", "ttlMs": 0, "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": server},
        });
        let expected = json!({"tools": [], "nextCursor": "c"});
        assert_eq!(
            projected("tools/list", &list),
            [(); 3].map(|()| expected.clone())
        );
        list["_meta"]["com.example/a"] = json!({"ttlMs": 1});
        let expected =
            json!({"tools": [], "nextCursor": "c", "_meta": {"com.example/a": {"ttlMs": 1}}});
        assert_eq!(
            projected("tools/list", &list),
            [(); 3].map(|()| expected.clone())
        );
        list = json!({"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": server}});
        assert_eq!(projected("ping", &list), [(); 3].map(|()| json!({})));
    }

    #[test]
    fn a_link_is_a_text_where_there_are_none() {
        let link = json!({"type": "resource_link", "uri": "docs://a", "name": "a", "title": "A",
            "annotations": {"priority": 1, "lastModified": "2026-07-28"}, "icons": [{"src": "https://a/"}]});
        let result = |block: &Value| json!({"content": [block]});
        let text = json!({"type": "text", "text": "A: docs://a", "annotations": {"priority": 1}});
        let mut plain = link.clone();
        plain.as_object_mut().unwrap().remove("icons");
        let expected = [result(&text), result(&plain), result(&link)];
        assert_eq!(projected("tools/call", &result(&link)), expected);
    }

    #[test]
    fn structured_content_that_is_not_known_is_a_text_once() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let image = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        let shown = json!({"content": [text("[1]")], "structuredContent": [1]});
        let expected = json!({"content": [text("[1]")]});
        assert_eq!(
            projected("tools/call", &shown),
            [(); 3].map(|()| expected.clone())
        );
        let silent = json!({"content": [image], "structuredContent": [1]});
        let expected = json!({"content": [image, text("[1]")]});
        assert_eq!(
            projected("tools/call", &silent),
            [(); 3].map(|()| expected.clone())
        );
        let object = json!({"content": [], "structuredContent": {"a": 1}});
        let expected = json!({"content": [text(r#"{"a":1}"#)]});
        assert_eq!(
            projected("tools/call", &object),
            [expected, object.clone(), object]
        );
    }

    #[test]
    fn a_tool_s_schemas_are_of_objects_and_of_members_that_are_objects() {
        let input =
            json!({"type": "object", "properties": {"a": true, "b": false, "c": {"items": true}}});
        let spelled = json!({"type": "object", "properties": {"a": {}, "b": {"not": {}}, "c": {"items": true}}});
        for (output, known) in [
            (&input, Some(&spelled)),
            (&json!({"type": "array"}), None),
            (&json!({"type": ["object", "null"]}), None),
            (&json!(true), None),
        ] {
            let tool =
                json!({"name": "t", "title": "T", "inputSchema": input, "outputSchema": output});
            let [oldest, rest @ ..] = projected("tools/list", &json!({"tools": [tool]}));
            assert_eq!(
                oldest,
                json!({"tools": [{"name": "t", "inputSchema": spelled}]})
            );
            let mut tool = json!({"name": "t", "title": "T", "inputSchema": spelled});
            if let Some(known) = known {
                tool["outputSchema"] = known.clone();
            }
            assert_eq!(rest, [(); 2].map(|()| json!({"tools": [tool]})));
        }
    }
}
