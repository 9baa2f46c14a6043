//! Arguments of the tool `mirrored` as JSON, and in the lines after them one header in another way.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use wymcp_core::{RejectionReason, sentinel};

use crate::{
    oracle::{answer, refusal},
    requests::{Request, call, line, trim},
};

/// What one mirrored header must say.
#[derive(Clone, Debug)]
pub(crate) enum Mirrored {
    Exactly(String),
    Text(String),
    Integer(i64),
    Flag(bool),
    /// The argument is absent or null, and so is the header.
    Nothing,
}

impl Mirrored {
    fn of(argument: &Value) -> Self {
        match argument {
            Value::String(text) => Self::Text(text.clone()),
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => Self::Integer(number.as_i64().unwrap()),
            _ => Self::Nothing,
        }
    }

    fn header(&self) -> Option<String> {
        match self {
            Self::Exactly(text) => Some(text.clone()),
            Self::Text(text) => Some(sentinel::encode(text).into_owned()),
            Self::Integer(integer) => Some(integer.to_string()),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Nothing => None,
        }
    }

    /// Whether these lines say it, by a reading of its own.
    fn is_said_by(&self, lines: &[&[u8]]) -> bool {
        let value = match (self, lines) {
            (Self::Nothing, lines) => return lines.is_empty(),
            (_, [value]) => trim(value),
            _ => return false,
        };
        if !value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~')) {
            return false;
        }
        let value = std::str::from_utf8(value).unwrap();
        let decoded = || match value
            .strip_prefix("=?base64?")
            .map(|rest| rest.strip_suffix("?="))
        {
            Some(Some(payload)) => {
                let text = String::from_utf8(STANDARD.decode(payload).ok()?).ok()?;
                (STANDARD.encode(&text) == payload).then_some(text)
            }
            _ if value == "=?base64?=" => None,
            _ => Some(value.to_owned()),
        };
        match self {
            Self::Exactly(text) => value == text,
            Self::Text(text) => decoded().as_ref() == Some(text),
            Self::Flag(flag) => decoded() == Some(flag.to_string()),
            Self::Integer(integer) => decoded()
                .filter(|text| text.trim() == text)
                .and_then(|text| serde_json::from_str::<Value>(&text).ok())
                .is_some_and(|value| {
                    value.is_number() && value.as_f64() == json!(integer).as_f64()
                }),
            Self::Nothing => unreachable!("answered above"),
        }
    }
}

/// What the headers of a call with these arguments must say.
pub(crate) fn mirrored(arguments: &Value) -> Vec<(&'static str, Mirrored)> {
    vec![
        (
            "MCP-Protocol-Version",
            Mirrored::Exactly("2026-07-28".to_owned()),
        ),
        ("Mcp-Method", Mirrored::Exactly("tools/call".to_owned())),
        ("Mcp-Name", Mirrored::Text("mirrored".to_owned())),
        ("Mcp-Param-Region", Mirrored::of(&arguments["region"])),
        ("Mcp-Param-Count", Mirrored::of(&arguments["count"])),
        ("Mcp-Param-Dry-Run", Mirrored::of(&arguments["dry"])),
        ("Mcp-Param-City", Mirrored::of(&arguments["place"]["city"])),
    ]
}

/// A call whose headers say what they must, which passes.
pub(crate) fn consistent(arguments: Value, mirrored: &[(&'static str, Mirrored)]) -> Request {
    let mut request = Request::of(&call(7.into(), "mirrored", arguments));
    request.headers.retain(|(name, _)| !name.starts_with('M'));
    for (name, what) in mirrored {
        let value = what.header();
        request
            .headers
            .extend(value.map(|value| line(name, &value)));
    }
    let reply = answer(&request.head(), &request.body);
    assert_eq!(refusal(&reply), None, "it is consistent: {request:?}");
    request
}

/// That a call of which one header was changed is refused, unless the header still says what it must.
pub(crate) fn check_changed(request: &Request, name: &str, what: &Mirrored) {
    let named = request.headers.iter();
    let named = named.filter(|(other, _)| other.eq_ignore_ascii_case(name));
    let lines: Vec<&[u8]> = named.map(|(_, value)| &**value).collect();
    let due = (!what.is_said_by(&lines)).then_some(RejectionReason::HeaderMismatch);
    let reply = answer(&request.head(), &request.body);
    assert_eq!(refusal(&reply), due, "{name} {request:?}");
    if due.is_some() {
        assert_eq!(reply.status.as_u16(), 400);
        let body = String::from_utf8_lossy(&reply.body);
        assert!(body.contains("\"code\":-32020,"), "{body}");
    }
}

pub(crate) fn mirror(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let arguments = lines
        .next()
        .and_then(|line| serde_json::from_slice(line).ok());
    let Some(arguments) = arguments.as_ref().and_then(admitted) else {
        return;
    };
    let mirrored = mirrored(&arguments);
    let mut request = consistent(arguments, &mirrored);
    let changed: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let name = changed
        .first()
        .map(|line| header(line).0)
        .unwrap_or_default();
    let mut known = mirrored.iter();
    let Some((name, what)) = known.find(|(known, _)| known.eq_ignore_ascii_case(&name)) else {
        return;
    };
    let is_of = |other: &str| other.eq_ignore_ascii_case(name);
    request.headers.retain(|(other, _)| !is_of(other));
    let changed = changed.into_iter().map(header);
    let changed = changed.filter_map(|(other, value)| Some((other, value?)));
    request
        .headers
        .extend(changed.filter(|(other, _)| is_of(other)));
    check_changed(&request, name, what);
}

/// The name and the value of a line; none of a line without a colon, for a header that is left out.
fn header(line: &[u8]) -> (String, Option<Vec<u8>>) {
    let mut parts = line.splitn(2, |byte| *byte == b':');
    let name = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    (name, parts.next().map(<[u8]>::to_vec))
}

/// The arguments as the schema admits them, without what it does not know.
fn admitted(sent: &Value) -> Option<Value> {
    let mut arguments = json!({});
    let texts = [
        ("region", &sent["region"]),
        ("city", &sent["place"]["city"]),
    ];
    for (name, value) in texts.into_iter().filter(|(_, value)| value.is_string()) {
        arguments[name] = value.clone();
    }
    if let Some(city) = arguments.as_object_mut()?.remove("city") {
        arguments["place"] = json!({"city": city});
    }
    if let Some(count) = sent["count"].as_i64() {
        const LARGEST: u64 = 9_007_199_254_740_991;
        arguments["count"] = (count.unsigned_abs() <= LARGEST).then_some(count)?.into();
    }
    if let Some(dry) = sent["dry"].as_bool() {
        arguments["dry"] = dry.into();
    }
    Some(arguments)
}
