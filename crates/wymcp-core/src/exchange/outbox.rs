//! What a handler says before its answer: progress and log records, bounded and in order.

use std::collections::VecDeque;

use serde::{Serialize, Serializer};

use super::{Call, StructuredContent};
use crate::{
    event::Fault,
    legacy::EventKind,
    log_level::LogLevel,
    text::{Number, RequestId},
    wrapping::{Wrapping, notification},
};

/// The notifications of one call that are still to be sent, each as an event of its stream.
///
/// Nothing is queued that the client did not ask for, or that its `Accept` cannot take. A reader that is slower than
/// the handler costs no more than [`Limits::stream_messages`](crate::Limits::stream_messages) and
/// [`Limits::stream_bytes`](crate::Limits::stream_bytes): beyond them a progress takes
/// the place of the last one, and log records are dropped and counted.
///
/// # Examples
///
/// ```
/// use wymcp_core::{LogLevel, Outbox};
///
/// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
/// # let server = Server::builder("kitchen", "1.0.0").logging().tool(Tool::new("bake")).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "bake"),
/// # ];
/// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
/// #     "params": {"name": "bake", "arguments": {}, "_meta": {"progressToken": "p1",
/// #         "io.modelcontextprotocol/logLevel": "warning",
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {}
/// #     }}}"#;
/// # let head = Head::new("POST", &headers);
/// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
/// #     unreachable!("the message passes every stage");
/// # };
/// // `call` asks for progress under the token `p1`, and for log records from `warning` on.
/// let mut outbox = Outbox::of(&call);
/// outbox.progress(1.0, Some(2.0), Some("kneading"));
/// outbox.progress(1.0, Some(2.0), None); // No progress.
/// outbox.record(LogLevel::Info, None, &"the oven is warm").unwrap();
/// outbox.record(LogLevel::Error, Some("oven"), &"the oven is on fire").unwrap();
/// let sent = String::from_utf8(outbox.drain()).unwrap();
/// assert_eq!(sent.matches("data: ").count(), 2);
/// assert!(sent.contains(r#""params":{"progressToken":"p1","progress":1,"total":2,"message":"kneading"}"#));
/// assert!(sent.contains(r#""params":{"level":"error","logger":"oven","data":"the oven is on fire"}"#));
/// assert!(outbox.is_open() && outbox.is_empty() && outbox.dropped() == 0);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Debug, Default)]
pub struct Outbox {
    /// Under which token progress is told, if the client asked for it.
    token: Option<RequestId<'static>>,
    /// From which severity on log records are sent, if the client asked for them and the server has them.
    level: Option<LogLevel>,
    wrapping: Wrapping,
    most_messages: usize,
    most_bytes: usize,
    queue: VecDeque<Queued>,
    bytes: usize,
    progress: Option<f64>,
    dropped: u64,
}

#[derive(Debug)]
struct Queued {
    said: Said,
    event: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Progress,
    Record,
    Question,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProgressParams<'a> {
    progress_token: &'a RequestId<'static>,
    progress: Plain,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// A finite number, without a fraction where it has none.
struct Plain(f64);

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Number::from_f64(self.0).and_then(Number::safe_integer) {
            Some(integer) => serializer.serialize_i64(integer),
            None => serializer.serialize_f64(self.0),
        }
    }
}

#[derive(Serialize)]
struct LogRecord<'a> {
    level: LogLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    logger: Option<&'a str>,
    data: StructuredContent,
}

impl Outbox {
    /// An empty outbox for what the client of a call asked for.
    pub fn of(call: &Call<'_>) -> Self {
        let (meta, limits) = (call.meta(), call.server.limits());
        let token = meta.progress_token().map(RequestId::into_owned);
        let level = meta.log_level().filter(|_| call.server.settings.logging);
        // Whether the client reads streams is asked last, since most calls say nothing and their `Accept` need not be read.
        let may_say = token.is_some() || level.is_some() || call.is_in_session();
        if !may_say || !call.streams() {
            return Self::default();
        }
        Self {
            token,
            level,
            wrapping: call.channel.wrapping(),
            most_messages: limits.stream_messages,
            most_bytes: limits.stream_bytes,
            ..Self::default()
        }
    }

    /// Whether anything would be sent at all.
    pub fn is_open(&self) -> bool {
        self.token.is_some() || self.level.is_some()
    }

    /// Queues a progress, unless nobody asked for it, it is not finite, or it is no more than the last one.
    pub fn progress(&mut self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.token else { return };
        let is_more = self.progress.is_none_or(|last| progress > last);
        if !progress.is_finite() || !is_more {
            return;
        }
        let params = ProgressParams {
            progress_token: token,
            progress: Plain(progress),
            total: total.filter(|total| total.is_finite()).map(Plain),
            message,
        };
        let event = notification(self.wrapping, "notifications/progress", &params);
        if self.push(Said::Progress, event) {
            self.progress = Some(progress);
        }
    }

    /// Whether a log record of this severity would be sent.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{LogLevel, Outbox};
    ///
    /// assert!(!Outbox::default().wants(LogLevel::Emergency));
    /// ```
    pub fn wants(&self, level: LogLevel) -> bool {
        self.level.is_some_and(|least| level >= least)
    }

    /// Queues a log record, unless nobody asked for its severity.
    ///
    /// # Errors
    ///
    /// When the data has no JSON encoding.
    pub fn record(
        &mut self,
        level: LogLevel,
        logger: Option<&str>,
        data: &(impl Serialize + ?Sized),
    ) -> Result<(), Fault> {
        if !self.wants(level) {
            return Ok(());
        }
        let data = StructuredContent::new(data)?;
        let params = LogRecord {
            level,
            logger,
            data,
        };
        let event = notification(self.wrapping, "notifications/message", &params);
        if !self.push(Said::Record, event) {
            self.dropped = self.dropped.saturating_add(1);
        }
        Ok(())
    }

    fn push(&mut self, said: Said, event: Vec<u8>) -> bool {
        let fits = |outbox: &Self| {
            outbox.queue.len() < outbox.most_messages
                && outbox.bytes.saturating_add(event.len()) <= outbox.most_bytes
        };
        if !fits(self) && said == Said::Progress {
            let is_progress = |queued: &Queued| queued.said == Said::Progress;
            let last = self.queue.iter().rposition(is_progress);
            if let Some(replaced) = last.and_then(|last| self.queue.remove(last)) {
                self.bytes = self.bytes.saturating_sub(replaced.event.len());
            }
        }
        if !fits(self) {
            return false;
        }
        self.bytes = self.bytes.saturating_add(event.len());
        self.queue.push_back(Queued { said, event });
        true
    }

    /// Adds a question, which is never dropped: its handler waits for the answer. Only in a session
    /// ([`Session::question`](crate::Session::question)).
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{EventKind, Outbox};
    ///
    /// let mut outbox = Outbox::default();
    /// outbox.ask(br#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#);
    /// let (_, kind) = outbox.take().next().unwrap();
    /// assert_eq!(kind, EventKind::Kept);
    /// assert!(outbox.is_empty());
    /// ```
    pub fn ask(&mut self, question: &[u8]) {
        let event = self.wrapping.wrap(question);
        self.bytes = self.bytes.saturating_add(event.len());
        let said = Said::Question;
        self.queue.push_back(Queued { said, event });
    }

    /// Everything that is queued, message by message, for a stream of a session.
    pub fn take(&mut self) -> impl Iterator<Item = (Vec<u8>, EventKind)> + use<> {
        self.bytes = 0;
        let queue = std::mem::take(&mut self.queue);
        queue.into_iter().map(|queued| match queued.said {
            Said::Question => (queued.event, EventKind::Kept),
            Said::Progress | Said::Record => (queued.event, EventKind::Passing),
        })
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// How many log records were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Everything that is queued, as one piece of the stream.
    pub fn drain(&mut self) -> Vec<u8> {
        let mut events = Vec::with_capacity(self.bytes);
        for queued in self.queue.drain(..) {
            events.extend_from_slice(&queued.event);
        }
        self.bytes = 0;
        events
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outbox((most_messages, most_bytes): (usize, usize)) -> Outbox {
        Outbox {
            token: Some(RequestId::from(7)),
            level: Some(LogLevel::Debug),
            most_messages,
            most_bytes,
            ..Outbox::default()
        }
    }

    fn messages(outbox: &mut Outbox) -> Vec<serde_json::Value> {
        let text = String::from_utf8(outbox.drain()).unwrap();
        text.split_terminator("\n\n")
            .map(|event| serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap())
            .collect()
    }

    #[test]
    fn progress_only_grows_and_is_finite() {
        let mut outbox = outbox((usize::MAX, usize::MAX));
        for progress in [1.0, 1.0, 0.5, f64::NAN, f64::INFINITY, 2.0] {
            outbox.progress(progress, Some(f64::INFINITY), None);
        }
        let told = messages(&mut outbox);
        let told: Vec<_> = told.iter().map(|it| &it["params"]["progress"]).collect();
        assert_eq!(told, [1, 2]);
    }

    #[test]
    fn nothing_is_told_that_nobody_asked_for() {
        let mut silent = Outbox::default();
        silent.progress(1.0, None, None);
        silent.record(LogLevel::Emergency, None, "fire").unwrap();
        assert!(silent.is_empty() && !silent.is_open() && silent.dropped() == 0);
    }

    #[test]
    fn a_record_without_an_encoding_is_a_fault_and_leaves_the_queue_alone() {
        let mut outbox = outbox((usize::MAX, usize::MAX));
        assert!(outbox.record(LogLevel::Info, None, &f64::NAN).is_err());
        assert!(outbox.is_empty());
    }

    #[test]
    fn a_full_queue_keeps_the_newest_progress_and_counts_the_records_that_it_drops() {
        let mut outbox = outbox((2, usize::MAX));
        outbox.progress(1.0, None, None);
        outbox.record(LogLevel::Info, None, "first").unwrap();
        outbox.record(LogLevel::Info, None, "second").unwrap();
        outbox.progress(2.0, None, None);
        outbox.progress(3.0, None, None);
        assert_eq!(outbox.dropped(), 1);
        let told = messages(&mut outbox);
        assert_eq!(told[0]["params"]["data"], "first");
        assert_eq!(told[1]["params"]["progress"], 3);
        assert_eq!(told.len(), 2);
    }

    proptest! {
        #[test]
        fn no_queue_passes_its_bounds(
            messages in 0..5_usize,
            bytes in 0..600_usize,
            said in prop::collection::vec((any::<bool>(), 0..9_u8, ".{0,40}"), 0..40),
        ) {
            let mut outbox = outbox((messages, bytes));
            for (is_progress, progress, text) in said {
                if is_progress {
                    outbox.progress(f64::from(progress), None, Some(&text));
                } else {
                    outbox.record(LogLevel::Info, None, &text).unwrap();
                }
                prop_assert!(outbox.queue.len() <= messages);
                let held: usize = outbox.queue.iter().map(|queued| queued.event.len()).sum();
                prop_assert_eq!(held, outbox.bytes);
                prop_assert!(held <= bytes);
            }
        }
    }
}
