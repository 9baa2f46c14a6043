//! Headers that mirror the body, so that a proxy which reads only headers sees the same call.

use std::borrow::Cow;

use super::sentinel;
use crate::{
    catalog::HeaderParam,
    channel::Channel,
    head::{Head, Singleton},
    limits::Limits,
    rejection::Rejection,
    text::{Json, Number, Object},
    untrusted::Untrusted,
    validate::{ProtocolSchema, protocol_version},
    version::ProtocolVersion,
};

const PROTOCOL_VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";
const PARAM_PREFIX: &str = "Mcp-Param-";

/// The protocol fields of a request, in the order in which they answer: `initialize` from a legacy client, `_meta`, the
/// version in header and body, the rest of `_meta`, `Mcp-Method`, `Mcp-Name`.
pub(crate) fn check_protocol_fields(
    channel: Channel<'_>,
    method: &str,
    params: Option<&Object<'_>>,
    schema: &ProtocolSchema,
    opens_sessions: bool,
) -> Result<(), Rejection> {
    let head = channel.mirror();
    let header = match head.map_or(Singleton::Absent, Head::protocol_version) {
        Singleton::Value(version) => Some(version),
        Singleton::Absent => None,
        other => return Err(mismatch(PROTOCOL_VERSION, unusable(other), None)),
    };
    let modern = |name: Option<&str>| name.and_then(ProtocolVersion::modern).is_some();
    let is_legacy =
        method == "initialize" && !modern(header) && !modern(protocol_version(params).ok());
    if is_legacy && !opens_sessions {
        let asked = params
            .and_then(|params| params.get("protocolVersion"))
            .and_then(Json::as_str);
        let requested = asked.or(header).unwrap_or_default().to_owned();
        return Err(Rejection::UnsupportedProtocolVersion {
            requested,
            opens_sessions,
        });
    }
    let version = protocol_version(params).map_err(Rejection::MissingProtocolField)?;
    if let Some(head) = head {
        let what = "_meta's protocol version";
        compare(PROTOCOL_VERSION, head.protocol_version(), version, what)?;
    }
    if ProtocolVersion::modern(version).is_none() {
        return Err(Rejection::UnsupportedProtocolVersion {
            requested: version.to_owned(),
            opens_sessions,
        });
    }
    schema
        .request_meta(params)
        .map_err(Rejection::MissingProtocolField)?;
    let Some(head) = head else { return Ok(()) };
    compare(METHOD, head.mcp_method(), method, "the body's method")?;
    let Some((member, what)) = mirrored_member(method) else {
        return Ok(());
    };
    match params
        .and_then(|params| params.get(member))
        .and_then(Json::as_str)
    {
        Some(name) => check_name(head, name, what),
        // A name that is missing or no string is the params schema's to refuse.
        None => Ok(()),
    }
}

/// The member of the params that `Mcp-Name` mirrors, and what it is called, whether or not this server serves the
/// method.
fn mirrored_member(method: &str) -> Option<(&'static str, &'static str)> {
    match method {
        "tools/call" | "prompts/get" => Some(("name", "the body's name")),
        "resources/read" => Some(("uri", "the body's uri")),
        _ => None,
    }
}

fn check_name(head: &Head<'_>, name: &str, what: &str) -> Result<(), Rejection> {
    let Singleton::Value(value) = head.mcp_name() else {
        return compare(NAME, head.mcp_name(), name, what);
    };
    match sentinel::decode(value) {
        Ok(decoded) => compare(NAME, Singleton::Value(&decoded), name, what),
        Err(fault) => Err(mismatch(NAME, fault.to_string(), Some(name))),
    }
}

/// `Mcp-Param-*` against the arguments that a tool's schema mirrors there. Values are never shown: they may be secrets.
pub(crate) fn check_params(
    channel: Channel<'_>,
    declared: &[HeaderParam],
    arguments: Option<&Object<'_>>,
) -> Result<(), Rejection> {
    let Some(head) = channel.mirror() else {
        return Ok(());
    };
    declared.iter().try_for_each(|param| {
        check_param(head.param(&param.header), argument(arguments, &param.path)).map_err(|fault| {
            let path = param.path.join(".");
            mismatch(
                format!("{PARAM_PREFIX}{}", param.header),
                format!("argument {}: {fault}", Untrusted::new(&path)),
                None,
            )
        })
    })
}

/// The argument at a path of properties; whatever stands in the way makes it absent.
fn argument<'j, 'a>(arguments: Option<&'j Object<'a>>, path: &[String]) -> Option<&'j Json<'a>> {
    let (last, parents) = path.split_last()?;
    let mut object = arguments?;
    for parent in parents {
        object = object.get(parent)?.as_object()?;
    }
    object.present(last)
}

fn check_param(line: Singleton<'_>, argument: Option<&Json<'_>>) -> Result<(), String> {
    let Some(argument) = argument else {
        return match line {
            Singleton::Absent => Ok(()),
            _ => Err("the header is there and the argument is not".to_owned()),
        };
    };
    let value = match line {
        Singleton::Value(value) => sentinel::decode(value).map_err(|fault| fault.to_string())?,
        Singleton::Absent => return Err("the header is missing".to_owned()),
        Singleton::Malformed(_) => return Err("the header's value is malformed".to_owned()),
        Singleton::Repeated => return Err("the header stands on several lines".to_owned()),
    };
    let same = match argument {
        Json::String(text) => *text == *value,
        Json::Bool(flag) => value == if *flag { "true" } else { "false" },
        // Both as this reader reads them: what a double cannot tell apart is no other number to the tool either.
        Json::Number(number) => number_of(&value) == Some(*number),
        // No header can mirror it; the tool's schema answers.
        Json::Null | Json::Array(_) | Json::Object(_) => true,
    };
    if same {
        Ok(())
    } else {
        Err("the header's value differs from the argument".to_owned())
    }
}

/// Reads a token in the grammar of JSON.
fn number_of(token: &str) -> Option<Number> {
    // serde_json knows the grammar; white space around a number is its only leniency.
    if token.trim() != token || serde_json::from_str::<serde_json::Number>(token).is_err() {
        return None;
    }
    Number::from_token(token)
}

fn compare(
    header: &'static str,
    line: Singleton<'_>,
    expected: &str,
    what: &str,
) -> Result<(), Rejection> {
    let fault = match line {
        Singleton::Value(value) if value == expected => return Ok(()),
        Singleton::Value(value) => format!(
            "the header says {} and {what} says {}",
            Untrusted::new(value),
            Untrusted::new(expected)
        ),
        other => unusable(other),
    };
    Err(mismatch(header, fault, Some(expected)))
}

fn unusable(line: Singleton<'_>) -> String {
    match line {
        Singleton::Absent => "the header is missing".to_owned(),
        Singleton::Value(value) => format!("the header says {}", Untrusted::new(value)),
        Singleton::Malformed(value) => format!(
            "the header's value {} is malformed",
            Untrusted::bytes(value)
        ),
        Singleton::Repeated => "the header stands on several lines".to_owned(),
    }
}

/// The line to send is told where it can be copied: whole, of characters that a header carries, and worth sending.
fn mismatch(
    header: impl Into<Cow<'static, str>>,
    fault: String,
    expected: Option<&str>,
) -> Rejection {
    let header = header.into();
    let line = expected.and_then(|expected| sendable(&header, expected));
    let instead = match line.filter(|line| line.len() <= Limits::SHOWN_CHARS) {
        Some(line) => format!("one line {header}: {}", Untrusted::new(&line)),
        None => format!("one {header} header that mirrors the body"),
    };
    Rejection::HeaderMismatch {
        header,
        fault,
        instead,
    }
}

fn sendable<'e>(header: &str, expected: &'e str) -> Option<Cow<'e, str>> {
    match header {
        NAME => Some(sentinel::encode(expected)),
        PROTOCOL_VERSION => {
            ProtocolVersion::modern(expected).map(|version| version.as_str().into())
        }
        _ => Some(sentinel::encode(expected)).filter(|encoded| encoded == expected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_when_the_reader_reads_them_alike() {
        let same = |header: &str, argument: &str| number_of(header) == Number::from_token(argument);
        for (header, argument) in [
            ("42.0", "42"),
            ("4.2e1", "42"),
            ("420E-1", "42"),
            ("-0", "0"),
            ("0.50", "0.5"),
            // Beyond 64 bits, and with a fraction, numbers are doubles: each spelling of one is the same.
            ("18446744073709551617", "18446744073709551617"),
            ("18446744073709551617", "18446744073709551616"),
            ("0.1000000000000000055", "0.1"),
            ("1e-400", "0.0"),
        ] {
            assert!(same(header, argument), "{header} {argument}");
        }
        for (header, argument) in [
            ("9007199254740993.0", "9007199254740993"),
            ("9007199254740993", "9007199254740992"),
            ("18446744073709551615", "18446744073709551616"),
            ("-42", "42"),
            ("042", "42"),
            ("+42", "42"),
            (" 42", "42"),
            ("4_2", "42"),
            ("0x2a", "42"),
            ("", "0"),
            ("NaN", "0"),
        ] {
            assert!(!same(header, argument), "{header} {argument}");
        }
    }
}
