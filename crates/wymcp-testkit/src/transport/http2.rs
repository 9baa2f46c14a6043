//! HTTP/2 without TLS, by prior knowledge: the host is `:authority`, and no answer has a connection of its own.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use h2::{Reason, client::SendRequest};
use http::{HeaderMap, Request, Version};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    runtime::{Builder, Runtime},
    sync::Notify,
    task::yield_now,
};
use wymcp::{Context, Limits, NoArguments, Server, tool};

use super::{
    AnyAdapter, Scenario, requests, run_all, scenarios,
    watched::{Events, holding},
};
use crate::{Adapter, Answer, Served};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    the_authority_is_the_host,
    no_answer_has_a_connection_of_its_own_and_a_refusal_ends_no_other_stream,
    a_client_that_resets_a_stream_ends_its_call_by_the_next_sign_of_life,
];

/// Runs every scenario of HTTP/2 against an adapter whose host takes it without TLS, by prior knowledge.
///
/// # Panics
///
/// When a scenario fails, after all have run: the text lists every one.
///
/// # Examples
///
/// ```no_run
/// # use wymcp::Server;
/// # use wymcp_testkit::{Adapter, Served};
/// # struct MyAdapter;
/// # impl Adapter for MyAdapter {
/// #     fn serve(&self, _: Server) -> Served { todo!() }
/// # }
/// wymcp_testkit::check_http2(&MyAdapter);
/// ```
pub fn check_http2(adapter: &(impl Adapter + Sync + 'static)) {
    run_all::<AnyAdapter>(adapter, SCENARIOS);
}

/// What came back.
struct Answered {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

/// Serves a server with one tool, and sends requests on one connection.
fn exchange(
    adapter: &AnyAdapter,
    requests: impl IntoIterator<Item = (Request<()>, String)>,
) -> Vec<Answered> {
    let hello = tool("hello").run(async |_: NoArguments, _: Context| Ok("hello"));
    let server = Server::builder("two", "1.0.0").tool(hello).build();
    let host = adapter.serve(server.unwrap());
    let requests = requests.into_iter().collect();
    runtime().block_on(send(&host, requests))
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_io().build().unwrap()
}

/// A connection, which is driven for as long as the runtime is.
async fn connect(host: &Served) -> SendRequest<Bytes> {
    let stream = TcpStream::connect(host.address()).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn send(host: &Served, requests: Vec<(Request<()>, String)>) -> Vec<Answered> {
    let mut client = connect(host).await;
    let mut answers = Vec::new();
    for (request, body) in requests {
        client = client.ready().await.unwrap();
        // A body whose announced length is still to come does not end here.
        let ends = !request.headers().contains_key("content-length");
        let (response, mut sending) = client.send_request(request, false).unwrap();
        // A refusal of the head may end the stream before its body is sent.
        let body = Bytes::from(body);
        let _ = sending.send_data(body.clone(), ends);
        let (head, mut receiving) = response.await.unwrap().into_parts();
        let mut bytes = Vec::new();
        while let Some(chunk) = receiving.data().await {
            let chunk = chunk.unwrap();
            receiving
                .flow_control()
                .release_capacity(chunk.len())
                .unwrap();
            bytes.extend_from_slice(&chunk);
        }
        let status = head.status.as_u16();
        let lines = head.headers.iter();
        let lines = lines.map(|(name, value)| (name, value.to_str().unwrap()));
        let answer = Answer::new(status, lines, bytes);
        answer.judge(&body).unwrap();
        answers.push(Answered {
            status,
            headers: head.headers,
            body: answer.json().unwrap(),
        });
    }
    answers
}

/// A call whose `:authority` is the one of the URI, and which may have a `Host` line besides.
fn call(uri: &str, host: Option<&str>) -> (Request<()>, String) {
    call_of("hello", uri, host)
}

fn call_of(name: &str, uri: &str, host: Option<&str>) -> (Request<()>, String) {
    let mut request = Request::post(uri)
        .version(Version::HTTP_2)
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", name);
    if let Some(host) = host {
        request = request.header("host", host);
    }
    let body = requests::call(name, &json!({})).curious().body();
    (request.body(()).unwrap(), body)
}

/// A call without `:authority`: the client leaves it out of a relative target of HTTP/1.1 that it forwards.
fn call_without_authority(host: Option<&str>) -> (Request<()>, String) {
    let (mut request, body) = call("/mcp", host);
    *request.version_mut() = Version::HTTP_11;
    (request, body)
}

fn the_authority_is_the_host(adapter: &AnyAdapter) {
    let expected = [
        (call("http://localhost/mcp", None), 200),
        (call("http://localhost:3000/mcp", None), 200),
        (call("http://evil.example/mcp", None), 403),
        (call("http://localhost/mcp", Some("localhost")), 200),
        (
            call("http://localhost:3000/mcp", Some("localhost:3000")),
            200,
        ),
        (call("http://localhost/mcp", Some("evil.example")), 400),
        (call("http://evil.example/mcp", Some("localhost")), 400),
        (
            call("http://localhost:3000/mcp", Some("localhost:4000")),
            400,
        ),
        (call_without_authority(Some("localhost")), 200),
        (call_without_authority(Some("evil.example")), 403),
        (call_without_authority(None), 400),
    ];
    let (requests, statuses): (Vec<_>, Vec<u16>) = expected.into_iter().unzip();
    let shown: Vec<String> = requests
        .iter()
        .map(|(request, _)| format!("{} {:?}", request.uri(), request.headers().get("host")))
        .collect();
    let answers = exchange(adapter, requests);
    assert_eq!(answers.len(), statuses.len());
    for ((answer, status), shown) in answers.iter().zip(statuses).zip(shown) {
        assert_eq!(answer.status, status, "{shown}: {}", answer.body);
        if status == 200 {
            assert_eq!(answer.body["result"]["content"][0]["text"], "hello");
        } else {
            assert_eq!(answer.body["error"]["code"], -32600);
        }
    }
}

fn no_answer_has_a_connection_of_its_own_and_a_refusal_ends_no_other_stream(adapter: &AnyAdapter) {
    let (mut huge, _) = call("http://localhost/mcp", None);
    huge.headers_mut()
        .insert("content-length", (5 * 1024 * 1024).into());
    let answers = exchange(
        adapter,
        [
            call("http://evil.example/mcp", None),
            (huge, "{".to_owned()),
            call("http://localhost/mcp", None),
        ],
    );
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [403, 413, 200]);
    for answer in &answers {
        assert_eq!(answer.headers.get("connection"), None);
        assert_eq!(answer.headers["content-type"], "application/json");
    }
}

/// Not every host tells of a reset by itself; a quiet stream ends where its next piece cannot be written.
fn a_client_that_resets_a_stream_ends_its_call_by_the_next_sign_of_life(adapter: &AnyAdapter) {
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(20);
    let builder = holding(&Arc::new(Notify::new())).limits(limits);
    let (server, events) = Events::of(builder);
    let host = adapter.serve(server);
    runtime().block_on(async {
        let mut client = connect(&host).await;
        let (request, body) = call_of("hold", "http://localhost/mcp", None);
        let (response, mut sending) = client.send_request(request, false).unwrap();
        sending.send_data(Bytes::from(body), true).unwrap();
        let mut receiving = response.await.unwrap().into_body();
        receiving.data().await.unwrap().unwrap();
        sending.send_reset(Reason::CANCEL);
        // So that the reset is sent.
        for _ in 0..10 {
            yield_now().await;
        }
        // The connection lives while this thread waits.
        events.wait_for(1, "ToolCancelled");
        events.wait_for(1, "StreamClosed { cancelled: true");
    });
}
