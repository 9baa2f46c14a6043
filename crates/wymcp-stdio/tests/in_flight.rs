//! What bounds a client of lines that asks for much at once, and what it never keeps from its calls.

mod support;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use support::{Client, PATIENCE, Tools, plain, request};
use tokio::time::{sleep, timeout};
use wymcp::{Changes, Context, Field, Form, Limits, NoArguments, ServerBuilder, tool};

fn at_most(in_flight: usize, server: ServerBuilder) -> ServerBuilder {
    let mut limits = Limits::default();
    limits.in_flight = in_flight;
    server.limits(limits)
}

/// A tool that counts how often it was started, and answers so many bytes.
fn counted(server: ServerBuilder, bytes: usize) -> (Arc<AtomicUsize>, ServerBuilder) {
    let started: Arc<AtomicUsize> = Arc::default();
    let count = Arc::clone(&started);
    let long = tool("long").run(move |_: NoArguments, _: Context| {
        count.fetch_add(1, Ordering::Relaxed);
        async move { Ok("a".repeat(bytes)) }
    });
    (started, server.tool(long))
}

/// The count, once it has stayed the same for a while.
async fn settled(count: &AtomicUsize) -> usize {
    let mut before = usize::MAX;
    loop {
        let now = count.load(Ordering::Relaxed);
        if now == before && now > 0 {
            return now;
        }
        before = now;
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn requests_beyond_the_bound_wait_and_lose_nothing() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(at_most(3, server));
    for id in 0..20 {
        client.call(id, "slow").await;
    }
    let mut begun = 0;
    while timeout(Duration::from_millis(200), tools.started.notified())
        .await
        .is_ok()
    {
        begun += 1;
    }
    // A notice that was not waited for is one with the next.
    assert!((1..=4).contains(&begun), "{begun}");
    let mut ids = Vec::new();
    while ids.len() < 20 {
        tools.go_on.notify_waiters();
        tools.go_on.notify_one();
        ids.push(client.next().await.unwrap()["id"].as_i64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..20).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_client_that_does_not_read_makes_little_happen() {
    const LONG: usize = 100_000;
    let (_tools, server) = Tools::new();
    let (started, server) = counted(server, LONG);
    let mut client = Client::of(at_most(8, server));
    for id in 0..500 {
        client.call(id, "long").await;
    }
    // So many fit between the handlers and the client.
    let buffered = (1 << 20) / LONG;
    let begun = settled(&started).await;
    assert!(begun <= 8 + 2 + buffered, "{begun}");
    let mut answered = 0;
    for _ in 0..500 {
        client.next().await.unwrap();
        answered += 1;
    }
    assert_eq!((answered, started.load(Ordering::Relaxed)), (500, 500));
}

#[tokio::test]
async fn a_cancellation_reaches_a_call_though_no_further_one_is_let_in() {
    let (tools, server) = Tools::new();
    let mut client = Client::with_grace(at_most(2, server), PATIENCE * 10);
    client.call(1, "never").await;
    client.call(2, "never").await;
    tools.started.notified().await;
    client.cancel(1).await;
    // JSON has one number for these.
    client.cancel(2.0).await;
    for id in 3..10 {
        client.call(id, "fast").await;
        assert_eq!(client.text().await, "fast");
    }
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn those_who_listen_take_nobody_the_room() {
    let (_tools, server) = Tools::new();
    let changes = Changes::new();
    let mut client = Client::of(at_most(1, server).changes(changes.clone()));
    for id in 0..50 {
        let notifications = json!({"notifications": {"toolsListChanged": true}});
        let listen = request(id, "subscriptions/listen", notifications);
        client.request(listen).await;
        client.next().await.unwrap();
    }
    client.call("call", "fast").await;
    assert_eq!(client.text().await, "fast");
    for id in 0..49 {
        client.cancel(id).await;
    }
    client.call("call", "fast").await;
    assert_eq!(client.text().await, "fast");
    changes.tools_changed();
    let told = client.next().await.unwrap();
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        49
    );
}

#[tokio::test]
async fn answers_to_questions_reach_calls_though_no_further_one_is_let_in() {
    let ask = tool("ask").run(async |_: NoArguments, context: Context| {
        let form = Form::new("Who are you?").field(Field::text("name").required());
        let person = context.ask("person", form).await?;
        Ok(format!("{:?}", person.accepted().is_some()))
    });
    let (_tools, server) = Tools::new();
    let mut client = Client::of(at_most(2, server.tool(ask)));
    client.initialize(json!({"elicitation": {}})).await;
    for id in [1, 2] {
        let params = json!({"name": "ask", "arguments": {}});
        client.request(plain(id, "tools/call", params)).await;
    }
    let mut questions = Vec::new();
    for _ in 0..2 {
        let question = client.next().await.unwrap();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        questions.push(question["id"].clone());
    }
    for id in questions {
        let result = json!({"action": "accept", "content": {"name": "Ada"}});
        client
            .send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
            .await;
    }
    for _ in 0..2 {
        assert_eq!(client.text().await, "true");
    }
}
