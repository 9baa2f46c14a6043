//! What becomes of a stream on which nothing moves.

use std::{future::Future, pin::Pin, task::Context, time::Duration};

use wymcp_core::Limits;

use crate::Outlet;

/// A timer that runs while nothing is picked up from an outlet: because nothing is said, or because nobody reads.
pub(crate) struct KeepAlive<'o, T> {
    outlet: &'o Outlet,
    /// The timer, and of what stillness it is.
    timer: Option<(Still, Pin<Box<T>>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Still {
    /// How many pieces had been picked up.
    pieces: u64,
    /// Whether something waits to be.
    is_unread: bool,
}

impl<'o, T: Future> KeepAlive<'o, T> {
    pub(crate) fn new(outlet: &'o Outlet) -> Self {
        let timer = None;
        Self { outlet, timer }
    }

    /// Leaves a sign of life at the outlet when nothing else was said for a time, and gives it up when nobody has read for a
    /// time. `set` starts a timer.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        limits: &Limits,
        set: impl Fn(Duration) -> T,
    ) {
        let still = Still {
            pieces: self.outlet.pieces(),
            is_unread: !self.outlet.is_empty(),
        };
        let time = match still {
            Still {
                is_unread: true, ..
            } => limits.write_timeout,
            Still { pieces: 0, .. } => return,
            // Nothing but messages may stand on lines.
            _ if self.outlet.lines().is_some() => return,
            _ => limits.keep_alive,
        };
        let timer = match &mut self.timer {
            Some((since, timer)) if *since == still => timer,
            slot => &mut slot.insert((still, Box::pin(set(time)))).1,
        };
        if timer.as_mut().poll(context).is_ready() {
            self.timer = None;
            if still.is_unread {
                self.outlet.cut();
            } else {
                self.outlet.keep_alive();
            }
        }
    }
}
