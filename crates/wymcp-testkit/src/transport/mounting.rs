//! An endpoint as a part of an application that has routes, state and middleware of its own.

use serde_json::{Value, json};
use wymcp::{
    Authenticate, Challenge, Context, Decision, Head, NoArguments, Principal, Server, tool,
};

use super::{
    Scenario,
    requests::{answered, call, connect, echoing},
    run_all, scenarios,
};
use crate::{Adapter, Answer, Served};

/// An adapter under test, in the middle of an application of its framework.
pub trait Application: Adapter {
    /// Serves an application that has each of these servers under its path, a path of two segments nested as the
    /// framework nests, and besides:
    ///
    /// - `GET /health`, which answers `ok`;
    /// - `GET /greet`, which answers the state of the application, `good day`;
    /// - `POST /upload`, which answers how many bytes came, under a body limit of the framework's of 10 bytes that holds
    ///   for the whole application;
    /// - a middleware around all of it, which adds `access-control-allow-origin: https://app.example` to each answer,
    ///   and puts the value of the header `x-visitor` into the extensions of the request.
    fn serve_application(&self, endpoints: Vec<(&'static str, Server)>) -> Served;

    /// Reads in an authenticator what the middleware found in `x-visitor`.
    fn visitor<'h>(head: &Head<'h>) -> Option<&'h str>;
}

/// Runs every scenario of an application around an endpoint: routes, state, nesting, limits, middleware.
///
/// # Panics
///
/// When a scenario fails, after all have run: the text lists every one.
///
/// # Examples
///
/// ```no_run
/// use wymcp::{Head, Server};
/// use wymcp_testkit::{Adapter, Application, Served, check_mounting};
///
/// struct MyAdapter;
///
/// # impl Adapter for MyAdapter {
/// #     fn serve(&self, _: Server) -> Served { todo!() }
/// # }
/// impl Application for MyAdapter {
///     fn serve_application(&self, endpoints: Vec<(&'static str, Server)>) -> Served {
///         my_application(endpoints)
///     }
///
///     fn visitor<'h>(head: &Head<'h>) -> Option<&'h str> {
///         head.data::<Visitor>().map(|Visitor(name)| name.as_str())
///     }
/// }
///
/// /// What the middleware puts into the extensions.
/// struct Visitor(String);
///
/// /// Serves the application at a free port.
/// fn my_application(_: Vec<(&'static str, Server)>) -> Served {
///     todo!()
/// }
///
/// check_mounting(&MyAdapter);
/// ```
pub fn check_mounting<A: Application + Sync>(adapter: &A) {
    let scenarios: &[Scenario<A>] = each_scenario!(scenarios);
    run_all(adapter, scenarios);
}

/// Hands the scenarios to another macro: their functions are generic, their names are not.
macro_rules! each_scenario {
    ($macro:ident) => {
        $macro![
            an_endpoint_stands_beside_routes_with_state,
            nested_it_answers_at_its_path_and_leaves_the_rest_to_the_application,
            two_servers_in_one_application_answer_for_themselves,
            clones_of_one_server_answer_alike,
            a_body_limit_of_the_application_holds_for_its_own_routes_alone,
            a_middleware_of_the_application_sees_answers_and_refusals,
            an_authenticator_reads_what_a_middleware_found,
        ]
    };
}
use each_scenario;

macro_rules! names {
    ($($name:ident),* $(,)?) => { &[$(stringify!($name)),*] };
}

pub(super) const NAMES: &[&str] = each_scenario!(names);

fn server() -> Server {
    echoing().build().unwrap()
}

#[track_caller]
fn ask(host: &Served, request: impl AsRef<[u8]>) -> Answer {
    let mut connection = connect(host);
    connection.send(request).unwrap();
    answered(&mut connection)
}

#[track_caller]
fn fetch(host: &Served, path: &str) -> (u16, String) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answer = ask(host, request);
    (answer.status, String::from_utf8(answer.body).unwrap())
}

#[track_caller]
fn upload(host: &Served, body: &str) -> Answer {
    let length = body.len();
    let head = "POST /upload HTTP/1.1\r\nHost: localhost\r\n";
    ask(
        host,
        format!("{head}Content-Length: {length}\r\n\r\n{body}"),
    )
}

/// A call of the echo tool at a path.
#[track_caller]
fn echo_at(host: &Served, path: &'static str, text: &str) -> Answer {
    let request = call("echo", &json!({"text": text})).path(path);
    ask(host, request.to_bytes())
}

fn text(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200);
    answer.json().unwrap()["result"]["content"][0]["text"].clone()
}

fn an_endpoint_stands_beside_routes_with_state(adapter: &impl Application) {
    let host = adapter.serve_application(vec![("/mcp", server())]);
    assert_eq!(text(&echo_at(&host, "/mcp", "four")), "4", "a call at /mcp");
    assert_eq!(
        fetch(&host, "/health"),
        (200, "ok".to_owned()),
        "GET /health"
    );
    assert_eq!(
        fetch(&host, "/greet"),
        (200, "good day".to_owned()),
        "GET /greet"
    );
    // It is a GET, and of no session.
    assert_eq!(fetch(&host, "/mcp").0, 400, "GET /mcp");
    assert_eq!(fetch(&host, "/other").0, 404, "GET /other");
}

fn nested_it_answers_at_its_path_and_leaves_the_rest_to_the_application(
    adapter: &impl Application,
) {
    let host = adapter.serve_application(vec![("/api/mcp", server())]);
    assert_eq!(
        text(&echo_at(&host, "/api/mcp", "four")),
        "4",
        "a call at /api/mcp"
    );
    assert_eq!(
        fetch(&host, "/greet"),
        (200, "good day".to_owned()),
        "GET /greet"
    );
    assert_eq!(fetch(&host, "/api/mcp").0, 400, "GET /api/mcp");
    assert_eq!(fetch(&host, "/api/other").0, 404, "GET /api/other");
    assert_eq!(echo_at(&host, "/mcp", "four").status, 404, "a call at /mcp");
}

fn two_servers_in_one_application_answer_for_themselves(adapter: &impl Application) {
    let empty = Server::builder("empty", "1.0.0").build().unwrap();
    let host = adapter.serve_application(vec![("/mcp", server()), ("/empty", empty)]);
    assert_eq!(text(&echo_at(&host, "/mcp", "four")), "4", "a call at /mcp");
    assert_eq!(
        echo_at(&host, "/empty", "four").status,
        404,
        "a call at /empty"
    );
}

fn clones_of_one_server_answer_alike(adapter: &impl Application) {
    let server = server();
    let one =
        adapter.serve_application(vec![("/mcp", server.clone()), ("/api/mcp", server.clone())]);
    let other = adapter.serve(server);
    for (host, path) in [(&one, "/mcp"), (&one, "/api/mcp"), (&other, "/mcp")] {
        assert_eq!(text(&echo_at(host, path, "four")), "4", "a call at {path}");
    }
}

fn a_body_limit_of_the_application_holds_for_its_own_routes_alone(adapter: &impl Application) {
    let host = adapter.serve_application(vec![("/mcp", server())]);
    let length = 300 * 1024;
    let answer = echo_at(&host, "/mcp", &"x".repeat(length));
    assert_eq!(
        text(&answer),
        length.to_string(),
        "a call with more than the application's limit"
    );
    assert_eq!(
        upload(&host, "ten bytes!").body,
        b"10",
        "POST /upload of ten bytes"
    );
    assert_eq!(
        upload(&host, "eleven bytes").status,
        413,
        "POST /upload of more"
    );
}

fn a_middleware_of_the_application_sees_answers_and_refusals(adapter: &impl Application) {
    let host = adapter.serve_application(vec![("/mcp", server())]);
    let answer = echo_at(&host, "/mcp", "four");
    assert_eq!(text(&answer), "4");
    let refusal = ask(
        &host,
        "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}",
    );
    let said = (refusal.status, refusal.header("connection"));
    assert_eq!(
        said,
        (403, Some("close")),
        "status and `connection` of the refusal"
    );
    for answer in [answer, refusal, upload(&host, "x")] {
        let shared = answer.header("access-control-allow-origin");
        assert_eq!(
            shared,
            Some("https://app.example"),
            "what the middleware adds to {answer}"
        );
    }
}

/// Asks the application who it is.
struct ByVisitor(fn(&Head<'_>) -> Option<String>);

impl Authenticate for ByVisitor {
    async fn authenticate(&self, head: &Head<'_>) -> Decision {
        match (self.0)(head) {
            Some(name) => Decision::Granted(Principal::named(name)),
            None => Decision::refused("no visitor"),
        }
    }
}

fn an_authenticator_reads_what_a_middleware_found<A: Application>(adapter: &A) {
    let whoami = tool("whoami").run(async |_: NoArguments, context: Context| {
        Ok(context.principal().name().unwrap_or("nobody").to_owned())
    });
    let by_visitor = ByVisitor(|head| A::visitor(head).map(str::to_owned));
    let server = Server::builder("known", "1.0.0")
        .tool(whoami)
        .authenticate(by_visitor, Challenge::bearer())
        .build();
    let host = adapter.serve_application(vec![("/mcp", server.unwrap())]);
    let asked = || call("whoami", &json!({}));
    let answer = ask(&host, asked().header("x-visitor", "alice").to_bytes());
    assert_eq!(
        text(&answer),
        "alice",
        "whom the middleware found in x-visitor"
    );
    assert_eq!(ask(&host, asked().to_bytes()).status, 401);
}
