//! Every golden case through actix-web, over real sockets.

mod support;

use support::Actix;
use wymcp_testkit::{check_adapter, check_parity};

#[test]
fn actix_answers_every_case_as_the_core_does() {
    check_adapter(&Actix);
}

#[test]
fn actix_is_no_looser_than_the_table_says() {
    let page = include_str!("../../../docs/adapters.md");
    check_parity(&Actix, page, "actix-web");
}
