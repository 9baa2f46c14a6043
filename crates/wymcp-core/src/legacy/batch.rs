//! Several messages in one body, as revision 2025-03-26 sends them.

use crate::{
    channel::Channel,
    door::Turn,
    reply::{Known, Reply},
    text::Json,
};

/// The messages of one array, each with what it comes to.
#[derive(Debug)]
pub struct Batch<'t> {
    /// In the order of the array.
    pub turns: Vec<Turn<'t>>,
}

impl Batch<'_> {
    /// The most messages of one batch.
    pub(super) const MOST: usize = 100;

    /// One answer for all, of the answers to each in the order of the array: an array of those that are due.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Batch, Reply, Turn};
    ///
    /// /// Ends a batch in which nothing runs.
    /// fn answer(batch: Batch<'_>) -> Reply {
    ///     let replies = batch.turns.into_iter().map(|turn| match turn {
    ///         Turn::Reply(reply) => reply,
    ///         _ => unreachable!("nothing runs"),
    ///     });
    ///     Batch::finish(replies.collect())
    /// }
    /// # let _ = answer;
    /// ```
    pub fn finish(replies: Vec<Reply>) -> Reply {
        let mut answers = Vec::new();
        let mut events = Vec::new();
        for reply in replies {
            events.extend(reply.events);
            if !reply.body.is_empty() {
                answers.push(if answers.is_empty() { b'[' } else { b',' });
                answers.extend_from_slice(&reply.body);
            }
        }
        if answers.is_empty() {
            let nobody = [("", ""); 0];
            let head = crate::head::Head::new("POST", &nobody);
            let mut reply = Reply::accepted(Channel::http(&head), Known::Other(&Json::Null));
            reply.events = events;
            return reply;
        }
        answers.push(b']');
        Reply::whole(answers, events)
    }
}
