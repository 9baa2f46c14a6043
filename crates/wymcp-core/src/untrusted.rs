//! Peer text, shown so that it can do no harm.

use std::fmt::{self, Write as _};

use crate::limits::Limits;

/// Text that a peer sent, on its way into a message, an event or a log.
///
/// Displays as one line: control, bidirectional and other invisible characters are escaped, a backslash is doubled
/// so that escapes stay readable, nothing shows as `(empty)`, and everything after [`Limits::SHOWN_CHARS`] characters
/// is cut and marked with `…`. Comparison and dispatch never use this form.
///
/// # Examples
///
/// ```
/// use wymcp_core::Untrusted;
///
/// let shown = Untrusted::new("sum\r\n[ERROR] forged\u{202e}").to_string();
/// assert_eq!(shown, r"sum\r\n[ERROR] forged\u{202e}");
/// ```
#[derive(Clone, Copy)]
pub struct Untrusted<'a>(&'a [u8]);

impl<'a> Untrusted<'a> {
    /// Wraps text of a peer.
    pub fn new(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    /// Wraps bytes of a peer that need not be UTF-8; bytes that are not show as `\x` and two digits.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Untrusted;
    ///
    /// assert_eq!(Untrusted::bytes(b"caf\xE9").to_string(), r"caf\xE9");
    /// assert_eq!(Untrusted::bytes("café".as_bytes()).to_string(), "café");
    /// ```
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The text, if it is shown as it is.
    fn plain(self) -> Option<&'a str> {
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
        let fits = self.0.len() <= Limits::SHOWN_CHARS && self.0.iter().all(is_plain);
        std::str::from_utf8(self.0).ok().filter(|_| fits)
    }
}

impl fmt::Display for Untrusted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("(empty)");
        }
        // Nearly everything that is shown is short and plain, and goes out in one piece.
        if let Some(text) = self.plain() {
            return f.write_str(text);
        }
        let mut left = Limits::SHOWN_CHARS;
        for chunk in self.0.utf8_chunks() {
            for char in chunk.valid().chars() {
                if left == 0 {
                    return f.write_char('…');
                }
                left = left.saturating_sub(1);
                show(char, f)?;
            }
            for byte in chunk.invalid() {
                if left == 0 {
                    return f.write_char('…');
                }
                left = left.saturating_sub(1);
                write!(f, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Untrusted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Untrusted({self})")
    }
}

/// Whether a text of the application is one line that shows something.
pub(crate) fn is_line(text: &str) -> bool {
    let breaks = |char: char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
    // What is escaped when it is shown is blank, or nearly so.
    let is_seen = |char: char| !char.is_whitespace() && char.escape_debug().count() == 1;
    !text.contains(breaks) && text.contains(is_seen)
}

/// Quotes are no danger in a line of text; everything else that `Debug` escapes may be.
fn show(char: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match char {
        '\\' => f.write_str(r"\\"),
        ' '..='~' => f.write_char(char),
        // Letters and symbols by their category, and blank to the eye.
        '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' => {
            write!(f, "{}", char.escape_unicode())
        }
        _ => write!(f, "{}", char.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_and_line_ends_are_shown_as_text() {
        let shown = Untrusted::new("a\u{1b}[2J\nb\u{85}\u{2028}\u{200f}").to_string();
        assert_eq!(shown, r"a\u{1b}[2J\nb\u{85}\u{2028}\u{200f}");
    }

    #[test]
    fn what_looks_like_nothing_is_shown() {
        for char in
            "\u{115f}\u{1160}\u{200b}\u{2060}\u{2800}\u{3164}\u{feff}\u{ffa0}\u{e0041}".chars()
        {
            let text = char.to_string();
            assert_eq!(
                Untrusted::new(&text).to_string(),
                char.escape_unicode().to_string()
            );
        }
    }

    #[test]
    fn a_line_shows_something_and_does_not_break() {
        for line in ["a", " a ", "👨\u{200d}👩", "\u{202e}a"] {
            assert!(is_line(line), "{line:?}");
        }
        for other in [
            "",
            " ",
            "a\nb",
            "a\u{b}",
            "a\u{85}b",
            "a\u{2028}",
            "\u{200b}",
            "\u{feff} ",
        ] {
            assert!(!is_line(other), "{other:?}");
        }
    }

    #[test]
    fn a_long_text_is_clipped_by_characters() {
        let exact = "é".repeat(Limits::SHOWN_CHARS);
        assert_eq!(Untrusted::new(&exact).to_string(), exact);
        let longer = format!("{exact}é");
        assert_eq!(Untrusted::new(&longer).to_string(), format!("{exact}…"));
    }

    #[test]
    fn bytes_that_are_not_text_are_shown_in_hexadecimal() {
        assert_eq!(Untrusted::bytes(b"caf\xE9").to_string(), r"caf\xE9");
    }
}
