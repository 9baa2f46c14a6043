//! A client that listens: until it goes away, or the server comes to its end.

use std::{
    future::{Future as _, poll_fn},
    pin::Pin,
    task::Poll,
};

use wymcp_core::{Reply, Subscription};

use crate::{Clock, Outlet, Server, keep_alive::KeepAlive};

/// Keeps a subscription's stream open, and says how it ends.
pub(crate) async fn listen<C: Clock>(
    server: &Server,
    subscription: Subscription,
    clock: &mut C,
    outlet: &Outlet,
) -> Reply {
    let limits = server.limits();
    outlet.begin();
    // Before it has a place, so that it hears of the first change after it.
    outlet.hear(subscription.notices());
    if subscription.is_idle() {
        outlet.end_notices();
        return subscription.finish(&server.protocol());
    }
    let place = server.changes().and_then(|changes| {
        let principal = subscription.principal();
        changes.listen(outlet, principal, limits)
    });
    let Some(_place) = place else {
        outlet.hear_nothing();
        return subscription.refuse_busy();
    };
    let mut keep_alive = KeepAlive::new(outlet);
    let mut shutdown = server.shutdown_begun();
    let mut ending = outlet.lines().map(|lines| lines.begun());
    poll_fn(move |context| {
        keep_alive.poll(context, limits, |time| clock.sleep(time));
        match ending.as_mut().map(|it| Pin::new(it).poll(context)) {
            Some(Poll::Ready(())) => Poll::Ready(()),
            _ => Pin::new(&mut shutdown).poll(context),
        }
    })
    .await;
    outlet.end_notices();
    subscription.finish(&server.protocol())
}
