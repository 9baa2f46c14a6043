//! How servers of lines end: with their input, with their output, and by what cannot be read or written.

mod support;

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context as TaskContext, Poll},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::{Client, PATIENCE, Tools, call, plain, request};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    time::timeout,
};
use wymcp::{Changes, Event, Fault};
use wymcp_stdio::Stdio;

#[tokio::test]
async fn at_the_end_of_the_input_listeners_are_told_and_calls_have_their_time() {
    let (tools, server) = Tools::new();
    let changes = Changes::new();
    let mut client = Client::of(server.changes(changes.clone()));
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    let listen = request("s1", "subscriptions/listen", notifications);
    client.request(listen).await;
    let acknowledged = client.next().await.unwrap();
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    changes.tools_changed();
    let told = client.next().await.unwrap();
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        "s1"
    );

    client.call(2, "never").await;
    client.call(3, "slow").await;
    tools.started.notified().await;
    tools.go_on.notify_one();
    let mut output = client.end().await;
    let of = |output: &mut Vec<Value>, is: fn(&Value) -> bool| {
        let at = output.iter().position(is).unwrap();
        (at, output.remove(at))
    };
    let (_, never) = of(&mut output, |message| message["id"] == 2);
    assert_eq!(never["result"]["isError"], true, "{never}");
    let (_, slow) = of(&mut output, |message| message["id"] == 3);
    assert_eq!(slow["result"]["content"][0]["text"], "slow");
    let [cancelled, ended] = &output[..] else {
        panic!("{output:?}");
    };
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], "s1");
    assert_eq!(ended["id"], "s1");
    tools.is_dropped().await;
}

#[tokio::test]
async fn a_client_that_is_gone_ends_the_server_and_drops_its_calls() {
    let (tools, server) = Tools::new();
    let mut client = Client::with_grace(server, Duration::from_secs(60));
    client.call(1, "never").await;
    tools.started.notified().await;
    let Client {
        mut input,
        output,
        serving,
        ..
    } = client;
    drop(output);
    // An answer that nobody takes shows that it is gone; the input stays open.
    let line = call(2, "fast").to_string() + "\n";
    input.write_all(line.as_bytes()).await.unwrap();
    let outcome = timeout(PATIENCE, serving).await;
    outcome.expect("the server ends").unwrap().unwrap();
    tools.is_dropped().await;
}

/// What one client leaves at its end, another one of the same server does not notice.
#[tokio::test]
async fn the_end_of_one_input_is_the_end_of_no_other() {
    let (tools, server) = Tools::new();
    let changes = Changes::new();
    let server = server.changes(changes.clone()).build().unwrap();
    let (mut leaving, mut staying) = (
        Client::to(server.clone(), Duration::from_millis(400)),
        Client::to(server, PATIENCE),
    );
    let notifications = json!({"notifications": {"toolsListChanged": true}});
    for client in [&mut leaving, &mut staying] {
        let listen = request("s", "subscriptions/listen", notifications.clone());
        client.request(listen).await;
        client.next().await.unwrap();
        client.call(1, "slow").await;
        tools.started.notified().await;
    }
    let left = leaving.end().await;
    assert!(left.iter().any(|message| message["id"] == "s"), "{left:?}");

    changes.tools_changed();
    let told = staying.next().await.unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    tools.go_on.notify_waiters();
    assert_eq!(staying.text().await, "slow");
}

#[tokio::test]
async fn a_call_that_its_client_has_left_is_no_fault_of_the_server() {
    let events: Arc<Mutex<Vec<Event>>> = Arc::default();
    let heard = Arc::clone(&events);
    let (tools, server) = Tools::new();
    let server = server.on_event(move |event| heard.lock().unwrap().push(event.clone()));
    let mut client = Client::of(server);
    client.call(1, "never").await;
    tools.started.notified().await;
    let output = client.end().await;
    assert_eq!(output[0]["id"], 1);
    let events = events.lock().unwrap();
    let faults: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::ToolFaulted { fault, .. } => Some(fault),
            _ => None,
        })
        .collect();
    assert_eq!(faults, [&Fault::InputEnded], "{events:?}");
}

#[tokio::test]
async fn a_session_ends_with_its_input() {
    let (_tools, server) = Tools::new();
    let mut client = Client::with_grace(server.changes(Changes::new()), PATIENCE * 10);
    client.initialize(json!({})).await;
    client.request(plain(2, "ping", json!({}))).await;
    assert_eq!(client.next().await.unwrap()["id"], 2);
    assert_eq!(client.end().await, [Value::Null; 0]);
}

/// Whatever waits to be written: the end of the input is the end of the server.
#[tokio::test]
async fn the_end_of_the_input_ends_a_server_whose_output_nobody_reads() {
    let (grace, slack) = (Duration::from_millis(400), Duration::from_secs(2));
    let fast = call(1, "fast").to_string();
    let told = call(1, "told").to_string();
    let never = call(1, "never").to_string();
    let refused = request(1, "tools/lust", json!({})).to_string();
    let list = request(1, "tools/list", json!({})).to_string();
    for line in [fast, told, never, refused, list] {
        let (_tools, server) = Tools::new();
        let Client {
            mut input,
            output,
            serving,
            ..
        } = Client::with_grace(server, grace);
        let lines = (line + "\n").repeat(2000);
        // So much is read ahead of the lines that are waited with.
        timeout(PATIENCE, input.write_all(lines.as_bytes()))
            .await
            .unwrap()
            .unwrap();
        input.shutdown().await.unwrap();
        let began = Instant::now();
        let outcome = timeout(PATIENCE, serving).await.expect("the server ends");
        outcome.unwrap().unwrap();
        assert!(began.elapsed() < grace + slack, "{:?}", began.elapsed());
        drop(output);
    }
}

/// A stream that fails in its way.
struct Failing(ErrorKind);

impl AsyncRead for Failing {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut TaskContext<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Ready(Err(self.0.into()))
    }
}

impl AsyncWrite for Failing {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut TaskContext<'_>,
        _: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(self.0.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut TaskContext<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut TaskContext<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn what_cannot_be_read_or_written_is_an_error_and_a_client_that_left_is_none() {
    let stdio = || Stdio::new(Tools::new().1.build().unwrap()).grace(Duration::from_millis(50));
    for kind in [ErrorKind::Other, ErrorKind::ConnectionReset] {
        let served = stdio().serve_on(Failing(kind), tokio::io::sink()).await;
        assert_eq!(served.unwrap_err().kind(), kind);
    }
    let fast = call(1, "fast").to_string() + "\n";
    for (kind, error) in [
        (ErrorKind::StorageFull, Some(ErrorKind::StorageFull)),
        (ErrorKind::BrokenPipe, None),
    ] {
        // The input stays open.
        let (mut client, input) = tokio::io::duplex(1 << 10);
        client.write_all(fast.as_bytes()).await.unwrap();
        let served = timeout(PATIENCE, stdio().serve_on(input, Failing(kind))).await;
        assert_eq!(served.unwrap().err().map(|fault| fault.kind()), error);
    }
}
