//! Every golden case through axum, over real sockets.

mod support;

use support::Axum;
use wymcp_testkit::check_adapter;

#[test]
fn axum_answers_every_case_as_the_core_does() {
    check_adapter(&Axum::new());
}
