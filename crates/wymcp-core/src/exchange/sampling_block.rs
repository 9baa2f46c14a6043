//! What counts as a block of content between a server and the client's model.

use serde_json::Value;

use crate::catalog::check_address;

/// Whether a value is a block that a model can be sent, and can answer with: a text, an image, a sound, the use of a tool,
/// or its result. What is one goes back as it came. Source: the schema of MCP 2026-07-28, `SamplingMessageContentBlock`.
pub(super) fn is_block(block: &Value) -> bool {
    let is_text = |member: &str| block[member].is_string();
    let is_kind = match block["type"].as_str() {
        Some("tool_use") => is_text("id") && is_text("name") && block["input"].is_object(),
        Some("tool_result") => {
            let content = block["content"].as_array();
            is_text("toolUseId")
                && content.is_some_and(|content| content.iter().all(is_content))
                && block.get("isError").is_none_or(Value::is_boolean)
        }
        _ => is_plain(block),
    };
    is_kind && has_sound_extras(block)
}

/// A text, an image or a sound.
fn is_plain(block: &Value) -> bool {
    match block["type"].as_str() {
        Some("text") => block["text"].is_string(),
        Some("image" | "audio") => block["data"].is_string() && block["mimeType"].is_string(),
        _ => false,
    }
}

/// A block of a tool's result.
fn is_content(block: &Value) -> bool {
    let is_text = |value: &Value| value.is_string();
    let is_kind = match block["type"].as_str() {
        Some("resource_link") => is_address(&block["uri"]) && is_text(&block["name"]),
        Some("resource") => {
            let resource = &block["resource"];
            is_address(&resource["uri"])
                && (is_text(&resource["text"]) || is_text(&resource["blob"]))
        }
        _ => is_plain(block),
    };
    is_kind && has_sound_extras(block)
}

fn is_address(value: &Value) -> bool {
    value.as_str().is_some_and(|uri| check_address(uri).is_ok())
}

fn has_sound_extras(block: &Value) -> bool {
    block.get("_meta").is_none_or(Value::is_object)
        && block.get("annotations").is_none_or(are_annotations)
}

fn are_annotations(value: &Value) -> bool {
    let is_role = |role: &Value| role == "user" || role == "assistant";
    let is_audience = |audience: &Value| {
        let roles = audience.as_array();
        roles.is_some_and(|roles| roles.iter().all(is_role))
    };
    let is_priority = |priority: &Value| {
        priority
            .as_f64()
            .is_some_and(|it| (0.0..=1.0).contains(&it))
    };
    value.is_object()
        && value.get("audience").is_none_or(is_audience)
        && value.get("priority").is_none_or(is_priority)
        && value.get("lastModified").is_none_or(Value::is_string)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_block_is_one_of_five_and_whole() {
        for block in [
            json!({"type": "text", "text": ""}),
            json!({"type": "text", "text": "a", "annotations": {"audience": ["user"], "priority": 1, "lastModified": "x"}}),
            json!({"type": "image", "data": "AA==", "mimeType": "image/png", "_meta": {"a": 1}}),
            json!({"type": "audio", "data": "AA==", "mimeType": "audio/wav"}),
            json!({"type": "tool_use", "id": "c", "name": "n", "input": {}}),
            json!({"type": "tool_result", "toolUseId": "c", "content": [], "isError": true, "structuredContent": 7}),
            json!({"type": "tool_result", "toolUseId": "c", "content": [
                {"type": "resource_link", "uri": "a:b", "name": "n"},
                {"type": "resource", "resource": {"uri": "a:b", "blob": ""}},
            ]}),
        ] {
            assert!(is_block(&block), "{block}");
        }
        for none in [
            json!(null),
            json!([]),
            json!("text"),
            json!({}),
            json!({"type": "thinking"}),
            json!({"type": "text"}),
            json!({"type": "text", "text": null}),
            json!({"type": "text", "text": "a", "_meta": []}),
            json!({"type": "text", "text": "a", "annotations": {"audience": ["all"]}}),
            json!({"type": "text", "text": "a", "annotations": {"priority": 2}}),
            json!({"type": "text", "text": "a", "annotations": {"lastModified": 7}}),
            json!({"type": "image", "data": "AA=="}),
            json!({"type": "tool_use", "id": 7, "name": "n", "input": {}}),
            json!({"type": "tool_use", "id": "c", "name": "n", "input": []}),
            json!({"type": "tool_result", "toolUseId": "c"}),
            json!({"type": "tool_result", "toolUseId": "c", "content": [], "isError": "no"}),
            json!({"type": "tool_result", "toolUseId": "c", "content": [{"type": "tool_use", "id": "c", "name": "n", "input": {}}]}),
            json!({"type": "tool_result", "toolUseId": "c", "content": [{"type": "resource_link", "uri": "b", "name": "n"}]}),
            json!({"type": "resource_link", "uri": "a:b", "name": "n"}),
        ] {
            assert!(!is_block(&none), "{none}");
        }
    }
}
