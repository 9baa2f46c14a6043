//! A client that listens for changes: what it asked for, what it is told, and how that ends.

use std::{collections::BTreeMap, fmt, mem, sync::Arc};

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::RawValue;

use super::{Change, Principal};
use crate::{
    channel::{Channel, Framing, notification},
    head::Head,
    method::Method,
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::RequestId,
    validate::key,
};

/// A request to listen for changes, which passed every stage. Nothing but the stages builds one.
///
/// The driver keeps its [`Notices`] where changes are told, sends what is in them, and ends the stream with
/// [`Subscription::finish`]: at once if the subscription [is idle](Self::is_idle), else when the server shuts down. It
/// borrows nothing, so that the body of the request need not be kept meanwhile.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Change, Notices, Turn};
///
/// # use wymcp_core::{Decision, Head, Server, Tool};
/// # let server = Server::builder("office", "1.0.0").tool(Tool::new("greet")).changes().build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "subscriptions/listen"),
/// # ];
/// # let body = br#"{"jsonrpc": "2.0", "id": "s1", "method": "subscriptions/listen",
/// #     "params": {"notifications": {"toolsListChanged": true, "promptsListChanged": true}, "_meta": {
/// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
/// #         "io.modelcontextprotocol/clientCapabilities": {}
/// #     }}}"#;
/// # let head = Head::new("POST", &headers);
/// # let turn = server.receive(&head, body, Decision::anonymous());
/// // `turn` is what became of a request, id "s1", that asks for changes of tools and of prompts, of which there are none.
/// let Turn::Listen(subscription) = turn else { unreachable!("a request to listen") };
/// assert_eq!(subscription.request_id().to_string(), r#""s1""#);
/// assert!(!subscription.is_idle() && subscription.principal().name().is_none());
/// let mut notices: Notices = subscription.notices();
/// let sent = String::from_utf8(notices.drain()).unwrap();
/// assert!(sent.contains(r#""notifications":{"toolsListChanged":true}"#));
///
/// notices.push(&Change::Prompts);
/// assert!(notices.is_empty());
/// notices.push(&Change::Tools);
/// notices.push(&Change::Tools);
/// let sent = String::from_utf8(notices.drain()).unwrap();
/// assert_eq!(sent.matches("notifications/tools/list_changed").count(), 1);
///
/// let reply = subscription.finish(&server);
/// let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
/// assert_eq!(body["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s1");
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
pub struct Subscription {
    pub(crate) id: RequestId<'static>,
    pub(crate) principal: Principal,
    pub(crate) framing: Framing,
    pub(crate) filter: Filter,
}

/// What a client listens for, of what can come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    /// By URI, in the order of their names.
    pub(crate) updates: Vec<Arc<str>>,
}

impl Filter {
    fn is_empty(&self) -> bool {
        !self.tools && !self.prompts && !self.resources && self.updates.is_empty()
    }
}

impl Serialize for Filter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, is_on) in [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ] {
            if is_on {
                map.serialize_entry(name, &true)?;
            }
        }
        if !self.updates.is_empty() {
            let uris: Vec<&str> = self.updates.iter().map(|uri| &**uri).collect();
            map.serialize_entry("resourceSubscriptions", &uris)?;
        }
        map.end()
    }
}

/// Without what the peer sent.
impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}

impl Subscription {
    /// The request's id.
    pub fn request_id(&self) -> &RequestId<'static> {
        &self.id
    }

    /// On whose behalf somebody listens.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Whether nothing of what was asked for can ever come.
    pub fn is_idle(&self) -> bool {
        self.filter.is_empty()
    }

    /// What the client is to be told, of which the first is what it can expect.
    pub fn notices(&self) -> Notices {
        let id = self.id.clone();
        let acknowledgement = notification(
            self.framing,
            "notifications/subscriptions/acknowledged",
            &Acknowledged {
                notifications: &self.filter,
                meta: SubscriptionMeta {
                    id: &id,
                    info: None,
                },
            },
        );
        let updates = self.filter.updates.iter();
        Notices {
            id,
            framing: self.framing,
            acknowledgement,
            tools: Notice::of(self.filter.tools),
            prompts: Notice::of(self.filter.prompts),
            resources: Notice::of(self.filter.resources),
            updates: updates.map(|uri| (Arc::clone(uri), false)).collect(),
            updated: 0,
            end: Vec::new(),
        }
    }

    /// The end of the stream, which this server brings about.
    pub fn finish(self, server: &Server) -> Reply {
        let info = Some(server.info());
        let meta = SubscriptionMeta { id: &self.id, info };
        let result = Ended {
            result_type: "complete",
            meta,
        };
        Reply::result(&self.id, result, Vec::new())
    }

    /// The answer to a client for which there is no room; nothing was sent before.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Reply, Subscription};
    ///
    /// fn admit(subscription: Subscription, listening: usize) -> Result<Subscription, Reply> {
    ///     if listening < 1000 { Ok(subscription) } else { Err(subscription.refuse_busy()) }
    /// }
    /// # let _ = admit;
    /// ```
    pub fn refuse_busy(self) -> Reply {
        let posted = Head::new("POST", &[("", ""); 0]);
        let channel = match self.framing {
            Framing::Event => Channel::Http(&posted),
            Framing::Line => Channel::Line,
        };
        let known = Known::Request(Method::Listen.name(), &self.id);
        Reply::rejection(&Rejection::TooBusy, channel, known)
    }
}

/// What a listening client is still to be told.
///
/// Bounded by what it asked for: a change that comes again before it was told is told once. So a client that never reads
/// costs no more than one that does.
///
/// See [`Subscription`] for an example.
#[derive(Debug)]
pub struct Notices {
    id: RequestId<'static>,
    framing: Framing,
    /// Until it is sent.
    acknowledgement: Vec<u8>,
    tools: Notice,
    prompts: Notice,
    resources: Notice,
    /// What is listened for, and whether it changed.
    updates: BTreeMap<Arc<str>, bool>,
    /// How many of them changed.
    updated: usize,
    /// That nothing more comes, said last.
    end: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notice {
    Unwanted,
    Wanted,
    Due,
}

impl Notice {
    fn of(is_wanted: bool) -> Self {
        if is_wanted {
            Self::Wanted
        } else {
            Self::Unwanted
        }
    }

    fn push(&mut self) {
        if *self == Self::Wanted {
            *self = Self::Due;
        }
    }

    fn take(&mut self) -> bool {
        let is_due = *self == Self::Due;
        if is_due {
            *self = Self::Wanted;
        }
        is_due
    }
}

impl Notices {
    /// Takes a change down, if the client listens for it.
    pub fn push(&mut self, change: &Change) {
        match change {
            Change::Tools => self.tools.push(),
            Change::Prompts => self.prompts.push(),
            Change::Resources => self.resources.push(),
            Change::Resource(uri) => {
                if let Some(updated) = self.updates.get_mut(uri)
                    && !mem::replace(updated, true)
                {
                    self.updated = self.updated.saturating_add(1);
                }
            }
        }
    }

    /// Says that nothing more comes, where it has to be said before the result: on lines, not in a stream of its own, which
    /// simply ends.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Server, Subscription, line};
    ///
    /// /// The last lines for a client that listens.
    /// fn end(subscription: Subscription, server: &Server) -> Vec<u8> {
    ///     let mut notices = subscription.notices();
    ///     notices.end();
    ///     let mut lines = notices.drain();
    ///     lines.extend(line(&subscription.finish(server).body));
    ///     lines
    /// }
    /// # let _ = end;
    /// ```
    pub fn end(&mut self) {
        if self.framing == Framing::Line {
            let meta = SubscriptionMeta::of(&self.id);
            let cancelled = Cancelled {
                request_id: &self.id,
                meta,
            };
            self.end = notification(self.framing, "notifications/cancelled", &cancelled);
        }
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        let lists = [self.tools, self.prompts, self.resources];
        let is_said = self.acknowledgement.is_empty() && self.end.is_empty();
        is_said && self.updated == 0 && !lists.contains(&Notice::Due)
    }

    /// The next piece of the stream: what is to be sent, up to some 64 KiB and the event that passes them. What is left is
    /// still to be sent.
    ///
    /// Each event repeats the id, whose length is the client's to choose, so that all of them could be as long as the product
    /// of a whole body with itself.
    pub fn drain(&mut self) -> Vec<u8> {
        let mut events = mem::take(&mut self.acknowledgement);
        for (notice, method) in [
            (&mut self.tools, "notifications/tools/list_changed"),
            (&mut self.prompts, "notifications/prompts/list_changed"),
            (&mut self.resources, "notifications/resources/list_changed"),
        ] {
            if events.len() < PIECE && notice.take() {
                let meta = SubscriptionMeta::of(&self.id);
                let changed = Changed { uri: None, meta };
                events.extend(notification(self.framing, method, &changed));
            }
        }
        for (uri, updated) in &mut self.updates {
            if self.updated == 0 || events.len() >= PIECE {
                break;
            }
            if mem::take(updated) {
                self.updated = self.updated.saturating_sub(1);
                let meta = SubscriptionMeta::of(&self.id);
                let params = Changed {
                    uri: Some(uri),
                    meta,
                };
                events.extend(notification(
                    self.framing,
                    "notifications/resources/updated",
                    &params,
                ));
            }
        }
        if self.updated == 0 && events.len() < PIECE {
            events.append(&mut self.end);
        }
        events
    }
}

/// From which length on a piece is not added to, in bytes.
const PIECE: usize = 64 * 1024;

/// The `_meta` of everything that is said on a subscription's stream.
struct SubscriptionMeta<'a> {
    id: &'a RequestId<'a>,
    info: Option<&'a RawValue>,
}

impl<'a> SubscriptionMeta<'a> {
    fn of(id: &'a RequestId<'a>) -> Self {
        let info = None;
        Self { id, info }
    }
}

impl Serialize for SubscriptionMeta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(key::SUBSCRIPTION_ID, self.id)?;
        if let Some(info) = self.info {
            map.serialize_entry(key::SERVER_INFO, info)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Acknowledged<'a> {
    notifications: &'a Filter,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'a> {
    request_id: &'a RequestId<'a>,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ended<'a> {
    result_type: &'static str,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Json;

    fn notices(tools: bool, prompts: bool, uris: &[u8]) -> Notices {
        let filter = Filter {
            tools,
            prompts,
            resources: false,
            updates: uris.iter().map(|uri| format!("a:{uri}").into()).collect(),
        };
        let subscription = Subscription {
            id: RequestId::from(7),
            principal: Principal::anonymous(),
            framing: Framing::Event,
            filter,
        };
        subscription.notices()
    }

    fn change(kind: u8) -> Change {
        match kind {
            0 => Change::Tools,
            1 => Change::Prompts,
            2 => Change::Resources,
            uri => Change::Resource(format!("a:{uri}").into()),
        }
    }

    #[test]
    fn a_long_id_makes_many_pieces_and_no_long_one() {
        let mut notices = notices(true, true, &(3..90).collect::<Vec<_>>());
        let id = Json::String("i".repeat(40_000).into());
        notices.id = RequestId::of(&id).unwrap().into_owned();
        let _ = notices.drain();
        for kind in 0..90 {
            notices.push(&change(kind));
        }
        let mut told = 0;
        while !notices.is_empty() {
            let piece = String::from_utf8(notices.drain()).unwrap();
            assert!(piece.len() < PIECE + 50_000, "{}", piece.len());
            told += piece.matches("data: ").count();
        }
        assert_eq!(told, 2 + 87);
    }

    proptest! {
        #[test]
        fn each_change_that_was_asked_for_is_told_once_for_each_reading(
            tools: bool,
            prompts: bool,
            uris in prop::collection::btree_set(3..9_u8, 0..4),
            readings in prop::collection::vec(prop::collection::vec(0..9_u8, 0..20), 0..5),
        ) {
            let mut notices = notices(tools, prompts, &uris.iter().copied().collect::<Vec<_>>());
            prop_assert!(!notices.is_empty());
            let first = String::from_utf8(notices.drain()).unwrap();
            prop_assert_eq!(first.matches("data: ").count(), 1);
            for changes in readings {
                let wanted = changes.iter().filter(|kind| match kind {
                    0 => tools,
                    1 => prompts,
                    2 => false,
                    uri => uris.contains(uri),
                });
                let wanted: std::collections::BTreeSet<_> = wanted.collect();
                for kind in &changes {
                    notices.push(&change(*kind));
                }
                prop_assert_eq!(notices.is_empty(), wanted.is_empty());
                let told = String::from_utf8(notices.drain()).unwrap();
                prop_assert_eq!(told.matches("data: ").count(), wanted.len());
                for kind in wanted {
                    if let Change::Resource(uri) = change(*kind) {
                        let member = format!(r#""uri":"{uri}""#);
                        prop_assert!(told.contains(&member));
                    }
                }
            }
            prop_assert!(notices.is_empty());
        }
    }
}
