//! The strict reader accepts what serde_json accepts, within the limits and without duplicates, and says the same.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::Value;
use wymcp_core::{Limits, TextFault, read};

use crate::{
    generators::{body, json_value},
    naive::Naive,
    oracle::json_text,
};

fn limits(depth: usize, values: usize) -> Limits {
    let mut limits = Limits::default();
    (limits.depth, limits.values) = (depth, values);
    limits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_read_as_the_reference_reads_them(body in body(), depth in 1..8_usize, values in 1..30_usize) {
        let _ = json_text(&body, &Limits::default());
        let _ = json_text(&body, &limits(depth, values));
        let naive = Naive::read(&body);
        let value = serde_json::from_slice::<Value>(body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body));
        prop_assert_eq!(naive.is_some(), value.is_ok(), "the reference itself");
    }

    #[test]
    fn a_value_survives_the_way_there_and_back(value in json_value()) {
        let text = value.to_string();
        let document = read(text.as_bytes(), &Limits::default()).unwrap();
        prop_assert_eq!(&document.root.to_value(), &value);
        prop_assert_eq!(serde_json::to_string(&document.root).unwrap(), text);
    }

    #[test]
    fn the_limits_are_the_last_numbers_that_pass(value in json_value()) {
        let text = value.to_string().into_bytes();
        let naive = Naive::read(&text).unwrap();
        let (depth, values) = (naive.depth(), naive.values());
        prop_assert!(json_text(&text, &limits(depth, values)).is_ok());
        prop_assert_eq!(json_text(&text, &limits(depth, values - 1)), Err(TextFault::TooManyValues(values - 1)));
        if depth > 0 {
            prop_assert_eq!(json_text(&text, &limits(depth - 1, values)), Err(TextFault::TooDeep(depth - 1)));
        }
    }
}

#[test]
fn nesting_passes_at_the_limit_and_not_one_level_deeper() {
    let limits = Limits::default();
    for (open, close, inner) in [
        ("[", "]", ""),
        ("{\"a\":", "}", "1"),
        ("[{\"a\":", "}]", "1"),
    ] {
        let per_round = open.matches(['[', '{']).count();
        let nested =
            |rounds: usize| format!("{}{inner}{}", open.repeat(rounds), close.repeat(rounds));
        let rounds = limits.depth / per_round;
        assert_eq!(json_text(nested(rounds).as_bytes(), &limits), Ok(()));
        assert_eq!(
            json_text(nested(rounds + 1).as_bytes(), &limits),
            Err(TextFault::TooDeep(limits.depth))
        );
    }
}

#[test]
fn values_pass_at_the_limit_and_not_one_more() {
    let limits = Limits::default();
    let array = |items: usize| format!("[{}1]", "1,".repeat(items - 1));
    assert_eq!(
        json_text(array(limits.values - 1).as_bytes(), &limits),
        Ok(())
    );
    assert_eq!(
        json_text(array(limits.values).as_bytes(), &limits),
        Err(TextFault::TooManyValues(limits.values))
    );
}

#[test]
fn millions_of_open_brackets_are_refused_at_the_limit_at_once() {
    let limits = Limits::default();
    for open in ["[", "{\"a\":", "[{\"a\":", " \n["] {
        let text = open.repeat(2_000_000);
        let start = Instant::now();
        assert_eq!(
            read(text.as_bytes(), &limits).unwrap_err(),
            TextFault::TooDeep(limits.depth)
        );
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            start.elapsed()
        );
    }
}

#[test]
fn long_names_and_long_numbers_are_read_like_short_ones() {
    let limits = Limits::default();
    let digits = "1234567890".repeat(100_000);
    for text in [
        format!("{{\"{}\":1}}", "k".repeat(1 << 20)),
        format!("{{\"{}\":1}}", "\\u00e9".repeat(100_000)),
        format!("0.{digits}"),
        format!("1.{digits}e-5"),
        format!("1e-{digits}"),
        format!("0.{}1e1000000", "0".repeat(999_999)),
    ] {
        assert_eq!(
            json_text(text.as_bytes(), &limits),
            Ok(()),
            "{}",
            &text[..20]
        );
    }
    for text in [
        digits.clone(),
        format!("1e{digits}"),
        format!("-{digits}.{digits}"),
    ] {
        assert!(
            matches!(
                json_text(text.as_bytes(), &limits),
                Err(TextFault::Malformed(_))
            ),
            "{}",
            &text[..20]
        );
    }
}

#[test]
fn what_json_does_not_know_is_malformed() {
    let utf16: Vec<u8> = "{\"id\":1}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let texts: [&[u8]; 19] = [
        b"",
        b" \n",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBF\xEF\xBB\xBF1",
        b"1\xEF\xBB\xBF",
        b"{} {}",
        b"{}{}",
        b"{}\0",
        b"{\"unused\":\"\\ud800\"}",
        b"{\"\\udc00\":1}",
        b"\"\\ud800\\ud800\"",
        b"\"a\nb\"",
        b"\"\xC3\"",
        b"\"\xED\xA0\x80\"",
        b"1e400",
        b"NaN",
        b"[1,]",
        b"{\"a\":1,}",
        &utf16,
    ];
    for text in texts {
        let verdict = json_text(text, &Limits::default());
        assert!(
            matches!(verdict, Err(TextFault::Malformed(_))),
            "{}",
            text.escape_ascii()
        );
    }
    assert_eq!(json_text(b"\xEF\xBB\xBF{}", &Limits::default()), Ok(()));
}
