//! Changes that reach the clients of every replica.

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use wymcp::{Change, Changes, Relay};

/// In the place of a topic of a message broker, to which this process is the only one that listens.
struct Topic(UnboundedSender<Change>);

impl Relay for Topic {
    fn publish(&self, change: &Change) {
        // There is nobody left to tell when the other end is gone.
        let _ = self.0.send(change.clone());
    }
}

/// Changes that go through the topic, and come back out of it.
pub(crate) fn changes() -> Changes {
    let (topic, mut messages) = unbounded_channel();
    let changes = Changes::through(Topic(topic));
    let here = changes.clone();
    tokio::spawn(async move {
        while let Some(change) = messages.recv().await {
            here.deliver(&change);
        }
    });
    changes
}
