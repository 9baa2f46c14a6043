//! A text as what a header carries, and as what it is to be carried in.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use wymcp_core::sentinel::{decode, encode};

pub(crate) fn sentinel(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    check_text(&text);
    check_value(&text);
    check_value(&format!("=?base64?{text}?="));
}

/// That a header carries this text.
pub(crate) fn check_text(text: &str) {
    let value = encode(text);
    assert_eq!(decode(&value).as_deref(), Ok(text));
    let is_readable = |byte| matches!(byte, b'\t' | b' '..=b'~');
    assert!(value.bytes().all(is_readable), "{value:?}");
    assert_eq!(value.trim_matches([' ', '\t']), value);
}

/// That this value is itself, or the one encoding of what it says, or nothing.
pub(crate) fn check_value(value: &str) {
    match decode(value) {
        Ok(Cow::Borrowed(text)) => assert_eq!(text, value),
        Ok(Cow::Owned(text)) => {
            assert_eq!(format!("=?base64?{}?=", STANDARD.encode(&text)), value);
        }
        Err(_) => assert!(
            value.starts_with("=?base64?") && value.ends_with("?="),
            "{value}"
        ),
    }
}
