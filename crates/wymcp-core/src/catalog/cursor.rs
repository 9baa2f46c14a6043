//! Positions in a list, opaque to clients.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// A position between the items of a list: the number of the registration at which the next page starts.
///
/// It counts registrations and not what a page showed, so that it means the same place when items were added and removed
/// since, and on any replica that did the same. The list's name is part of it, so that no list opens another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) registered: u64,
}

impl Cursor {
    /// Reads a cursor of the named list; `None` when it is none.
    pub(crate) fn open(list: &str, text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (named, digits) = std::str::from_utf8(&bytes).ok()?.split_once(':')?;
        let registered = digits.parse().ok()?;
        let cursor = Self { registered };
        // One spelling for each position: what seals to another text was not sealed here.
        (named == list && cursor.seal(list) == text).then_some(cursor)
    }

    /// The text that a client sends back.
    pub(crate) fn seal(self, list: &str) -> String {
        URL_SAFE_NO_PAD.encode(format!("{list}:{}", self.registered))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_opens_in_its_own_list_and_in_one_spelling_only() {
        let cursor = Cursor { registered: 7 };
        let sealed = cursor.seal("tools/list");
        assert_eq!(Cursor::open("tools/list", &sealed), Some(cursor));
        assert_eq!(Cursor::open("prompts/list", &sealed), None);
        for other in [
            "",
            "7",
            "tools/list:7",
            &URL_SAFE_NO_PAD.encode("tools/list:+7"),
            &format!("{sealed}="),
        ] {
            assert_eq!(Cursor::open("tools/list", other), None, "{other}");
        }
    }
}
