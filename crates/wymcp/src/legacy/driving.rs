//! The driver of a session's messages.

use std::{future::poll_fn, pin::Pin, task::Poll};

use wymcp_core::{Attachment, Batch, Call, Event, Handshake, LegacyTurn, Reply, Turn};

use super::{
    in_use::InUse,
    live::Live,
    sessions::{Found, Sessions},
    stream::Reader,
};
use crate::{Clock, Outlet, Server, keep_alive::KeepAlive, running::run, sealing, signal::Wait};

/// Says of which session a call is, and opens the stream that its answer may need.
///
/// # Errors
///
/// The refusal of a call for which the session has no room.
pub(crate) fn enter<'t>(found: &Found, call: Call<'t>, outlet: &Outlet) -> Result<Call<'t>, Reply> {
    let Some(live) = &found.live else {
        return Ok(call);
    };
    let Some(place) = found.begin(live, call.request_id()) else {
        return Err(call.refuse_busy());
    };
    let has_stream = call.streams() && outlet.lines().is_none();
    let reader = if has_stream { live.stream() } else { None };
    outlet.enter(place, reader);
    Ok(call)
}

/// Does what a message of a session is about.
pub(crate) async fn drive<C: Clock>(
    server: &Server,
    turn: LegacyTurn<'_>,
    found: Option<&Found>,
    clock: &mut C,
    outlet: &Outlet,
) -> Reply {
    let Some(sessions) = server.sessions() else {
        // A core that speaks the legacy revisions has a place for its sessions.
        return Reply::stream(Vec::new());
    };
    match (turn, found) {
        (LegacyTurn::Initialize(handshake), _) => open(server, sessions, *handshake).await,
        (LegacyTurn::Batch(batch), Some(found)) => {
            outlet.begin();
            outlet.go_on();
            Box::pin(each(server, batch, found, clock)).await
        }
        (LegacyTurn::Edit { edit, reply }, Some(found)) => {
            sessions.edit(found, &edit).await;
            reply
        }
        (LegacyTurn::Answer { id, answer, reply }, Some(found)) => {
            let live = found.live.as_ref();
            if !live.is_some_and(|live| live.answer(&id, answer)) {
                server.emit(&Event::AnswerIgnored {
                    question: id.shown(),
                });
            }
            reply
        }
        (LegacyTurn::Cancel { id, reply }, Some(found)) => {
            if let Some(live) = &found.live {
                live.cancel(&id);
            }
            reply
        }
        (LegacyTurn::End { reply }, Some(found)) => {
            sessions.end(found).await;
            server.emit(&Event::SessionEnded);
            reply
        }
        (LegacyTurn::Attach(attachment), Some(found)) => {
            attach(server, *attachment, found, clock, outlet).await
        }
        (
            LegacyTurn::Edit { reply, .. }
            | LegacyTurn::Answer { reply, .. }
            | LegacyTurn::Cancel { reply, .. }
            | LegacyTurn::End { reply },
            None,
        ) => reply,
        (LegacyTurn::Attach(_) | LegacyTurn::Batch(_), None) => Reply::stream(Vec::new()),
    }
}

async fn open(server: &Server, sessions: &Sessions, handshake: Handshake<'_>) -> Reply {
    let Ok(moment) = sealing::moment() else {
        return handshake.refuse_busy();
    };
    let Some(id) = handshake.session_id(&moment) else {
        return handshake.refuse_busy();
    };
    if !sessions.open(&id, handshake.session(), &moment).await {
        return handshake.refuse_busy();
    }
    if sessions.are_sealed() {
        server.asked();
    }
    let version = handshake.session().version();
    server.emit(&Event::SessionOpened { version });
    handshake.accept(Some(id))
}

/// Takes the messages of a batch, one after the other.
async fn each<C: Clock>(server: &Server, batch: Batch<'_>, found: &Found, clock: &mut C) -> Reply {
    let mut replies = Vec::new();
    for turn in batch.turns {
        // Nothing but answers goes out of a batch.
        let outlet = Outlet::new();
        replies.push(match turn {
            Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply,
            Turn::Call(call) => match enter(found, *call, &outlet) {
                Ok(call) => run(server, call, clock, &outlet).await,
                Err(refusal) => refusal,
            },
            Turn::Legacy(turn) => drive(server, turn, Some(found), clock, &outlet).await,
            Turn::Listen(subscription) => subscription.refuse_busy(),
        });
    }
    Batch::finish(replies)
}

/// Sends a stream of the session to the connection that asks for it, until nothing more comes.
pub(crate) async fn attach<C: Clock>(
    server: &Server,
    attachment: Attachment,
    found: &Found,
    clock: &mut C,
    outlet: &Outlet,
) -> Reply {
    let Some(live) = &found.live else {
        return attachment.refuse_taken();
    };
    let resumed = attachment.last_event().and_then(|last| live.resume(last));
    if attachment.is_ignored() || (attachment.last_event().is_some() && resumed.is_none()) {
        server.emit(&Event::LastEventIdIgnored);
    }
    let reader = resumed.or_else(|| live.own(&found.session, server.changes()));
    let Some(reader) = reader else {
        return attachment.refuse_taken();
    };
    outlet.open();
    send(server, found, live, reader, clock, outlet).await
}

/// Sends what a stream has to the connection that reads it, until nothing more comes.
pub(crate) async fn send<C: Clock>(
    server: &Server,
    found: &Found,
    live: &Live,
    reader: Reader,
    clock: &mut C,
    outlet: &Outlet,
) -> Reply {
    outlet.read(reader.clone());
    outlet.begin();
    let limits = server.limits();
    let mut keep_alive = KeepAlive::new(outlet);
    let mut in_use = InUse::new(server, found.clone());
    let mut shutdown = server.shutdown_begun();
    let mut ended = Wait::new(live.ended());
    let mut ending = outlet.lines().map(|lines| lines.begun());
    poll_fn(move |context| {
        reader.watch_end(context.waker());
        keep_alive.poll(context, limits, |time| clock.sleep(time));
        in_use.poll(context, || clock.sleep(limits.session_idle / 2));
        let is_over = reader.is_done()
            || reader.is_cut()
            || Pin::new(&mut shutdown).poll(context).is_ready()
            || Pin::new(&mut ended).poll(context).is_ready()
            || ending
                .as_mut()
                .is_some_and(|it| Pin::new(it).poll(context).is_ready());
        if is_over {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    Reply::stream(Vec::new())
}
