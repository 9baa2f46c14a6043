//! A client that listens for changes: what it asked for, what it is told, and how that ends.

use std::{fmt, sync::Arc};

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::RawValue;

use super::{Notices, Principal};
use crate::{
    channel::Channel,
    head::Head,
    method::Method,
    rejection::Rejection,
    reply::{Known, Reply},
    server::Server,
    text::RequestId,
    validate::key,
    wrapping::Wrapping,
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
    pub(crate) wrapping: Wrapping,
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
        Notices::new(self.id.clone(), self.wrapping, &self.filter)
    }

    /// The end of the stream, which this server brings about.
    pub fn finish(self, server: &Server) -> Reply {
        let info = Some(&*server.info().info);
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
        let channel = match self.wrapping {
            Wrapping::Event | Wrapping::Bare => Channel::http(&posted),
            Wrapping::Line => Channel::LINE,
        };
        let known = Known::Request(Method::Listen.name(), &self.id);
        let busy = Rejection::TooBusy {
            what: "clients listen",
            settings: "limits.listeners and limits.listeners_each settings",
        };
        Reply::rejection(&busy, channel, known)
    }
}

/// The `_meta` of everything that is said on a subscription's stream.
pub(super) struct SubscriptionMeta<'a> {
    id: &'a RequestId<'a>,
    info: Option<&'a RawValue>,
}

impl<'a> SubscriptionMeta<'a> {
    pub(super) fn of(id: &'a RequestId<'a>) -> Self {
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
#[serde(rename_all = "camelCase")]
struct Ended<'a> {
    result_type: &'static str,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}
