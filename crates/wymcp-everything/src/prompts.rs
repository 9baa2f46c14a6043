//! The prompts, each of one feature. Names that begin with `test_`, and their messages, are what the official conformance
//! suite asks for.

use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{
    Completing, Content, Context, Icon, NoArguments, PromptMessage, PromptResult, ResourceContents,
    Role, RunnablePrompt, prompt,
};

use crate::tools::PNG;

/// Every prompt, the simplest first.
pub(crate) fn all() -> Vec<RunnablePrompt> {
    vec![
        simple(),
        with_arguments(),
        with_resource(),
        with_image(),
        trip(),
    ]
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

/// What is proposed for the city depends on the country, if that is filled in already.
fn trip() -> RunnablePrompt {
    #[derive(Deserialize, JsonSchema)]
    struct Trip {
        /// Where the city is
        country: String,
        /// Where to go
        city: String,
        /// For how long
        days: Option<u8>,
    }
    prompt("trip")
        .title("A trip")
        .describe("Plans a trip")
        .icon(Icon::new("https://example.com/trip.svg"))
        .meta("com.example/season", "summer")
        .complete("city", async |typed: Completing, _: Context| {
            let cities: &[&str] = match typed.arguments.get("country").map(String::as_str) {
                Some("France") => &["Paris", "Pau"],
                Some("Czechia") => &["Prague"],
                _ => &["Paris", "Pau", "Prague"],
            };
            let fitting = cities.iter().filter(|city| city.starts_with(&typed.value));
            Ok(fitting.copied().collect::<Vec<_>>())
        })
        .run(async |trip: Trip, _: Context| {
            let Trip {
                country,
                city,
                days,
            } = trip;
            let days = days.unwrap_or(7);
            let messages = [
                PromptMessage::user(format!("Plan {days} days in {city}, {country}.")),
                PromptMessage::assistant("What do you like?"),
            ];
            Ok(PromptResult::new(messages).describe("The start of a conversation"))
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
