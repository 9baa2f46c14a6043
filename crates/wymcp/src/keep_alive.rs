//! What becomes of a stream on which nothing moves.

use std::{future::Future, pin::Pin, task::Context, time::Duration};

use wymcp_core::Limits;

use crate::Outlet;

/// Looks from time to time whether anything moves at an outlet: whether nothing is said, or nobody reads.
pub(crate) struct KeepAlive<'o, T> {
    outlet: &'o Outlet,
    timer: Option<Pin<Box<T>>>,
    /// How many pieces had been picked up at the last look.
    pieces: u64,
    /// For how long something has waited since then.
    unread: Duration,
}

impl<'o, T: Future> KeepAlive<'o, T> {
    pub(crate) fn new(outlet: &'o Outlet) -> Self {
        Self {
            outlet,
            timer: None,
            pieces: 0,
            unread: Duration::ZERO,
        }
    }

    /// Leaves a sign of life at the outlet before nothing was said for too long, and gives it up when nobody has read for too
    /// long. `set` starts a timer.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        limits: &Limits,
        set: impl Fn(Duration) -> T,
    ) {
        if self.timer.is_none() && self.outlet.pieces() == 0 && self.outlet.is_empty() {
            return;
        }
        // Two looks in the time, since what was said between them was said at nobody knows which moment.
        let time = limits.write_timeout.min(limits.keep_alive / 2);
        let timer = self.timer.get_or_insert_with(|| Box::pin(set(time)));
        if timer.as_mut().poll(context).is_ready() {
            self.timer = None;
            self.look(limits, time);
            // The next timer is set by the next poll: of a clock by which all time passes at once, no poll waits for the end.
            context.waker().wake_by_ref();
        }
    }

    fn look(&mut self, limits: &Limits, since: Duration) {
        let pieces = self.outlet.pieces();
        let moves = std::mem::replace(&mut self.pieces, pieces) != pieces;
        if moves || self.outlet.is_empty() {
            self.unread = Duration::ZERO;
        } else {
            self.unread += since;
        }
        if self.unread >= limits.write_timeout {
            self.outlet.cut();
        } else if !moves && self.outlet.lines().is_none() {
            self.outlet.keep_alive();
        }
    }
}
