//! A connection that asks for a stream of a session.

use super::EventId;
use crate::{
    channel::Channel,
    head::Head,
    rejection::Rejection,
    reply::{Known, Reply},
};

/// A connection that asks for a stream of a session: its own, or one that broke off.
///
/// The driver sends [`Reply::stream`] with what the stream has for it.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Attachment, Replay, Reply};
///
/// /// Answers a connection, where the session has this one stream.
/// fn attach(attachment: Attachment, stream: &mut Replay, is_taken: bool) -> Reply {
///     let resumes = attachment.last_event().is_some_and(|last| stream.resume(last));
///     if is_taken && !resumes {
///         return attachment.refuse_taken();
///     }
///     if attachment.is_ignored() {
///         eprintln!("a client names an event that is none");
///     }
///     Reply::stream(stream.read())
/// }
/// # let _ = attach;
/// ```
#[derive(Debug)]
pub struct Attachment {
    pub(super) last_event: Option<EventId>,
    /// Whether the client names an event that cannot be one of ours.
    pub(super) is_ignored: bool,
}

impl Attachment {
    /// The last event that the client has, if it is an id of our form: of the stream that is to be resumed behind it.
    pub fn last_event(&self) -> Option<&EventId> {
        self.last_event.as_ref()
    }

    /// Whether the client names a last event that is none, so that it gets what it would get without.
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }

    /// Refuses a second connection for the stream of the session itself.
    pub fn refuse_taken(self) -> Reply {
        let asked = Head::new("GET", &[("", ""); 0]);
        Reply::rejection(&Rejection::StreamTaken, Channel::http(&asked), Known::Body)
    }
}
