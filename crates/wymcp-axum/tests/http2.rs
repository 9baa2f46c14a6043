//! HTTP/2 without TLS, by prior knowledge: the host is `:authority`, and no answer has a connection of its own.

mod support;

use axum::{
    body::Bytes,
    http::{HeaderMap, Request, Version},
};
use serde_json::{Value, json};
use support::Axum;
use tokio::net::TcpStream;
use wymcp::{Context, NoArguments, Server, tool};
use wymcp_testkit::{Adapter as _, Answer, Served};

/// What came back.
struct Answered {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

/// Serves a server with one tool, and sends requests on one connection.
fn exchange(requests: impl IntoIterator<Item = (Request<()>, String)>) -> Vec<Answered> {
    let axum = Axum::new();
    let hello = tool("hello").run(async |_: NoArguments, _: Context| Ok("hello"));
    let served = axum.serve(Server::builder("two", "1.0.0").tool(hello).build().unwrap());
    let requests = requests.into_iter().collect();
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(send(&served, requests))
}

async fn send(served: &Served, requests: Vec<(Request<()>, String)>) -> Vec<Answered> {
    let stream = TcpStream::connect(served.address()).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
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
    let mut request = Request::post(uri)
        .version(Version::HTTP_2)
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "hello");
    if let Some(host) = host {
        request = request.header("host", host);
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "hello", "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    (request.body(()).unwrap(), body.to_string())
}

/// A call without `:authority`: the client leaves it out of a relative target of HTTP/1.1 that it forwards.
fn call_without_authority(host: Option<&str>) -> (Request<()>, String) {
    let (mut request, body) = call("/mcp", host);
    *request.version_mut() = Version::HTTP_11;
    (request, body)
}

#[test]
fn the_authority_is_the_host() {
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
    let answers = exchange(requests);
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

#[test]
fn no_answer_has_a_connection_of_its_own_and_a_refusal_ends_no_other_stream() {
    let (mut huge, _) = call("http://localhost/mcp", None);
    huge.headers_mut()
        .insert("content-length", (5 * 1024 * 1024).into());
    let answers = exchange([
        call("http://evil.example/mcp", None),
        (huge, "{".to_owned()),
        call("http://localhost/mcp", None),
    ]);
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [403, 413, 200]);
    for answer in &answers {
        assert_eq!(answer.headers.get("connection"), None);
        assert_eq!(answer.headers["content-type"], "application/json");
    }
}
