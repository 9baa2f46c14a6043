//! What a client sends and no operator may read: it is noted on its way to the server, and looked for in every record of
//! `tracing` and in every event.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
    sync::{Arc, LazyLock, Mutex, MutexGuard, Once, PoisonError},
};

use serde_json::{Deserializer, Value};
use tracing::{
    Metadata, Subscriber,
    field::{Field, Visit},
    span,
};
use wymcp::{Event, render};

use crate::Request;

/// Runs something of the suite, and fails if anything was recorded meanwhile that a client had sent in confidence.
pub(crate) fn watched<R>(run: impl FnOnce() -> R) -> R {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let records = Records(Arc::clone(&WATCH));
        tracing::subscriber::set_global_default(records)
            .unwrap_or_else(|_| panic!("a subscriber of another takes what the suite looks at"));
    });
    let outcome = run();
    WATCH.assert_nothing_shown();
    outcome
}

/// Fails when the suite has come to note or to see so little that nothing could be found.
pub(crate) fn assert_it_looks() {
    let noted = WATCH.noted();
    let (secrets, looks) = (noted.secrets.len(), noted.looks);
    drop(noted);
    assert!(
        secrets >= LEAST_SECRETS && looks >= LEAST_LOOKS,
        "only {secrets} secrets were noted, and {looks} texts looked at"
    );
}

/// Notes what is confidential in a request that goes out.
pub(crate) fn note(request: &Request) {
    let credentials = request.headers.iter();
    for (_, value) in credentials.filter(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
        WATCH.keep_credentials(&String::from_utf8_lossy(value));
    }
    WATCH.keep_message(&request.body);
}

/// Notes what is confidential in bytes that go out: heads, bodies, chunks of them, or lines.
pub(crate) fn note_bytes(bytes: &[u8]) {
    if bytes.len() > LONG {
        return;
    }
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                WATCH.keep_credentials(value);
            }
            _ => {}
        }
    }
    let starts = text.match_indices('\n').map(|(at, end)| at + end.len());
    for at in std::iter::once(0).chain(starts) {
        let line = &text[at..];
        if line.starts_with(['{', '[']) {
            WATCH.keep_message(line.as_bytes());
        }
    }
}

/// Looks at an event as a host may show it, and hands it to the records, as a host does by default.
pub(crate) fn look_at(event: &Event) {
    WATCH.look_at("an event", &format!("{event:?}"));
    render(event);
}

static WATCH: LazyLock<Arc<Watch>> = LazyLock::new(Arc::default);

/// What is sent at length holds nothing that a short message does not.
const LONG: usize = 64 * 1024;

/// A shorter text stands in records by chance: `accept`, `monday`.
const SHORTEST: usize = 7;

/// Records are clipped: the beginning of a secret is a secret.
const LONGEST: usize = 24;

/// The members of a message's `params` that an operator is not shown, whatever their values are.
const CONFIDENTIAL: [&str; 4] = ["arguments", "argument", "inputResponses", "requestState"];

/// The arguments that name something of the server's: an action, or what help is asked of.
const NAMES: [&str; 2] = ["action", "tool"];

/// What the golden cases have of each, at the least.
const LEAST_SECRETS: usize = 20;
const LEAST_LOOKS: usize = 5_000;

#[derive(Debug, Default)]
struct Watch(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    secrets: BTreeSet<String>,
    /// How they begin, to pass over most of a text fast.
    beginnings: HashSet<Vec<u8>>,
    /// What a client says in the open too, so that a record of it gives nothing away.
    open: BTreeSet<String>,
    shown: BTreeSet<String>,
    /// How many texts were looked at.
    looks: usize,
}

impl Watch {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, secret: &str) {
        // Others are shown with escapes in them.
        let plain = |char: char| matches!(char, ' '..='~') && !matches!(char, '"' | '\\');
        let end = secret.find(|char| !plain(char)).unwrap_or(secret.len());
        let secret = &secret[..end.min(LONGEST)];
        if secret.len() >= SHORTEST {
            let mut noted = self.noted();
            noted.secrets.insert(secret.to_owned());
            noted
                .beginnings
                .insert(secret.as_bytes()[..SHORTEST].to_vec());
        }
    }

    /// The scheme is no secret.
    fn keep_credentials(&self, value: &str) {
        if let Some((_, token)) = value.trim().split_once(' ') {
            self.keep(token.trim());
        }
    }

    /// Keeps what a message, or each of a batch, has in its confidential members.
    fn keep_message(&self, text: &[u8]) {
        if text.len() > LONG {
            return;
        }
        let first = Deserializer::from_slice(text).into_iter().next();
        match first.and_then(Result::ok) {
            Some(Value::Array(batch)) => batch.iter().for_each(|it| self.keep_members(it)),
            Some(message) => self.keep_members(&message),
            None => {}
        }
    }

    fn keep_members(&self, message: &Value) {
        self.open_members(message);
        for member in CONFIDENTIAL {
            self.keep_texts(&message["params"][member]);
        }
        // What a client answers in a session.
        self.keep_texts(&message["result"]);
    }

    fn keep_texts(&self, value: &Value) {
        each_text(value, &mut |text| self.keep(text));
    }

    fn open_members(&self, message: &Value) {
        let members = message.as_object().into_iter().flatten();
        let params = message["params"].as_object().into_iter().flatten();
        let open = members.filter(|(name, _)| !matches!(name.as_str(), "params" | "result"));
        let open = open.chain(params.filter(|(name, _)| !CONFIDENTIAL.contains(&name.as_str())));
        let arguments = message["params"]["arguments"]
            .as_object()
            .into_iter()
            .flatten();
        let named = arguments.filter(|(name, _)| NAMES.contains(&name.as_str()));
        for (_, value) in open.chain(named) {
            each_text(value, &mut |text| {
                self.noted().open.insert(text.to_owned());
            });
        }
    }

    fn look_at(&self, place: &str, shown: &str) {
        let mut noted = self.noted();
        noted.looks += 1;
        let mut windows = shown.as_bytes().windows(SHORTEST);
        if !windows.any(|window| noted.beginnings.contains(window)) {
            return;
        }
        let mut secrets = noted.secrets.difference(&noted.open);
        if let Some(secret) = secrets.find(|it| shown.contains(*it)).cloned() {
            let line = format!("{secret} in {place}: {shown}");
            noted.shown.insert(line);
        }
    }

    fn assert_nothing_shown(&self) {
        let noted = self.noted();
        let lines: Vec<_> = noted.shown.iter().map(String::as_str).collect();
        let text = lines.join("\n");
        drop(noted);
        assert!(
            text.is_empty(),
            "an operator is shown what a client sent in confidence:\n{text}"
        );
    }
}

fn each_text(value: &Value, take: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => take(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, take)),
        Value::Object(members) => members.values().for_each(|value| each_text(value, take)),
        _ => {}
    }
}

/// A subscriber that takes every record and every span of this project, at every level.
struct Records(Arc<Watch>);

/// The target of every record of ours begins with it.
const OURS: &str = "wymcp";

impl Subscriber for Records {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with(OURS)
    }

    fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
        span.record(&mut Fields(&self.0));
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        values.record(&mut Fields(&self.0));
    }

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut Fields(&self.0));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct Fields<'w>(&'w Watch);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.look_at(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.look_at(field.name(), &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is said to be shown when this is logged, after a message of each kind.
    fn shown(log: impl FnOnce()) -> usize {
        let watch = Arc::new(Watch::default());
        watch.keep_credentials(" Bearer marked-token");
        let params = json!({
            "name": "shown-name",
            "arguments": {"action": "shown-action", "deep": [{"text": "marked-argument"}]},
            "requestState": "marked-state-and-a-long-one-at-that",
            "inputResponses": {"person": {"content": {"name": "marked-answer"}}},
        });
        let sent = json!([{"method": "tools/call", "params": params}, {"result": {"text": "marked-result"}}]);
        watch.keep_message(sent.to_string().as_bytes());
        tracing::subscriber::with_default(Records(Arc::clone(&watch)), log);
        let count = watch.noted().shown.len();
        let failed = std::panic::catch_unwind(|| watch.assert_nothing_shown()).is_err();
        assert_eq!(failed, count > 0);
        count
    }

    #[test]
    fn a_marker_is_found_wherever_it_is_recorded() {
        for secret in [
            "marked-token",
            "marked-argument",
            "marked-state-and-a-long-one-at-that",
            "marked-answer",
            "marked-result",
        ] {
            assert_eq!(shown(|| tracing::trace!(target: OURS, "is {secret}")), 1);
            assert_eq!(shown(|| tracing::info!(target: OURS, secret)), 1);
            assert_eq!(shown(|| tracing::info!(target: OURS, ?secret)), 1);
            assert_eq!(
                shown(|| drop(tracing::debug_span!(target: OURS, "call", secret))),
                1
            );
            assert_eq!(
                shown(|| {
                    let span =
                        tracing::debug_span!(target: OURS, "call", secret = tracing::field::Empty);
                    span.record("secret", secret);
                }),
                1
            );
        }
    }

    #[test]
    fn what_is_no_secret_may_be_recorded() {
        let logged = "shown-name shown-action Bearer tools/call";
        assert_eq!(shown(|| tracing::info!(target: OURS, logged, "text")), 0);
        // What else the process logs is not ours.
        assert_eq!(shown(|| tracing::info!(target: "hyper", "marked-token")), 0);
    }
}
