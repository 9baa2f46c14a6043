//! How a message came: with the head of a request, or as a line.

use crate::{
    head::{Head, Singleton},
    wire::accept::accepts,
    wrapping::Wrapping,
};

/// What a message came by, which decides what of it can be checked and what its answer looks like.
#[derive(Clone, Copy)]
pub(crate) enum Channel<'t> {
    /// An HTTP request.
    Http(&'t Head<'t>),
    /// A line of a stream that both sides share.
    Line,
}

impl<'t> Channel<'t> {
    /// The head, where there is one.
    pub(crate) fn head(self) -> Option<&'t Head<'t>> {
        match self {
            Self::Http(head) => Some(head),
            Self::Line => None,
        }
    }

    /// Whether anything can be said before an answer.
    pub(crate) fn streams(self) -> bool {
        self.head()
            .is_none_or(|head| accepts(head, "text", "event-stream"))
    }

    pub(crate) fn authorization(self) -> Singleton<'t> {
        self.head().map_or(Singleton::Absent, Head::authorization)
    }

    pub(crate) fn wrapping(self) -> Wrapping {
        match self {
            Self::Http(_) => Wrapping::Event,
            Self::Line => Wrapping::Line,
        }
    }
}
