//! What connections, clients and applications do to the adapter: the scenarios that every adapter runs.

mod support;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Request, State},
    http::{Extensions, HeaderValue},
    middleware::{Next, from_fn},
    response::Response,
    routing::{get, post},
};
use support::Axum;
use wymcp::{Head, Server};
use wymcp_testkit::{Application, Served, check_mounting, check_transport};

#[test]
fn axum_stands_whatever_connections_and_clients_do() {
    check_transport(&Axum::new());
}

#[test]
fn axum_mounts_a_server_among_the_routes_of_an_application() {
    check_mounting(&Axum::new());
}

/// What the application's own routes share.
#[derive(Clone)]
struct Greeting(&'static str);

/// What the middleware found.
#[derive(Clone)]
struct Visitor(String);

async fn middleware(mut request: Request, next: Next) -> Response {
    if let Some(name) = request.headers().get("x-visitor") {
        let visitor = Visitor(name.to_str().unwrap().to_owned());
        request.extensions_mut().insert(visitor);
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert(
        "access-control-allow-origin",
        HeaderValue::from_static("https://app.example"),
    );
    response
}

impl Application for Axum {
    fn serve_application(&self, endpoints: Vec<(&'static str, Server)>) -> Served {
        let mut app = Router::new()
            .route("/health", get(async || "ok"))
            .route(
                "/greet",
                get(async |State(Greeting(greeting)): State<Greeting>| greeting),
            )
            .route("/upload", post(async |body: Bytes| body.len().to_string()));
        for (path, server) in endpoints {
            let endpoint = wymcp_axum::endpoint(server);
            app = match path.matches('/').count() {
                1 => app.route_service(path, endpoint),
                _ => app.nest_service(path, endpoint),
            };
        }
        let app = app.with_state(Greeting("good day"));
        self.serve_app(
            app.layer(DefaultBodyLimit::max(10))
                .layer(from_fn(middleware)),
        )
    }

    fn visitor<'h>(head: &Head<'h>) -> Option<&'h str> {
        let Visitor(name) = head.data::<Extensions>()?.get()?;
        Some(name)
    }
}
