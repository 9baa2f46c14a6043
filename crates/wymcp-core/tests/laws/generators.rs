//! Requests: consistent ones, ones that are nearly so, and anything at all.

use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof},
    sample::{Index, select},
};
use serde_json::Value;

use crate::messages;
pub(crate) use crate::requests::{Request, call, line, valid_call};

/// Anything at all, mixed with what a client nearly sends.
pub(crate) fn request() -> impl Strategy<Value = Request> {
    let headers = prop_oneof![
        4 => Just(Vec::new()),
        1 => vec(header(), 1..4),
    ];
    let method = prop_oneof![12 => Just("POST".to_owned()), 1 => select(VERBS).prop_map(str::to_owned), 1 => hostile_text()];
    let nearly = (
        messages::message(),
        method,
        headers,
        vec(any::<Index>(), 0..2),
        vec(byte_mutation(), 0..3),
    )
        .prop_map(|(message, method, more, dropped, mutations)| {
            let mut request = Request::of(&message);
            request.method = method;
            for index in dropped {
                let at = index.index(request.headers.len());
                request.headers.remove(at);
            }
            request.headers.extend(more);
            for mutation in &mutations {
                mutation.apply(&mut request.body);
            }
            request
        });
    let other_body = (request_head(), body()).prop_map(|(headers, body)| Request {
        method: "POST".to_owned(),
        headers,
        body,
    });
    let anything =
        (hostile_text(), vec(header(), 0..8), body()).prop_map(|(method, headers, body)| Request {
            method,
            headers,
            body,
        });
    prop_oneof![4 => nearly, 3 => other_body, 1 => anything]
}

fn request_head() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    Just(Request::of(&valid_call()).headers)
}

const VERBS: &[&str] = &[
    "GET", "HEAD", "DELETE", "OPTIONS", "PUT", "post", "CONNECT", "",
];

fn header() -> impl Strategy<Value = (String, Vec<u8>)> {
    let name = prop_oneof![6 => select(HEADERS).prop_map(str::to_owned), 1 => hostile_text()];
    let value = prop_oneof![
        4 => select(HEADER_VALUES).prop_map(|value| value.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..40),
        1 => hostile_text().prop_map(String::into_bytes),
        1 => Just(vec![b'a'; 9000]),
    ];
    (name, value)
}

const HEADERS: &[&str] = &[
    "host",
    "Origin",
    "Sec-Fetch-Site",
    "Content-Type",
    "Content-Encoding",
    "Content-Length",
    "Transfer-Encoding",
    "Accept",
    "Authorization",
    "MCP-Protocol-Version",
    "mcp-method",
    "Mcp-Name",
    "Mcp-Param-Region",
    "mcp-param-count",
    "Mcp-Param-",
    "Mcp-Session-Id",
    "Last-Event-ID",
];

const HEADER_VALUES: &[&str] = &[
    "",
    " ",
    "localhost",
    "127.0.0.1:80",
    "[::1]",
    "evil.example",
    "localhost, evil.example",
    "http://localhost",
    "null",
    "cross-site",
    "same-origin",
    "application/json",
    "application/json; charset=\"utf-8\"",
    "application/json;charset=latin1",
    "text/event-stream;q=0.5, */*;q=0",
    "*/*",
    "gzip",
    "identity",
    "0",
    "99999999999999999999",
    "2026-07-28",
    "2025-11-25",
    "tools/call",
    "tools/list",
    "sum",
    "=?base64?c3Vt?=",
    "=?base64?/w==?=",
    "=?base64?=",
    "42.0",
    "Bearer x",
];

/// Bytes, JSON-like text, and nested text.
pub(crate) fn body() -> impl Strategy<Value = Vec<u8>> {
    let fragments =
        vec(select(FRAGMENTS), 0..24).prop_map(|fragments| fragments.concat().into_bytes());
    let mutated = vec(byte_mutation(), 1..4).prop_map(|mutations| {
        let mut body = valid_call().to_string().into_bytes();
        for mutation in &mutations {
            mutation.apply(&mut body);
        }
        body
    });
    let deep = (0..130_usize, any::<bool>()).prop_map(|(depth, closed)| {
        let close = if closed {
            "]".repeat(depth)
        } else {
            String::new()
        };
        format!("{}{close}", "[".repeat(depth)).into_bytes()
    });
    prop_oneof![
        1 => vec(any::<u8>(), 0..64),
        2 => fragments,
        2 => json_value().prop_map(|value| value.to_string().into_bytes()),
        3 => mutated,
        1 => deep,
    ]
}

const FRAGMENTS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    " ",
    "\n",
    "\u{feff}",
    "\"id\"",
    "\"method\"",
    "\"m\\u0065thod\"",
    "\"a\"",
    "\"\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\u{2028}\"",
    "1",
    "-0",
    "1.0",
    "1e3",
    "1e400",
    "-1.5E-3",
    "01",
    "9007199254740992",
    "18446744073709551616",
    "null",
    "true",
    "nul",
    "{}",
    "[]",
    "{\"a\":1,\"a\":2}",
    "\\u0000",
    "\u{0}",
];

/// Any JSON value.
pub(crate) fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::from),
        (-5_i32..5).prop_map(Value::from),
        unicode().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let name = prop_oneof![select(NAMES).prop_map(str::to_owned), unicode()];
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((name, inner), 0..20)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

const NAMES: &[&str] = &[
    "id", "method", "params", "jsonrpc", "result", "error", "_meta", "name", "a", "b", "ID", "",
];

/// Any Unicode text, with a taste for the characters that break lines, terminals and encodings.
pub(crate) fn unicode() -> impl Strategy<Value = String> {
    let char = prop_oneof![
        3 => any::<char>(),
        2 => proptest::char::range(' ', '~'),
        2 => select(HOSTILE_CHARS),
    ];
    vec(char, 0..24).prop_map(String::from_iter)
}

/// Text that tries to be more than text.
pub(crate) fn hostile_text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => unicode(),
        2 => select(HOSTILE_TEXTS).prop_map(str::to_owned),
        1 => select(HOSTILE_CHARS).prop_map(|char| char.to_string().repeat(1000)),
    ]
}

const HOSTILE_CHARS: &[char] = &[
    '\0',
    '\t',
    '\n',
    '\r',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    '\u{ad}',
    '\u{61c}',
    '\u{180e}',
    '\u{200b}',
    '\u{200d}',
    '\u{200e}',
    '\u{2028}',
    '\u{2029}',
    '\u{202e}',
    '\u{2066}',
    '\u{2069}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0001}',
    '\u{e0041}',
    '\u{10ffff}',
    '"',
    '\\',
    '/',
    '~',
    '\u{301}',
];

const HOSTILE_TEXTS: &[&str] = &[
    "\r\n[ERROR] forged",
    "\u{1b}[2J\u{1b}[1;31mroot",
    "a\u{202e}txt.exe",
    "=?base64?w6k=?=",
    "{\"jsonrpc\":\"2.0\"}",
    "../../etc/passwd",
];

/// A change of a few bytes.
#[derive(Clone, Debug)]
pub(crate) enum ByteMutation {
    Cut(Index),
    Replace(Index, u8),
    Insert(Index, &'static str),
    Drop(Index),
}

pub(crate) fn byte_mutation() -> impl Strategy<Value = ByteMutation> {
    prop_oneof![
        1 => any::<Index>().prop_map(ByteMutation::Cut),
        3 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| ByteMutation::Replace(at, byte)),
        3 => (any::<Index>(), select(FRAGMENTS)).prop_map(|(at, text)| ByteMutation::Insert(at, text)),
        3 => any::<Index>().prop_map(ByteMutation::Drop),
    ]
}

impl ByteMutation {
    pub(crate) fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Self::Replace(at, byte) => *at.get_mut(bytes) = *byte,
            Self::Insert(at, text) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, text.bytes());
            }
            Self::Drop(at) => drop(bytes.remove(at.index(bytes.len()))),
        }
    }
}
