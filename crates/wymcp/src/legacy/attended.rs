//! What bounds a call of a session, beside what bounds every call.

use std::{
    collections::BTreeMap, future::Future, pin::Pin, sync::Arc, task::Context, time::Duration,
};

use wymcp_core::Limits;

use super::{in_use::InUse, live::InSession};
use crate::{
    Cancelled, Server,
    signal::{Signal, Wait},
};

/// A call of a session, watched for what its client does and does not do.
pub(crate) struct Attended<T> {
    place: InSession,
    cancelled: Cancelled,
    ended: Wait<Arc<Signal>>,
    /// The time that is left for the answers of each round.
    answers: BTreeMap<u64, Pin<Box<T>>>,
    in_use: InUse<T>,
}

impl<T: Future<Output = ()>> Attended<T> {
    pub(crate) fn new(server: &Server, place: InSession) -> Self {
        Self {
            cancelled: place.cancelled(),
            ended: Wait::new(place.live.ended()),
            answers: BTreeMap::new(),
            in_use: InUse::new(server, place.found.clone()),
            place,
        }
    }

    /// Whether the call is to be given up. `set` starts a timer.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        limits: &Limits,
        set: impl Fn(Duration) -> T,
    ) -> bool {
        self.in_use.poll(context, || set(limits.session_idle / 2));
        let asking = &self.place.asking;
        let open = asking.open(context.waker());
        self.answers.retain(|round, _| open.contains(round));
        for round in open {
            let timer = self.answers.entry(round);
            let timer = timer.or_insert_with(|| Box::pin(set(limits.question_timeout)));
            if timer.as_mut().poll(context).is_ready() {
                self.answers.remove(&round);
                asking.time_out(round);
            }
        }
        Pin::new(&mut self.cancelled).poll(context).is_ready()
            || Pin::new(&mut self.ended).poll(context).is_ready()
    }
}
