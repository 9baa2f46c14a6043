//! The Base64 form in which a header carries what its grammar cannot.
//!
//! A header mirrors a name or an argument as it is when it can; otherwise it carries `=?base64?`, the text's UTF-8 in
//! Base64, and `?=` (MCP 2026-07-28, Streamable HTTP). The markers have a case, and a text has exactly one encoding:
//! two spellings of one value would be two values to somebody between.

use std::{borrow::Cow, fmt};

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// Why a sentinel says nothing.
///
/// # Examples
///
/// ```
/// use wymcp_core::sentinel::{self, SentinelFault};
///
/// // Without its padding, `w6k=` is not canonical; `/w==` is the byte 0xFF.
/// assert_eq!(sentinel::decode("=?base64?w6k?="), Err(SentinelFault::Base64));
/// assert_eq!(sentinel::decode("=?base64?/w==?="), Err(SentinelFault::Utf8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SentinelFault {
    /// What stands between the markers is not canonical Base64.
    Base64,
    /// The bytes are not UTF-8.
    Utf8,
}

impl fmt::Display for SentinelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base64 => write!(
                f,
                "the text between =?base64? and ?= is not canonical Base64; send the standard alphabet, padded"
            ),
            Self::Utf8 => write!(
                f,
                "the Base64 between =?base64? and ?= does not hold UTF-8; encode the UTF-8 bytes of the text"
            ),
        }
    }
}

impl std::error::Error for SentinelFault {}

/// Reads a header's value: a sentinel is decoded, once; every other text is itself.
///
/// # Errors
///
/// A [`SentinelFault`] when the value has both markers and no text between them.
///
/// # Examples
///
/// ```
/// use wymcp_core::sentinel;
///
/// assert_eq!(sentinel::decode("=?base64?w6k=?=").unwrap(), "é");
/// assert_eq!(sentinel::decode("sum").unwrap(), "sum");
/// assert_eq!(sentinel::decode("=?BASE64?w6k=?=").unwrap(), "=?BASE64?w6k=?=");
/// assert!(sentinel::decode("=?base64?w6k?=").is_err());
/// ```
pub fn decode(value: &str) -> Result<Cow<'_, str>, SentinelFault> {
    if !is_sentinel(value) {
        return Ok(Cow::Borrowed(value));
    }
    // Without a payload the markers may share their question mark; such a value is no encoding of anything.
    let payload = value
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
        .ok_or(SentinelFault::Base64)?;
    let bytes = STANDARD
        .decode(payload)
        .map_err(|_| SentinelFault::Base64)?;
    let text = String::from_utf8(bytes).map_err(|_| SentinelFault::Utf8)?;
    Ok(Cow::Owned(text))
}

/// Writes a text as a header's value: as itself where that is safe, otherwise as a sentinel.
///
/// Safe is visible ASCII, spaces and tabs, without white space at its ends, which a header loses, and without the
/// looks of a sentinel.
///
/// # Examples
///
/// ```
/// use wymcp_core::sentinel;
///
/// assert_eq!(sentinel::encode("sum"), "sum");
/// assert_eq!(sentinel::encode("é"), "=?base64?w6k=?=");
/// assert_eq!(sentinel::encode("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
/// ```
pub fn encode(text: &str) -> Cow<'_, str> {
    let visible = text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let white = [' ', '\t'];
    if visible && !text.starts_with(white) && !text.ends_with(white) && !is_sentinel(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(text)))
}

fn is_sentinel(value: &str) -> bool {
    value.starts_with(PREFIX) && value.ends_with(SUFFIX)
}

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentinel_is_decoded_once() {
        for (value, text) in [
            ("=?base64?w6k=?=", "é"),
            ("=?base64??=", ""),
            ("=?base64?IGE=?=", " a"),
            ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="),
        ] {
            assert_eq!(decode(value).as_deref(), Ok(text), "{value}");
        }
    }

    #[test]
    fn a_value_without_both_markers_in_their_case_is_a_literal() {
        for value in [
            "",
            "a",
            "=?BASE64?w6k=?=",
            "=?Base64?w6k=?=",
            "=?base64?w6k=",
            "w6k=?=",
            " =?base64?w6k=?=",
            "=?base64?",
            "=?utf-8?B?w6k=?=",
        ] {
            assert!(
                matches!(decode(value), Ok(Cow::Borrowed(text)) if text == value),
                "{value}"
            );
        }
    }

    #[test]
    fn a_text_has_one_spelling_only() {
        for (value, fault) in [
            ("=?base64?w6k?=", SentinelFault::Base64),
            ("=?base64?w6l=?=", SentinelFault::Base64),
            ("=?base64?w6k==?=", SentinelFault::Base64),
            ("=?base64? w6k=?=", SentinelFault::Base64),
            ("=?base64?w6k=\t?=", SentinelFault::Base64),
            ("=?base64?_w==?=", SentinelFault::Base64),
            ("=?base64?literal?=", SentinelFault::Base64),
            ("=?base64?=", SentinelFault::Base64),
            ("=?base64?/w==?=", SentinelFault::Utf8),
        ] {
            assert_eq!(decode(value), Err(fault), "{value}");
        }
    }

    #[test]
    fn what_a_header_would_change_is_encoded() {
        for text in ["sum", "a b\tc", "", "=?base64?", "?=", "=?BASE64??="] {
            assert!(matches!(encode(text), Cow::Borrowed(_)), "{text}");
        }
        for text in [
            " a",
            "a\t",
            "é",
            "a\r\nX: y",
            "\u{7f}",
            "=?base64??=",
            "=?base64?=",
        ] {
            assert!(matches!(encode(text), Cow::Owned(_)), "{text}");
            assert_eq!(decode(&encode(text)).as_deref(), Ok(text));
        }
    }
}
