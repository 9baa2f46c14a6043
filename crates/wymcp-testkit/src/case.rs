//! A golden case: one file, one request, one answer.

use std::fmt;

use wymcp::RejectionReason;
use wymcp_core::LegacyVersion;

use crate::{Answer, CaseSession, Request, placeholder::expand};

/// A request and the answer that every adapter gives to it; see the [crate](crate) for how a file is written.
///
/// # Examples
///
/// ```
/// use wymcp::RejectionReason;
/// use wymcp_testkit::Case;
///
/// let cases = Case::all();
/// let case = cases.iter().find(|case| case.name == "origin/refuses-null").unwrap();
/// assert_eq!((&*case.server, case.reason), ("modern-bare", Some(RejectionReason::OriginNotAllowed)));
///
/// let expected = case.answer.as_ref().unwrap();
/// assert_eq!(case.difference(Some(expected)), None);
/// assert!(case.difference(None).unwrap().starts_with("no answer"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// `rule/behavior`: the file's path in `cases`, without its ending.
    pub name: String,
    /// What is shown.
    pub about: String,
    /// The name of the [fixture](crate::fixture) that answers.
    pub server: String,
    /// The session that the request is of, which is opened before.
    pub session: Option<CaseSession>,
    /// The revision that judges the answer, if it is none without sessions.
    pub revision: Option<LegacyVersion>,
    /// Why the request is refused, if it is: exactly one event says so.
    pub reason: Option<RejectionReason>,
    /// The kinds of all events in their order, where the case names them.
    pub events: Option<Vec<String>>,
    /// Why a host may refuse this before the adapter sees it. Then a refusal in the host's own words will do over a
    /// socket; in process the answer stands.
    pub host_answers: Option<String>,
    /// What is sent.
    pub request: Request,
    /// What comes back; `None` when the connection ends without an answer.
    pub answer: Option<Answer>,
}

/// A case file that cannot be read.
///
/// # Examples
///
/// ```
/// use wymcp_testkit::{Case, CaseError};
///
/// let misspelled = "# A case.\nserver: modern\n\nPOST /mcp HTTP/1.1\n\n{{twice x}}\n---\nno answer\n";
/// let error: CaseError = Case::parse("method/post", misspelled).unwrap_err();
/// assert!(error.to_string().starts_with("case method/post: {{twice x}} is unknown; write "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    name: String,
    fault: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {}: {}", self.name, self.fault)
    }
}

impl std::error::Error for CaseError {}

/// The files that this crate carries.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// What stands between a request and its answer.
const SEPARATOR: &str = "\n---\n";

/// The revision of answers outside of sessions.
const MODERN: &str = "2026-07-28";

/// What stands in the place of an answer that does not come.
const NO_ANSWER: &str = "no answer";

impl Case {
    /// Every case, in the order of their names.
    ///
    /// # Panics
    ///
    /// When a file cannot be read; this crate's own tests rule that out.
    pub fn all() -> Vec<Self> {
        FILES
            .iter()
            .map(|(name, text)| Self::parse(name, text).unwrap_or_else(|error| panic!("{error}")))
            .collect()
    }

    /// Reads a case file.
    ///
    /// # Errors
    ///
    /// The first line that is not as it should be.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_testkit::Case;
    ///
    /// let case = Case::parse("method/get", "\
    /// ## Only POST is served.
    /// server: modern
    /// reason: MethodNotAllowed
    ///
    /// GET /mcp HTTP/1.1
    /// Host: localhost
    /// ---
    /// no answer
    /// ")?;
    /// assert_eq!(case.request.to_bytes(), b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    /// # Ok::<(), wymcp_testkit::CaseError>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, CaseError> {
        read(name, text).map_err(|fault| CaseError {
            name: name.to_owned(),
            fault,
        })
    }

    /// Judges an answer by the official schema of the case's revision; see [`Answer::judge`].
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn judge(&self, answer: &Answer) -> Result<(), String> {
        match self.revision {
            Some(version) => answer.judge_by(version, &self.request.body),
            None => answer.judge(&self.request.body),
        }
    }

    /// How an answer differs from this case's; `None` when it does not.
    pub fn difference(&self, answer: Option<&Answer>) -> Option<String> {
        let difference = match (answer, &self.answer) {
            (None, None) => return None,
            (Some(answer), Some(expected)) => answer.difference(expected)?,
            (Some(_), None) => "an answer in the place of none".to_owned(),
            (None, Some(_)) => "no answer".to_owned(),
        };
        Some(format!(
            "{difference}\nexpected: {}answered: {}",
            shown(self.answer.as_ref()),
            shown(answer)
        ))
    }

    /// The text of a case's file with another answer, for a test that writes answers down.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_testkit::{Answer, Case};
    ///
    /// let text = "# A case.\nserver: modern\n\nGET /mcp HTTP/1.1\n---\nno answer\n";
    /// let answer = Answer::new(405, [("allow", "POST")], Vec::new());
    /// let written = Case::with_answer(text, Some(&answer));
    /// assert!(written.ends_with("\n---\nHTTP/1.1 405\nallow: POST\n"));
    /// assert_eq!(Case::parse("method/get", &written)?.answer, Some(answer));
    /// assert_eq!(Case::with_answer(&written, None), text);
    /// # Ok::<(), wymcp_testkit::CaseError>(())
    /// ```
    pub fn with_answer(text: &str, answer: Option<&Answer>) -> String {
        let request = text
            .split_once(SEPARATOR)
            .map_or(text, |(request, _)| request);
        let answer = answer.map(Answer::with_any_ids);
        format!("{request}{SEPARATOR}{}", shown(answer.as_ref()))
    }
}

fn shown(answer: Option<&Answer>) -> String {
    answer.map_or_else(|| format!("{NO_ANSWER}\n"), ToString::to_string)
}

fn read(name: &str, text: &str) -> Result<Case, String> {
    let (sent, answer) = text
        .split_once(SEPARATOR)
        .ok_or("no line --- stands between request and answer")?;
    let (header, request) = sent
        .split_once("\n\n")
        .ok_or("no empty line ends the header")?;
    let mut case = Case {
        name: name.to_owned(),
        about: String::new(),
        server: String::new(),
        session: None,
        revision: None,
        reason: None,
        events: None,
        host_answers: None,
        request: read_request(request)?,
        answer: read_answer(answer)?,
    };
    let mut judge = None;
    for line in header.lines() {
        if let Some(about) = line.strip_prefix('#') {
            if !case.about.is_empty() {
                case.about.push(' ');
            }
            case.about.push_str(about.trim_matches(['#', ' ']));
            continue;
        }
        let (key, value) = line
            .split_once(": ")
            .ok_or_else(|| format!("the line {line:?} has no key"))?;
        match key {
            "server" => value.clone_into(&mut case.server),
            "session" => case.session = Some(value.parse()?),
            "revision" if value == MODERN => judge = Some(None),
            "revision" => judge = Some(Some(revision(value)?)),
            "reason" => case.reason = Some(reason(value)?),
            "events" => case.events = Some(value.split(", ").map(str::to_owned).collect()),
            "host-answers" => case.host_answers = Some(value.to_owned()),
            "then" if value == "close" => case.request.closes = true,
            _ => return Err(format!("the line {line:?} is unknown")),
        }
    }
    if case.about.is_empty() || case.server.is_empty() {
        return Err("a case says what it shows (# ...) and names its server".to_owned());
    }
    let of_session = case.session.as_ref().map(CaseSession::version);
    case.revision = judge.unwrap_or(of_session);
    Ok(case)
}

pub(crate) fn revision(name: &str) -> Result<LegacyVersion, String> {
    LegacyVersion::named(name).ok_or_else(|| format!("{name} is no revision with sessions"))
}

fn reason(name: &str) -> Result<RejectionReason, String> {
    let known = RejectionReason::ALL
        .iter()
        .find(|reason| format!("{reason:?}") == name);
    known
        .copied()
        .ok_or_else(|| format!("{name} is no rejection reason"))
}

fn read_request(text: &str) -> Result<Request, String> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.trim_end_matches('\n').lines();
    let line: Vec<&str> = lines.next().unwrap_or_default().splitn(3, ' ').collect();
    let [method, target, version] = line[..] else {
        return Err(format!("{line:?} is no request line"));
    };
    let headers = lines.map(|line| {
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| format!("{line:?} is no header line"))?;
        Ok((name.to_owned(), expand(value)?))
    });
    let mut request = Request {
        method: method.to_owned(),
        target: target.to_owned(),
        version: version.to_owned(),
        headers: headers.collect::<Result<_, String>>()?,
        body: expand(body)?,
        closes: false,
    };
    request.announce_length();
    Ok(request)
}

fn read_answer(text: &str) -> Result<Option<Answer>, String> {
    let (head, body) = text
        .trim_end()
        .split_once("\n\n")
        .unwrap_or((text.trim_end(), ""));
    if head == NO_ANSWER {
        return Ok(None);
    }
    let mut lines = head.lines();
    let line = lines.next().unwrap_or_default();
    let status = line
        .strip_prefix("HTTP/1.1 ")
        .and_then(|status| status.parse().ok());
    let status = status
        .ok_or_else(|| format!("{line:?} is neither HTTP/1.1 and a status nor {NO_ANSWER}"))?;
    let headers = lines.map(|line| {
        line.split_once(": ")
            .ok_or_else(|| format!("{line:?} is no header line"))
    });
    Ok(Some(Answer::new(
        status,
        headers.collect::<Result<Vec<_>, _>>()?,
        body.as_bytes().to_vec(),
    )))
}
