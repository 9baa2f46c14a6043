//! Tools that show a form, under the names that the official conformance suite has for revision 2025-11-25.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use wymcp::{Context, Elicited, Field, Form, NoArguments, RunnableTool, tool};

/// Every tool, the simplest first.
pub(crate) fn tools() -> Vec<RunnableTool> {
    vec![contact(), defaults(), choices()]
}

fn contact() -> RunnableTool {
    #[derive(Deserialize, JsonSchema)]
    struct Arguments {
        /// What the form says
        message: String,
    }
    tool("test_elicitation")
        .describe("Asks the human who he is")
        .run(async |args: Arguments, ctx: Context| {
            let username = Field::text("username").describe("User's response");
            let email = Field::text("email").describe("User's email address");
            let form = Form::new(args.message)
                .field(username.required())
                .field(email.required());
            Ok(response(&ctx.ask("contact", form).await?))
        })
}

fn defaults() -> RunnableTool {
    tool("test_elicitation_sep1034_defaults")
        .describe("Shows a form with a default in each field")
        .run(async |_: NoArguments, ctx: Context| {
            let states = ["active", "inactive", "pending"].map(|it| (it, it));
            let form = Form::new("Please review and update the form fields with defaults")
                .field(Field::text("name").default_value("John Doe"))
                .field(Field::integer("age").default_value(30))
                .field(Field::number("score").default_value(95.5))
                .field(Field::one_of("status", states).default_value("active"))
                .field(Field::flag("verified").default_value(true));
            Ok(response(&ctx.ask("profile", form).await?))
        })
}

fn choices() -> RunnableTool {
    tool("test_elicitation_sep1330_enums")
        .describe("Shows a form with every kind of choice")
        .run(async |_: NoArguments, ctx: Context| {
            let plain = ["option1", "option2", "option3"].map(|it| (it, it));
            let titled = [
                ("value1", "First Option"),
                ("value2", "Second Option"),
                ("value3", "Third Option"),
            ];
            let named = [
                ("opt1", "Option One"),
                ("opt2", "Option Two"),
                ("opt3", "Option Three"),
            ];
            let form = Form::new("Please select options from the enum fields")
                .field(Field::one_of("untitledSingle", plain))
                .field(Field::one_of("titledSingle", titled))
                .field(Field::legacy_one_of("legacyEnum", named))
                .field(Field::many_of("untitledMulti", plain))
                .field(Field::many_of("titledMulti", titled));
            Ok(response(&ctx.ask("choices", form).await?))
        })
}

fn response(answer: &Elicited<Value>) -> String {
    match answer {
        Elicited::Accepted(contents) => format!("User response: accept, {contents}"),
        Elicited::Declined => "User response: decline".to_owned(),
        Elicited::Cancelled => "User response: cancel".to_owned(),
    }
}
