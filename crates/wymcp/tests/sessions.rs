//! Where sessions are kept: what a client opens is there, and what was refused is not.

mod common;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use wymcp::{Limits, MemorySessions, Server, ServerBuilder, Session, SessionEdit, SessionStore};

use common::exchange;

/// A store that counts what is asked of it.
#[derive(Clone)]
struct Counted {
    sessions: Arc<MemorySessions>,
    opened: Arc<Mutex<Vec<Session>>>,
}

impl Counted {
    fn new(limits: &Limits) -> Self {
        Self {
            sessions: Arc::new(MemorySessions::new(limits)),
            opened: Arc::default(),
        }
    }

    fn opened(&self) -> Vec<Session> {
        self.opened.lock().unwrap().clone()
    }
}

impl SessionStore for Counted {
    async fn open(&self, id: &str, session: Session, now: Duration) -> bool {
        let opens = self.sessions.open(id, session.clone(), now).await;
        if opens {
            self.opened.lock().unwrap().push(session);
        }
        opens
    }

    async fn find(&self, id: &str, now: Duration) -> Option<Arc<Session>> {
        self.sessions.find(id, now).await
    }

    async fn edit(&self, id: &str, edit: &SessionEdit, now: Duration) {
        self.sessions.edit(id, edit, now).await;
    }

    async fn end(&self, id: &str, now: Duration) {
        self.sessions.end(id, now).await;
    }
}

fn small() -> Limits {
    let mut limits = Limits::default();
    limits.sessions = 2;
    limits
}

fn server(store: &Counted) -> ServerBuilder {
    Server::builder("kept", "1.0.0")
        .logging()
        .limits(small())
        .session_store(store.clone())
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"},
    }})
}

#[tokio::test]
async fn refused_requests_open_nothing_and_leave_room_for_others() {
    let store = Counted::new(&small());
    let server = server(&store).build().unwrap();
    let mut without_version = initialize();
    without_version["params"]["protocolVersion"].take();
    let mut framed = initialize();
    framed["jsonrpc"] = "1.0".into();
    let mut unidentified = initialize();
    unidentified["id"].take();
    let refused = [
        without_version,
        framed,
        unidentified,
        json!([initialize()]),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    for message in refused.iter().cycle().take(60) {
        let reply = exchange(&server, &[], message).await;
        assert!(
            reply
                .headers
                .iter()
                .all(|(name, _)| *name != "mcp-session-id"),
            "{message}"
        );
        let named = [
            ("mcp-session-id", "nope"),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        if message["method"] != "initialize" {
            exchange(&server, &named, message).await;
        }
    }
    assert_eq!(store.opened(), []);
    let statuses = [
        exchange(&server, &[], &initialize()).await.status.as_u16(),
        exchange(&server, &[], &initialize()).await.status.as_u16(),
        exchange(&server, &[], &initialize()).await.status.as_u16(),
    ];
    assert_eq!(statuses, [200, 200, 503]);
    assert_eq!(store.opened().len(), 2);
}

#[tokio::test]
async fn ids_are_of_one_length_visible_and_never_the_same() {
    let store = Counted::new(&Limits::default());
    let server = Server::builder("kept", "1.0.0")
        .session_store(store)
        .build()
        .unwrap();
    let mut ids = Vec::new();
    for _ in 0..50 {
        let proposed = [("mcp-session-id", "00000000")];
        let reply = exchange(&server, &proposed, &initialize()).await;
        let id = reply
            .headers
            .iter()
            .find(|(name, _)| *name == "mcp-session-id");
        let id = id.unwrap().1.to_string();
        assert!(
            id.len() == 48 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
        ids.push(id);
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 50);
}

/// A session is kept for a short time until it was used, and then for a long one since it was used last.
#[tokio::test]
async fn a_session_ends_when_nobody_has_used_it_for_its_time() {
    let store = Counted::new(&Limits::default());
    let server = server(&store).build().unwrap();
    exchange(&server, &[], &initialize()).await;
    let session = store.opened().remove(0);
    let sessions = MemorySessions::new(&small());
    let at = Duration::from_secs;
    let limits = Limits::default();
    let (opening, idle) = (
        limits.session_opening.as_secs(),
        limits.session_idle.as_secs(),
    );

    assert!(sessions.open("a", session.clone(), at(0)).await);
    assert!(
        !sessions.open("a", session.clone(), at(1)).await,
        "an id of two sessions"
    );
    assert!(sessions.open("b", session.clone(), at(1)).await);
    assert!(
        !sessions.open("c", session.clone(), at(1)).await,
        "more than there is room for"
    );
    assert!(sessions.find("c", at(1)).await.is_none());

    sessions
        .edit("a", &SessionEdit::Subscribe("a:1".to_owned()), at(2))
        .await;
    // Nobody has used the other one.
    assert!(sessions.find("b", at(opening + 1)).await.is_none());
    let kept = sessions.find("a", at(idle + 1)).await.unwrap();
    assert_eq!(kept.subscriptions().collect::<Vec<_>>(), ["a:1"]);
    assert!(sessions.find("a", at(2 * idle)).await.is_some());
    assert!(sessions.find("a", at(3 * idle)).await.is_none());
    sessions.edit("a", &SessionEdit::Ready, at(3 * idle)).await;
    assert!(
        sessions.find("a", at(3 * idle)).await.is_none(),
        "an edit opens nothing"
    );
}
