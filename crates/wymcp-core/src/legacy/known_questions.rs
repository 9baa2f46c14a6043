//! What each revision knows of questions: the members that its schema declares of their params.

use super::{
    definition::{
        Definition,
        Holds::{Anything, Blocks, Each, Fields, Form, Messages, Object, One},
    },
    known_results::TOOL,
};
use crate::text::{Json, Object as Members};

/// The definition of a question's params.
pub(super) fn params_of(method: &str, is_form: bool) -> &'static Definition {
    match method {
        "elicitation/create" if is_form => &ELICIT_FORM,
        "elicitation/create" => &ELICIT_URL,
        "sampling/createMessage" => &CREATE_MESSAGE,
        _ => &LIST_ROOTS,
    }
}

/// The definition of a form's field.
pub(super) fn field(schema: &Members<'_>) -> &'static Definition {
    match schema.get("type").and_then(Json::as_str) {
        Some("boolean") => &BOOLEAN_SCHEMA,
        Some("integer" | "number") => &NUMBER_SCHEMA,
        Some("array") => &MULTI_SELECT,
        _ if schema.contains("oneOf") => &TITLED_SINGLE_SELECT,
        _ if schema.contains("enum") => &ENUM_SCHEMA,
        _ => &STRING_SCHEMA,
    }
}

pub(super) const ELICIT_FORM: Definition = Definition {
    always: &[],
    from_2025_06_18: &[("message", Anything), ("requestedSchema", Form)],
    from_2025_11_25: &[("mode", Anything), ("_meta", Anything)],
};

pub(super) const ELICIT_URL: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("mode", Anything),
        ("message", Anything),
        ("url", Anything),
        ("elicitationId", Anything),
        ("_meta", Anything),
    ],
};

pub(super) const REQUESTED_SCHEMA: Definition = Definition {
    always: &[],
    from_2025_06_18: &[
        ("type", Anything),
        ("properties", Fields),
        ("required", Anything),
    ],
    from_2025_11_25: &[("$schema", Anything)],
};

pub(super) const STRING_SCHEMA: Definition = Definition {
    always: &[],
    from_2025_06_18: &[
        ("type", Anything),
        ("title", Anything),
        ("description", Anything),
        ("minLength", Anything),
        ("maxLength", Anything),
        ("format", Anything),
    ],
    from_2025_11_25: &[("default", Anything)],
};

pub(super) const NUMBER_SCHEMA: Definition = Definition {
    always: &[],
    from_2025_06_18: &[
        ("type", Anything),
        ("title", Anything),
        ("description", Anything),
        ("minimum", Anything),
        ("maximum", Anything),
    ],
    from_2025_11_25: &[("default", Anything)],
};

pub(super) const BOOLEAN_SCHEMA: Definition = Definition {
    always: &[],
    from_2025_06_18: &[
        ("type", Anything),
        ("title", Anything),
        ("description", Anything),
        ("default", Anything),
    ],
    from_2025_11_25: &[],
};

/// A choice without titles, or with names.
pub(super) const ENUM_SCHEMA: Definition = Definition {
    always: &[],
    from_2025_06_18: &[
        ("type", Anything),
        ("title", Anything),
        ("description", Anything),
        ("enum", Anything),
        ("enumNames", Anything),
    ],
    from_2025_11_25: &[("default", Anything)],
};

pub(super) const TITLED_SINGLE_SELECT: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("type", Anything),
        ("title", Anything),
        ("description", Anything),
        ("oneOf", Anything),
        ("default", Anything),
    ],
};

/// Choices with titles and without differ in their items alone.
pub(super) const MULTI_SELECT: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("type", Anything),
        ("title", Anything),
        ("description", Anything),
        ("items", Anything),
        ("minItems", Anything),
        ("maxItems", Anything),
        ("default", Anything),
    ],
};

pub(super) const CREATE_MESSAGE: Definition = Definition {
    always: &[
        ("messages", Messages),
        ("maxTokens", Anything),
        ("systemPrompt", Anything),
        ("temperature", Anything),
        ("stopSequences", Anything),
        ("includeContext", Anything),
        ("modelPreferences", One(&MODEL_PREFERENCES)),
        ("metadata", Anything),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("tools", Each(&TOOL)),
        ("toolChoice", One(&TOOL_CHOICE)),
        ("_meta", Anything),
    ],
};

pub(super) const MODEL_PREFERENCES: Definition = Definition {
    always: &[
        ("hints", Each(&MODEL_HINT)),
        ("costPriority", Anything),
        ("speedPriority", Anything),
        ("intelligencePriority", Anything),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const MODEL_HINT: Definition = Definition {
    always: &[("name", Anything)],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const TOOL_CHOICE: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[("mode", Anything)],
};

pub(super) const SAMPLING_MESSAGE: Definition = Definition {
    always: &[("role", Anything), ("content", Blocks)],
    from_2025_06_18: &[],
    from_2025_11_25: &[("_meta", Anything)],
};

pub(super) const TOOL_USE_CONTENT: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("type", Anything),
        ("id", Anything),
        ("name", Anything),
        ("input", Anything),
        ("_meta", Anything),
    ],
};

pub(super) const TOOL_RESULT_CONTENT: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("type", Anything),
        ("toolUseId", Anything),
        ("content", Blocks),
        ("structuredContent", Object),
        ("isError", Anything),
        ("_meta", Anything),
    ],
};

pub(super) const LIST_ROOTS: Definition = Definition {
    always: &[("_meta", Anything)],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};
