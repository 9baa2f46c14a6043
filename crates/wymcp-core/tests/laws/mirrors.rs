//! A call whose headers mirror its body passes; with one header changed it is refused, or the change means nothing.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use proptest::{prelude::*, sample::Index};
use serde_json::{Map, Value, json};
use wymcp_core::{RejectionReason, sentinel};

use crate::{
    fuzzed::mirror::{check_changed, consistent, mirrored},
    generators::{Request, call, line, unicode},
    oracle::{answer, refusal},
};

#[derive(Clone, Debug)]
enum Change {
    Flip(Index, u8),
    Set(Index, u8),
    Drop,
    Double(Option<String>),
    Case,
    White(Index, &'static str),
    Surround,
    Respell,
    /// The text's own bytes, which no header may carry.
    Raw,
    Add(String),
}

fn change() -> impl Strategy<Value = Change> {
    let white = proptest::sample::select(&[" ", "\t", "  "][..]);
    prop_oneof![
        3 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, 1 << bit)),
        3 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        1 => Just(Change::Drop),
        1 => proptest::option::of(unicode()).prop_map(Change::Double),
        1 => Just(Change::Case),
        1 => (any::<Index>(), white).prop_map(|(at, white)| Change::White(at, white)),
        1 => Just(Change::Surround),
        2 => Just(Change::Respell),
        1 => Just(Change::Raw),
        1 => unicode().prop_map(Change::Add),
    ]
}

impl Change {
    /// Changes one header; its name keeps its place.
    fn apply(&self, headers: &mut Vec<(String, Vec<u8>)>, name: &str) {
        let Some(at) = headers.iter().position(|(header, _)| header == name) else {
            if let Self::Add(value) = self {
                headers.push(line(name, value));
            }
            return;
        };
        let value = &mut headers[at].1;
        match self {
            Self::Flip(index, bits) if !value.is_empty() => *index.get_mut(value) ^= bits,
            Self::Set(index, byte) if !value.is_empty() => *index.get_mut(value) = *byte,
            Self::Flip(..) | Self::Set(..) | Self::Add(_) => {}
            Self::Drop => drop(headers.remove(at)),
            Self::Double(other) => {
                let second = other
                    .clone()
                    .map_or_else(|| value.clone(), String::into_bytes);
                headers.push((name.to_ascii_uppercase(), second));
            }
            Self::Case => {
                let upper = value.to_ascii_uppercase();
                *value = if upper == *value {
                    value.to_ascii_lowercase()
                } else {
                    upper
                };
            }
            Self::White(index, white) => {
                let at = index.index(value.len() + 1);
                value.splice(at..at, white.bytes());
            }
            Self::Surround => *value = [b" \t", &**value, b" "].concat(),
            Self::Raw => {
                let text = std::str::from_utf8(value)
                    .ok()
                    .and_then(|text| sentinel::decode(text).ok());
                if let Some(text) = text.map(Cow::into_owned) {
                    *value = text.into_bytes();
                }
            }
            // As a sentinel where none was needed; digits as a double.
            Self::Respell => {
                *value = match std::str::from_utf8(value) {
                    Ok(text) if text.parse::<i64>().is_ok() => format!("{text}.0").into_bytes(),
                    _ => format!("=?base64?{}?=", STANDARD.encode(&*value)).into_bytes(),
                }
            }
        }
    }
}

/// An argument of one kind, or none: a schema may refuse null.
fn argument(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Option<Value>> {
    prop_oneof![4 => value.prop_map(Some), 1 => Just(Some(Value::Null)), 1 => Just(None)].boxed()
}

/// Arguments of the tool `mirrored`.
fn arguments() -> impl Strategy<Value = Value> {
    let like_sentinels = proptest::sample::select(
        &[
            "=?BASE64?eA==?=",
            "=?base64?eA==",
            "eA==?=",
            "=?base64?eA==?=",
        ][..],
    );
    let text = move || {
        let text = prop_oneof![5 => unicode(), 1 => like_sentinels.clone().prop_map(str::to_owned)];
        argument(text.prop_map(Value::from))
    };
    let integer = prop_oneof![
        -100..100_i64,
        -9_007_199_254_740_991..=9_007_199_254_740_991_i64
    ];
    let flag = any::<bool>().prop_map(Value::from);
    (
        text(),
        argument(integer.prop_map(Value::from)),
        argument(flag),
        text(),
    )
        .prop_map(|(region, count, dry, city)| {
            let mut arguments = Map::new();
            let mut place = Map::new();
            arguments.extend(region.map(|it| ("region".to_owned(), it)));
            arguments.extend(count.map(|it| ("count".to_owned(), it)));
            arguments.extend(dry.map(|it| ("dry".to_owned(), it)));
            place.extend(city.map(|it| ("city".to_owned(), it)));
            arguments.insert("place".to_owned(), place.into());
            arguments.into()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn one_changed_header_is_refused_or_means_the_same(
        arguments in arguments(),
        header in any::<Index>(),
        change in change(),
    ) {
        let mirrored = mirrored(&arguments);
        let mut request = consistent(arguments, &mirrored);
        let (name, what) = header.get(&mirrored);
        change.apply(&mut request.headers, name);
        check_changed(&request, name, what);
    }
}

#[test]
fn headers_that_no_schema_declares_are_ignored() {
    let mut request = Request::of(&call(7.into(), "mirrored", json!({})));
    request.headers.extend([
        line("Mcp-Param-Other", "x"),
        line("mcp-param-other", "y"),
        line("Mcp-Session-Id", "x"),
    ]);
    assert_eq!(refusal(&answer(&request.head(), &request.body)), None);
}

#[test]
fn an_integer_is_spelled_as_json_spells_it() {
    let encoded = |text: &str| format!("=?base64?{}?=", STANDARD.encode(text));
    let mut same = vec![
        "42".to_owned(),
        "42.0".to_owned(),
        "4.2e1".to_owned(),
        "420E-1".to_owned(),
    ];
    same.push(encoded("42"));
    let mut other = vec![
        "042", "+42", "0x2a", "4_2", "42.", "42.5", "-42", "4 2", "", "true",
    ];
    other.extend(["\u{664}\u{662}", "NaN", "1e400"]);
    let mut other: Vec<String> = other.into_iter().map(str::to_owned).collect();
    other.extend([" 42", "42 ", "\t42", "42\n"].map(encoded));
    for (values, expected) in [(same, None), (other, Some(RejectionReason::HeaderMismatch))] {
        for value in values {
            let mut request = Request::of(&call(7.into(), "mirrored", json!({"count": 42})));
            request.headers.push(line("Mcp-Param-Count", &value));
            assert_eq!(
                refusal(&answer(&request.head(), &request.body)),
                expected,
                "{value}"
            );
        }
    }
}

#[test]
fn what_the_schema_refuses_must_be_mirrored_all_the_same() {
    let mismatch = Some(RejectionReason::HeaderMismatch);
    for (argument, other_value) in [
        // A number is compared, whether or not it is an integer.
        (json!(1.5), mismatch),
        (json!(9_007_199_254_740_992_i64), mismatch),
        // No header can mirror these, so the schema alone answers.
        (json!([]), None),
        (json!({"a": 1}), None),
    ] {
        let usual = Request::of(&call(7.into(), "mirrored", json!({"count": argument})));
        let mirror = argument.to_string();
        for (values, expected) in [
            (&[&*mirror][..], None),
            (&["x"][..], other_value),
            (&[][..], mismatch),
            (&["x", "x"][..], mismatch),
            (&["=?base64?x?="][..], mismatch),
            (&["\u{e9}"][..], mismatch),
        ] {
            let mut request = usual.clone();
            request
                .headers
                .extend(values.iter().map(|value| line("Mcp-Param-Count", value)));
            let refused = refusal(&answer(&request.head(), &request.body));
            assert_eq!(refused, expected, "{argument} {values:?}");
        }
    }
}

#[test]
fn a_text_that_only_looks_like_a_sentinel_mirrors_itself() {
    for text in ["=?BASE64?eA==?=", "=?base64?eA==", "eA==?="] {
        let mut request = Request::of(&call(7.into(), "mirrored", json!({"region": text})));
        request.headers.push(line("Mcp-Param-Region", text));
        assert_eq!(
            refusal(&answer(&request.head(), &request.body)),
            None,
            "{text}"
        );
    }
}
