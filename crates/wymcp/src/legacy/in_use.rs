//! Sessions that are in use, though their clients say nothing.

use std::{future::Future, pin::Pin, task::Context};

use super::sessions::Found;
use crate::Server;

/// Says from time to time that a session is in use: somebody waits for what it sends.
pub(crate) struct InUse<T> {
    server: Server,
    found: Found,
    timer: Option<Pin<Box<T>>>,
    renewing: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<T: Future> InUse<T> {
    pub(crate) fn new(server: &Server, found: Found) -> Self {
        Self {
            server: server.clone(),
            found,
            timer: None,
            renewing: None,
        }
    }

    pub(crate) fn poll(&mut self, context: &mut Context<'_>, set: impl Fn() -> T) {
        if let Some(renewing) = &mut self.renewing {
            if renewing.as_mut().poll(context).is_pending() {
                return;
            }
            self.renewing = None;
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(set()));
        if timer.as_mut().poll(context).is_pending() {
            return;
        }
        self.timer = None;
        let (server, found) = (self.server.clone(), self.found.clone());
        self.renewing = Some(Box::pin(async move {
            if let Some(sessions) = server.sessions() {
                sessions.renew(&found).await;
            }
        }));
        // The next poll begins to renew, and sets the next timer.
        context.waker().wake_by_ref();
    }
}
