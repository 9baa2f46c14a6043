//! Questions as each revision can be asked them, and the answers as the handler reads them.

use std::borrow::Cow;

use super::{
    LegacyVersion, choices,
    known_questions::{REQUESTED_SCHEMA, SAMPLING_MESSAGE, field, params_of},
    projection::one,
};
use crate::text::{Json, Object};

/// What a client's declared capabilities count as: what its revision cannot be asked is not among them.
///
/// Everything else stays, known or not.
pub(crate) fn project_client_capabilities(
    version: LegacyVersion,
    declared: Object<'_>,
) -> Object<'_> {
    if version >= LegacyVersion::V2025_11_25 {
        return declared;
    }
    let knows_forms = version >= LegacyVersion::V2025_06_18;
    let counted = declared.into_members().filter_map(|(name, value)| {
        let counts_as = match (&*name, value) {
            ("elicitation", _) if !knows_forms => return None,
            // Of forms alone there was nothing to be said.
            ("elicitation", Json::Object(_)) => Json::Object(Object::default()),
            // Its context could be asked for without a word of it in the capability.
            ("sampling", Json::Object(parts)) => {
                let parts = parts.into_members();
                let mut known: Object<'_> = parts.filter(|(part, _)| part != "tools").collect();
                known.put("context", Json::Object(Object::default()));
                Json::Object(known)
            }
            (_, value) => value,
        };
        Some((name, counts_as))
    });
    counted.collect()
}

/// The params of a question of the newest revision as an older one knows them.
///
/// What a revision cannot be asked at all is no capability of its clients ([`project_client_capabilities`]), so that no
/// such question comes here. The id is that of an elicitation that sends a human to a page.
pub(crate) fn project_question<'j>(
    version: LegacyVersion,
    method: &str,
    params: Json<'j>,
    elicitation_id: &str,
) -> Json<'j> {
    let mode = params.as_object().and_then(|params| params.get("mode"));
    let is_form = mode.and_then(Json::as_str) != Some("url");
    let definition = params_of(method, is_form);
    let mut projected = one(version, definition, params);
    if let Json::Object(params) = &mut projected
        && definition.member(version, "elicitationId").is_some()
    {
        let id = Json::String(Cow::Owned(elicitation_id.to_owned()));
        params.put("elicitationId", id);
    }
    projected
}

/// What a client answered a question that was projected, as an answer to the question itself.
///
/// The params are those of the newest revision.
pub(crate) fn restore_answer<'j>(
    version: LegacyVersion,
    method: &str,
    params: &Json<'_>,
    answer: Json<'j>,
) -> Json<'j> {
    let schema = params
        .as_object()
        .and_then(|params| params.get("requestedSchema")?.as_object());
    match (schema, answer) {
        (Some(schema), Json::Object(mut answer))
            if method == "elicitation/create" && version < LegacyVersion::V2025_11_25 =>
        {
            if let Some(Json::Object(content)) = answer.take("content") {
                let content = choices::from_flags(schema, content);
                answer.put("content", Json::Object(content));
            }
            Json::Object(answer)
        }
        (_, answer) => answer,
    }
}

/// Messages to a model. Where a revision has one block in a message, further ones are messages of the same role.
pub(super) fn messages(version: LegacyVersion, value: Json<'_>) -> Json<'_> {
    let Json::Array(messages) = value else {
        return value;
    };
    let messages = messages
        .into_iter()
        .flat_map(|message| split(version, message))
        .map(|message| one(version, &SAMPLING_MESSAGE, message));
    Json::Array(messages.collect())
}

fn split(version: LegacyVersion, message: Json<'_>) -> Vec<Json<'_>> {
    let has_one_block = version < LegacyVersion::V2025_11_25;
    match message {
        Json::Object(mut members)
            if has_one_block && matches!(members.get("content"), Some(Json::Array(_))) =>
        {
            let Some(Json::Array(blocks)) = members.take("content") else {
                return Vec::new();
            };
            let alone = |block| {
                let mut members = members.clone();
                members.put("content", block);
                Json::Object(members)
            };
            blocks.into_iter().map(alone).collect()
        }
        message => vec![message],
    }
}

/// The schema of a form.
pub(super) fn form(version: LegacyVersion, value: Json<'_>) -> Json<'_> {
    let value = match value {
        Json::Object(schema) if version < LegacyVersion::V2025_11_25 => {
            Json::Object(choices::as_flags(schema))
        }
        value => value,
    };
    one(version, &REQUESTED_SCHEMA, value)
}

/// The fields of a form.
pub(super) fn fields(version: LegacyVersion, value: Json<'_>) -> Json<'_> {
    let Json::Object(fields) = value else {
        return value;
    };
    let fields = fields.into_members().map(|(name, schema)| {
        let Json::Object(mut schema) = schema else {
            return (name, schema);
        };
        if version < LegacyVersion::V2025_11_25 {
            schema = choices::with_names(schema);
        }
        let definition = field(&schema);
        (name, one(version, definition, Json::Object(schema)))
    });
    Json::Object(fields.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{InputRequest, RequestMeta, Sampling, SamplingMessage, ToolResult};

    const ALL: [LegacyVersion; 3] = [
        LegacyVersion::V2025_03_26,
        LegacyVersion::V2025_06_18,
        LegacyVersion::V2025_11_25,
    ];

    fn asked(version: LegacyVersion, question: &InputRequest) -> Value {
        let question = json!(question);
        let method = question["method"].as_str().unwrap();
        project_question(version, method, Json::from(&question["params"]), "e-1").to_value()
    }

    #[test]
    fn what_a_revision_cannot_be_asked_counts_as_undeclared() {
        let everything = json!({
            "roots": {"listChanged": true},
            "sampling": {"tools": {}, "context": {}, "com.example/a": {}},
            "elicitation": {"url": {}},
            "experimental": {"a": {}},
            "extensions": {"com.example/a": {}},
        });
        let mut older = everything.clone();
        older["sampling"] = json!({"com.example/a": {}, "context": {}});
        older["elicitation"] = json!({});
        let mut oldest = older.clone();
        oldest.as_object_mut().unwrap().remove("elicitation");
        for (version, expected) in ALL.into_iter().zip([oldest, older, everything.clone()]) {
            let Json::Object(declared) = Json::from(&everything) else {
                unreachable!("an object")
            };
            let counted = Json::Object(project_client_capabilities(version, declared));
            assert_eq!(counted.to_value(), expected, "{version}");

            let meta = json!({"io.modelcontextprotocol/clientCapabilities": counted.to_value()});
            let Json::Object(meta) = Json::from(&meta) else {
                unreachable!("an object")
            };
            let meta = RequestMeta::new(meta);
            let can = |path: &[&str]| meta.client_capabilities().declares(path);
            let is_newest = version == LegacyVersion::NEWEST;
            assert_eq!(can(&["elicitation", "url"]), is_newest);
            let asks_forms = version == LegacyVersion::V2025_06_18;
            assert_eq!(can(&["elicitation", "form"]), asks_forms);
            assert_eq!(can(&["sampling", "tools"]), is_newest);
            assert!(can(&["sampling"]) && can(&["roots"]));
        }
    }

    #[test]
    fn a_page_to_visit_gets_the_id_that_its_end_is_told_by() {
        let page = InputRequest::Url {
            message: "Pay".to_owned(),
            url: "https://a.example/".to_owned(),
        };
        let expected = json!({"mode": "url", "message": "Pay", "url": "https://a.example/", "elicitationId": "e-1"});
        assert_eq!(asked(LegacyVersion::NEWEST, &page), expected);
    }

    #[test]
    fn a_form_has_no_mode_and_no_default_text_before_there_were_several() {
        use crate::{Field, Form};
        let fields = [
            Field::text("name").default_value("Ada").at_least(1),
            Field::flag("sure").default_value(true),
        ];
        let form = fields.into_iter().fold(Form::new("Who?"), Form::field);
        let mut expected = json!(InputRequest::from(form.clone()))["params"].clone();
        assert_eq!(asked(LegacyVersion::NEWEST, &form.clone().into()), expected);
        expected.as_object_mut().unwrap().remove("mode");
        let name = &mut expected["requestedSchema"]["properties"]["name"];
        name.as_object_mut().unwrap().remove("default");
        assert_eq!(asked(LegacyVersion::V2025_06_18, &form.into()), expected);
    }

    #[test]
    fn blocks_that_a_message_has_no_room_for_are_messages_of_the_same_role() {
        let results = ["a", "b"].map(|id| (id, ToolResult::text(id)));
        let question: InputRequest = Sampling::new([SamplingMessage::tool_results(results)], 9)
            .tools([json!({"name": "t", "inputSchema": {"type": "object"}})])
            .into();
        let newest = asked(LegacyVersion::NEWEST, &question);
        assert_eq!(newest, json!(question)["params"]);
        let blocks = newest["messages"][0]["content"].as_array().unwrap();
        for version in [LegacyVersion::V2025_03_26, LegacyVersion::V2025_06_18] {
            // A client that cannot be asked so is not; its model could read it all the same.
            let said = |block: &Value| {
                let text = json!({"type": "text", "text": block.to_string()});
                json!({"role": "user", "content": text})
            };
            let messages: Vec<Value> = blocks.iter().map(said).collect();
            let expected = json!({"messages": messages, "maxTokens": 9});
            assert_eq!(asked(version, &question), expected);
        }
    }
}
