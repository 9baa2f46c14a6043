//! The tools that answer by themselves, each of one feature. Names that begin with `test_`, and their results, are what the
//! official conformance suite asks for.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use wymcp::{
    Content, Context, Error, LogLevel, NoArguments, ResourceContents, RunnableTool, ToolResult,
    tool,
};

/// A picture of one pixel.
pub(crate) const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

/// The head of a sound that has ended.
const WAV: &[u8] =
    b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0";

/// Every tool, the simplest first.
pub(crate) fn all() -> Vec<RunnableTool> {
    vec![
        simple_text(),
        image(),
        audio(),
        embedded_resource(),
        mixed_content(),
        error(),
        progress(),
        log_records("test_logging_tool"),
        log_records("test_tool_with_logging"),
        reconnection(),
        missing_capability(),
        mirrored_argument(),
        json_schema(),
        whoami(),
    ]
}

fn simple_text() -> RunnableTool {
    tool("test_simple_text")
        .describe("Answers with a text")
        .run(async |_: NoArguments, _ctx: Context| {
            Ok("This is a simple text response for testing.")
        })
}

fn image() -> RunnableTool {
    tool("test_image_content")
        .describe("Answers with a picture")
        .run(async |_: NoArguments, _ctx: Context| Ok(Content::image(PNG, "image/png")))
}

fn audio() -> RunnableTool {
    tool("test_audio_content")
        .describe("Answers with a sound")
        .run(async |_: NoArguments, _ctx: Context| Ok(Content::audio(WAV, "audio/wav")))
}

fn embedded_resource() -> RunnableTool {
    tool("test_embedded_resource")
        .describe("Answers with a resource")
        .run(async |_: NoArguments, _ctx: Context| {
            Ok(Content::resource(ResourceContents::text(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.",
            )))
        })
}

fn mixed_content() -> RunnableTool {
    tool("test_multiple_content_types")
        .describe("Answers with a text, a picture and a resource")
        .run(async |_: NoArguments, _ctx: Context| {
            let resource = ResourceContents::text(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#,
            );
            Ok(ToolResult::new([
                Content::text("Multiple content types test:"),
                Content::image(PNG, "image/png"),
                Content::resource(resource),
            ]))
        })
}

fn error() -> RunnableTool {
    tool("test_error_handling")
        .describe("Answers with an error for the model")
        .run(async |_: NoArguments, _ctx: Context| {
            Err::<(), _>(Error::new(
                "This tool intentionally returns an error for testing",
            ))
        })
}

fn progress() -> RunnableTool {
    tool("test_tool_with_progress")
        .describe("Tells how far it is")
        .run(async |_: NoArguments, ctx: Context| {
            for done in [0.0, 50.0, 100.0] {
                ctx.progress(done, Some(100.0), None);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok("Done.")
        })
}

/// Each revision of the suite has its own name for it.
fn log_records(name: &str) -> RunnableTool {
    tool(name)
        .describe("Sends log records to clients that ask for them")
        .run(async |_: NoArguments, ctx: Context| {
            for text in ["Tool started", "Tool working", "Tool done"] {
                ctx.log(LogLevel::Info, Some("everything"), &text)?;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok("Logged.")
        })
}

/// What happens until it does is not lost.
fn reconnection() -> RunnableTool {
    tool("test_reconnection")
        .describe("Lets the client come back for the answer")
        .run(async |_: NoArguments, ctx: Context| {
            ctx.progress(1.0, Some(2.0), None);
            ctx.hang_up();
            ctx.progress(2.0, Some(2.0), None);
            tokio::time::sleep(Duration::from_millis(100)).await;
            Ok("Welcome back.")
        })
}

fn whoami() -> RunnableTool {
    tool("whoami")
        .describe("Says on whose behalf the call runs")
        .run(async |_: NoArguments, ctx: Context| {
            Ok(ctx.principal().name().unwrap_or("nobody").to_owned())
        })
}

fn missing_capability() -> RunnableTool {
    tool("test_missing_capability")
        .describe("Works only for clients that can sample")
        .run(async |_: NoArguments, ctx: Context| {
            ctx.require_capability(&["sampling"])?;
            Ok("The client can sample.")
        })
}

fn mirrored_argument() -> RunnableTool {
    #[derive(Deserialize, JsonSchema)]
    struct Mirrored {
        /// Mirrored in the header Mcp-Param-Value
        #[schemars(extend("x-mcp-header" = "Value"))]
        value: String,
    }
    tool("test_custom_header")
        .describe("Takes an argument that a header mirrors")
        .run(async |args: Mirrored, _ctx: Context| Ok(format!("The value is {}", args.value)))
}

fn json_schema() -> RunnableTool {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    tool("json_schema_2020_12_tool")
        .describe("Declares a schema with references, conditions and alternatives")
        .run_with_schema(schema, async |args: Value, _ctx: Context| {
            Ok(format!("Valid: {args}"))
        })
}
