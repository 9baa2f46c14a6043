//! What came back: the parts of an answer that the contract speaks about.

use std::fmt;

use serde_json::Value;
use wymcp::Reply;

use wymcp_core::LegacyVersion;

use crate::{layout::layout, official};

/// An answer, with the headers that matter: those a client acts on, and those that must not be there.
///
/// Displays as a case file writes it.
///
/// # Examples
///
/// ```
/// use wymcp_testkit::Answer;
///
/// let sent = Answer::new(
///     200,
///     [("Content-Type", "application/json"), ("Date", "Tue, 28 Jul 2026 12:00:00 GMT")],
///     br#"{"id": 1, "error": {"code": -32601, "message": "no such method: x"}}"#.to_vec(),
/// );
/// assert_eq!(sent.header("content-type"), Some("application/json"));
/// assert_eq!(sent.header("date"), None);
/// assert_eq!(sent.json()?["error"]["code"], -32601);
/// assert!(sent.to_string().starts_with("HTTP/1.1 200\ncontent-type: application/json\n\n{"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Names, in lower case, and values of the headers that matter, sorted.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// In an expected body, a string that any string equals.
const ANY: &str = "<any>";

impl Answer {
    /// An answer; of the headers only those that matter are kept.
    pub fn new<N: AsRef<str>, V: Into<String>>(
        status: u16,
        headers: impl IntoIterator<Item = (N, V)>,
        body: Vec<u8>,
    ) -> Self {
        let headers = headers
            .into_iter()
            .map(|(name, value)| (name.as_ref().to_ascii_lowercase(), value.into()));
        let mut headers: Vec<(String, String)> = headers
            .filter(|(name, value)| matters(name, value))
            .collect();
        headers.sort();
        Self {
            status,
            headers,
            body,
        }
    }

    /// The value of a header that matters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| &**value)
    }

    /// The body as JSON.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn json(&self) -> serde_json::Result<Value> {
        serde_json::from_slice(&self.body)
    }

    /// The messages of the body: one, or those of a stream in their order. `None` when it has something else.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_testkit::Answer;
    ///
    /// let headers = [("content-type", "text/event-stream")];
    /// let stream = Answer::new(200, headers, b"data: 1\n\n:\n\ndata: [2]\n\n".to_vec());
    /// assert_eq!(stream.messages(), Some(vec![json!(1), json!([2])]));
    /// ```
    pub fn messages(&self) -> Option<Vec<Value>> {
        self.read(|_| false)
    }

    /// The same of a session's stream, whose events have ids, and of which one that only has an id has no message.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_testkit::Answer;
    ///
    /// let body = b"id: a\nretry: 9\ndata: \n\nid: b\ndata: {}\n\n".to_vec();
    /// let stream = Answer::new(200, [("content-type", "text/event-stream")], body);
    /// assert_eq!(stream.messages(), None);
    /// assert_eq!(stream.numbered_messages(), Some(vec![json!({})]));
    /// ```
    pub fn numbered_messages(&self) -> Option<Vec<Value>> {
        self.read(|line| {
            let is_about_the_event = line.starts_with("id: ") || line.starts_with("retry: ");
            is_about_the_event || line.trim_end() == "data:"
        })
    }

    /// The messages of the body, without some lines of its events.
    fn read(&self, is_left_out: impl Fn(&str) -> bool) -> Option<Vec<Value>> {
        if self.header("content-type") != Some("text/event-stream") {
            return Some(vec![self.json().ok()?]);
        }
        let text = std::str::from_utf8(&self.body).ok()?;
        let lines = text.split('\n').filter(|line| !is_left_out(line));
        let text = lines.collect::<Vec<_>>().join("\n");
        let events = text.split("\n\n").map(|event| event.trim_matches('\n'));
        let events = events.filter(|event| !event.is_empty() && !event.starts_with(':'));
        events
            .map(|event| serde_json::from_str(event.strip_prefix("data: ")?).ok())
            .collect()
    }

    /// Judges this answer to a request's body by the official schema, if the environment variable `MCP_SCHEMA_DIR`
    /// names a folder that holds `2026-07-28/schema.json`. Only what has a media type of the protocol is judged.
    ///
    /// [`in_process`](crate::in_process) and [`Connection`](crate::Connection) do so of themselves.
    ///
    /// # Errors
    ///
    /// The first violation.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_testkit::Answer;
    ///
    /// let request = br#"{"jsonrpc": "2.0", "id": 1, "method": "x"}"#;
    /// let answer = br#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no such method: x"}}"#;
    /// let answer = Answer::new(404, [("content-type", "application/json")], answer.to_vec());
    /// assert_eq!(answer.judge(request), Ok(()));
    /// ```
    pub fn judge(&self, request: &[u8]) -> Result<(), String> {
        self.each_message(Self::messages, |message| official::judge(request, message))
    }

    /// Judges this answer by the official schema of a revision with sessions, as [`judge`](Self::judge) does, from the
    /// folder of that revision. The answer to a GET is one to an empty body, but where that resumes a request's stream:
    /// there the body is the request's.
    ///
    /// # Errors
    ///
    /// The first violation. What the revision's definitions do not declare is one too.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::LegacyVersion;
    /// use wymcp_testkit::Answer;
    ///
    /// let request = br#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
    /// let answer = br#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#;
    /// let answer = Answer::new(200, [("content-type", "application/json")], answer.to_vec());
    /// assert_eq!(answer.judge_by(LegacyVersion::NEWEST, request), Ok(()));
    /// ```
    pub fn judge_by(&self, version: LegacyVersion, request: &[u8]) -> Result<(), String> {
        self.each_message(Self::numbered_messages, |message| {
            official::judge_by(version.as_str(), request, message)
        })
    }

    /// What a body is compared by: each event of a stream, or the one message.
    fn events(&self) -> Option<Vec<StreamEvent<'_>>> {
        if self.header("content-type") != Some("text/event-stream") {
            return Some(vec![StreamEvent {
                message: self.json().ok()?,
                ..StreamEvent::default()
            }]);
        }
        let text = std::str::from_utf8(&self.body).ok()?;
        let events = text.split("\n\n").map(|event| event.trim_matches('\n'));
        let events = events.filter(|event| !event.is_empty() && !event.starts_with(':'));
        events.map(StreamEvent::read).collect()
    }

    /// The same answer without the ids that no two answers share, as a case writes them.
    pub(crate) fn with_any_ids(&self) -> Self {
        let mut answer = self.clone();
        for (name, value) in &mut answer.headers {
            if name == "mcp-session-id" {
                ANY.clone_into(value);
            }
        }
        if answer.header("content-type") == Some("text/event-stream") {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let lines = text
                .split('\n')
                .map(|line| match line.strip_prefix("id: ") {
                    Some(_) => format!("id: {ANY}"),
                    None => line.to_owned(),
                });
            answer.body = lines.collect::<Vec<_>>().join("\n").into_bytes();
        }
        answer
    }

    fn each_message(
        &self,
        read: impl Fn(&Self) -> Option<Vec<Value>>,
        judge: impl Fn(&Value) -> Result<(), String>,
    ) -> Result<(), String> {
        let media_type = self.header("content-type").unwrap_or_default();
        if self.body.is_empty() || !["application/json", "text/event-stream"].contains(&media_type)
        {
            return Ok(());
        }
        let messages = read(self).ok_or("the body is no message")?;
        messages.iter().try_for_each(judge)
    }

    /// How this answer differs from the expected one; `None` when it does not. Messages are compared as JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_testkit::Answer;
    ///
    /// let answer = |status, body: &str| Answer::new(status, [("content-type", "application/json")], body.into());
    /// let sent = answer(200, r#"{"id": 1, "result": {}}"#);
    /// assert_eq!(sent.difference(&answer(200, r#"{"result":{},"id":1}"#)), None);
    /// assert_eq!(sent.difference(&answer(202, "")).as_deref(), Some("status 200 in the place of 202"));
    ///
    /// // In the expected body, any string will do here.
    /// let any = answer(200, r#"{"id":"<any>","result":{}}"#);
    /// assert!(sent.difference(&any).is_some());
    /// assert_eq!(answer(200, r#"{"id":"one","result":{}}"#).difference(&any), None);
    /// ```
    pub fn difference(&self, expected: &Self) -> Option<String> {
        if self.status != expected.status {
            return Some(format!(
                "status {} in the place of {}",
                self.status, expected.status
            ));
        }
        let mut pairs = self.headers.iter().zip(&expected.headers);
        let same_headers = self.headers.len() == expected.headers.len()
            && pairs
                .all(|((name, value), (known, due))| name == known && (due == ANY || value == due));
        if !same_headers {
            return Some(format!(
                "headers {:?} in the place of {:?}",
                self.headers, expected.headers
            ));
        }
        let same = match (self.events(), expected.events()) {
            (Some(events), Some(expected)) => {
                let mut pairs = events.iter().zip(&expected);
                events.len() == expected.len() && pairs.all(|(event, known)| known.admits(event))
            }
            _ => self.body == expected.body,
        };
        (!same).then(|| "another body".to_owned())
    }
}

impl From<Reply> for Answer {
    /// The answer that an adapter writes for a reply.
    fn from(reply: Reply) -> Self {
        let close = reply.close.then(|| ("connection", "close".into()));
        let headers = reply.headers.into_iter().chain(close);
        Self::new(
            reply.status.as_u16(),
            headers.map(|(name, value)| (name, value.into_owned())),
            reply.body,
        )
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "HTTP/1.1 {}", self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {value}")?;
        }
        if self.body.is_empty() {
            return Ok(());
        }
        match std::str::from_utf8(&self.body) {
            Ok(text) => writeln!(f, "\n{}", layout(text)),
            Err(_) => writeln!(f, "\n{:?}", self.body),
        }
    }
}

/// One event of a stream.
#[derive(Debug, Default)]
struct StreamEvent<'a> {
    id: Option<&'a str>,
    retry: Option<&'a str>,
    /// Null, if it has none.
    message: Value,
}

impl<'a> StreamEvent<'a> {
    /// Reads the lines of an event, each at most once; `None` for lines that no stream of ours has.
    fn read(event: &'a str) -> Option<Self> {
        let mut read = Self::default();
        for line in event.lines() {
            match line.split_once(": ").unwrap_or((line, "")) {
                ("id", id) => read.id = Some(id),
                ("retry", retry) => read.retry = Some(retry),
                ("data" | "data:", "") => {}
                ("data", message) => read.message = serde_json::from_str(message).ok()?,
                _ => return None,
            }
        }
        Some(read)
    }

    fn admits(&self, actual: &Self) -> bool {
        let same_id = match (self.id, actual.id) {
            (Some(ANY), Some(_)) => true,
            (expected, id) => expected == id,
        };
        same_id && self.retry == actual.retry && admits(&self.message, &actual.message)
    }
}

/// A header that a client acts on, or that a server of this protocol must not send by itself.
fn matters(name: &str, value: &str) -> bool {
    match name {
        "allow" | "cache-control" | "content-encoding" | "content-type" | "retry-after"
        | "www-authenticate" | "x-accel-buffering" => true,
        "connection" => value.eq_ignore_ascii_case("close"),
        _ => name.starts_with("mcp-") || name.starts_with("access-control-"),
    }
}

/// Whether a value is the expected one, where that leaves it open too.
pub(crate) fn admits(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(any), Value::String(_)) if any == ANY => true,
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected
                    .iter()
                    .zip(actual)
                    .all(|(expected, actual)| admits(expected, actual))
        }
        (Value::Object(expected), Value::Object(actual)) => {
            expected.len() == actual.len()
                && expected.iter().all(|(name, expected)| {
                    actual
                        .get(name)
                        .is_some_and(|actual| admits(expected, actual))
                })
        }
        _ => expected == actual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &str) -> Answer {
        Answer::new(
            200,
            [("Content-Type", "application/json"), ("Date", "today")],
            body.into(),
        )
    }

    #[test]
    fn bodies_are_compared_as_json_and_headers_by_what_matters() {
        let sent = answer(r#"{"a": 1, "b": "x"}"#);
        assert_eq!(
            sent.headers,
            [("content-type".to_owned(), "application/json".to_owned())]
        );
        assert_eq!(sent.difference(&answer(r#"{"b":"x","a":1}"#)), None);
        assert_eq!(sent.difference(&answer(r#"{"b":"<any>","a":1}"#)), None);
        for other in [
            r#"{"a":1}"#,
            r#"{"a":1.0,"b":"x"}"#,
            r#"{"a":1,"b":"x","c":null}"#,
            "",
        ] {
            assert!(sent.difference(&answer(other)).is_some(), "{other}");
        }
    }
}
