//! What a message of the legacy lane comes to that no modern one does.

use serde_json::Value;

use super::{Attachment, Batch, Handshake, SessionEdit};
use crate::{reply::Reply, text::RequestId};

/// What a message of a session comes to, beside the answers and the calls of every lane.
///
/// The session that it is about is the one that the driver has put into the message
/// ([`Authorized::in_session`](crate::Authorized::in_session)).
///
/// # Examples
///
/// A driver that keeps sessions in a map, and runs nothing in them:
///
/// ```
/// use std::collections::HashMap;
///
/// use wymcp_core::{Batch, ClientAnswer, LegacyTurn, Moment, Reply, Session, Turn};
///
/// fn take(turn: LegacyTurn<'_>, id: &str, sessions: &mut HashMap<String, Session>, moment: &Moment) -> Reply {
///     match turn {
///         LegacyTurn::Initialize(handshake) => match handshake.session_id(moment) {
///             Some(id) => {
///                 sessions.insert(id.clone(), handshake.session().clone());
///                 handshake.accept(Some(id))
///             }
///             None => handshake.refuse_busy(),
///         },
///         LegacyTurn::Edit { edit, reply } => {
///             if let Some(session) = sessions.get_mut(id) {
///                 session.apply(&edit);
///             }
///             reply
///         }
///         LegacyTurn::End { reply } => {
///             sessions.remove(id);
///             reply
///         }
///         LegacyTurn::Answer { answer, reply, .. } => {
///             // Nobody has asked.
///             let _: ClientAnswer = answer;
///             reply
///         }
///         LegacyTurn::Cancel { reply, .. } => reply,
///         LegacyTurn::Attach(attachment) => attachment.refuse_taken(),
///         LegacyTurn::Batch(batch) => {
///             let turns = batch.turns.into_iter();
///             Batch::finish(turns.map(|turn| match turn {
///                 Turn::Reply(reply) => reply,
///                 Turn::Legacy(turn) => take(turn, id, sessions, moment),
///                 _ => unreachable!("nothing runs"),
///             }).collect())
///         }
///     }
/// }
/// # let _ = take;
/// ```
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that does not know a turn cannot take it"
)]
pub enum LegacyTurn<'t> {
    /// Open a session.
    Initialize(Box<Handshake<'t>>),
    /// Change the session, then send the reply.
    Edit {
        /// The change.
        edit: SessionEdit,
        /// What to send.
        reply: Reply,
    },
    /// Take the client's answer to the question of this id, if it is open; send the reply whether it is or not.
    Answer {
        /// The question's id.
        id: RequestId<'static>,
        /// What the client answers.
        answer: ClientAnswer,
        /// What to send.
        reply: Reply,
    },
    /// Stop the session's call of this id, if it is in flight, and send nothing for it; to this send the reply.
    Cancel {
        /// The id of the request that is cancelled.
        id: RequestId<'static>,
        /// What to send.
        reply: Reply,
    },
    /// Attach a stream of the session to the connection.
    Attach(Box<Attachment>),
    /// End the session, then send the reply.
    End {
        /// What to send.
        reply: Reply,
    },
    /// Take each, then send one answer for all.
    Batch(Batch<'t>),
}

/// What a client answers to a question: a result, or the message of an error.
pub type ClientAnswer = Result<Value, String>;
