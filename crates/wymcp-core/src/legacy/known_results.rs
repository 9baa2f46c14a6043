//! What each revision knows of results: the members that its schema declares.

use super::{
    LegacyVersion,
    definition::{
        Definition,
        Holds::{Anything, Blocks, Each, Object, ObjectSchema, One, ResultMeta},
    },
    known_questions::{TOOL_RESULT_CONTENT, TOOL_USE_CONTENT},
};

/// The definition of a method's result; that of an empty one where the method has no other.
pub(super) fn result_of(method: &str) -> &'static Definition {
    match method {
        "initialize" => &INITIALIZE_RESULT,
        "tools/list" => &LIST_TOOLS_RESULT,
        "tools/call" => &CALL_TOOL_RESULT,
        "resources/list" => &LIST_RESOURCES_RESULT,
        "resources/templates/list" => &LIST_RESOURCE_TEMPLATES_RESULT,
        "resources/read" => &READ_RESOURCE_RESULT,
        "prompts/list" => &LIST_PROMPTS_RESULT,
        "prompts/get" => &GET_PROMPT_RESULT,
        "completion/complete" => &COMPLETE_RESULT,
        _ => &EMPTY_RESULT,
    }
}

/// A block of content by its type, if the revision knows it.
pub(super) fn block(version: LegacyVersion, kind: &str) -> Option<&'static Definition> {
    let (since, definition) = match kind {
        "text" => (LegacyVersion::V2025_03_26, &TEXT_CONTENT),
        "image" => (LegacyVersion::V2025_03_26, &IMAGE_CONTENT),
        "audio" => (LegacyVersion::V2025_03_26, &AUDIO_CONTENT),
        "resource" => (LegacyVersion::V2025_03_26, &EMBEDDED_RESOURCE),
        "resource_link" => (LegacyVersion::V2025_06_18, &RESOURCE_LINK),
        "tool_use" => (LegacyVersion::V2025_11_25, &TOOL_USE_CONTENT),
        "tool_result" => (LegacyVersion::V2025_11_25, &TOOL_RESULT_CONTENT),
        _ => return None,
    };
    (since <= version).then_some(definition)
}

const EMPTY_RESULT: Definition = Definition {
    always: &[("_meta", ResultMeta)],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const INITIALIZE_RESULT: Definition = Definition {
    always: &[
        ("protocolVersion", Anything),
        ("capabilities", One(&SERVER_CAPABILITIES)),
        ("serverInfo", One(&IMPLEMENTATION)),
        ("instructions", Anything),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const SERVER_CAPABILITIES: Definition = Definition {
    always: &[
        ("completions", Anything),
        ("experimental", Anything),
        ("logging", Anything),
        ("prompts", Anything),
        ("resources", Anything),
        ("tools", Anything),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const IMPLEMENTATION: Definition = Definition {
    always: &[("name", Anything), ("version", Anything)],
    from_2025_06_18: &[("title", Anything)],
    from_2025_11_25: &[
        ("description", Anything),
        ("websiteUrl", Anything),
        ("icons", Each(&ICON)),
    ],
};

pub(super) const LIST_TOOLS_RESULT: Definition = Definition {
    always: &[
        ("tools", Each(&TOOL)),
        ("nextCursor", Anything),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const TOOL: Definition = Definition {
    always: &[
        ("name", Anything),
        ("description", Anything),
        ("inputSchema", ObjectSchema),
        ("annotations", One(&TOOL_ANNOTATIONS)),
    ],
    from_2025_06_18: &[
        ("title", Anything),
        ("outputSchema", ObjectSchema),
        ("_meta", Anything),
    ],
    from_2025_11_25: &[("icons", Each(&ICON))],
};

pub(super) const TOOL_ANNOTATIONS: Definition = Definition {
    always: &[
        ("title", Anything),
        ("readOnlyHint", Anything),
        ("destructiveHint", Anything),
        ("idempotentHint", Anything),
        ("openWorldHint", Anything),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const CALL_TOOL_RESULT: Definition = Definition {
    always: &[
        ("content", Blocks),
        ("isError", Anything),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[("structuredContent", Object)],
    from_2025_11_25: &[],
};

pub(super) const LIST_RESOURCES_RESULT: Definition = Definition {
    always: &[
        ("resources", Each(&RESOURCE)),
        ("nextCursor", Anything),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const RESOURCE: Definition = Definition {
    always: &[
        ("uri", Anything),
        ("name", Anything),
        ("description", Anything),
        ("mimeType", Anything),
        ("annotations", One(&ANNOTATIONS)),
        ("size", Anything),
    ],
    from_2025_06_18: &[("title", Anything), ("_meta", Anything)],
    from_2025_11_25: &[("icons", Each(&ICON))],
};

pub(super) const LIST_RESOURCE_TEMPLATES_RESULT: Definition = Definition {
    always: &[
        ("resourceTemplates", Each(&RESOURCE_TEMPLATE)),
        ("nextCursor", Anything),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const RESOURCE_TEMPLATE: Definition = Definition {
    always: &[
        ("uriTemplate", Anything),
        ("name", Anything),
        ("description", Anything),
        ("mimeType", Anything),
        ("annotations", One(&ANNOTATIONS)),
    ],
    from_2025_06_18: &[("title", Anything), ("_meta", Anything)],
    from_2025_11_25: &[("icons", Each(&ICON))],
};

pub(super) const READ_RESOURCE_RESULT: Definition = Definition {
    always: &[
        ("contents", Each(&RESOURCE_CONTENTS)),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

/// A text or a blob, of which the schemas make two.
pub(super) const RESOURCE_CONTENTS: Definition = Definition {
    always: &[
        ("uri", Anything),
        ("mimeType", Anything),
        ("text", Anything),
        ("blob", Anything),
    ],
    from_2025_06_18: &[("_meta", Anything)],
    from_2025_11_25: &[],
};

pub(super) const LIST_PROMPTS_RESULT: Definition = Definition {
    always: &[
        ("prompts", Each(&PROMPT)),
        ("nextCursor", Anything),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const PROMPT: Definition = Definition {
    always: &[
        ("name", Anything),
        ("description", Anything),
        ("arguments", Each(&PROMPT_ARGUMENT)),
    ],
    from_2025_06_18: &[("title", Anything), ("_meta", Anything)],
    from_2025_11_25: &[("icons", Each(&ICON))],
};

pub(super) const PROMPT_ARGUMENT: Definition = Definition {
    always: &[
        ("name", Anything),
        ("description", Anything),
        ("required", Anything),
    ],
    from_2025_06_18: &[("title", Anything)],
    from_2025_11_25: &[],
};

pub(super) const GET_PROMPT_RESULT: Definition = Definition {
    always: &[
        ("description", Anything),
        ("messages", Each(&PROMPT_MESSAGE)),
        ("_meta", ResultMeta),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const PROMPT_MESSAGE: Definition = Definition {
    always: &[("role", Anything), ("content", Blocks)],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const COMPLETE_RESULT: Definition = Definition {
    always: &[("completion", One(&COMPLETION)), ("_meta", ResultMeta)],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const COMPLETION: Definition = Definition {
    always: &[
        ("values", Anything),
        ("total", Anything),
        ("hasMore", Anything),
    ],
    from_2025_06_18: &[],
    from_2025_11_25: &[],
};

pub(super) const TEXT_CONTENT: Definition = Definition {
    always: &[
        ("type", Anything),
        ("text", Anything),
        ("annotations", One(&ANNOTATIONS)),
    ],
    from_2025_06_18: &[("_meta", Anything)],
    from_2025_11_25: &[],
};

pub(super) const IMAGE_CONTENT: Definition = Definition {
    always: &[
        ("type", Anything),
        ("data", Anything),
        ("mimeType", Anything),
        ("annotations", One(&ANNOTATIONS)),
    ],
    from_2025_06_18: &[("_meta", Anything)],
    from_2025_11_25: &[],
};

pub(super) const AUDIO_CONTENT: Definition = IMAGE_CONTENT;

pub(super) const EMBEDDED_RESOURCE: Definition = Definition {
    always: &[
        ("type", Anything),
        ("resource", One(&RESOURCE_CONTENTS)),
        ("annotations", One(&ANNOTATIONS)),
    ],
    from_2025_06_18: &[("_meta", Anything)],
    from_2025_11_25: &[],
};

pub(super) const RESOURCE_LINK: Definition = Definition {
    always: &[],
    from_2025_06_18: &[
        ("type", Anything),
        ("uri", Anything),
        ("name", Anything),
        ("title", Anything),
        ("description", Anything),
        ("mimeType", Anything),
        ("size", Anything),
        ("annotations", One(&ANNOTATIONS)),
        ("_meta", Anything),
    ],
    from_2025_11_25: &[("icons", Each(&ICON))],
};

pub(super) const ANNOTATIONS: Definition = Definition {
    always: &[("audience", Anything), ("priority", Anything)],
    from_2025_06_18: &[("lastModified", Anything)],
    from_2025_11_25: &[],
};

pub(super) const ICON: Definition = Definition {
    always: &[],
    from_2025_06_18: &[],
    from_2025_11_25: &[
        ("src", Anything),
        ("mimeType", Anything),
        ("sizes", Anything),
        ("theme", Anything),
    ],
};
