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
        lives: Box<Lives>,
        /// When it was swept, in seconds since the start of 1970.
        swept: AtomicU64,
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
        let lives = Box::new(Lives::new(limits));
        let swept = AtomicU64::default();
        Self(Where::Kept {
            store,
            lives,
            swept,
        })
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
            Where::Kept { store, lives, .. } => {
                let Some(session) = store.find(id, now).await else {
                    lives.end(id, now);
                    return None;
                };
                let (live, is_new) = lives.of(id, &session, now)?;
                // Whoever ended it meanwhile has not found what was made just now.
                if is_new && store.find(id, now).await.is_none() {
                    lives.end(id, now);
                    return None;
                }
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
        if let Where::Kept { store, lives, .. } = &self.0 {
            let now = sealing::now();
            match store.find(&found.id, now).await {
                Some(session) => {
                    if let Some((live, _)) = lives.of(&found.id, &session, now) {
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
        if let Where::Kept { store, lives, .. } = &self.0 {
            let now = sealing::now();
            store.end(&found.id, now).await;
            lives.end(&found.id, now);
        }
    }

    /// Lets go what nobody has used, at most once a second: costs a look at a number otherwise.
    pub(crate) fn sweep(&self, now: Duration) {
        let Where::Kept {
            store,
            lives,
            swept,
        } = &self.0
        else {
            return;
        };
        if swept.swap(now.as_secs(), Ordering::Relaxed) != now.as_secs() {
            store.sweep(now);
            lives.with(now, |_| ());
        }
    }
}

/// What sessions hold in this process, each as long as its session, which is used when this is.
struct Lives {
    limits: Limits,
    held: Mutex<Expiring<Arc<Live>>>,
}

impl Lives {
    fn new(limits: &Limits) -> Self {
        // Made when a session is used first: from then on it is idle, not opening.
        // There are no more of them than sessions, which the store bounds.
        let lives = Expiring::new(usize::MAX, limits.session_idle, limits.session_idle);
        Self {
            limits: limits.clone(),
            held: Mutex::new(lives),
        }
    }

    /// What a session holds, and whether it was made just now; `None` only when the host has no randomness.
    fn of(&self, id: &str, session: &Session, now: Duration) -> Option<(Arc<Live>, bool)> {
        self.with(now, |lives| {
            if let Some(live) = lives.find(id, now) {
                return Some((Arc::clone(live), false));
            }
            let mark = sealing::mark().ok()?;
            let live = Arc::new(Live::new(session.version(), mark, &self.limits));
            let _ = lives.insert(id, Arc::clone(&live), now);
            Some((live, true))
        })
    }

    fn end(&self, id: &str, now: Duration) {
        if let Some(live) = self.with(now, |lives| lives.remove(id, now)) {
            live.end();
        }
    }

    fn with<T>(&self, now: Duration, change: impl FnOnce(&mut Expiring<Arc<Live>>) -> T) -> T {
        let mut lives: MutexGuard<'_, Expiring<Arc<Live>>> =
            self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = lives.sweep(now);
        let changed = change(&mut lives);
        drop(lives);
        for live in gone {
            live.end();
        }
        changed
    }
}
