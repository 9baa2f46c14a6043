//! A client of an older revision on lines.

mod support;

use serde_json::json;
use support::{Client, call, plain};
use wymcp::{
    Changes, Context, Elicited, Field, Form, LegacyVersion, NoArguments, Server, ServerBuilder,
    resource, tool,
};

fn changing(changes: &Changes) -> ServerBuilder {
    let telling = changes.clone();
    let touch = tool("touch").run(move |_: NoArguments, _: Context| {
        telling.resource_updated("docs://page");
        async { Ok("touched") }
    });
    let page = resource("docs://page", "page").read(async |_: Context| Ok("text"));
    let builder = Server::builder("changing", "1.0.0").changes(changes.clone());
    builder.tool(touch).resource(page)
}

/// Whoever sends the lines may look before there is a stream to look at, or after: each session is another race.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_come_on_the_same_lines_in_every_session() {
    for _ in 0..40 {
        let mut client = Client::of(changing(&Changes::new()));
        client.initialize(json!({})).await;
        let subscribe = plain(1, "resources/subscribe", json!({"uri": "docs://page"}));
        client.request(subscribe).await;
        assert_eq!(client.next().await.unwrap()["result"], json!({}));
        client
            .request(plain(2, "tools/call", json!({"name": "touch"})))
            .await;
        let mut told = [client.next().await.unwrap(), client.next().await.unwrap()];
        told.sort_by_key(|message| message["id"].is_null());
        assert_eq!(told[0]["result"]["content"][0]["text"], "touched");
        assert_eq!(told[1]["params"]["uri"], "docs://page");
        assert_eq!(client.end().await, [json!(null); 0]);
    }
}

#[tokio::test]
async fn a_question_is_asked_and_answered_by_lines() {
    let greet = tool("greet").run(async |_: NoArguments, ctx: Context| {
        let form = Form::new("Who are you?").field(Field::text("name").required());
        Ok(match ctx.ask("name", form).await? {
            Elicited::Accepted(person) => format!("Hello, {}!", person["name"]),
            Elicited::Declined | Elicited::Cancelled => "nobody".to_owned(),
        })
    });
    let mut client = Client::of(Server::builder("curious", "1.0.0").tool(greet));
    client.initialize(json!({"elicitation": {}})).await;
    for (id, result, said) in [
        (
            1,
            json!({"action": "accept", "content": {"name": "Ada"}}),
            "Hello, \"Ada\"!",
        ),
        (2, json!({"action": "decline"}), "nobody"),
    ] {
        client
            .request(plain(id, "tools/call", json!({"name": "greet"})))
            .await;
        let question = client.next().await.unwrap();
        assert_eq!(question["method"], "elicitation/create");
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
        client.send(answer.to_string()).await;
        assert_eq!(client.text().await, said);
    }
    assert_eq!(client.end().await, [json!(null); 0]);
}

#[tokio::test]
async fn both_eras_are_spoken_on_one_input() {
    let fine = tool("fine").run(async |_: NoArguments, _: Context| Ok("fine"));
    let mut client = Client::of(Server::builder("dual", "1.0.0").tool(fine));
    // Before a session is open, what says nothing of itself is nobody's.
    client
        .request(plain(1, "tools/call", json!({"name": "fine"})))
        .await;
    let refused = client.next().await.unwrap();
    assert_eq!(refused["error"]["code"], -32602);
    client.call(2, "fine").await;
    assert_eq!(client.text().await, "fine");
    client.initialize(json!({})).await;
    client
        .request(plain(3, "tools/call", json!({"name": "fine"})))
        .await;
    let of_session = client.next().await.unwrap();
    assert!(of_session["result"]["resultType"].is_null(), "{of_session}");
    client.version = None;
    client.request(call(4, "fine")).await;
    let modern = client.next().await.unwrap();
    assert_eq!(modern["result"]["resultType"], "complete");
    assert_eq!(client.end().await, [json!(null); 0]);
}

#[tokio::test]
async fn a_client_that_gets_ready_in_a_batch_is_answered() {
    let fine = tool("fine").run(async |_: NoArguments, _: Context| Ok("fine"));
    let mut client = Client::of(Server::builder("dual", "1.0.0").tool(fine));
    let version = LegacyVersion::V2025_03_26;
    client.version = Some(version);
    let params = json!({
        "protocolVersion": version.as_str(),
        "capabilities": {},
        "clientInfo": {"name": "client", "version": "1"},
    });
    client.request(plain(0, "initialize", params)).await;
    assert_eq!(client.next().await.unwrap()["id"], 0);
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let batch = json!([ready, plain(5, "tools/call", json!({"name": "fine"}))]);
    client.request(batch).await;
    let answers = client.next().await.unwrap();
    assert_eq!(answers[0]["id"], 5, "{answers}");
    assert_eq!(client.end().await, [json!(null); 0]);
}
