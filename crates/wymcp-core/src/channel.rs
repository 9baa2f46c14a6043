//! How a message came: with the head of a request, or as a line; and in which lane.

use crate::{
    head::{Head, Singleton},
    legacy::LegacyVersion,
    reason::Row,
    rejection::Rejection,
    wire::accept::accepts,
    wrapping::Wrapping,
};

/// What a message came by, which decides what of it can be checked and what its answer looks like.
#[derive(Clone, Copy)]
pub(crate) struct Channel<'t> {
    /// `None` for a line of a stream that both sides share.
    head: Option<&'t Head<'t>>,
    /// The revision of the session that the message is of, in the legacy lane.
    pub(crate) legacy: Option<LegacyVersion>,
    /// Whether nothing can be said before the answer, whatever the head says.
    is_silent: bool,
    /// What is around what is said before the answer.
    wrapping: Wrapping,
}

impl<'t> Channel<'t> {
    pub(crate) fn http(head: &'t Head<'t>) -> Self {
        Self {
            head: Some(head),
            wrapping: Wrapping::Event,
            ..Self::LINE
        }
    }

    pub(crate) const LINE: Self = Self {
        head: None,
        legacy: None,
        is_silent: false,
        wrapping: Wrapping::Line,
    };

    /// The same in a session of a legacy revision.
    pub(crate) fn in_session(self, version: LegacyVersion) -> Self {
        let legacy = Some(version);
        Self { legacy, ..self }
    }

    /// The same where each event has an id, which who sends it gives.
    pub(crate) fn by_events_with_ids(self) -> Self {
        let wrapping = match self.wrapping {
            Wrapping::Line => Wrapping::Line,
            Wrapping::Event | Wrapping::Bare => Wrapping::Bare,
        };
        Self { wrapping, ..self }
    }

    /// The same for a message whose answer is one of several in one body.
    pub(crate) fn in_batch(self) -> Self {
        let is_silent = true;
        Self { is_silent, ..self }
    }

    /// The head, where there is one.
    pub(crate) fn head(self) -> Option<&'t Head<'t>> {
        self.head
    }

    /// The head, where its headers have to mirror the message.
    pub(crate) fn mirror(self) -> Option<&'t Head<'t>> {
        self.head.filter(|_| self.legacy.is_none())
    }

    /// Whether anything can be said before an answer.
    pub(crate) fn streams(self) -> bool {
        let admits = |head| accepts(head, "text", "event-stream");
        !self.is_silent && self.head.is_none_or(admits)
    }

    pub(crate) fn authorization(self) -> Singleton<'t> {
        self.head.map_or(Singleton::Absent, Head::authorization)
    }

    pub(crate) fn wrapping(self) -> Wrapping {
        self.wrapping
    }

    /// What a rejection is answered with.
    pub(crate) fn row(self, rejection: &Rejection) -> Row {
        match self.legacy {
            None => rejection.reason().row(),
            Some(_) => crate::legacy::row(rejection),
        }
    }
}
