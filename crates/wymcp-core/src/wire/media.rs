//! The grammar of media types (RFC 9110, sections 5.6.6 and 8.3.1), in visible ASCII.

/// Whether a text is a media type, with parameters or without.
pub(crate) fn is_media_type(text: &str) -> bool {
    MediaType::parse(text)
        .is_some_and(|(_, mut parameters)| parameters.all(|parameter| parameter.is_some()))
}

/// `type/subtype`, a wildcard being a token like any other.
#[derive(Clone, Copy, Debug)]
pub(super) struct MediaType<'t> {
    pub(super) type_: &'t str,
    pub(super) subtype: &'t str,
}

impl<'t> MediaType<'t> {
    /// Reads the type; what follows it is yet to be read.
    pub(super) fn parse(text: &'t str) -> Option<(Self, Parameters<'t>)> {
        let (type_, rest) = token(text)?;
        let (subtype, rest) = token(rest.strip_prefix('/')?)?;
        Some((Self { type_, subtype }, Parameters { rest }))
    }

    pub(super) fn is(self, type_: &str, subtype: &str) -> bool {
        self.type_.eq_ignore_ascii_case(type_) && self.subtype.eq_ignore_ascii_case(subtype)
    }
}

/// The parameters of a media type, read one by one; `None` stands for everything from the first unreadable one on.
#[derive(Clone, Debug)]
pub(super) struct Parameters<'t> {
    rest: &'t str,
}

/// `name=value`
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter<'t> {
    pub(super) name: &'t str,
    pub(super) value: Value<'t>,
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'t> {
    Token(&'t str),
    /// Without its quotes, with its backslashes.
    Quoted(&'t str),
}

impl Value<'_> {
    /// Whether the value is this text in any case, however it is written.
    pub(super) fn is(self, text: &str) -> bool {
        match self {
            Self::Token(token) => token.eq_ignore_ascii_case(text),
            Self::Quoted(quoted) => {
                let mut bytes = quoted.bytes();
                let unescaped = std::iter::from_fn(|| match bytes.next() {
                    Some(b'\\') => bytes.next(),
                    byte => byte,
                });
                unescaped
                    .map(|byte| byte.to_ascii_lowercase())
                    .eq(text.bytes().map(|byte| byte.to_ascii_lowercase()))
            }
        }
    }
}

impl<'t> Iterator for Parameters<'t> {
    type Item = Option<Parameter<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest.trim_start_matches(WHITE);
            if rest.is_empty() {
                self.rest = rest;
                return None;
            }
            let Some(rest) = rest.strip_prefix(';') else {
                self.rest = "";
                return Some(None);
            };
            let rest = rest.trim_start_matches(WHITE);
            self.rest = rest;
            // Between two semicolons there may be nothing.
            if rest.is_empty() || rest.starts_with(';') {
                continue;
            }
            let Some((parameter, rest)) = parameter(rest) else {
                self.rest = "";
                return Some(None);
            };
            self.rest = rest;
            return Some(Some(parameter));
        }
    }
}

fn parameter(text: &str) -> Option<(Parameter<'_>, &str)> {
    let (name, rest) = token(text)?;
    let rest = rest.strip_prefix('=')?;
    let (value, rest) = match rest.strip_prefix('"') {
        Some(rest) => quoted(rest).map(|(text, rest)| (Value::Quoted(text), rest))?,
        None => token(rest).map(|(text, rest)| (Value::Token(text), rest))?,
    };
    Some((Parameter { name, value }, rest))
}

/// What stands before the closing quote, and what after it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let end = text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    let (inside, rest) = text.split_at_checked(end)?;
    let readable = inside
        .bytes()
        .all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    Some((inside, rest.strip_prefix('"')?)).filter(|_| readable)
}

/// The token at the start of a text, and the rest.
fn token(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !is_token(byte));
    let (token, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    (!token.is_empty()).then_some((token, rest))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// The white space that HTTP allows around the parts of a value.
pub(super) const WHITE: [char; 2] = [' ', '\t'];

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<(&str, Value<'_>)>> {
        let (_, parameters) = MediaType::parse(text)?;
        parameters
            .map(|parameter| parameter.map(|parameter| (parameter.name, parameter.value)))
            .collect()
    }

    #[test]
    fn parameters_are_tokens_or_quoted_strings() {
        let read = read(r#"a/b ; x=1;;y="c;\"d, e"	; z="" ; "#).unwrap();
        let names: Vec<&str> = read.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["x", "y", "z"]);
        assert!(read[0].1.is("1"));
        assert!(read[1].1.is("C;\"D, e"));
        assert!(read[2].1.is(""));
    }

    #[test]
    fn what_is_no_media_type_is_unreadable() {
        for text in [
            "",
            "a",
            "a/",
            "/b",
            "a /b",
            "a/ b",
            "a/b c",
            "a/b,c/d",
            "a/b;x",
            "a/b;x=",
            "a/b;=1",
            "a/b;x =1",
            "a/b;x= 1",
            "a/b;x=\"",
            "a/b;x=\"\\\"",
            "a/b;x=\"1\"2",
            "a/b;x=\"\u{e9}\"",
            "a/b;x=(",
            "\u{e9}/b",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
