//! The trace that a request is a part of.

use super::RequestMeta;
use crate::text::Json;

/// What a client says of the trace that its request is a part of. Source: W3C Trace Context and W3C Baggage, whose
/// headers stand as members in `_meta` (MCP 2026-07-28).
///
/// Each is there only if it reads like its header: what is malformed or too long is as if it were not sent. It is still
/// the client's word: nothing may be decided by it.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Call, TraceContext};
///
/// /// The headers of a request to another service, which go on with the client's trace.
/// fn headers(call: &Call<'_>) -> Vec<(&'static str, String)> {
///     let TraceContext { traceparent, tracestate, baggage, .. } = call.meta().trace_context();
///     let headers = [("traceparent", traceparent), ("tracestate", tracestate), ("baggage", baggage)];
///     headers.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned()))).collect()
/// }
/// # let _ = headers;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceContext<'m> {
    /// The trace, the client's own span in it, and flags, in hexadecimal digits.
    pub traceparent: Option<&'m str>,
    /// What vendors add to it; only with a `traceparent`.
    pub tracestate: Option<&'m str>,
    /// Names and values that go along.
    pub baggage: Option<&'m str>,
}

impl RequestMeta<'_> {
    /// The trace that the request is a part of.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::RequestMeta;
    ///
    /// // A request that says nothing of a trace.
    /// let meta = RequestMeta::default();
    /// assert_eq!(meta.trace_context().traceparent, None);
    /// ```
    pub fn trace_context(&self) -> TraceContext<'_> {
        let text = |member: &str| self.get(member).and_then(Json::as_str);
        let line = |member, longest| text(member).filter(|text| is_line(text, longest));
        let traceparent = text("traceparent").filter(|text| is_traceparent(text));
        TraceContext {
            traceparent,
            tracestate: traceparent.and_then(|_| line("tracestate", LONGEST_TRACESTATE)),
            baggage: line("baggage", LONGEST_BAGGAGE),
        }
    }
}

/// What W3C Trace Context asks everybody to pass on, in bytes.
const LONGEST_TRACESTATE: usize = 512;
/// What W3C Baggage asks everybody to pass on, in bytes.
const LONGEST_BAGGAGE: usize = 8192;

fn is_line(text: &str, longest: usize) -> bool {
    !text.is_empty()
        && text.len() <= longest
        && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Version, trace, span and flags; a later version may say more behind them.
fn is_traceparent(text: &str) -> bool {
    let mut parts = text.splitn(5, '-');
    let mut part = |length: usize| {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        parts
            .next()
            .filter(|part| part.len() == length && part.bytes().all(is_digit))
    };
    let (Some(version), Some(trace), Some(span), Some(_)) = (part(2), part(32), part(16), part(2))
    else {
        return false;
    };
    let is_something = |id: &str| id.bytes().any(|digit| digit != b'0');
    let more = parts.next();
    version != "ff"
        && is_something(trace)
        && is_something(span)
        && (version != "00" || more.is_none())
        && is_line(text, LONGEST_TRACESTATE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    fn read(meta: &serde_json::Value) -> [Option<String>; 3] {
        let Json::Object(meta) = Json::from(meta) else {
            unreachable!("an object");
        };
        let meta = RequestMeta::new(meta);
        let TraceContext {
            traceparent,
            tracestate,
            baggage,
        } = meta.trace_context();
        [traceparent, tracestate, baggage].map(|text| text.map(str::to_owned))
    }

    #[test]
    fn a_trace_that_reads_like_its_headers_is_taken() {
        let parent = format!("00-{TRACE}-{SPAN}-01");
        let meta = json!({"traceparent": parent, "tracestate": "a=1", "baggage": "user=ada"});
        let whole = [
            Some(parent),
            Some("a=1".to_owned()),
            Some("user=ada".to_owned()),
        ];
        assert_eq!(read(&meta), whole);
        let later = format!("01-{TRACE}-{SPAN}-01-more-of-it");
        assert_eq!(read(&json!({"traceparent": later}))[0], Some(later));
    }

    #[test]
    fn what_does_not_read_like_its_header_is_as_if_it_were_not_sent() {
        let zeros = "0".repeat(32);
        for parent in [
            String::new(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-"),
            format!("00-{TRACE}-{SPAN}-01 "),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("0-{TRACE}-{SPAN}-01"),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("01-{TRACE}-{SPAN}-01-\n"),
            format!("01-{TRACE}-{SPAN}-01-{}", "a".repeat(512)),
        ] {
            let meta = json!({"traceparent": parent, "tracestate": "a=1"});
            assert_eq!(read(&meta), [None, None, None], "{parent:?}");
        }
        let parent = format!("00-{TRACE}-{SPAN}-01");
        for (state, baggage) in [
            (json!("a=1\r\nb"), json!("é")),
            (json!(7), json!(null)),
            (json!("a".repeat(513)), json!("a".repeat(8193))),
        ] {
            let meta = json!({"traceparent": parent, "tracestate": state, "baggage": baggage});
            assert_eq!(read(&meta), [Some(parent.clone()), None, None]);
        }
    }
}
