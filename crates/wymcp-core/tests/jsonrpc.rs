//! The codec sorts messages by their members, and what it encodes, it decodes to the same.

use proptest::prelude::*;
use serde_json::{Value, json};
use wymcp_core::{
    Limits, TextFault,
    jsonrpc::{
        DecodeError, MessageFault, MessageType, decode, encode_error_response, encode_notification,
        encode_request, encode_response, error, id, is_valid_notification, is_valid_request,
        is_valid_response, message_type, method, params, result,
    },
};

#[test]
fn a_message_is_sorted_by_its_members_alone() {
    let names = ["error", "result", "method", "id", "jsonrpc"];
    for set in 0..1 << names.len() {
        let has = |name: &str| {
            let at = names.iter().position(|known| *known == name).unwrap();
            set >> at & 1 == 1
        };
        let members = names.iter().filter(|name| has(name));
        let message: Value = members
            .map(|name| ((*name).to_owned(), Value::Null))
            .collect();
        let expected = match (has("error"), has("result"), has("method"), has("id")) {
            (true, _, _, true) => Some(MessageType::ErrorResponse),
            (false, true, _, true) => Some(MessageType::Response),
            (false, false, true, true) => Some(MessageType::Request),
            (_, _, true, false) => Some(MessageType::Notification),
            _ => None,
        };
        assert_eq!(message_type(&message), expected, "{message}");
    }
    for other in [
        json!(null),
        json!([{"method": "a"}]),
        json!("method"),
        json!(1),
    ] {
        assert_eq!(message_type(&other), None, "{other}");
    }
}

#[test]
fn nesting_is_bounded_below_the_tokenizers_own_bound() {
    // The message itself is the first level.
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels - 1), "]".repeat(levels - 1));
        format!(r#"{{"method":"a","params":{{"a":{open}{close}}}}}"#)
    };
    assert!(decode(nested(Limits::MAX_DEPTH - 1)).is_ok());
    for levels in [Limits::MAX_DEPTH, 127, 128, 129, 100_000] {
        let refused = decode(nested(levels)).unwrap_err();
        let is_too_deep = matches!(refused, DecodeError::ParseError(TextFault::TooDeep { .. }));
        assert!(is_too_deep, "{levels} levels: {refused:?}");
    }
}

#[test]
fn two_readers_cannot_see_two_messages() {
    for text in [
        r#"{"id":1,"id":2,"method":"a"}"#,
        r#"{"id":1,"method":"a","m\u0065thod":"b"}"#,
        r#"{"id":1,"result":{"a":[{"b":1,"b":1}]}}"#,
    ] {
        let refused = decode(text).unwrap_err();
        assert!(
            matches!(
                refused,
                DecodeError::InvalidMessage(MessageFault::DuplicateMember(_))
            ),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_json_text_is_a_parse_error() {
    for text in [
        &b""[..],
        b"{",
        b"{} {}",
        b"\xFF",
        b"{\"id\":1e400}",
        b"\"\\ud800\"",
    ] {
        assert!(
            matches!(decode(text), Err(DecodeError::ParseError(_))),
            "{text:?}"
        );
    }
    let deep = "[".repeat(1_000_000);
    assert!(matches!(
        decode(deep),
        Err(DecodeError::ParseError(TextFault::TooDeep(
            Limits::MAX_DEPTH
        )))
    ));
}

#[test]
fn a_valid_message_has_the_version_and_members_of_the_right_types() {
    let request = |id, params| json!({"jsonrpc": "2.0", "id": id, "method": "a", "params": params});
    for (id, params, valid) in [
        (json!(1), json!({}), true),
        (json!("1"), json!([1]), true),
        (json!(1.0), json!({}), true),
        (json!(null), json!({}), false),
        (json!(1.5), json!({}), false),
        (json!([1]), json!({}), false),
        (json!(1), json!(null), false),
        (json!(1), json!("a"), false),
    ] {
        let message = request(id, params);
        assert_eq!(is_valid_request(&message), valid, "{message}");
    }
    for message in [
        json!({"jsonrpc": "1.0", "id": 1, "method": "a"}),
        json!({"jsonrpc": 2.0, "id": 1, "method": "a"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": 1}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "a", "result": 1}),
        json!({"jsonrpc": "2.0", "method": "a"}),
    ] {
        assert!(!is_valid_request(&message), "{message}");
    }
    assert!(!is_valid_notification(
        &json!({"jsonrpc": "2.0", "method": "a", "params": 1})
    ));
    assert!(!is_valid_notification(&json!({"method": "a"})));
}

#[test]
fn a_valid_answer_has_either_a_result_or_an_error_object() {
    let error = json!({"code": -32700, "message": "Parse error"});
    for (message, valid) in [
        (json!({"jsonrpc": "2.0", "id": "a", "result": {}}), true),
        (json!({"jsonrpc": "2.0", "id": null, "error": error}), true),
        (json!({"jsonrpc": "2.0", "id": null, "result": {}}), false),
        (
            json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": error}),
            false,
        ),
        (json!({"jsonrpc": "2.0", "error": error}), false),
        (json!({"id": 1, "result": {}}), false),
        (
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1.5, "message": "a"}}),
            false,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}),
            false,
        ),
        (json!([]), false),
    ] {
        assert_eq!(is_valid_response(&message), valid, "{message}");
    }
}

#[test]
fn absent_and_null_params_and_data_are_left_out() {
    let null = Value::Null;
    assert_eq!(
        encode_notification("a", Some(&null)),
        encode_notification("a", None)
    );
    assert_eq!(
        encode_error_response(null, -32700, "Parse error", Some(&json!({"at": 1}))),
        r#"{"error":{"code":-32700,"data":{"at":1},"message":"Parse error"},"id":null,"jsonrpc":"2.0"}"#
    );
}

fn request_id() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<String>().prop_map(Value::from),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e300..1e300).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

fn structure() -> impl Strategy<Value = Option<Value>> {
    prop::option::of(value().prop_map(|value| json!({ "value": value })))
}

proptest! {
    #[test]
    fn calls_come_back(call in request_id(), name in any::<String>(), given in structure()) {
        let text = encode_request(call.clone(), &name, given.as_ref());
        let (kind, message) = decode(&text).unwrap();
        prop_assert_eq!(kind, MessageType::Request);
        prop_assert!(is_valid_request(&message));
        prop_assert_eq!(id(&message), Some(&call));
        prop_assert_eq!(method(&message), Some(name.as_str()));
        prop_assert_eq!(params(&message), given.as_ref());

        let text = encode_notification(&name, given.as_ref());
        let (kind, message) = decode(&text).unwrap();
        prop_assert_eq!(kind, MessageType::Notification);
        prop_assert!(is_valid_notification(&message));
        prop_assert_eq!(method(&message), Some(name.as_str()));
        prop_assert_eq!(params(&message), given.as_ref());
    }

    #[test]
    fn answers_come_back(call in request_id(), given in value(), code in any::<i32>(), text in any::<String>()) {
        let (kind, message) = decode(encode_response(call.clone(), &given)).unwrap();
        prop_assert_eq!(kind, MessageType::Response);
        prop_assert!(is_valid_response(&message));
        prop_assert_eq!(id(&message), Some(&call));
        prop_assert_eq!(result(&message), Some(&given));

        let (kind, message) = decode(encode_error_response(call, code, &text, Some(&given))).unwrap();
        prop_assert_eq!(kind, MessageType::ErrorResponse);
        prop_assert!(is_valid_response(&message));
        let expected = match given {
            Value::Null => json!({"code": code, "message": text}),
            data => json!({"code": code, "message": text, "data": data}),
        };
        prop_assert_eq!(error(&message), Some(&expected));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = decode(bytes);
    }
}
