//! What a case file writes for bytes that are no text, and for long repeats.

/// What stands for the id of a case's session, until there is one.
pub(crate) const SESSION: &str = "{{session}}";

/// Replaces every `{{...}}` by its bytes: `{{\xC3\xA9}}` is two bytes, `{{repeat 101 [}}` is 101 brackets. Inside,
/// `\xHH` is the byte HH. [`SESSION`] stays.
///
/// # Errors
///
/// A placeholder that is none of these, so that a misspelled one does not go out as it stands.
pub(crate) fn expand(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        bytes.extend_from_slice(before.as_bytes());
        let (inner, after) = after
            .split_once("}}")
            .ok_or_else(|| format!("no }}}} ends {{{{{after}"))?;
        let unknown =
            || format!(r"{{{{{inner}}}}} is unknown; write {{{{\xHH}}}} or {{{{repeat N text}}}}");
        if inner == "session" {
            bytes.extend_from_slice(SESSION.as_bytes());
        } else if let Some(repeat) = inner.strip_prefix("repeat ") {
            let (count, unit) = repeat.split_once(' ').ok_or_else(unknown)?;
            let count: usize = count.parse().map_err(|_| unknown())?;
            bytes.extend(unescape(unit).ok_or_else(unknown)?.repeat(count));
        } else if inner.starts_with(r"\x") {
            bytes.extend(unescape(inner).ok_or_else(unknown)?);
        } else {
            return Err(unknown());
        }
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split(r"\x");
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_bytes_and_repeats() {
        assert_eq!(expand(r"a{{\xFF}}b").unwrap(), b"a\xFFb");
        assert_eq!(
            expand(r"{{repeat 3 [}}1{{repeat 3 \x7D}}").unwrap(),
            b"[[[1}}}"
        );
        assert_eq!(expand(r#"{"a":{"b":1}}"#).unwrap(), br#"{"a":{"b":1}}"#);
        for misspelled in [
            "{{ff}}",
            r"{{\xF}}",
            "{{repeat x y}}",
            "{{repeat 3}}",
            "{{open",
        ] {
            assert!(expand(misspelled).is_err(), "{misspelled}");
        }
    }
}
