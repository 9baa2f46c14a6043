//! A URI template, then a URI, then a value for each of its variables.

use std::fmt::Write as _;

use wymcp_core::UriTemplate;

/// How much the naive matcher, which tries every way, is given at most: bytes, and variables.
const NAIVE: (usize, usize) = (40, 3);

pub(crate) fn template(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split('\n');
    let (written, uri) = (
        lines.next().unwrap_or_default(),
        lines.next().unwrap_or_default(),
    );
    let Ok(template) = UriTemplate::parse(written) else {
        return;
    };
    assert_eq!(template.as_str(), written);
    check_matches(written, uri);
    let values: Vec<&str> = lines.collect();
    let variables = template.variables().count();
    if values.len() == variables && values.iter().all(|value| !value.is_empty()) {
        check_expanded(&template, &values);
    }
}

/// That a template stands for a URI as the naive matcher says.
pub(crate) fn check_matches(written: &str, uri: &str) {
    let template = UriTemplate::parse(written).expect("it is a template");
    let matched = template.matches(uri);
    if uri.len() > NAIVE.0 || template.variables().count() > NAIVE.1 {
        return;
    }
    let due = naive(written, uri);
    let due = due.and_then(|values| values.iter().map(|value| decoded(value)).collect());
    let matched: Option<Vec<String>> =
        matched.map(|it| it.into_iter().map(|(_, value)| value).collect());
    assert_eq!(matched, due, "{written} {uri}");
}

/// That a template stands for what is made of it with values, and for which ones. Where a value can hold what stands
/// between two variables, it may begin or end elsewhere, but then it makes the same URI.
fn check_expanded(template: &UriTemplate, values: &[&str]) {
    // A percent sign of the template's own may begin what looks like an escape.
    if template.as_str().contains('%') {
        return;
    }
    let uri = expand(template.as_str(), values.iter().copied());
    let Some(matched) = template.matches(&uri) else {
        // Beyond the bytes of an address.
        assert!(uri.len() > 2048, "{template:?} does not stand for {uri}");
        return;
    };
    let again = expand(template.as_str(), matched.iter().map(|(_, value)| &**value));
    assert_eq!(again, uri, "{template:?} {values:?} {matched:?}");
    let names = matched.iter().map(|(name, _)| *name);
    assert!(names.eq(template.variables()));
}

/// The template with its variables replaced, of which all but letters and digits is escaped.
fn expand<'v>(written: &str, values: impl Iterator<Item = &'v str>) -> String {
    let mut uri = String::new();
    let (mut values, mut rest) = (values, written);
    while let Some((literal, expression)) = rest.split_once('{') {
        uri.push_str(literal);
        for byte in values.next().unwrap_or_default().bytes() {
            if byte.is_ascii_alphanumeric() {
                uri.push(char::from(byte));
            } else {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
        rest = expression.split_once('}').map_or("", |(_, rest)| rest);
    }
    uri + rest
}

/// Every way to match, tried from the shortest value on.
fn naive(written: &str, uri: &str) -> Option<Vec<String>> {
    if let Some(expression) = written.strip_prefix('{') {
        let (name, rest) = expression.split_once('}')?;
        let is_reserved = name.starts_with('+');
        let admits = |char: char| {
            char.is_ascii_alphanumeric()
                || !char.is_ascii()
                || "-._~".contains(char)
                || (is_reserved && ":/?#[]@!$&'()*+,;=".contains(char))
        };
        let mut at = 0;
        let mut ends = std::iter::from_fn(|| {
            let behind = &uri[at..];
            let is_escape = behind.starts_with('%') && decoded_byte(behind.get(1..3)?).is_some();
            let char = behind.chars().next().filter(|char| admits(*char));
            at += if is_escape { 3 } else { char?.len_utf8() };
            Some(at)
        });
        return ends.find_map(|end| {
            let values = naive(rest, &uri[end..])?;
            Some([vec![uri[..end].to_owned()], values].concat())
        });
    }
    let (literal, rest) = written.split_at(written.find('{').unwrap_or(written.len()));
    let uri = uri.strip_prefix(literal)?;
    if rest.is_empty() {
        return uri.is_empty().then(Vec::new);
    }
    naive(rest, uri)
}

/// What percent-escapes stand for, if that is text.
fn decoded(value: &str) -> Option<String> {
    let mut parts = value.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(decoded_byte(part.get(..2)?)?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

fn decoded_byte(digits: &str) -> Option<u8> {
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}
