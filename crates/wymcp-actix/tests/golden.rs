//! Every golden case through actix-web, over real sockets.

mod support;

use support::Actix;
use wymcp_testkit::check_adapter;

#[test]
fn actix_answers_every_case_as_the_core_does() {
    check_adapter(&Actix);
}
