//! Where sessions are kept.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::FutureExt as _;
use wymcp_core::{Limits, Session, SessionEdit, drop_contained};

use super::expiring::Expiring;

/// Where the sessions of older clients are kept: in memory unless a server is told otherwise
/// ([`ServerBuilder::session_store`](crate::ServerBuilder::session_store)).
///
/// A session is a value, so that a store which replicas share lets any of them go on with it. What cannot be carried stays
/// with the replica that has it: streams, questions and calls in flight.
///
/// Times are since the start of 1970. A store forgets what nobody has asked for during
/// [`Limits::session_idle`], and bounds how much it holds. When it panics, the session is not there.
///
/// # Examples
///
/// Sessions that last for a minute, whatever happens:
///
/// ```
/// use std::{collections::HashMap, sync::{Arc, Mutex}, time::Duration};
///
/// use wymcp::{Server, Session, SessionEdit, SessionStore};
///
/// #[derive(Default)]
/// struct Minutes(Mutex<HashMap<String, (Duration, Arc<Session>)>>);
///
/// impl SessionStore for Minutes {
///     async fn open(&self, id: &str, session: Session, now: Duration) -> bool {
///         let mut sessions = self.0.lock().unwrap();
///         sessions.retain(|_, (opened, _)| now.saturating_sub(*opened).as_secs() < 60);
///         sessions.len() < 100 && sessions.insert(id.to_owned(), (now, Arc::new(session))).is_none()
///     }
///
///     async fn find(&self, id: &str, now: Duration) -> Option<Arc<Session>> {
///         let sessions = self.0.lock().unwrap();
///         let (opened, session) = sessions.get(id)?;
///         (now.saturating_sub(*opened).as_secs() < 60).then(|| Arc::clone(session))
///     }
///
///     async fn edit(&self, id: &str, edit: &SessionEdit, _now: Duration) {
///         if let Some((_, session)) = self.0.lock().unwrap().get_mut(id) {
///             Arc::make_mut(session).apply(edit);
///         }
///     }
///
///     async fn end(&self, id: &str, _now: Duration) {
///         self.0.lock().unwrap().remove(id);
///     }
/// }
///
/// let server = Server::builder("brief", "1.0.0").session_store(Minutes::default()).build()?;
/// # let _ = server;
/// # Ok::<(), wymcp::ConfigError>(())
/// ```
pub trait SessionStore: Send + Sync + 'static {
    /// Keeps a session under an id that none has yet. Whether there is room for it.
    fn open(&self, id: &str, session: Session, now: Duration) -> impl Future<Output = bool> + Send;

    /// The session of an id, which is used by this.
    fn find(&self, id: &str, now: Duration) -> impl Future<Output = Option<Arc<Session>>> + Send;

    /// Changes the session of an id, if it is there.
    fn edit(&self, id: &str, edit: &SessionEdit, now: Duration) -> impl Future<Output = ()> + Send;

    /// Forgets the session of an id.
    fn end(&self, id: &str, now: Duration) -> impl Future<Output = ()> + Send;

    /// Forgets what nobody has asked for in its time: called once a second at most, as long as there are requests. A store that
    /// does so by itself leaves it as it is.
    fn sweep(&self, now: Duration) {
        let _ = now;
    }
}

/// Sessions in the memory of this process.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use wymcp::{Limits, MemorySessions, SessionStore as _};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let sessions = MemorySessions::new(&Limits::default());
/// assert!(sessions.find("5f3a", Duration::from_secs(1_785_000_000)).await.is_none());
/// # });
/// ```
#[derive(Debug)]
pub struct MemorySessions(Mutex<Expiring<Arc<Session>>>);

impl MemorySessions {
    /// At most [`Limits::sessions`], each until nobody has used it for [`Limits::session_idle`].
    pub fn new(limits: &Limits) -> Self {
        let sessions = Expiring::new(limits.sessions, limits.session_opening, limits.session_idle);
        Self(Mutex::new(sessions))
    }

    fn sessions(&self) -> MutexGuard<'_, Expiring<Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionStore for MemorySessions {
    async fn open(&self, id: &str, session: Session, now: Duration) -> bool {
        self.sessions().insert(id, Arc::new(session), now)
    }

    async fn find(&self, id: &str, now: Duration) -> Option<Arc<Session>> {
        self.sessions()
            .find(id, now)
            .map(|session| Arc::clone(session))
    }

    async fn edit(&self, id: &str, edit: &SessionEdit, now: Duration) {
        if let Some(session) = self.sessions().find(id, now) {
            Arc::make_mut(session).apply(edit);
        }
    }

    async fn end(&self, id: &str, now: Duration) {
        let ended = self.sessions().remove(id, now);
        drop(ended);
    }

    fn sweep(&self, now: Duration) {
        let gone = self.sessions().sweep(now);
        drop(gone);
    }
}

type Asked<'s, T> = Pin<Box<dyn Future<Output = T> + Send + 's>>;

/// A store of whatever type, contained.
pub(super) trait AnyStore: Send + Sync {
    fn open<'s>(&'s self, id: &'s str, session: Session, now: Duration) -> Asked<'s, bool>;
    fn find<'s>(&'s self, id: &'s str, now: Duration) -> Asked<'s, Option<Arc<Session>>>;
    fn edit<'s>(&'s self, id: &'s str, edit: &'s SessionEdit, now: Duration) -> Asked<'s, ()>;
    fn end<'s>(&'s self, id: &'s str, now: Duration) -> Asked<'s, ()>;
    fn sweep(&self, now: Duration);
}

impl<S: SessionStore> AnyStore for S {
    fn open<'s>(&'s self, id: &'s str, session: Session, now: Duration) -> Asked<'s, bool> {
        contained(async move { SessionStore::open(self, id, session, now).await })
    }

    fn find<'s>(&'s self, id: &'s str, now: Duration) -> Asked<'s, Option<Arc<Session>>> {
        contained(async move { SessionStore::find(self, id, now).await })
    }

    fn edit<'s>(&'s self, id: &'s str, edit: &'s SessionEdit, now: Duration) -> Asked<'s, ()> {
        contained(async move { SessionStore::edit(self, id, edit, now).await })
    }

    fn end<'s>(&'s self, id: &'s str, now: Duration) -> Asked<'s, ()> {
        contained(async move { SessionStore::end(self, id, now).await })
    }

    fn sweep(&self, now: Duration) {
        let swept = catch_unwind(AssertUnwindSafe(|| SessionStore::sweep(self, now)));
        if let Err(payload) = swept {
            panicked(payload);
        }
    }
}

/// What a store answers; nothing when it panics.
fn contained<'s, T: Default>(asked: impl Future<Output = T> + Send + 's) -> Asked<'s, T> {
    Box::pin(AssertUnwindSafe(asked).catch_unwind().map(|answered| {
        answered.unwrap_or_else(|payload| {
            panicked(payload);
            T::default()
        })
    }))
}

fn panicked(payload: Box<dyn Any + Send>) {
    drop_contained(payload);
    tracing::error!(target: crate::render::TARGET, "the store of sessions panicked");
}
