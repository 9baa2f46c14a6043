//! Servers whose events are kept, and handlers that tell of their ends.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::sync::Notify;
use wymcp::{Context, Event, RunnableTool, Server, ServerBuilder, tool};

use super::PATIENCE;

/// The events of a server, in order, as they are shown.
#[derive(Clone, Default)]
pub(super) struct Events(Arc<Mutex<Vec<String>>>);

impl Events {
    pub(super) fn of(builder: ServerBuilder) -> (Server, Self) {
        let events = Self::default();
        let kept = events.clone();
        let server = builder.on_event(move |event: &Event| kept.keep(event));
        (server.build().unwrap(), events)
    }

    fn keep(&self, event: &Event) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(format!("{event:?}"));
    }

    pub(super) fn all(&self) -> Vec<String> {
        let events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        events.clone()
    }

    /// Waits until so many events begin like this.
    pub(super) fn wait_for(&self, count: usize, start: &str) {
        let since = Instant::now();
        loop {
            let events = self.all();
            let seen = events.iter().filter(|event| event.starts_with(start));
            if seen.count() >= count {
                return;
            }
            assert!(
                since.elapsed() < PATIENCE,
                "not {count} {start} in {events:?}"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A tool that says one thing, if its client wants to hear it, then waits until it is released.
pub(super) fn hold(release: &Arc<Notify>) -> RunnableTool {
    let release = Arc::clone(release);
    tool("hold").run_with_schema(
        json!({"type": "object"}),
        move |_: Value, context: Context| {
            let release = Arc::clone(&release);
            async move {
                context.progress(1.0, Some(2.0), None);
                release.notified().await;
                Ok("released")
            }
        },
    )
}

/// A server with the tool [`hold`].
pub(super) fn holding(release: &Arc<Notify>) -> ServerBuilder {
    Server::builder("holding", "1.0.0").tool(hold(release))
}

/// Hears when the handler of a tool starts, and when it is dropped.
pub(super) struct Handler {
    starts: Receiver<()>,
    drops: Receiver<()>,
}

impl Handler {
    /// A tool that says one thing, if its client wants to hear it, and whose handler never ends by itself.
    pub(super) fn of_endless_tool(builder: ServerBuilder) -> (ServerBuilder, Self) {
        let (started, starts) = channel();
        let (dropped, drops) = channel();
        let endless = tool("endless").run_with_schema(
            json!({"type": "object"}),
            move |_: Value, context: Context| {
                let guard = OnDrop(dropped.clone());
                context.progress(1.0, Some(2.0), None);
                let _ = started.send(());
                async move {
                    std::future::pending::<()>().await;
                    drop(guard);
                    Ok(())
                }
            },
        );
        (builder.tool(endless), Self { starts, drops })
    }

    pub(super) fn wait_for_start(&self) {
        self.starts
            .recv_timeout(PATIENCE)
            .expect("the handler starts");
        let dropped = self.drops.try_recv();
        assert!(dropped.is_err(), "the handler runs while its client waits");
    }

    /// Waits until the handler is dropped, for longer than it is promised, on a machine that may do something else.
    pub(super) fn wait_for_drop(&self) {
        let dropped = self.drops.recv_timeout(Duration::from_secs(2));
        dropped.expect("the handler is dropped");
    }
}

/// Tells when it is dropped.
struct OnDrop(Sender<()>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}
