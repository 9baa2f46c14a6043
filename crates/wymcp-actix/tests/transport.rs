//! What connections, clients and applications do to the adapter: the scenarios that every adapter runs, and what only
//! actix-web does.

mod support;

use std::{
    thread,
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpMessage as _,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue},
    middleware::{Next, from_fn},
    web::{self, Bytes, Data, PayloadConfig},
};
use support::{Actix, Host};
use wymcp::{Changes, Context, Head, NoArguments, Server, tool};
use wymcp_actix::{endpoint, endpoint_with_extension};
use wymcp_testkit::{
    Application, Case, Connection, Served, check_mounting, check_transport, fixture,
};

#[test]
fn actix_stands_whatever_connections_and_clients_do() {
    check_transport(&Actix);
}

#[test]
fn actix_mounts_a_server_among_the_routes_of_an_application() {
    check_mounting(&Actix);
}

#[test]
fn a_body_that_breaks_off_is_not_answered_where_half_closed_connections_are_kept() {
    let host = Host::start(true, |app| {
        app.route("/mcp", endpoint(fixture::server("modern")));
    });
    let cases = Case::all().into_iter();
    let broken_off: Vec<_> = cases.filter(|case| case.answer.is_none()).collect();
    assert!(!broken_off.is_empty());
    for case in broken_off {
        let mut connection = Connection::open(host.address).unwrap();
        let answer = connection.exchange(&case.request).unwrap();
        assert_eq!(answer, None, "{}", case.name);
    }
}

#[test]
fn a_host_that_stops_gracefully_waits_for_the_streams_that_the_server_ends() {
    let hello = tool("hello").run(async |_: NoArguments, _: Context| Ok("hello"));
    let changing = Server::builder("changing", "1.0.0").changes(Changes::new());
    let server = changing.tool(hello).build().unwrap();
    let mounted = server.clone();
    let mut host = Host::start(false, move |app| {
        app.route("/mcp", endpoint(mounted.clone()));
    });
    let cases = Case::all();
    let listen = cases.iter().find(|case| case.name == "listen/tools");
    let mut connection = Connection::open(host.address).unwrap();
    connection
        .open_stream(listen.unwrap().request.to_bytes())
        .unwrap();
    let acknowledged = connection.next_chunk().unwrap().unwrap();
    assert!(String::from_utf8_lossy(&acknowledged).contains("acknowledged"));

    let began = Instant::now();
    let stopping = thread::spawn(move || host.stop(true));
    server.shutdown(Duration::from_secs(5));
    let last = connection.next_chunk().unwrap().unwrap();
    assert!(String::from_utf8_lossy(&last).contains("\"resultType\":\"complete\""));
    assert_eq!(connection.next_chunk().unwrap(), None);
    stopping.join().unwrap();
    // Else actix-web would wait for half a minute.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// What the application's own routes share.
struct Greeting(&'static str);

/// What the middleware found.
#[derive(Clone)]
struct Visitor(String);

async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    if let Some(name) = request.headers().get("x-visitor") {
        let visitor = Visitor(name.to_str().unwrap().to_owned());
        request.extensions_mut().insert(visitor);
    }
    let mut response = next.call(request).await?;
    response.headers_mut().insert(
        ACCESS_CONTROL_ALLOW_ORIGIN,
        HeaderValue::from_static("https://app.example"),
    );
    Ok(response)
}

impl Application for Actix {
    fn serve_application(&self, endpoints: Vec<(&'static str, Server)>) -> Served {
        let host = Host::start(false, move |app| {
            let mut routes = web::scope("")
                .app_data(Data::new(Greeting("good day")))
                .app_data(PayloadConfig::new(10))
                .route("/health", web::get().to(async || "ok"))
                .route(
                    "/greet",
                    web::get().to(async |greeting: Data<Greeting>| greeting.0),
                )
                .route(
                    "/upload",
                    web::post().to(async |body: Bytes| body.len().to_string()),
                );
            for (path, server) in &endpoints {
                let endpoint = endpoint_with_extension::<Visitor>(server.clone());
                routes = match path.rsplit_once('/') {
                    Some(("", _)) | None => routes.route(path, endpoint),
                    Some((scope, _)) => {
                        let rest = &path[scope.len()..];
                        routes.service(web::scope(scope).route(rest, endpoint))
                    }
                };
            }
            app.service(routes.wrap(from_fn(middleware)));
        });
        Served::new(host.address, host)
    }

    fn visitor<'h>(head: &Head<'h>) -> Option<&'h str> {
        let Visitor(name) = head.data()?;
        Some(name)
    }
}
