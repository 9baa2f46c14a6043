//! What connections, clients and applications do to the adapter: the scenarios that every adapter runs.

mod support;

use actix_web::{
    Error, HttpMessage as _,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue},
    middleware::{Next, from_fn},
    web::{self, Bytes, Data, PayloadConfig},
};
use support::Actix;
use wymcp::{Head, Server};
use wymcp_actix::endpoint_with_extension;
use wymcp_testkit::{Application, Served, check_mounting, check_transport};

#[test]
fn actix_stands_whatever_connections_and_clients_do() {
    check_transport(&Actix);
}

#[test]
fn actix_mounts_a_server_among_the_routes_of_an_application() {
    check_mounting(&Actix);
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
        Self::serve_app(move |app| {
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
        })
    }

    fn visitor<'h>(head: &Head<'h>) -> Option<&'h str> {
        let Visitor(name) = head.data()?;
        Some(name)
    }
}
