//! A tool that lets the client's model call tools while it answers.

use serde_json::{Value, json};
use wymcp::{
    Context, Error, NoArguments, RunnableTool, Sampling, SamplingMessage, ToolChoice, ToolResult,
    ToolUse, tool,
};

/// How often the model may go on before it says something.
const ROUNDS: usize = 5;

/// Each round starts from the first line, with the answers so far: so the conversation is made anew.
pub(crate) fn advise() -> RunnableTool {
    tool("advise")
        .describe("Asks the client's model what to wear, and tells it how warm it is")
        .run(async |_: NoArguments, ctx: Context| {
            let mut said = vec![SamplingMessage::user("What shall I wear in Paris?")];
            for round in 1..=ROUNDS {
                let question = Sampling::new(said.clone(), 200)
                    .system("Look at the thermometer first.")
                    .tools([thermometer()])
                    .tool_choice(ToolChoice::Auto);
                let answer = ctx.ask(format!("round-{round}"), question).await?;
                let results: Vec<_> = answer
                    .tool_uses()
                    .map(|call| (call.id.clone(), run(&call)))
                    .collect();
                if results.is_empty() {
                    return Ok(answer.text().unwrap_or("Whatever you like.").to_owned());
                }
                said.extend([answer.message(), SamplingMessage::tool_results(results)]);
            }
            Err(Error::new(
                "The model looks at the thermometer again and again",
            ))
        })
}

fn thermometer() -> Value {
    json!({
        "name": "thermometer",
        "description": "Says how warm it is in a city",
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    })
}

/// Nobody has checked what the model calls.
fn run(call: &ToolUse) -> ToolResult {
    match (&*call.name, call.input.get("city").and_then(Value::as_str)) {
        ("thermometer", Some("Paris")) => ToolResult::text("21.5 °C"),
        ("thermometer", _) => ToolResult::error("Only Paris has a thermometer"),
        _ => ToolResult::error("There is no such tool; call thermometer"),
    }
}
