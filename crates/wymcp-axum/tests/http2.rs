//! HTTP/2 without TLS.

mod support;

use support::Axum;
use wymcp_testkit::check_http2;

#[test]
fn axum_answers_over_http_2() {
    check_http2(&Axum::new());
}
