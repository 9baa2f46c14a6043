//! Any head and any bytes have exactly one answer, and it is a row of the table.

use proptest::prelude::*;
use wymcp_core::RejectionReason;

use crate::{
    generators::{Request, request, valid_call},
    oracle::{answer, refusal},
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_request_has_exactly_one_answer_of_the_table(request in request()) {
        answer(&request.head(), &request.body);
    }
}

#[test]
fn the_oracle_sees_calls_refusals_and_acceptances() {
    let mut message = valid_call();
    let request = Request::of(&message);
    let reply = answer(&request.head(), &request.body);
    assert_eq!((reply.status.as_u16(), refusal(&reply)), (200, None));

    let reply = answer(&request.head(), b"{");
    assert_eq!(
        (reply.status.as_u16(), refusal(&reply)),
        (400, Some(RejectionReason::MalformedJson))
    );

    message.as_object_mut().unwrap().remove("id");
    let reply = answer(&request.head(), message.to_string().as_bytes());
    assert_eq!((reply.status.as_u16(), refusal(&reply)), (202, None));
}
