//! What an open stream says when nothing else is said.

use std::{future::Future, pin::Pin, task::Context};

use crate::Outlet;

/// A timer that runs while a stream is open and nothing is picked up from its outlet.
pub(crate) struct KeepAlive<'o, T> {
    outlet: &'o Outlet,
    /// The timer, and how many pieces had been picked up when it was set.
    timer: Option<(u64, Pin<Box<T>>)>,
}

impl<'o, T: Future> KeepAlive<'o, T> {
    pub(crate) fn new(outlet: &'o Outlet) -> Self {
        let timer = None;
        Self { outlet, timer }
    }

    /// Leaves a sign of life at the outlet when the time is up. `set` starts the time anew.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>, set: impl Fn() -> T) {
        let pieces = self.outlet.pieces();
        if pieces == 0 || !self.outlet.is_kept_alive() {
            return;
        }
        let timer = match &mut self.timer {
            Some((since, timer)) if *since == pieces => timer,
            slot => &mut slot.insert((pieces, Box::pin(set()))).1,
        };
        if timer.as_mut().poll(context).is_ready() {
            self.timer = None;
            self.outlet.keep_alive();
        }
    }
}
