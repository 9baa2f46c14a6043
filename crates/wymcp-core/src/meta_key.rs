//! The names of the keys of a `_meta`. Source: MCP 2026-07-28, `_meta`.

/// Whether a text is a key: a name, behind a prefix of labels or none.
pub(crate) fn is_key(text: &str) -> bool {
    let (prefix, name) = split(text);
    prefix.is_none_or(|prefix| prefix.split('.').all(is_label))
        && (name.is_empty() || has_ends(name) && all(name, &['-', '_', '.']))
}

fn split(key: &str) -> (Option<&str>, &str) {
    match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    }
}

fn is_label(label: &str) -> bool {
    label.starts_with(|char: char| char.is_ascii_alphabetic())
        && has_ends(label)
        && all(label, &['-'])
}

fn has_ends(text: &str) -> bool {
    let is_end = |char: char| char.is_ascii_alphanumeric();
    text.starts_with(is_end) && text.ends_with(is_end)
}

fn all(text: &str, others: &[char]) -> bool {
    text.chars()
        .all(|char| char.is_ascii_alphanumeric() || others.contains(&char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_name_behind_labels_or_none() {
        for good in [
            "io.modelcontextprotocol/tasks",
            "a/b",
            "a-1.b2/C_3.d",
            "a/",
            "tasks",
            "A_b.c-9",
            "9",
        ] {
            assert!(is_key(good), "{good}");
        }
        for bad in [
            "bad key!", "/tasks", ".a/b", "a./b", "1a/b", "a-/b", "a b/c", "a/-b", "a/b_", "a/b/c",
            "ä/b", "a/ä", "_a", "a.",
        ] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
