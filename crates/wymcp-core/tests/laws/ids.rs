//! An accepted id comes back JSON-equal, and no other id ever does.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Value, json};
use wymcp_core::RejectionReason;

use crate::{
    generators::{Request, call, unicode},
    naive::Naive,
    oracle::{answer, refusal},
};

/// 2^53 - 1.
const EDGE: i64 = 9_007_199_254_740_991;

/// Sends an id, as it is spelled, through an accepted call and through a refusal; the oracle checks its echo.
fn check(spelling: &str) {
    let id = Naive::read(spelling.as_bytes()).expect("an id is JSON");
    for (tool, reason) in [("sum", None), ("none", Some(RejectionReason::UnknownTool))] {
        let message = call(json!("ID"), tool, json!({"a": 1, "b": 2}));
        let mut request = Request::of(&message);
        request.body = message
            .to_string()
            .replacen("\"ID\"", spelling, 1)
            .into_bytes();
        let reply = answer(&request.head(), &request.body);
        let expected = if id.is_request_id() {
            reason
        } else {
            Some(RejectionReason::InvalidId)
        };
        assert_eq!(refusal(&reply), expected, "{spelling}");
    }
}

#[test]
fn integers_are_ids_up_to_the_edge_of_what_doubles_hold() {
    for center in [
        0,
        EDGE,
        -EDGE,
        i64::from(i32::MAX),
        i64::MAX - 3,
        i64::MIN + 3,
    ] {
        for offset in -3..=3 {
            let integer = center + offset;
            assert_eq!(
                Naive::Number(integer.into()).is_request_id(),
                (-EDGE..=EDGE).contains(&integer)
            );
            for spelling in [
                format!("{integer}"),
                format!("{integer}.0"),
                format!("{integer}e0"),
            ] {
                check(&spelling);
            }
        }
    }
    for spelling in [
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "1e20",
        "1e-400",
        "-0",
        "-0.0",
    ] {
        check(spelling);
    }
}

#[test]
fn other_values_are_no_ids() {
    for spelling in [
        "null",
        "true",
        "false",
        "{}",
        "[]",
        "[1]",
        "{\"id\":1}",
        "1.5",
        "0.1",
        "5e-324",
    ] {
        check(spelling);
    }
}

#[test]
fn an_integer_and_its_text_stay_distinct() {
    for (id, echo) in [
        ("1", "1"),
        ("\"1\"", "\"1\""),
        ("9007199254740991", "9007199254740991"),
    ] {
        let message = call(json!("ID"), "sum", json!({"a": 1, "b": 2}));
        let request = Request::of(&message);
        let body = message.to_string().replacen("\"ID\"", id, 1);
        let reply = answer(&request.head(), body.as_bytes());
        let text = String::from_utf8(reply.body).unwrap();
        assert!(
            text.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{echo},"result":"#)),
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn every_text_is_an_id_and_comes_back(text in unicode()) {
        check(&Value::from(&*text).to_string());
        // Every character as an escape.
        let mut escaped = String::new();
        for unit in text.encode_utf16() {
            let _ = write!(escaped, "\\u{unit:04X}");
        }
        check(&format!("\"{escaped}\""));
    }

    #[test]
    fn every_integer_within_the_range_comes_back(id in -EDGE..=EDGE, zeros in 0..3_usize) {
        check(&id.to_string());
        check(&format!("{id}.{}", "0".repeat(zeros + 1)));
    }

    #[test]
    fn every_double_is_an_id_when_it_is_a_safe_integer(double in proptest::num::f64::NORMAL, scale in 0..60_u32) {
        check(&Value::from(double).to_string());
        let near = (double.rem_euclid(2.0) * 2_f64.powi(scale.cast_signed())).trunc();
        check(&Value::from(near).to_string());
    }
}
