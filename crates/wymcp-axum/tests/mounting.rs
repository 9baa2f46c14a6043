//! The endpoint as a part of an application that has routes, state and layers of its own.

mod support;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Request, State},
    http::HeaderValue,
    middleware::{Next, from_fn},
    response::Response,
    routing::{get, post},
};
use serde_json::{Value, json};
use support::Axum;
use wymcp::{Context, Server, tool};
use wymcp_testkit::{Adapter as _, Answer, Connection, Served};

fn server() -> Server {
    let echo = tool("echo").run_with_schema(
        json!({"type": "object"}),
        async |arguments: Value, _: Context| {
            Ok(arguments["msg"].as_str().unwrap_or_default().len())
        },
    );
    Server::builder("mounted", "1.0.0")
        .tool(echo)
        .build()
        .unwrap()
}

/// What the application's own routes share.
#[derive(Clone)]
struct Greeting(&'static str);

/// An application with two routes of its own, one of them with state.
fn routes() -> Router<Greeting> {
    Router::new()
        .route("/health", get(async || "ok"))
        .route(
            "/greet",
            get(async |State(Greeting(greeting)): State<Greeting>| greeting),
        )
        .route("/upload", post(async |body: Bytes| body.len().to_string()))
}

async fn shared(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(
        "access-control-allow-origin",
        HeaderValue::from_static("https://app.example"),
    );
    response
}

fn ask(served: &Served, request: impl AsRef<[u8]>) -> Answer {
    let mut connection = Connection::open(served.address()).unwrap();
    connection.send(request).unwrap();
    connection.receive().unwrap().expect("an answer")
}

fn fetch(served: &Served, path: &str) -> (u16, String) {
    let answer = ask(
        served,
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    );
    (answer.status, String::from_utf8(answer.body).unwrap())
}

fn upload(served: &Served, body: &str) -> Answer {
    ask(
        served,
        format!(
            "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    )
}

/// A call of the echo tool at a path.
fn call(served: &Served, path: &str, msg: &str) -> Answer {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "echo", "arguments": {"msg": msg}, "_meta": meta});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    ask(
        served,
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    )
}

fn echoed(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200);
    answer.json().unwrap()["result"]["content"][0]["text"].clone()
}

#[test]
fn a_route_of_its_own_stands_beside_routes_with_state() {
    let axum = Axum::new();
    let app = routes()
        .route_service("/mcp", wymcp_axum::endpoint(server()))
        .with_state(Greeting("good day"));
    let served = axum.serve_app(app);
    assert_eq!(echoed(&call(&served, "/mcp", "four")), "4");
    assert_eq!(fetch(&served, "/health"), (200, "ok".to_owned()));
    assert_eq!(fetch(&served, "/greet"), (200, "good day".to_owned()));
    assert_eq!(fetch(&served, "/mcp").0, 405);
    assert_eq!(fetch(&served, "/other").0, 404);
}

#[test]
fn nested_it_answers_at_the_prefix_and_leaves_the_rest_to_the_application() {
    let axum = Axum::new();
    let app = routes()
        .route("/api/version", get(async || "1"))
        .nest_service("/api/mcp", wymcp_axum::endpoint(server()))
        .with_state(Greeting("good day"));
    let served = axum.serve_app(app);
    assert_eq!(echoed(&call(&served, "/api/mcp", "four")), "4");
    assert_eq!(fetch(&served, "/api/version"), (200, "1".to_owned()));
    assert_eq!(fetch(&served, "/greet"), (200, "good day".to_owned()));
    assert_eq!(fetch(&served, "/api/mcp").0, 405);
    assert_eq!(call(&served, "/mcp", "four").status, 404);
}

#[test]
fn two_servers_in_one_application_answer_for_themselves() {
    let axum = Axum::new();
    let empty = Server::builder("empty", "1.0.0").build().unwrap();
    let app = Router::new()
        .route_service("/mcp", wymcp_axum::endpoint(server()))
        .route_service("/empty", wymcp_axum::endpoint(empty));
    let served = axum.serve_app(app);
    assert_eq!(echoed(&call(&served, "/mcp", "four")), "4");
    assert_eq!(call(&served, "/empty", "four").status, 404);
}

#[test]
fn a_body_limit_of_the_application_holds_for_its_own_routes_alone() {
    let axum = Axum::new();
    let app = routes()
        .route_service("/mcp", wymcp_axum::endpoint(server()))
        .with_state(Greeting(""))
        .layer(DefaultBodyLimit::max(10));
    let served = axum.serve_app(app);
    let length = 300 * 1024;
    assert_eq!(
        echoed(&call(&served, "/mcp", &"x".repeat(length))),
        length.to_string()
    );
    assert_eq!(upload(&served, "ten bytes!").body, b"10");
    assert_eq!(upload(&served, "eleven bytes").status, 413);
}

#[test]
fn a_layer_of_the_application_sees_answers_and_refusals() {
    let axum = Axum::new();
    let app = routes()
        .route_service("/mcp", wymcp_axum::endpoint(server()))
        .with_state(Greeting(""))
        .layer(from_fn(shared));
    let served = axum.serve_app(app);
    let answer = call(&served, "/mcp", "four");
    assert_eq!(echoed(&answer), "4");
    let refusal = ask(
        &served,
        "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}",
    );
    assert_eq!(
        (refusal.status, refusal.header("connection")),
        (403, Some("close"))
    );
    for answer in [answer, refusal, upload(&served, "x")] {
        assert_eq!(
            answer.header("access-control-allow-origin"),
            Some("https://app.example")
        );
    }
}

#[test]
fn clones_of_one_server_answer_alike() {
    let axum = Axum::new();
    let server = server();
    let (one, other) = (axum.serve(server.clone()), axum.serve(server));
    for served in [&one, &other] {
        assert_eq!(echoed(&call(served, "/mcp", "four")), "4");
    }
}
