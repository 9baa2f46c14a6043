//! The command line: `--name value` and bare flags, nothing else.

use std::str::FromStr;

/// The value after `--name`, or none when the flag is absent.
///
/// # Errors
///
/// A flag without a value, or a value that is not a `T`, named in one line.
pub fn value<T: FromStr>(name: &str) -> Result<Option<T>, String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    if arguments.next().is_none() {
        return Ok(None);
    }
    let text = arguments
        .next()
        .ok_or(format!("{name} needs a value after it"))?;
    text.parse()
        .map(Some)
        .map_err(|_| format!("{name} cannot be {text:?}"))
}

/// Whether the flag `name` is there.
#[must_use]
pub fn flag(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}
