//! Values to bytes, as every answer of this crate is written.

use std::{fmt, io};

use serde::Serialize;
use serde_json::{
    ser::{CompactFormatter, Formatter, Serializer},
    value::RawValue,
};

/// Compact JSON in which U+2028 and U+2029 are escapes: some readers of event streams and of script take them for
/// line ends.
struct Wire;

/// The first two bytes of both separators; the third tells them apart.
const SEPARATOR: [u8; 2] = [0xE2, 0x80];

impl Formatter for Wire {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // The byte is rare in most languages' text, so the scan is nearly all the work.
        if !fragment.as_bytes().contains(&0xE2) {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut rest = fragment.as_bytes();
        while let Some(at) = rest.windows(3).position(|bytes| {
            bytes.starts_with(&SEPARATOR) && (bytes.ends_with(&[0xA8]) || bytes.ends_with(&[0xA9]))
        }) {
            let (before, from) = rest.split_at(at);
            writer.write_all(before)?;
            let (separator, after) = from.split_at(3);
            writer.write_all(if separator.ends_with(&[0xA8]) {
                b"\\u2028"
            } else {
                b"\\u2029"
            })?;
            rest = after;
        }
        writer.write_all(rest)
    }
}

/// Why a value has no encoding within its bound.
#[derive(Debug)]
pub(crate) enum BoundedFault {
    /// Longer than the bound.
    TooLong(usize),
    /// Not encodable at all.
    Unencodable(String),
}

impl fmt::Display for BoundedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(it) => write!(f, "longer than {it} bytes"),
            Self::Unencodable(it) => it.fmt(f),
        }
    }
}

impl std::error::Error for BoundedFault {}

/// Room for most answers, so that they are written without growing.
const FEW: usize = 256;

/// Encodes a value.
pub(crate) fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FEW);
    // Only foreign Serialize implementations fail, and those go through `to_bytes_within`.
    if value
        .serialize(&mut Serializer::with_formatter(&mut bytes, Wire))
        .is_err()
    {
        bytes.clear();
    }
    bytes
}

/// Encodes a value once, to be sent many times.
pub(crate) fn to_raw(value: &impl Serialize) -> Box<RawValue> {
    let text = String::from_utf8(to_bytes(value)).unwrap_or_default();
    RawValue::from_string(text).unwrap_or_default()
}

/// Encodes a value of the application, giving up at the bound.
///
/// # Errors
///
/// When the encoding passes the bound, or when the value's own `Serialize` fails.
pub(crate) fn to_bytes_within(
    value: &(impl Serialize + ?Sized),
    bound: usize,
) -> Result<Vec<u8>, BoundedFault> {
    let mut bytes = Bounded {
        bytes: Vec::with_capacity(FEW),
        bound,
        passed: false,
    };
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, Wire)) {
        Ok(()) => Ok(bytes.bytes),
        Err(_) if bytes.passed => Err(BoundedFault::TooLong(bound)),
        Err(fault) => Err(BoundedFault::Unencodable(fault.to_string())),
    }
}

struct Bounded {
    bytes: Vec<u8>,
    bound: usize,
    passed: bool,
}

impl io::Write for Bounded {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.write_all(data).map(|()| data.len())
    }

    // The serializer writes through this alone, a token at a time: the loop of the default costs more than the bytes.
    fn write_all(&mut self, data: &[u8]) -> io::Result<()> {
        if self.bytes.len().saturating_add(data.len()) > self.bound {
            self.passed = true;
            return Err(io::Error::other("bound passed"));
        }
        self.bytes.extend_from_slice(data);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_separators_are_escapes_and_nothing_else_changes() {
        let text = "a\u{2028}b\u{2029}\u{20ac}\u{2027}\"\n\u{2028}";
        let bytes = to_bytes(&text);
        assert_eq!(
            bytes,
            "\"a\\u2028b\\u2029\u{20ac}\u{2027}\\\"\\n\\u2028\"".as_bytes()
        );
        assert_eq!(serde_json::from_slice::<String>(&bytes).unwrap(), text);
    }

    #[test]
    fn the_bound_is_the_last_length_that_passes() {
        assert!(to_bytes_within("123", 5).is_ok());
        assert!(matches!(
            to_bytes_within("1234", 5),
            Err(BoundedFault::TooLong(5))
        ));
    }
}
