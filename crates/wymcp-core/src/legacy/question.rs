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
            ("sampling", Json::Object(parts)) => Json::Object(
                parts
                    .into_members()
                    .filter(|(part, _)| part != "tools" && part != "context")
                    .collect(),
            ),
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
        let definition = field(version, &schema);
        (name, one(version, definition, Json::Object(schema)))
    });
    Json::Object(fields.collect())
}
