//! Conversations with the client's model, over several rounds.

#![cfg(feature = "sealing")]

mod common;

use common::{round, text};
use serde_json::{Value, json};
use wymcp::{
    Context, NoArguments, Sampling, SamplingMessage, Server, ToolChoice, ToolResult, tool,
};

/// Lets the model call a tool until it has a last word.
fn conversing() -> Server {
    let converse = tool("converse").run(async |_: NoArguments, context: Context| {
        let clock = json!({"name": "clock", "inputSchema": {"type": "object"}});
        let mut said = vec![SamplingMessage::user("How late is it?")];
        for turn in 0..3 {
            let question = Sampling::new(said.clone(), 100)
                .tools([clock.clone()])
                .tool_choice(ToolChoice::Auto);
            let answer = context.ask(&format!("turn-{turn}"), question).await?;
            let calls: Vec<_> = answer.tool_uses().collect();
            if calls.is_empty() {
                return Ok(answer.text().unwrap_or_default().to_owned());
            }
            let results = calls.into_iter().map(|call| {
                let late = format!("{} says {}", call.name, call.input["zone"]);
                (call.id, ToolResult::text(late))
            });
            said.extend([answer.message(), SamplingMessage::tool_results(results)]);
        }
        Ok("no last word".to_owned())
    });
    let builder = Server::builder("test", "1").tool(converse);
    builder.build().unwrap()
}

#[tokio::test]
async fn a_conversation_with_the_model_goes_on_after_it_called_tools() {
    let server = conversing();
    let (_, first) = round(&server, &[], "converse", Value::Null, &Value::Null).await;
    let params = &first["result"]["inputRequests"]["turn-0"]["params"];
    assert_eq!(params["toolChoice"], json!({"mode": "auto"}), "{first}");

    let calls = json!([
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "clock", "input": {"zone": "UTC"}},
    ]);
    let called = json!({"role": "assistant", "model": "m", "content": calls});
    let answers = json!({"turn-0": called});
    let (_, second) = round(
        &server,
        &[],
        "converse",
        answers,
        &first["result"]["requestState"],
    )
    .await;
    let messages = &second["result"]["inputRequests"]["turn-1"]["params"]["messages"];
    let results = json!({
        "type": "tool_result",
        "toolUseId": "c1",
        "content": [{"type": "text", "text": "clock says \"UTC\""}],
    });
    let conversation = json!([
        {"role": "user", "content": {"type": "text", "text": "How late is it?"}},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": results},
    ]);
    assert_eq!(*messages, conversation, "{second}");

    let noon = json!({"type": "text", "text": "Noon"});
    let answers = json!({"turn-1": {"role": "assistant", "model": "m", "content": noon}});
    let (_, last) = round(
        &server,
        &[],
        "converse",
        answers,
        &second["result"]["requestState"],
    )
    .await;
    assert_eq!(text(&last), "Noon");
}

#[tokio::test]
async fn a_call_of_a_tool_that_is_none_is_asked_again() {
    let server = conversing();
    for call in [
        json!({"type": "tool_use", "id": 7, "name": "clock", "input": {}}),
        json!({"type": "tool_use", "id": "c1", "input": {}}),
        json!({"type": "tool_use", "id": "c1", "name": "clock", "input": []}),
    ] {
        let answers = json!({"turn-0": {"role": "assistant", "model": "m", "content": call}});
        let (_, again) = round(&server, &[], "converse", answers, &Value::Null).await;
        assert!(
            again["result"]["inputRequests"]["turn-0"].is_object(),
            "{again}"
        );
    }
}
