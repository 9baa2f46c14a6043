//! What a client can read.

use super::media::{MediaType, Value, WHITE};
use crate::{head::Head, rejection::Rejection};

impl Head<'_> {
    /// Whether the client can read a media type, by its `Accept` (RFC 9110, section 12.5.1): the most specific range
    /// decides, and one without the header takes everything.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Head;
    ///
    /// let headers = [("accept", "*/*, text/event-stream;q=0")];
    /// let head = Head::new("POST", &headers);
    /// assert!(head.accepts("application", "json") && !head.accepts("text", "event-stream"));
    /// ```
    pub fn accepts(&self, type_: &str, subtype: &str) -> bool {
        accepts(self, type_, subtype)
    }
}

/// Refuses a client that cannot read JSON, in which every answer and every refusal is written.
pub(crate) fn check(head: &Head<'_>) -> Result<(), Rejection> {
    let accept = &head.known.accept;
    if accept.first == Some(USUAL.as_bytes()) && accept.more.is_empty() {
        return Ok(());
    }
    if accepts(head, "application", "json") {
        Ok(())
    } else {
        Err(Rejection::NotAcceptable)
    }
}

/// Refuses a client that asks for a stream and cannot read one.
pub(crate) fn check_stream(head: &Head<'_>) -> Result<(), Rejection> {
    if accepts(head, "text", "event-stream") {
        Ok(())
    } else {
        Err(Rejection::NotStreamable)
    }
}

/// Whether `Accept` admits a media type (RFC 9110, section 12.5.1).
///
/// The lines are one list of ranges, of which the most specific that matches decides, and among equals the kindest;
/// a weight of zero excludes. Parameters other than the weight are not compared: no type of ours has any. Ranges that
/// are unreadable are skipped, yet they are no silence: only a list of nothing admits everything.
pub(crate) fn accepts(head: &Head<'_>, type_: &str, subtype: &str) -> bool {
    let mut silent = true;
    let mut decisive = None;
    for element in head.known.accept.iter().flat_map(elements) {
        let Ok(element) = std::str::from_utf8(element) else {
            silent = false;
            continue;
        };
        let element = element.trim_matches(WHITE);
        if element.is_empty() {
            continue;
        }
        silent = false;
        if let Some(range) = Range::parse(element) {
            let verdict = range
                .specificity(type_, subtype)
                .map(|specificity| (specificity, range.wanted));
            decisive = decisive.max(verdict);
        }
    }
    silent || matches!(decisive, Some((_, true)))
}

/// What clients of MCP send.
const USUAL: &str = "application/json, text/event-stream";

/// Splits a line at its commas, except those in quotes. Quotes that nothing closes run to the end of their line.
fn elements(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut quoted, mut escaped) = (false, false);
    line.split(move |&byte| {
        let separates = byte == b',' && !quoted;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => {}
        }
        separates
    })
}

/// One range of the list.
struct Range<'t> {
    media: MediaType<'t>,
    wanted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Specificity {
    Everything,
    Type,
    Subtype,
}

impl<'t> Range<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let (media, parameters) = MediaType::parse(text)?;
        let mut weight = None;
        for parameter in parameters {
            let parameter = parameter?;
            if parameter.name.eq_ignore_ascii_case("q") {
                let Value::Token(text) = parameter.value else {
                    return None;
                };
                if weight.replace(parse_weight(text)?).is_some() {
                    return None;
                }
            }
        }
        let wanted = weight.unwrap_or(true);
        Some(Self { media, wanted })
    }

    /// How closely the range names a media type, if it does.
    fn specificity(&self, type_: &str, subtype: &str) -> Option<Specificity> {
        if self.media.is(type_, subtype) {
            Some(Specificity::Subtype)
        } else if self.media.is(type_, "*") {
            Some(Specificity::Type)
        } else if self.media.is("*", "*") {
            Some(Specificity::Everything)
        } else {
            None
        }
    }
}

/// Whether a weight is over zero; none if it is no weight: at most one, with at most three digits after the point.
fn parse_weight(text: &str) -> Option<bool> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let readable = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let zero = fraction.bytes().all(|byte| byte == b'0');
    match whole {
        "0" if readable => Some(!zero),
        "1" if readable && zero => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(lines: &[&[u8]]) -> (bool, bool) {
        let headers: Vec<(&str, &[u8])> = lines.iter().map(|line| ("Accept", *line)).collect();
        let head = Head::new("POST", &headers);
        let json = accepts(&head, "application", "json");
        assert_eq!(check(&head).is_ok(), json);
        (json, accepts(&head, "text", "event-stream"))
    }

    #[test]
    fn json_and_event_streams_are_admitted_by_the_most_specific_range() {
        for (accept, json, stream) in [
            ("application/json, text/event-stream", true, true),
            ("application/json", true, false),
            ("text/event-stream", false, true),
            ("*/*", true, true),
            ("", true, true),
            (" , ,", true, true),
            ("APPLICATION/Json,TEXT/*", true, true),
            ("application/jsonx, text/event-streamy", false, false),
            ("application/json, text/event-stream;q=0", true, false),
            ("text/event-stream;q=0, */*", true, false),
            ("*/*;q=0, application/json", true, false),
            ("application/*;q=0, */*", false, true),
            ("application/*, application/json;q=0.000, */*", false, true),
            ("application/json;q=0", false, false),
            ("application/json;q=0.001", true, false),
            ("application/json;Q=0", false, false),
            ("application/json;q=1.000;a=b", true, false),
            ("application/json; charset=utf-8", true, false),
            ("application/json;v=2;q=0, application/json", true, false),
            (
                "text/html;level=\"a, application/json;q=0\", */*;q=0.1",
                true,
                true,
            ),
            (
                "text/html;level=\"\\\", text/event-stream, \"",
                false,
                false,
            ),
            ("text/html", false, false),
            ("*/json, */event-stream", false, false),
        ] {
            assert_eq!(verdicts(&[accept.as_bytes()]), (json, stream), "{accept}");
        }
        assert_eq!(verdicts(&[]), (true, true));
    }

    #[test]
    fn unreadable_ranges_are_skipped_and_a_value_with_none_readable_excludes_all() {
        for accept in [
            "application",
            "application/json;q=2",
            "application/json;q=1.001",
            "application/json;q=0.5555",
            "application/json;q=.5",
            "application/json;q=-1",
            "application/json;q=\"1\"",
            "application/json;q=1;q=1",
            "application/json;q",
            "application/json text/event-stream",
            "application/json;a=\"",
            "*",
        ] {
            assert_eq!(verdicts(&[accept.as_bytes()]), (false, false), "{accept}");
            let mixed = format!("application/json, {accept}");
            assert_eq!(verdicts(&[mixed.as_bytes()]), (true, false), "{mixed}");
        }
        assert_eq!(verdicts(&[b"\xE9"]), (false, false));
        assert_eq!(verdicts(&[b"text/\xE9, application/json"]), (true, false));
    }

    #[test]
    fn several_lines_are_one_list() {
        assert_eq!(
            verdicts(&[b"application/json", b"text/event-stream"]),
            (true, true)
        );
        assert_eq!(
            verdicts(&[b"*/*", b"", b"application/json;q=0"]),
            (false, true)
        );
        assert_eq!(verdicts(&[b"", b""]), (true, true));
        assert_eq!(verdicts(&[b"", b"text/html"]), (false, false));
        assert_eq!(
            verdicts(&[b"text/html;a=\"", b"application/json"]),
            (true, false)
        );
    }
}
