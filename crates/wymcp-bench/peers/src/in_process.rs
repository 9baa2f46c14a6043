//! What one call costs without sockets and HTTP parsing.

use std::convert::Infallible;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use tower_service::Service;

use crate::call::Call;

/// How many calls one figure is the mean of.
const CALLS: u32 = 5_000;

/// Calls a service, reads its whole answers, and gives the nanoseconds of one call; making the request is not counted.
///
/// # Errors
///
/// An answer that is not the right one.
pub async fn service<S, B>(service: &mut S) -> Result<f64, Box<dyn Error>>
where
    S: Service<Request, Response = Response<B>, Error = Infallible>,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let call = Call::sum();
    let body = Bytes::copy_from_slice(call.body().as_bytes());
    let request = || {
        let mut request = Request::post("/mcp").header("host", "127.0.0.1:3000");
        for (name, value) in call.headers() {
            request = request.header(name, value);
        }
        let request = request.header("content-length", body.len());
        request.body(Body::from(body.clone()))
    };
    let mut calling = 0.0;
    for warm in [true, false] {
        let begun = Instant::now();
        for _ in 0..CALLS {
            let answer = match service.call(request()?).await {
                Ok(answer) => answer,
                Err(never) => match never {},
            };
            let answer = to_bytes(Body::new(answer.into_body()), usize::MAX).await?;
            if warm {
                call.check(&answer)?;
            }
        }
        calling = nanoseconds(begun);
    }
    let begun = Instant::now();
    for _ in 0..CALLS {
        drop(black_box(request()?));
    }
    Ok(calling - nanoseconds(begun))
}

/// The nanoseconds of one run of `turn`.
pub fn turn(turn: impl Fn()) -> f64 {
    let mut figure = 0.0;
    for _ in 0..2 {
        let begun = Instant::now();
        (0..CALLS).for_each(|_| turn());
        figure = nanoseconds(begun);
    }
    figure
}

fn nanoseconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}
