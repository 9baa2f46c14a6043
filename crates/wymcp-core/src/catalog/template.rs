//! URI templates: which URIs they stand for, and what those URIs say.

use std::fmt;

use crate::limits::Limits;

/// A URI template (RFC 6570), compiled for matching.
///
/// Its expressions hold one variable each: `{name}` stands for text without reserved characters (level 1), `{+name}`
/// for text with them (level 2), so that it can span several segments of a path. What a variable stands for is
/// percent-decoded, and is UTF-8.
///
/// A variable stands for at least one character. Of several ways to match, each from the left takes as little as it
/// can: by `{+path}/{file}` the URI `a/b/c` says `a/b` and `c`, since no `file` has a slash. Matching takes time in
/// proportion to the URI's length and the template's.
///
/// # Examples
///
/// ```
/// use wymcp_core::UriTemplate;
///
/// let template = UriTemplate::parse("repo://{owner}/{+path}")?;
/// assert_eq!(template.variables().collect::<Vec<_>>(), ["owner", "path"]);
///
/// let matched = template.matches("repo://ada/src/notes%20on%20engines.md").unwrap();
/// assert_eq!(matched, [("owner", "ada".into()), ("path", "src/notes on engines.md".into())]);
/// assert_eq!(template.matches("repo://ada"), None);
/// assert_eq!(template.as_str(), "repo://{owner}/{+path}");
///
/// assert!(UriTemplate::parse("repo://{owner").is_err());
/// # Ok::<(), wymcp_core::TemplateFault>(())
/// ```
///
/// # Security
///
/// A variable may say anything that its characters allow, `..` included: a handler that opens a file by it resolves the
/// path first and checks where it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    Variable { name: String, kind: Kind },
}

/// Which characters a variable takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `{name}`: unreserved characters and percent-escapes.
    Simple,
    /// `{+name}`: reserved characters too.
    Reserved,
}

impl Kind {
    fn admits(self, byte: u8) -> bool {
        let unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        // Beyond ASCII are the characters of an IRI, which a client may have left as they are.
        unreserved
            || !byte.is_ascii()
            || (self == Self::Reserved && b":/?#[]@!$&'()*+,;=".contains(&byte))
    }

    /// Where what stands at a place ends, if a value may have it: a byte, or a percent-escape, which is never cut.
    fn step(self, bytes: &[u8], at: usize) -> Option<usize> {
        match bytes.get(at..)? {
            [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                at.checked_add(3)
            }
            [byte, ..] if self.admits(*byte) => at.checked_add(1),
            _ => None,
        }
    }
}

/// Why a text is no URI template that can be matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateFault {
    /// It has no expression, so it names one resource.
    WithoutVariables,
    /// A brace has no partner.
    Brace,
    /// An expression is not `{name}` or `{+name}` with a name of letters, digits and `_`.
    Expression,
    /// A variable occurs twice.
    Repeated,
    /// Two expressions touch, so that nothing says where one value ends.
    Adjacent,
    /// It is longer than 2,048 bytes or has more than 32 variables.
    TooLarge,
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WithoutVariables => {
                "has no variable; write {name} for what varies, or register a resource with this URI"
            }
            Self::Brace => "has a brace without its partner; write {name}, and %7B or %7D for a brace",
            Self::Expression => {
                "has an expression that cannot be matched; write {name} or {+name}, with a name of letters, digits and _"
            }
            Self::Repeated => "has a variable twice; give each a name of its own",
            Self::Adjacent => "has two variables side by side; write something between them",
            Self::TooLarge => "is too large; it has at most 2,048 bytes and 32 variables",
        })
    }
}

impl std::error::Error for TemplateFault {}

/// The most bytes of a template.
const MAX_BYTES: usize = 2048;

/// The most variables of a template.
const MAX_VARIABLES: usize = 32;

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// What cannot be matched, or could be matched in more than one sense; see [`TemplateFault`].
    pub fn parse(text: &str) -> Result<Self, TemplateFault> {
        if text.len() > MAX_BYTES {
            return Err(TemplateFault::TooLarge);
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (literal, behind) = match rest.split_once('{') {
                Some((literal, behind)) => (literal, Some(behind)),
                None => (rest, None),
            };
            if literal.contains('}') {
                return Err(TemplateFault::Brace);
            }
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
            } else if behind.is_some() && matches!(parts.last(), Some(Part::Variable { .. })) {
                return Err(TemplateFault::Adjacent);
            }
            let Some(behind) = behind else { break };
            let (expression, behind) = behind.split_once('}').ok_or(TemplateFault::Brace)?;
            parts.push(variable(expression)?);
            rest = behind;
        }
        let template = Self {
            text: text.to_owned(),
            parts,
        };
        template.check_variables()?;
        Ok(template)
    }

    fn check_variables(&self) -> Result<(), TemplateFault> {
        let mut names: Vec<&str> = self.variables().collect();
        match names.len() {
            0 => return Err(TemplateFault::WithoutVariables),
            1..=MAX_VARIABLES => {}
            _ => return Err(TemplateFault::TooLarge),
        }
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        if names.len() < count {
            return Err(TemplateFault::Repeated);
        }
        Ok(())
    }

    /// The template as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The names of its variables, from the left.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Literal(_) => None,
            Part::Variable { name, .. } => Some(&**name),
        })
    }

    /// What the variables stand for in a URI, from the left; `None` when the template does not stand for it, or when a
    /// percent-escape in it is broken or says something else than UTF-8, or when it is longer than
    /// [`Limits::ADDRESS_BYTES`].
    pub fn matches(&self, uri: &str) -> Option<Vec<(&str, String)>> {
        // What most addresses fail by, before any work.
        let has = |part: Option<&Part>, is_there: fn(&str, &str) -> bool| match part {
            Some(Part::Literal(literal)) => is_there(uri, literal),
            _ => true,
        };
        let fits = has(self.parts.first(), |uri, start| uri.starts_with(start))
            && has(self.parts.last(), |uri, end| uri.ends_with(end));
        if !fits || uri.len() > Limits::ADDRESS_BYTES {
            return None;
        }
        let bytes = uri.as_bytes();
        // From which places on the parts from each one on match what is left.
        let mut from = vec![ends(bytes.len())];
        for part in self.parts.iter().rev() {
            let behind = from.last()?;
            from.push(part.starts(bytes, behind));
        }
        from.reverse();
        if from.first()?.first() != Some(&true) {
            return None;
        }
        let mut at = 0_usize;
        let mut values = Vec::new();
        for (part, behind) in self.parts.iter().zip(from.iter().skip(1)) {
            match part {
                Part::Literal(literal) => at = at.checked_add(literal.len())?,
                Part::Variable { name, kind } => {
                    let mut end = kind.step(bytes, at)?;
                    while behind.get(end) != Some(&true) {
                        end = kind.step(bytes, end)?;
                    }
                    values.push((&**name, percent_decode(bytes.get(at..end)?)?));
                    at = end;
                }
            }
        }
        Some(values)
    }
}

/// The places from which nothing matches what is left: the end.
fn ends(length: usize) -> Vec<bool> {
    let mut ends = vec![false; length];
    ends.push(true);
    ends
}

impl Part {
    /// The places at which this part starts, when what follows it may start at the places of `behind`.
    fn starts(&self, bytes: &[u8], behind: &[bool]) -> Vec<bool> {
        match self {
            Self::Literal(literal) => (0..behind.len())
                .map(|at| {
                    let follows = at
                        .checked_add(literal.len())
                        .and_then(|end| behind.get(end));
                    let rest = bytes.get(at..).unwrap_or_default();
                    follows == Some(&true) && rest.starts_with(literal.as_bytes())
                })
                .collect(),
            Self::Variable { kind, .. } => {
                let mut starts = vec![false; behind.len()];
                for at in (0..bytes.len()).rev() {
                    let is_there = |places: &[bool], at| places.get(at) == Some(&true);
                    let next = kind.step(bytes, at);
                    let starts_here =
                        next.is_some_and(|end| is_there(behind, end) || is_there(&starts, end));
                    if let Some(start) = starts.get_mut(at) {
                        *start = starts_here;
                    }
                }
                starts
            }
        }
    }
}

fn variable(expression: &str) -> Result<Part, TemplateFault> {
    let (kind, name) = match expression.strip_prefix('+') {
        Some(name) => (Kind::Reserved, name),
        None => (Kind::Simple, expression),
    };
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(TemplateFault::Expression);
    }
    let name = name.to_owned();
    Ok(Part::Variable { name, kind })
}

/// The text that percent-escapes stand for.
fn percent_decode(bytes: &[u8]) -> Option<String> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            decoded.push(*first);
            continue;
        }
        let [high, low, behind @ ..] = rest else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let value = digit(*high)?.checked_mul(16)?.checked_add(digit(*low)?)?;
        decoded.push(u8::try_from(value).ok()?);
        rest = behind;
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(template: &str, uri: &str) -> Option<Vec<String>> {
        let template = UriTemplate::parse(template).unwrap();
        let matched = template.matches(uri)?;
        Some(matched.into_iter().map(|(_, value)| value).collect())
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "it is compared with what may be absent"
    )]
    fn said<const N: usize>(values: [&str; N]) -> Option<Vec<String>> {
        Some(values.map(str::to_owned).into())
    }

    #[test]
    fn a_simple_variable_ends_at_a_reserved_character_and_a_reserved_one_does_not() {
        assert_eq!(matches("a:{x}/d", "a:1/d"), said(["1"]));
        assert_eq!(matches("a:{x}/d", "a:1/2/d"), None);
        assert_eq!(matches("a:{+x}/d", "a:1/2/d"), said(["1/2"]));
        assert_eq!(matches("a:{+p}/{f}", "a:b/c/d"), said(["b/c", "d"]));
        assert_eq!(matches("a:{f}-{g}", "a:b-c-d"), said(["b", "c-d"]));
    }

    #[test]
    fn a_variable_stands_for_something() {
        assert_eq!(matches("a:{x}/d", "a:/d"), None);
        assert_eq!(matches("a:{x}", "a:"), None);
        assert_eq!(matches("{x}", ""), None);
    }

    #[test]
    fn literals_match_byte_for_byte() {
        assert_eq!(matches("A:{x}", "a:1"), None);
        assert_eq!(matches("a:{x}", "a:1?"), None);
        assert_eq!(matches("é:{x}", "é:ü"), said(["ü"]));
    }

    #[test]
    fn values_are_percent_decoded_and_utf_8() {
        assert_eq!(matches("a:{x}", "a:%C3%a9%2F%25"), said(["é/%"]));
        for broken in ["a:%", "a:%2", "a:%zz", "a:%+1", "a:%FF", "a:%ED%A0%80"] {
            assert_eq!(matches("a:{x}", broken), None, "{broken}");
        }
    }

    #[test]
    fn no_literal_ends_a_value_in_the_middle_of_an_escape() {
        assert_eq!(matches("a:{f}2{g}", "a:%20x2b"), said([" x", "b"]));
        assert_eq!(matches("a:{f}A9{g}", "a:%C3%A9"), None);
        assert_eq!(matches("a:{f}A9{g}", "a:%C3%A9A9b"), said(["é", "b"]));
    }

    #[test]
    fn what_cannot_be_matched_is_a_fault() {
        for (template, fault) in [
            ("", TemplateFault::WithoutVariables),
            ("a:b", TemplateFault::WithoutVariables),
            ("a:{b", TemplateFault::Brace),
            ("a:b}", TemplateFault::Brace),
            ("a:}{b}", TemplateFault::Brace),
            ("a:{}", TemplateFault::Expression),
            ("a:{+}", TemplateFault::Expression),
            ("a:{{b}}", TemplateFault::Expression),
            ("a:{?b}", TemplateFault::Expression),
            ("a:{b,c}", TemplateFault::Expression),
            ("a:{b*}", TemplateFault::Expression),
            ("a:{b}/{b}", TemplateFault::Repeated),
            ("a:{b}{c}", TemplateFault::Adjacent),
        ] {
            assert_eq!(UriTemplate::parse(template), Err(fault), "{template}");
        }
        let long = format!("{{a}}{}", "b".repeat(MAX_BYTES));
        assert_eq!(UriTemplate::parse(&long), Err(TemplateFault::TooLarge));
        let many = |count: usize| {
            let variables: Vec<String> = (0..count).map(|at| format!("{{v{at}}}")).collect();
            variables.join("/")
        };
        assert!(UriTemplate::parse(&many(MAX_VARIABLES)).is_ok());
        let many = UriTemplate::parse(&many(MAX_VARIABLES + 1));
        assert_eq!(many, Err(TemplateFault::TooLarge));
    }
}
