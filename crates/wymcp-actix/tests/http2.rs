//! HTTP/2 without TLS.

mod support;

use support::Actix;
use wymcp_testkit::check_http2;

#[test]
fn actix_answers_over_http_2() {
    check_http2(&Actix);
}
