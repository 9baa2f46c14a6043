//! A header carries every text, and each text has one encoding.

use proptest::prelude::*;

use crate::fuzzed::sentinel::{check_text, check_value};

proptest! {
    #[test]
    fn every_text_comes_back(text in any::<String>()) {
        check_text(&text);
    }

    #[test]
    fn an_encoding_survives_a_header(text in "[ -~\té\u{0}-\u{1f}]{0,12}|=\\?base64\\?.{0,6}\\?=") {
        check_text(&text);
    }

    #[test]
    fn only_the_canonical_encoding_of_a_text_is_decoded(payload in "[A-Za-z0-9+/=_ -]{0,12}") {
        check_value(&format!("=?base64?{payload}?="));
    }

    #[test]
    fn a_value_is_itself_or_an_encoding(value in "(=\\?base64\\?|=\\?BASE64\\?)?[A-Za-z0-9+/=]{0,8}(\\?=|=)?") {
        check_value(&value);
    }
}
