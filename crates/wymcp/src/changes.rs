//! Changes of a running server, told to every client that listens for them.

use std::{
    collections::BTreeMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use wymcp_core::{Change, Limits, Principal, drop_contained};

use crate::{Outlet, legacy::Live, render::TARGET};

/// Tells clients that something changed: the handle that a server and the application's code share.
///
/// Cheap to clone. Telling never waits for a client: one that is slow is told once of a change that comes twice, one that
/// never reads costs nothing more, and none delays another.
///
/// # Examples
///
/// ```
/// use wymcp::{Changes, Context, NoArguments, Server, resource, tool};
///
/// let changes = Changes::new();
/// let told = changes.clone();
/// let save = tool("save").run(move |_: NoArguments, _: Context| {
///     let told = told.clone();
///     async move {
///         // ... saves the page, and then:
///         told.resource_updated("docs://page");
///         Ok("Saved")
///     }
/// });
/// let page = resource("docs://page", "page").read(async |_: Context| Ok("A page"));
/// let server = Server::builder("docs", "1.0.0").changes(changes.clone()).tool(save).resource(page).build()?;
/// // The application tells of changes too.
/// changes.tools_changed();
/// changes.prompts_changed();
/// changes.resources_changed();
/// # let _ = server;
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Changes(Arc<Inner>);

struct Inner {
    /// What carries changes to all replicas, if there is more than this one.
    relay: Option<Box<dyn Relay>>,
    listeners: Mutex<Listeners>,
}

#[derive(Default)]
struct Listeners {
    next: u64,
    outlets: BTreeMap<u64, Outlet>,
    sessions: BTreeMap<u64, Weak<Live>>,
    /// How many listen under a name.
    each: BTreeMap<String, usize>,
}

/// Carries changes to every replica of a server.
///
/// Whatever it brings back, on every replica and on the one that published it too, goes to [`Changes::deliver`].
///
/// # Examples
///
/// ```
/// use std::sync::mpsc;
///
/// use wymcp::{Change, Changes, Relay};
///
/// /// In the place of a topic of a message broker.
/// struct Topic(mpsc::Sender<Change>);
///
/// impl Relay for Topic {
///     fn publish(&self, change: &Change) {
///         let _ = self.0.send(change.clone());
///     }
/// }
///
/// let (topic, messages) = mpsc::channel();
/// let changes = Changes::through(Topic(topic));
/// changes.tools_changed();
/// // What runs on each replica, for every message:
/// let change = messages.recv()?;
/// assert_eq!(change, Change::Tools);
/// changes.deliver(&change);
/// # Ok::<(), mpsc::RecvError>(())
/// ```
pub trait Relay: Send + Sync + 'static {
    /// Sends a change on its way, without waiting.
    fn publish(&self, change: &Change);
}

impl Default for Changes {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes")
            .field("listeners", &self.listeners().outlets.len())
            .finish_non_exhaustive()
    }
}

impl Changes {
    /// Changes of one process.
    pub fn new() -> Self {
        Self::with(None)
    }

    /// Changes that a relay carries to all replicas.
    pub fn through(relay: impl Relay) -> Self {
        Self::with(Some(Box::new(relay)))
    }

    fn with(relay: Option<Box<dyn Relay>>) -> Self {
        let listeners = Mutex::default();
        Self(Arc::new(Inner { relay, listeners }))
    }

    /// The list of tools is another one.
    pub fn tools_changed(&self) {
        self.tell(&Change::Tools);
    }

    /// The list of prompts is another one.
    pub fn prompts_changed(&self) {
        self.tell(&Change::Prompts);
    }

    /// The list of resources, or that of their templates, is another one.
    pub fn resources_changed(&self) {
        self.tell(&Change::Resources);
    }

    /// What is in the resource of this URI is something else.
    pub fn resource_updated(&self, uri: impl Into<Arc<str>>) {
        self.tell(&Change::Resource(uri.into()));
    }

    pub(crate) fn tell(&self, change: &Change) {
        let Some(relay) = &self.0.relay else {
            return self.deliver(change);
        };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| relay.publish(change))) {
            drop_contained(payload);
            tracing::error!(target: TARGET, ?change, "the relay panicked, and a change is lost");
        }
    }

    /// Tells the clients of this process of a change, wherever it happened.
    pub fn deliver(&self, change: &Change) {
        // Outside the lock, since a waker may run a stream at once.
        let listeners = self.listeners();
        let outlets: Vec<Outlet> = listeners.outlets.values().cloned().collect();
        let sessions: Vec<Weak<Live>> = listeners.sessions.values().cloned().collect();
        drop(listeners);
        for outlet in outlets {
            outlet.tell(change);
        }
        for live in sessions.iter().filter_map(Weak::upgrade) {
            live.tell(change);
        }
    }

    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        let listeners = self.0.listeners.lock();
        listeners.unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an outlet hear of changes for as long as the place is kept; `None` if there is no room.
    pub(crate) fn listen(
        &self,
        outlet: &Outlet,
        principal: &Principal,
        limits: &Limits,
    ) -> Option<Place> {
        let mut listeners = self.listeners();
        let name = principal.name().map(str::to_owned);
        if listeners.outlets.len() >= limits.listeners {
            return None;
        }
        if let Some(name) = &name {
            let count = listeners.each.entry(name.clone()).or_default();
            if *count >= limits.listeners_each {
                return None;
            }
            *count += 1;
        }
        listeners.next += 1;
        let at = listeners.next;
        let _ = listeners.outlets.insert(at, outlet.clone());
        drop(listeners);
        let changes = self.clone();
        Some(Place { changes, at, name })
    }

    /// Lets a session hear of changes for as long as the place is kept. There are no more of them than sessions.
    pub(crate) fn listen_in_session(&self, live: Weak<Live>) -> Place {
        let mut listeners = self.listeners();
        listeners.next += 1;
        let at = listeners.next;
        let _ = listeners.sessions.insert(at, live);
        drop(listeners);
        let changes = self.clone();
        let name = None;
        Place { changes, at, name }
    }
}

/// A place among those who listen.
pub(crate) struct Place {
    changes: Changes,
    at: u64,
    name: Option<String>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut listeners = self.changes.listeners();
        let outlet = listeners.outlets.remove(&self.at);
        let session = listeners.sessions.remove(&self.at);
        if let Some(name) = self.name.take()
            && let Some(count) = listeners.each.get_mut(&name)
        {
            *count -= 1;
            if *count == 0 {
                let _ = listeners.each.remove(&name);
            }
        }
        drop(listeners);
        drop((outlet, session));
    }
}
