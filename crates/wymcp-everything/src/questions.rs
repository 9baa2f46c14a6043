//! Tools and a prompt that ask the client before they answer. Most names and results are what the official conformance
//! suite asks for.

use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{
    Context, Elicited, Field, Form, NoArguments, Roots, RunnablePrompt, RunnableTool, Sampling,
    Visit, prompt, tool,
};

/// Every tool that asks, the simplest first.
pub(crate) fn tools() -> Vec<RunnableTool> {
    vec![
        form(),
        sampling(),
        prompted_sampling(),
        roots(),
        state("test_input_required_result_request_state"),
        state("test_input_required_result_tampered_state"),
        several(),
        rounds(),
        by_capability(),
        survey(),
        visit(),
    ]
}

/// A form of one text.
fn name() -> Form {
    Form::new("What is your name?").field(Field::text("name").title("Name").required())
}

fn greeting() -> Sampling {
    Sampling::user("Write a short greeting.", 100)
}

fn form() -> RunnableTool {
    tool("test_input_required_result_elicitation")
        .describe("Asks the human for a name")
        .run(async |_: NoArguments, ctx: Context| {
            let answer = ctx.ask("user_name", name()).await?.accepted();
            let name = answer.map_or_else(|| "stranger".into(), |form| form["name"].clone());
            Ok(format!("Hello, {}!", name.as_str().unwrap_or_default()))
        })
}

fn sampling() -> RunnableTool {
    tool("test_input_required_result_sampling")
        .describe("Asks the client's model")
        .run(async |_: NoArguments, ctx: Context| {
            let question = Sampling::user("What is the capital of France?", 100);
            let answer = ctx.ask("capital_question", question).await?;
            Ok(format!(
                "The model says: {}",
                answer.text().unwrap_or("nothing")
            ))
        })
}

fn prompted_sampling() -> RunnableTool {
    #[derive(Deserialize, JsonSchema)]
    struct Arguments {
        /// What the model is asked
        prompt: String,
    }
    tool("test_sampling")
        .describe("Asks the client's model what the caller wants to know")
        .run(async |args: Arguments, ctx: Context| {
            let question = Sampling::user(args.prompt, 100);
            let answer = ctx.ask("prompt", question).await?;
            let said = answer.text().unwrap_or("nothing");
            Ok(format!("LLM response: {said}"))
        })
}

fn roots() -> RunnableTool {
    tool("test_input_required_result_list_roots")
        .describe("Asks for the client's folders")
        .run(async |_: NoArguments, ctx: Context| {
            let roots = ctx.ask("client_roots", Roots).await?;
            let uris: Vec<&str> = roots.iter().map(|root| root.uri.as_str()).collect();
            Ok(format!("Folders: {}", uris.join(", ")))
        })
}

/// What the client carries to the second call is sealed without a line here.
fn state(name: &str) -> RunnableTool {
    tool(name)
        .describe("Asks for a confirmation")
        .run(async |_: NoArguments, ctx: Context| {
            let form = Form::new("Go on?").field(Field::flag("ok").required());
            let answer = ctx.ask("confirm", form).await?.accepted();
            let ok = answer.is_some_and(|form| form["ok"] == true);
            Ok(format!(
                "state-ok, and the human says {}",
                if ok { "yes" } else { "no" }
            ))
        })
}

fn several() -> RunnableTool {
    tool("test_input_required_result_multiple_inputs")
        .describe("Asks three things at once")
        .run(async |_: NoArguments, ctx: Context| {
            let questions = (
                ("user_name", name()),
                ("greeting", greeting()),
                ("client_roots", Roots),
            );
            let (name, greeting, roots) = ctx.ask_all(questions).await?;
            let name = name.accepted().unwrap_or_default();
            Ok(format!(
                "{} {} has {} folders",
                greeting.text().unwrap_or("Hello!"),
                name["name"].as_str().unwrap_or("Nobody"),
                roots.len()
            ))
        })
}

fn rounds() -> RunnableTool {
    tool("test_input_required_result_multi_round")
        .describe("Asks one thing after the other")
        .run(async |_: NoArguments, ctx: Context| {
            let name = ctx.ask("step1", name()).await?.accepted();
            let form = Form::new("Which color do you like?").field(Field::text("color").required());
            let color = ctx.ask("step2", form).await?.accepted();
            let (name, color) = (name.unwrap_or_default(), color.unwrap_or_default());
            Ok(format!(
                "{} likes {}",
                name["name"].as_str().unwrap_or("Nobody"),
                color["color"].as_str().unwrap_or("nothing")
            ))
        })
}

fn by_capability() -> RunnableTool {
    tool("test_input_required_result_capabilities")
        .describe("Asks the human if the client can, else the model")
        .run(async |_: NoArguments, ctx: Context| {
            if ctx.meta().client_capabilities().declares(&["elicitation"]) {
                ctx.ask("user_name", name()).await?;
            } else {
                ctx.ask("greeting", greeting()).await?;
            }
            Ok("Asked what the client can answer.")
        })
}

fn survey() -> RunnableTool {
    tool("test_streaming_elicitation")
        .describe("Asks for a choice, on no stream")
        .run(async |_: NoArguments, ctx: Context| {
            let sizes = [("s", "Small"), ("m", "Medium"), ("l", "Large")];
            let form = Form::new("What shall it be?")
                .field(
                    Field::one_of("size", sizes)
                        .title("Size")
                        .default_value("m"),
                )
                .field(Field::integer("count").between(1, 9).default_value(1));
            let answer = ctx.ask("order", form).await?.accepted();
            Ok(answer.map_or_else(
                || "No order.".to_owned(),
                |order| format!("Ordered: {order}"),
            ))
        })
}

/// What the human does on the page stays there: a server that has to know asks the page.
fn visit() -> RunnableTool {
    tool("sign_in").describe("Sends the human to a page").run(
        async |_: NoArguments, ctx: Context| {
            let page = Visit::new(
                "Sign in to the archive",
                "https://archive.example.com/sign-in",
            );
            Ok(match ctx.ask("sign_in", page).await? {
                Elicited::Accepted(()) => "The human goes to the page.",
                Elicited::Declined => "The human does not sign in.",
                Elicited::Cancelled => "The human went away.",
            })
        },
    )
}

/// A prompt asks as a tool does.
pub(crate) fn prompts() -> Vec<RunnablePrompt> {
    let asking = prompt("test_input_required_result_prompt")
        .describe("Asks for context before it speaks")
        .run(async |_: NoArguments, ctx: Context| {
            let form = Form::new("What is it about?").field(Field::text("context").required());
            let answer = ctx.ask("user_context", form).await?.accepted();
            let about = answer.unwrap_or_default();
            let about = about["context"].as_str().unwrap_or("anything").to_owned();
            Ok(format!("Let us talk about {about}."))
        });
    vec![asking]
}
