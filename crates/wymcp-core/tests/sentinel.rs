//! A header carries every text, and each text has one encoding.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use proptest::prelude::*;
use wymcp_core::sentinel::{decode, encode};

proptest! {
    #[test]
    fn every_text_comes_back(text in any::<String>()) {
        let value = encode(&text);
        prop_assert_eq!(decode(&value).unwrap(), text.as_str());
    }

    #[test]
    fn an_encoding_survives_a_header(text in "[ -~\té\u{0}-\u{1f}]{0,12}|=\\?base64\\?.{0,6}\\?=") {
        let value = encode(&text);
        prop_assert!(value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')));
        prop_assert_eq!(value.trim_matches([' ', '\t']), &value);
    }

    #[test]
    fn only_the_canonical_encoding_of_a_text_is_decoded(payload in "[A-Za-z0-9+/=_ -]{0,12}") {
        let value = format!("=?base64?{payload}?=");
        if let Ok(text) = decode(&value) {
            prop_assert!(matches!(text, Cow::Owned(_)));
            prop_assert_eq!(STANDARD.encode(text.as_bytes()), payload);
        }
    }

    #[test]
    fn a_value_is_itself_or_an_encoding(value in "(=\\?base64\\?|=\\?BASE64\\?)?[A-Za-z0-9+/=]{0,8}(\\?=|=)?") {
        match decode(&value) {
            Ok(Cow::Borrowed(text)) => {
                prop_assert_eq!(text, value.as_str());
                prop_assert_eq!(encode(text), value.as_str());
            }
            Ok(Cow::Owned(text)) => {
                prop_assert_eq!(format!("=?base64?{}?=", STANDARD.encode(text.as_bytes())), value.as_str());
            }
            Err(_) => prop_assert!(value.starts_with("=?base64?") && value.ends_with("?=")),
        }
    }
}
