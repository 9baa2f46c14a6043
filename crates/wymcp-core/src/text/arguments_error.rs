//! Why arguments do not fit an application's type.

use std::fmt::{self, Write as _};

use serde::de;

use crate::untrusted::Untrusted;

/// Why arguments do not fit the application's type.
///
/// Reached only where the schema allows what the type does not hold, such as an integer beyond an `i64`. Displays as the
/// place, a JSON pointer from the top of the arguments or `the top level` itself, and what is expected there; what was
/// sent is not shown, unless the type's own code does.
///
/// # Examples
///
/// ```
/// use serde::Deserialize;
/// use serde_json::json;
/// use wymcp_core::{ArgumentsError, Json};
///
/// #[derive(Debug, Deserialize)]
/// struct Sum {
///     terms: Vec<i8>,
/// }
///
/// let read = |arguments| Sum::deserialize(&Json::from(&arguments));
/// assert_eq!(read(json!({"terms": [1, 2.0]})).unwrap().terms, [1, 2]);
/// let fault: ArgumentsError = read(json!({"terms": [1, 1000]})).unwrap_err();
/// assert_eq!(fault.to_string(), "/terms/1 must be an integer from -128 to 127");
/// assert_eq!(read(json!({})).unwrap_err().to_string(), "the top level needs the member terms");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentsError {
    /// The way to the place, innermost first.
    place: Vec<String>,
    message: String,
}

impl ArgumentsError {
    pub(super) fn at(message: impl Into<String>) -> Self {
        Self {
            place: Vec::new(),
            message: message.into(),
        }
    }

    pub(super) fn inside(mut self, step: impl Into<String>) -> Self {
        self.place.push(step.into());
        self
    }

    /// How it reads where the top of the arguments has a name.
    pub(crate) fn under(&self, top: &str) -> String {
        let mut text = top.to_owned();
        for step in self.place.iter().rev() {
            let step = step.replace('~', "~0").replace('/', "~1");
            let _ = write!(text, "/{}", Untrusted::new(&step));
        }
        let _ = write!(text, " {}", Untrusted::new(&self.message));
        text
    }
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let top = if self.place.is_empty() {
            "the top level"
        } else {
            ""
        };
        f.write_str(&self.under(top))
    }
}

impl std::error::Error for ArgumentsError {}

// What serde says by itself quotes the value; these say only what is expected.
impl de::Error for ArgumentsError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::at(message.to_string())
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::at(format!("must be {}", in_words(&expected.to_string())))
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        Self::at(format!("must have the length of {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::at(format!("must be one of: {}", expected.join(", ")))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        let known = match known {
            [] => "there are none".to_owned(),
            known => format!("there are {}", known.join(", ")),
        };
        Self::at(format!("takes no member {}; {known}", Untrusted::new(name)))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::at(format!("needs the member {name}"))
    }
}

/// What a type of Rust is called by somebody who does not know Rust.
fn in_words(expected: &str) -> String {
    fn range(from: impl fmt::Display, to: impl fmt::Display) -> String {
        format!("an integer from {from} to {to}")
    }
    match expected {
        "i8" => range(i8::MIN, i8::MAX),
        "i16" => range(i16::MIN, i16::MAX),
        "i32" => range(i32::MIN, i32::MAX),
        "i64" | "isize" => range(i64::MIN, i64::MAX),
        "u8" => range(u8::MIN, u8::MAX),
        "u16" => range(u16::MIN, u16::MAX),
        "u32" => range(u32::MIN, u32::MAX),
        "u64" | "usize" => range(u64::MIN, u64::MAX),
        "f32" | "f64" => "a number".to_owned(),
        other => other.to_owned(),
    }
}
