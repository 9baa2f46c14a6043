//! A handler's run: contained, within its time, and heard by whoever waits for it.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::{self, Poll},
    time::{Duration, Instant},
};

use futures_util::FutureExt as _;
use tracing::Instrument as _;
use wymcp_core::{Call, Event, Fault, Outcome, Reply, drop_contained};

use crate::{
    Cancellation, Clock, Context, Outlet, Server, contained::Contained, handler::Code,
    keep_alive::KeepAlive, legacy::Attended, span,
};

/// Runs a handler, contained: whatever happens in it, its caller gets an answer and nobody else notices.
pub(crate) async fn run<C: Clock>(
    server: &Server,
    call: Call<'_>,
    clock: &mut C,
    outlet: &Outlet,
) -> Reply {
    if let Some(id) = call.state_id()
        && !first_use(server, id, clock, outlet).await
    {
        return call.refuse_state();
    }
    let cancellation = Cancellation::default();
    outlet.attach(&call);
    let context = Context::new(&call, cancellation.clone(), outlet.clone());
    let Some(Code(handler)) = call.data() else {
        let fault = Fault::Internal("the definition has no code".to_owned());
        return call.finish(Outcome::Fault(fault), Duration::ZERO);
    };
    let handler = Arc::clone(handler);
    // Reading the arguments is the first code of the application's that runs: its Deserialize may panic.
    let start = catch_unwind(AssertUnwindSafe(|| {
        let span = server.span(&call);
        let run = span.in_scope(|| handler.start(call.arguments(), context));
        (span, run)
    }));
    let (span, run) = match start {
        Ok((span, Ok(run))) => {
            let run = run.instrument(span.clone());
            (span, AssertUnwindSafe(run).catch_unwind())
        }
        Ok((span, Err(fault))) => {
            let reply = call.refuse_arguments(&fault);
            span::close(&span, &reply.events);
            return reply;
        }
        Err(payload) => {
            return call.finish(Outcome::Fault(Fault::panic(payload)), Duration::ZERO);
        }
    };
    let running = Running::start(server, &call, cancellation);
    let mut run = Contained::new(run);
    let outcome = match attend(server, &mut run, clock, outlet).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(payload)) => running.give_up(Fault::panic(payload)),
        Err(Stopped::Faulted(fault)) => running.give_up(fault),
        // Its client wants no answer, and hears of the end all the same.
        Err(Stopped::Cancelled) => return Reply::stream(Vec::new()),
    };
    drop(run);
    let duration = running.end();
    let asks = matches!(outcome, Outcome::InputRequired(_));
    let reply = call.finish(outcome, duration);
    span::close(&span, &reply.events);
    if asks && !reply.events.iter().any(is_failure) {
        server.asked();
    }
    reply
}

/// Whether the host lets a state be used; not when it fails, or when it takes longer than a call may.
async fn first_use<C: Clock>(
    server: &Server,
    id: [u8; 24],
    clock: &mut C,
    outlet: &Outlet,
) -> bool {
    let Some(is_first) = server.state_use() else {
        return true;
    };
    let asked = AssertUnwindSafe(async { is_first(id).await }).catch_unwind();
    let mut asked = Contained::new(Box::pin(asked));
    match attend(server, &mut asked, clock, outlet).await {
        Ok(Ok(is_first)) => is_first,
        Ok(Err(payload)) => {
            drop_contained(payload);
            false
        }
        Err(_) => false,
    }
}

/// Whether an event says that a question was not asked.
fn is_failure(event: &Event) -> bool {
    matches!(
        event,
        Event::Rejected { .. } | Event::ToolFaulted { .. } | Event::MethodFaulted { .. }
    )
}

/// A handler that runs. Dropped before its end, it tells everybody that nobody waits for it.
struct Running<'s, 'c, 't> {
    server: &'s Server,
    call: &'c Call<'t>,
    started: Instant,
    cancellation: Cancellation,
    ended: bool,
}

impl<'s, 'c, 't> Running<'s, 'c, 't> {
    fn start(server: &'s Server, call: &'c Call<'t>, cancellation: Cancellation) -> Self {
        if let Some(event) = call.started() {
            server.emit(&event);
        }
        Self {
            server,
            call,
            started: Instant::now(),
            cancellation,
            ended: false,
        }
    }

    /// Tells the work that the handler spawned.
    fn give_up(&self, fault: Fault) -> Outcome {
        self.cancellation.cancel();
        Outcome::Fault(fault)
    }

    /// For how long it ran.
    fn end(mut self) -> Duration {
        self.ended = true;
        self.started.elapsed()
    }
}

impl Drop for Running<'_, '_, '_> {
    fn drop(&mut self) {
        if !self.ended {
            self.cancellation.cancel();
            if let Some(event) = self.call.cancelled(self.started.elapsed()) {
                self.server.emit(&event);
            }
        }
    }
}

/// The output of a run, unless its time is up first; meanwhile its stream, if one is open, is kept alive.
async fn attend<C: Clock, F: Future + Unpin>(
    server: &Server,
    mut run: F,
    clock: &mut C,
    outlet: &Outlet,
) -> Result<F::Output, Stopped> {
    let limits = server.limits();
    let mut in_session = outlet.session().map(|place| Attended::new(server, place));
    let mut deadline = pin!(limits.call_deadline.map(|time| clock.sleep(time)));
    let mut keep_alive = KeepAlive::new(outlet);
    let mut shutdown = server.shutdown_begun();
    let mut ending = outlet.lines().map(|ending| {
        let begun = ending.begun();
        (ending, begun)
    });
    let mut grace = pin!(None);
    let mut why = Fault::Shutdown;
    poll_fn(move |context| {
        if let Poll::Ready(output) = Pin::new(&mut run).poll(context) {
            return Poll::Ready(Ok(output));
        }
        if is_over(deadline.as_mut(), context) {
            let time = limits.call_deadline.unwrap_or_default();
            return Poll::Ready(Err(Stopped::Faulted(Fault::Deadline(time))));
        }
        keep_alive.poll(context, limits, |time| clock.sleep(time));
        if grace.is_none() && Pin::new(&mut shutdown).poll(context).is_ready() {
            grace.set(Some(clock.sleep(server.shutdown_grace())));
        }
        if let Some((ending, wait)) = &mut ending
            && grace.is_none()
            && Pin::new(wait).poll(context).is_ready()
        {
            grace.set(Some(clock.sleep(ending.grace())));
            why = Fault::InputEnded;
        }
        if let Some(attended) = &mut in_session
            && attended.poll(context, limits, |time| clock.sleep(time))
        {
            return Poll::Ready(Err(Stopped::Cancelled));
        }
        if is_over(grace.as_mut(), context) {
            return Poll::Ready(Err(Stopped::Faulted(why.clone())));
        }
        Poll::Pending
    })
    .await
}

/// Why a run does not come to its own end.
enum Stopped {
    Faulted(Fault),
    /// Its client has cancelled it, or ended the session that it is of.
    Cancelled,
}

/// Whether a timer that was set has run out.
fn is_over<T: Future>(timer: Pin<&mut Option<T>>, context: &mut task::Context<'_>) -> bool {
    timer
        .as_pin_mut()
        .is_some_and(|timer| timer.poll(context).is_ready())
}
