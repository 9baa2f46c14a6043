//! The prompts, each of one feature. Names and messages are what the official conformance suite asks for.

use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{
    Completing, Content, Context, NoArguments, PromptMessage, ResourceContents, Role,
    RunnablePrompt, prompt,
};

use crate::tools::PNG;

/// Every prompt, the simplest first.
pub(crate) fn all() -> Vec<RunnablePrompt> {
    vec![simple(), with_arguments(), with_resource(), with_image()]
}

fn simple() -> RunnablePrompt {
    prompt("test_simple_prompt")
        .describe("One message")
        .run(async |_: NoArguments, _: Context| Ok("This is a simple prompt for testing."))
}

fn with_arguments() -> RunnablePrompt {
    #[derive(Deserialize, JsonSchema)]
    struct Arguments {
        /// The first text
        arg1: String,
        /// The second text
        arg2: String,
    }
    prompt("test_prompt_with_arguments")
        .describe("A message of two arguments")
        .complete("arg1", async |typed: Completing, _: Context| {
            let known = ["paris", "park", "party"].into_iter();
            Ok(known
                .filter(|word| word.starts_with(&typed.value))
                .collect::<Vec<_>>())
        })
        .run(async |args: Arguments, _: Context| {
            let Arguments { arg1, arg2 } = args;
            Ok(format!(
                "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"
            ))
        })
}

fn with_resource() -> RunnablePrompt {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        /// The address of the resource to embed
        resource_uri: String,
    }
    prompt("test_prompt_with_embedded_resource")
        .describe("A resource, and a question about it")
        .run(async |args: Arguments, _: Context| {
            let text = "Embedded resource content for testing.";
            let resource = ResourceContents::text(args.resource_uri, "text/plain", text);
            Ok(vec![
                PromptMessage::new(Role::User, Content::resource(resource)),
                PromptMessage::user("Please process the embedded resource above."),
            ])
        })
}

fn with_image() -> RunnablePrompt {
    prompt("test_prompt_with_image")
        .describe("A picture, and a question about it")
        .run(async |_: NoArguments, _: Context| {
            Ok(vec![
                PromptMessage::new(Role::User, Content::image(PNG, "image/png")),
                PromptMessage::user("Please analyze the image above."),
            ])
        })
}
