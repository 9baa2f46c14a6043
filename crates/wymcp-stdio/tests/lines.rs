//! What clients do with lines: in which order they ask, how they cancel, what they send that is none.

mod support;

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use proptest::prelude::*;
use serde_json::{Value, json};
use support::{Client, PATIENCE, Tools, call, request};
use tokio::{io::AsyncWriteExt as _, task::yield_now};
use wymcp::{Changes, Context, Limits, NoArguments, tool};

#[tokio::test]
async fn calls_are_answered_in_the_order_in_which_they_end() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(1, "slow").await;
    client.call("two", "fast").await;
    assert_eq!(client.next().await.unwrap()["id"], "two");
    tools.go_on.notify_one();
    assert_eq!(client.next().await.unwrap()["id"], 1);
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn two_calls_of_one_id_each_get_an_answer() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(1, "slow").await;
    client.call(1, "fast").await;
    assert_eq!(client.text().await, "fast");
    tools.go_on.notify_one();
    assert_eq!(client.text().await, "slow");
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_sends_nothing() {
    let (tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(7, "never").await;
    tools.started.notified().await;
    // Another id, of another type, cancels nothing.
    client.cancel("7").await;
    client.call(8, "fast").await;
    assert_eq!(client.text().await, "fast");
    assert!(!tools.dropped.load(Ordering::Acquire));
    client.cancel(7).await;
    tools.is_dropped().await;
    client.call(7, "fast").await;
    assert_eq!(client.text().await, "fast");
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_cancellation_right_behind_its_call_finds_it() {
    let (_tools, server) = Tools::new();
    let mut client = Client::with_grace(server, PATIENCE);
    for id in 0..50 {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        let lines = format!("{}\n{cancel}", call(id, "never"));
        client.send(lines).await;
    }
    client.call("last", "fast").await;
    assert_eq!(client.text().await, "fast");
    // None of the calls is left, or the end would wait for it.
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn what_is_said_before_an_answer_comes_before_it() {
    let (_tools, server) = Tools::new();
    let mut client = Client::of(server);
    client.call(1, "told").await;
    let mut progress = Vec::new();
    let last = loop {
        let message = client.next().await.unwrap();
        if message["method"] != "notifications/progress" {
            break message;
        }
        progress.push(message["params"]["progress"].clone());
    };
    assert_eq!(progress, [json!(1), json!(2)]);
    assert_eq!(last["id"], 1);
}

#[tokio::test]
async fn what_has_no_id_that_could_be_answered_gets_no_line() {
    let (_tools, server) = Tools::new();
    let mut client = Client::of(server);
    let fast = call(1, "fast").to_string();
    let deep = "[".repeat(5000);
    let silent: [&[u8]; 14] = [
        b"",
        b" \t\r",
        b"Hello?",
        b"\xFF\xFE",
        b"[]",
        b"null",
        deep.as_bytes(),
        br#"{"jsonrpc": "2.0", "id": null, "method": "tools/list"}"#,
        br#"{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}"#,
        br#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}"#,
        br#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
        br#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
        br#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}"#,
        br#"{"method": 7}"#,
    ];
    for line in silent {
        client.send(line).await;
    }
    client.requests.push(call(1, "fast"));
    client.send(format!("\u{feff}{fast}\r")).await;
    assert_eq!(client.text().await, "fast");
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_skipped_and_the_next_one_is_answered() {
    let (_tools, server) = Tools::new();
    let mut limits = Limits::default();
    limits.body_bytes = 1000;
    let mut client = Client::of(server.limits(limits));
    let long = call(1, "fast").to_string() + &" ".repeat(5000);
    client.send(&long[..1001]).await;
    client.send(long).await;
    client.requests.push(call(3, "fast"));
    client.call(2, "fast").await;
    assert_eq!(client.next().await.unwrap()["id"], 2);
    let mut longest = call(3, "fast").to_string();
    longest += &" ".repeat(1000 - longest.len());
    client.send(longest).await;
    assert_eq!(client.next().await.unwrap()["id"], 3);
}

#[tokio::test]
async fn a_last_line_without_an_end_is_a_line() {
    let (_tools, server) = Tools::new();
    let mut client = Client::of(server);
    let line = call(1, "fast").to_string();
    client.input.write_all(line.as_bytes()).await.unwrap();
    client.requests.push(call(1, "fast"));
    assert_eq!(client.end().await[0]["id"], 1);
}

#[tokio::test]
async fn a_listener_that_cancels_hears_no_more() {
    let (_tools, server) = Tools::new();
    let changes = Changes::new();
    let mut client = Client::of(server.changes(changes.clone()));
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    let listen = request(1, "subscriptions/listen", notifications);
    client.request(listen).await;
    client.next().await.unwrap();
    client.cancel(1).await;
    client.call(2, "fast").await;
    assert_eq!(client.text().await, "fast");
    changes.tools_changed();
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_client_that_reads_late_loses_nothing() {
    let (_tools, server) = Tools::new();
    let mut client = Client::with_grace(server, PATIENCE);
    for id in 0..200 {
        client.call(id, "fast").await;
        yield_now().await;
    }
    let mut ids: Vec<i64> = Vec::new();
    for message in client.end().await {
        ids.push(message["id"].as_i64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..200).collect::<Vec<_>>());
}

#[tokio::test]
async fn nothing_but_messages_is_written_however_long_it_is_quiet() {
    let (tools, server) = Tools::new();
    let go_on = Arc::clone(&tools.go_on);
    let hums = tool("hums").run(move |_: NoArguments, context: Context| {
        let go_on = Arc::clone(&go_on);
        async move {
            context.progress(1.0, None, None);
            go_on.notified().await;
            Ok("hm")
        }
    });
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(1);
    let server = server.tool(hums).limits(limits).changes(Changes::new());
    let mut client = Client::of(server);
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    let listen = request("s1", "subscriptions/listen", notifications);
    client.request(listen).await;
    client.next().await.unwrap();
    client.call(1, "hums").await;
    let progress = client.next().await.unwrap();
    assert_eq!(progress["method"], "notifications/progress");
    tokio::time::sleep(Duration::from_millis(50)).await;
    tools.go_on.notify_one();
    assert_eq!(client.text().await, "hm");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_input_ends_the_server(
        noise in prop::collection::vec(any::<u8>(), 0..400),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let mut line = call(1, "fast").to_string().into_bytes();
        for (at, byte) in &flips {
            let at = at.index(line.len());
            line[at] = *byte;
        }
        line.truncate(cut.index(line.len() + 1));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(async {
            let (_tools, server) = Tools::new();
            let mut client = Client::of(server);
            client.send(noise).await;
            client.send(line).await;
            client.call("last", "fast").await;
            let last = loop {
                let message = client.next().await.unwrap();
                assert!(message.get("id").is_none_or(|id| !id.is_null()), "{message}");
                if message["id"] == "last" {
                    break message;
                }
            };
            assert_eq!(last["result"]["content"][0]["text"], "fast");
        });
    }
}
