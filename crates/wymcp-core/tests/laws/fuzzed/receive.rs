//! A request in the text form of HTTP/1, to a server of each kind.

use std::sync::LazyLock;

use wymcp_core::Session;

use crate::{dual, oracle, requests::Request};

/// A session of the newest revision, and one of the revision with batches.
static SESSIONS: LazyLock<[Session; 2]> =
    LazyLock::new(|| ["2025-11-25", "2025-03-26"].map(|version| dual::session(version).unwrap()));

pub(crate) fn receive(bytes: &[u8]) {
    let (request, target) = read(bytes);
    let mut head = request.head();
    if let Some((scheme, rest)) = target.split_once("://") {
        head = head.authority(Some(scheme), rest.split('/').next().unwrap_or_default());
    }
    oracle::answer(&head, &request.body);
    for session in &*SESSIONS {
        dual::answer(&head, &request.body, session);
    }
}

/// The request, and its target.
fn read(bytes: &[u8]) -> (Request, String) {
    let (head, body) = split_head(bytes);
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let mut words = first.split(' ').map(str::to_owned);
    let method = words.next().unwrap_or_default();
    let target = words.next().unwrap_or_default();
    let headers = lines.map(|line| {
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        (String::from_utf8_lossy(name).into_owned(), value.to_vec())
    });
    let request = Request {
        method,
        headers: headers.collect(),
        body: body.to_vec(),
    };
    (request, target)
}

fn split_head(bytes: &[u8]) -> (&[u8], &[u8]) {
    for end in [&b"\r\n\r\n"[..], b"\n\n"] {
        if let Some(at) = bytes.windows(end.len()).position(|window| window == end) {
            return (&bytes[..at], &bytes[at + end.len()..]);
        }
    }
    (bytes, b"")
}
