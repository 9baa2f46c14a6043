//! Prompts whose arguments are the members of a type.

mod common;

use common::post;
use serde::Deserialize;
use serde_json::{Value, json};
use wymcp::{Context, RunnablePrompt, Server, prompt};

/// More members than one, in another order than that of their names.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Trip {
    /// Where to
    to: String,
    /// Where from
    from: Option<String>,
    days: u8,
}

fn plan() -> RunnablePrompt {
    prompt("plan").run(async |trip: Trip, _: Context| {
        let from = trip.from.unwrap_or_default();
        Ok(format!(
            "Plan {} days from {from} to {}.",
            trip.days, trip.to
        ))
    })
}

/// The answer to a request about prompts.
async fn asked(method: &str, arguments: Value) -> Value {
    let server = Server::builder("test", "1").prompt(plan()).build().unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "plan", "arguments": arguments, "_meta": meta});
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let (_, body) = post(&server, &[], &request).await;
    body
}

#[tokio::test]
async fn arguments_are_listed_in_the_order_of_their_declaration() {
    let body = asked("prompts/list", json!({})).await;
    assert_eq!(
        body["result"]["prompts"][0]["arguments"],
        json!([
            {"name": "to", "description": "Where to", "required": true},
            {"name": "from", "description": "Where from"},
            {"name": "days", "required": true},
        ])
    );
}

#[tokio::test]
async fn an_argument_that_the_type_refuses_is_named_with_those_that_there_are() {
    let body = asked(
        "prompts/get",
        json!({"to": "Pau", "days": "2", "by": "bus"}),
    )
    .await;
    assert_eq!(
        body["error"]["message"],
        "The arguments of plan do not fit: the top level takes no member by; there are to, from, days"
    );
}

#[test]
fn a_type_that_no_texts_fill_is_a_fault_of_the_definition() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Tagged {
        tags: Vec<String>,
    }
    let build = |prompt| Server::builder("test", "1").prompt(prompt).build();
    let tagged = prompt("find").run(async |args: Tagged, _: Context| Ok(args.tags.concat()));
    let fault = build(tagged).unwrap_err().to_string();
    assert!(
        fault.starts_with(r#"prompt "find", arguments/tags: is of a type that no text"#),
        "{fault}"
    );
    let listed = prompt("find").run(async |args: Vec<String>, _: Context| Ok(args.concat()));
    let fault = build(listed).unwrap_err().to_string();
    assert!(
        fault.starts_with(r#"prompt "find", arguments: are no object; let a struct"#),
        "{fault}"
    );
    assert!(build(plan()).is_ok());
}
