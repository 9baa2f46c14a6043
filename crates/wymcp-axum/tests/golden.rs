//! Every golden case through axum, over real sockets.

mod support;

use support::Axum;
use wymcp_testkit::{check_adapter, check_parity};

#[test]
fn axum_answers_every_case_as_the_core_does() {
    check_adapter(&Axum::new());
}

#[test]
fn axum_is_no_looser_than_the_table_says() {
    let page = include_str!("../../../docs/adapters.md");
    check_parity(&Axum::new(), page, "axum");
}
