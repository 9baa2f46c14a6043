//! The sessions of a server: each a value in a store, and what it holds in this process.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use wymcp_core::{
    Limits, Moment, RequestId, Server as Protocol, Session, SessionEdit, sealed_session,
};

use super::{
    expiring::Expiring,
    live::{InSession, Live},
    store::{AnyStore, SessionStore},
};
use crate::sealing;

/// The sessions of a server.
pub(crate) struct Sessions(Where);

enum Where {
    Kept {
        store: Box<dyn AnyStore>,
        lives: Lives,
    },
    /// Each is its own id.
    Sealed,
}

/// A session that a message names.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    id: Arc<str>,
    pub(super) session: Arc<Session>,
    /// What it holds here; nothing, if its id is all that there is of it.
    pub(crate) live: Option<Arc<Live>>,
}

impl Found {
    /// The one session of a client on lines.
    pub(crate) fn of_lines(session: Session, limits: &Limits) -> Self {
        let live = Live::of_lines(session.version(), limits);
        Self {
            id: "".into(),
            session: Arc::new(session),
            live: Some(Arc::new(live)),
        }
    }

    /// Changes it, for the messages that come after this one.
    pub(crate) fn apply(&mut self, edit: &SessionEdit) {
        Arc::make_mut(&mut self.session).apply(edit);
        if let Some(live) = &self.live {
            live.subscribed(&self.session);
        }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// The place of a call in what the session holds here, if there is room for it.
    pub(super) fn begin(&self, live: &Arc<Live>, id: &RequestId<'_>) -> Option<InSession> {
        InSession::new(self.clone(), Arc::clone(live), id.clone().into_owned())
    }
}

impl Sessions {
    pub(crate) fn kept(store: impl SessionStore, limits: &Limits) -> Self {
        let store = Box::new(store);
        let lives = Lives::new(limits);
        Self(Where::Kept { store, lives })
    }

    pub(crate) fn sealed() -> Self {
        Self(Where::Sealed)
    }

    pub(crate) fn are_sealed(&self) -> bool {
        matches!(self.0, Where::Sealed)
    }

    /// The session of an id, which is used by this.
    pub(crate) async fn find(&self, protocol: &Protocol, id: &str, now: Duration) -> Option<Found> {
        match &self.0 {
            Where::Sealed => Some(Found {
                id: id.into(),
                session: Arc::new(sealed_session(protocol, id, now)?),
                live: None,
            }),
            Where::Kept { store, lives } => {
                let Some(session) = store.find(id, now).await else {
                    lives.end(id, now);
                    return None;
                };
                let live = lives.of(id, &session, now)?;
                Some(Found {
                    id: id.into(),
                    session,
                    live: Some(live),
                })
            }
        }
    }

    /// Says that a session is in use, and hears what has become of it.
    pub(crate) async fn renew(&self, found: &Found) {
        if let Where::Kept { store, lives } = &self.0 {
            let now = sealing::now();
            match store.find(&found.id, now).await {
                Some(session) => {
                    if let Some(live) = lives.of(&found.id, &session, now) {
                        live.subscribed(&session);
                    }
                }
                None => lives.end(&found.id, now),
            }
        }
    }

    /// Keeps a session. Whether there is room.
    pub(super) async fn open(&self, id: &str, session: &Session, moment: &Moment) -> bool {
        match &self.0 {
            Where::Sealed => true,
            Where::Kept { store, .. } => store.open(id, session.clone(), moment.now).await,
        }
    }

    pub(super) async fn edit(&self, found: &Found, edit: &SessionEdit) {
        if let Where::Kept { store, .. } = &self.0 {
            store.edit(&found.id, edit, sealing::now()).await;
            self.renew(found).await;
        }
    }

    pub(super) async fn end(&self, found: &Found) {
        if let Where::Kept { store, lives } = &self.0 {
            let now = sealing::now();
            store.end(&found.id, now).await;
            lives.end(&found.id, now);
        }
    }

    /// Lets go what nobody has used. Costs a look at a number unless something is to go.
    pub(crate) fn sweep(&self, now: Duration) {
        if let Where::Kept { lives, .. } = &self.0 {
            lives.sweep(now);
        }
    }
}

/// What sessions hold in this process, each as long as its session, which is used when this is.
struct Lives {
    limits: Limits,
    lives: Mutex<Expiring<Arc<Live>>>,
    /// When the next one is let go, in seconds since the start of 1970.
    next_end: AtomicU64,
}

impl Lives {
    fn new(limits: &Limits) -> Self {
        // Made when a session is used first: from then on it is idle, not opening.
        let lives = Expiring::new(limits.sessions, limits.session_idle, limits.session_idle);
        Self {
            limits: limits.clone(),
            lives: Mutex::new(lives),
            next_end: AtomicU64::new(u64::MAX),
        }
    }

    fn of(&self, id: &str, session: &Session, now: Duration) -> Option<Arc<Live>> {
        self.with(now, |lives| {
            if let Some(live) = lives.find(id, now) {
                return Some(Arc::clone(live));
            }
            let mark = sealing::mark().ok()?;
            let live = Arc::new(Live::new(session.version(), mark, &self.limits));
            lives.insert(id, Arc::clone(&live), now).then_some(live)
        })
    }

    fn end(&self, id: &str, now: Duration) {
        if let Some(live) = self.with(now, |lives| lives.remove(id, now)) {
            live.end();
        }
    }

    fn sweep(&self, now: Duration) {
        if now.as_secs() >= self.next_end.load(Ordering::Relaxed) {
            self.with(now, |_| ());
        }
    }

    fn with<T>(&self, now: Duration, change: impl FnOnce(&mut Expiring<Arc<Live>>) -> T) -> T {
        let mut lives: MutexGuard<'_, Expiring<Arc<Live>>> =
            self.lives.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = lives.sweep(now);
        let changed = change(&mut lives);
        // Rounded up, so that it has passed when the number has come.
        let next = lives.next_end().map_or(u64::MAX, |end| end.as_secs() + 1);
        self.next_end.store(next, Ordering::Relaxed);
        drop(lives);
        gone.iter().for_each(|live| live.end());
        changed
    }
}
