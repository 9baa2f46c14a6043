//! What connections, clients and applications do to the adapter: the scenarios that every adapter runs, and what only
//! actix-web does.

mod support;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
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
    Adapter as _, Answer, Application, Case, Connection, Served, check_mounting, check_transport,
    fixture,
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

/// Such a request, with all that may be in it besides.
fn asking_for_another_protocol(case: &str) -> Vec<u8> {
    let cases = Case::all();
    let case = cases.iter().find(|it| it.name == case).unwrap();
    let request = String::from_utf8(case.request.to_bytes()).unwrap();
    let upgrade = "Connection: Upgrade\r\nUpgrade: WebSocket\r\nHost: ";
    request.replacen("Host: ", upgrade, 1).into_bytes()
}

#[test]
fn a_request_for_another_protocol_is_answered_and_is_the_last_of_its_connection() {
    let served = Actix.serve(fixture::server("modern"));
    let request = asking_for_another_protocol("discover/bare");
    // What comes behind it is not taken for a part of it, nor answered.
    for behind in [&b""[..], &request] {
        let mut connection = Connection::open(served.address()).unwrap();
        connection.send([&request[..], behind].concat()).unwrap();
        let answer = connection.receive().unwrap().unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("connection"), Some("close"));
        assert!(connection.is_ended());
    }
}

#[test]
fn a_stream_for_a_request_for_another_protocol_is_as_its_head_says() {
    let served = Actix.serve(fixture::server("modern-streams"));
    let request = asking_for_another_protocol("streams/progress");
    // It ends with its connection, so it is read to there.
    let mut connection = TcpStream::connect(served.address()).unwrap();
    connection.write_all(&request).unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("connection: close"), "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    assert!(body.contains("notifications/progress"), "{body}");
    let events = [("content-type", "text/event-stream")];
    let answer = Answer::new(200, events, body.as_bytes().to_vec());
    let sent = std::str::from_utf8(&request).unwrap();
    let (_, sent) = sent.split_once("\r\n\r\n").unwrap();
    answer.judge(sent.as_bytes()).unwrap();
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
