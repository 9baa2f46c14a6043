//! The lines of `Accept`.

use wymcp_core::Head;

/// What stands in the place of a quoted string.
const QUOTED: &str = "\u{1}";

pub(crate) fn accept(bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    check_lines(&lines);
}

/// Whether JSON and event streams are accepted, which is as a naive reader reads it.
pub(crate) fn check_lines(lines: &[&[u8]]) -> (bool, bool) {
    let headers: Vec<(&str, &[u8])> = lines.iter().map(|line| ("Accept", *line)).collect();
    let head = Head::new("POST", &headers);
    // No quoted string goes on in another line.
    let list: Vec<String> = lines.iter().map(|line| without_quotes(line)).collect();
    let list = list.join(",");
    let verdict = |type_: &str, subtype: &str| {
        let accepts = head.accepts(type_, subtype);
        assert_eq!(
            accepts,
            naive(&list, type_, subtype),
            "{type_}/{subtype} by {lines:?}"
        );
        accepts
    };
    (
        verdict("application", "json"),
        verdict("text", "event-stream"),
    )
}

/// A line with each of its quoted strings replaced; one without an end goes up to the end of the line.
fn without_quotes(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line).replace('\u{1}', "\u{2}");
    let mut parts = String::new();
    let mut rest = &*line;
    while let Some((before, quoted)) = rest.split_once('"') {
        parts.push_str(before);
        let (mut escaped, mut end) = (false, None);
        for (at, char) in quoted.char_indices() {
            match char {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end else {
            return parts + "\"";
        };
        let is_readable = quoted[..end]
            .chars()
            .all(|char| matches!(char, '\t' | ' '..='~'));
        parts.push_str(if is_readable { QUOTED } else { "\u{2}" });
        rest = &quoted[end + 1..];
    }
    parts + rest
}

/// Reads a list without quotes by splitting it, and looks for the decisive range last to first.
fn naive(accept: &str, type_: &str, subtype: &str) -> bool {
    let ranges: Vec<&str> = accept
        .split(',')
        .map(|range| range.trim_matches([' ', '\t']))
        .filter(|range| !range.is_empty())
        .collect();
    if ranges.is_empty() {
        return true;
    }
    let read: Vec<(String, bool)> = ranges
        .iter()
        .filter_map(|range| naive_range(range))
        .collect();
    for name in [
        format!("{type_}/{subtype}"),
        format!("{type_}/*"),
        "*/*".to_owned(),
    ] {
        let mut named = read.iter().filter(|(range, _)| *range == name).peekable();
        if named.peek().is_some() {
            return named.any(|(_, wanted)| *wanted);
        }
    }
    false
}

fn naive_range(range: &str) -> Option<(String, bool)> {
    let is_token = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(char))
    };
    let mut parts = range.split(';');
    let name = parts.next()?.trim_end_matches([' ', '\t']);
    let halves: Vec<&str> = name.split('/').collect();
    if halves.len() != 2 || !halves.iter().all(|half| is_token(half)) {
        return None;
    }
    let mut weights = Vec::new();
    for part in parts {
        let part = part.trim_matches([' ', '\t']);
        if part.is_empty() {
            continue;
        }
        let (name, value) = part.split_once('=')?;
        if !is_token(name) || !(is_token(value) || value == QUOTED) {
            return None;
        }
        if name.eq_ignore_ascii_case("q") {
            let weight: f64 = value.parse().ok()?;
            let spelled = (0..=3).any(|digits| {
                format!("{weight:.digits$}") == value || format!("{weight:.0}.") == value
            });
            if !spelled || !(0.0..=1.0).contains(&weight) {
                return None;
            }
            weights.push(weight > 0.0);
        }
    }
    match weights.as_slice() {
        [] => Some((name.to_ascii_lowercase(), true)),
        [wanted] => Some((name.to_ascii_lowercase(), *wanted)),
        _ => None,
    }
}
