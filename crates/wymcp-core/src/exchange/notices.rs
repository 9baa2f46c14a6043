//! What a listening client is still to be told.

use std::{collections::BTreeMap, mem, sync::Arc};

use serde::Serialize;

use super::{Change, Filter, subscription::SubscriptionMeta};
use crate::{
    text::RequestId,
    wrapping::{Wrapping, notification},
};

/// What a listening client is still to be told.
///
/// Bounded by what it asked for: a change that comes again before it was told is told once. So a client that never reads
/// costs no more than one that does.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Change, Notices, Subscription};
///
/// /// Everything that a client is told of these changes, if they come before it reads.
/// fn tell(subscription: &Subscription, changes: &[Change]) -> Vec<u8> {
///     let mut notices: Notices = subscription.notices();
///     changes.iter().for_each(|change| notices.push(change));
///     let mut told = Vec::new();
///     while !notices.is_empty() {
///         told.extend(notices.drain());
///     }
///     told
/// }
/// # let _ = tell;
/// ```
#[derive(Debug)]
pub struct Notices {
    id: RequestId<'static>,
    wrapping: Wrapping,
    /// Until it is sent.
    acknowledgement: Vec<u8>,
    tools: Notice,
    prompts: Notice,
    resources: Notice,
    /// What is listened for, and whether it changed.
    updates: BTreeMap<Arc<str>, bool>,
    /// How many of them changed.
    updated: usize,
    /// That nothing more comes, said last.
    end: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notice {
    Unwanted,
    Wanted,
    Due,
}

impl Notice {
    fn of(is_wanted: bool) -> Self {
        if is_wanted {
            Self::Wanted
        } else {
            Self::Unwanted
        }
    }

    fn push(&mut self) {
        if *self == Self::Wanted {
            *self = Self::Due;
        }
    }

    fn take(&mut self) -> bool {
        let is_due = *self == Self::Due;
        if is_due {
            *self = Self::Wanted;
        }
        is_due
    }
}

impl Notices {
    /// Of what can come, which is the first thing that is said.
    pub(super) fn new(id: RequestId<'static>, wrapping: Wrapping, filter: &Filter) -> Self {
        let acknowledged = Acknowledged {
            notifications: filter,
            meta: SubscriptionMeta::of(&id),
        };
        let method = "notifications/subscriptions/acknowledged";
        let updates = filter.updates.iter();
        Self {
            acknowledgement: notification(wrapping, method, &acknowledged),
            id,
            wrapping,
            tools: Notice::of(filter.tools),
            prompts: Notice::of(filter.prompts),
            resources: Notice::of(filter.resources),
            updates: updates.map(|uri| (Arc::clone(uri), false)).collect(),
            updated: 0,
            end: Vec::new(),
        }
    }

    /// Takes a change down, if the client listens for it.
    pub fn push(&mut self, change: &Change) {
        match change {
            Change::Tools => self.tools.push(),
            Change::Prompts => self.prompts.push(),
            Change::Resources => self.resources.push(),
            Change::Resource(uri) => {
                if let Some(updated) = self.updates.get_mut(uri)
                    && !mem::replace(updated, true)
                {
                    self.updated = self.updated.saturating_add(1);
                }
            }
        }
    }

    /// Says that nothing more comes, where it has to be said before the result: on lines, not in a stream of its own, which
    /// simply ends.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Server, Subscription, line};
    ///
    /// /// The last lines for a client that listens.
    /// fn end(subscription: Subscription, server: &Server) -> Vec<u8> {
    ///     let mut notices = subscription.notices();
    ///     notices.end();
    ///     let mut lines = notices.drain();
    ///     lines.extend(line(&subscription.finish(server).body));
    ///     lines
    /// }
    /// # let _ = end;
    /// ```
    pub fn end(&mut self) {
        if self.wrapping == Wrapping::Line {
            let meta = SubscriptionMeta::of(&self.id);
            let cancelled = Cancelled {
                request_id: &self.id,
                meta,
            };
            self.end = notification(self.wrapping, "notifications/cancelled", &cancelled);
        }
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        let lists = [self.tools, self.prompts, self.resources];
        let is_said = self.acknowledgement.is_empty() && self.end.is_empty();
        is_said && self.updated == 0 && !lists.contains(&Notice::Due)
    }

    /// The next piece of the stream: what is to be sent, up to some 64 KiB and the event that passes them. What is left is
    /// still to be sent.
    ///
    /// Each event repeats the id, whose length is the client's to choose, so that all of them could be as long as the product
    /// of a whole body with itself.
    pub fn drain(&mut self) -> Vec<u8> {
        let mut events = mem::take(&mut self.acknowledgement);
        for (notice, method) in [
            (&mut self.tools, "notifications/tools/list_changed"),
            (&mut self.prompts, "notifications/prompts/list_changed"),
            (&mut self.resources, "notifications/resources/list_changed"),
        ] {
            if events.len() < PIECE && notice.take() {
                let meta = SubscriptionMeta::of(&self.id);
                let changed = Changed { uri: None, meta };
                events.extend(notification(self.wrapping, method, &changed));
            }
        }
        for (uri, updated) in &mut self.updates {
            if self.updated == 0 || events.len() >= PIECE {
                break;
            }
            if mem::take(updated) {
                self.updated = self.updated.saturating_sub(1);
                let meta = SubscriptionMeta::of(&self.id);
                let params = Changed {
                    uri: Some(uri),
                    meta,
                };
                events.extend(notification(
                    self.wrapping,
                    "notifications/resources/updated",
                    &params,
                ));
            }
        }
        if self.updated == 0 && events.len() < PIECE {
            events.append(&mut self.end);
        }
        events
    }
}

/// From which length on a piece is not added to, in bytes.
const PIECE: usize = 64 * 1024;

#[derive(Serialize)]
struct Acknowledged<'a> {
    notifications: &'a Filter,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'a> {
    request_id: &'a RequestId<'a>,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Json;

    fn notices(tools: bool, prompts: bool, uris: &[u8]) -> Notices {
        let filter = Filter {
            tools,
            prompts,
            resources: false,
            updates: uris.iter().map(|uri| format!("a:{uri}").into()).collect(),
        };
        Notices::new(RequestId::from(7), Wrapping::Event, &filter)
    }

    fn change(kind: u8) -> Change {
        match kind {
            0 => Change::Tools,
            1 => Change::Prompts,
            2 => Change::Resources,
            uri => Change::Resource(format!("a:{uri}").into()),
        }
    }

    #[test]
    fn a_long_id_makes_many_pieces_and_no_long_one() {
        let mut notices = notices(true, true, &(3..90).collect::<Vec<_>>());
        let id = Json::String("i".repeat(40_000).into());
        notices.id = RequestId::of(&id).unwrap().into_owned();
        let _ = notices.drain();
        for kind in 0..90 {
            notices.push(&change(kind));
        }
        let mut told = 0;
        while !notices.is_empty() {
            let piece = String::from_utf8(notices.drain()).unwrap();
            assert!(piece.len() < PIECE + 50_000, "{}", piece.len());
            told += piece.matches("data: ").count();
        }
        assert_eq!(told, 2 + 87);
    }

    proptest! {
        #[test]
        fn each_change_that_was_asked_for_is_told_once_for_each_reading(
            tools: bool,
            prompts: bool,
            uris in prop::collection::btree_set(3..9_u8, 0..4),
            readings in prop::collection::vec(prop::collection::vec(0..9_u8, 0..20), 0..5),
        ) {
            let mut notices = notices(tools, prompts, &uris.iter().copied().collect::<Vec<_>>());
            prop_assert!(!notices.is_empty());
            let first = String::from_utf8(notices.drain()).unwrap();
            prop_assert_eq!(first.matches("data: ").count(), 1);
            for changes in readings {
                let wanted = changes.iter().filter(|kind| match kind {
                    0 => tools,
                    1 => prompts,
                    2 => false,
                    uri => uris.contains(uri),
                });
                let wanted: std::collections::BTreeSet<_> = wanted.collect();
                for kind in &changes {
                    notices.push(&change(*kind));
                }
                prop_assert_eq!(notices.is_empty(), wanted.is_empty());
                let told = String::from_utf8(notices.drain()).unwrap();
                prop_assert_eq!(told.matches("data: ").count(), wanted.len());
                for kind in wanted {
                    if let Change::Resource(uri) = change(*kind) {
                        let member = format!(r#""uri":"{uri}""#);
                        prop_assert!(told.contains(&member));
                    }
                }
            }
            prop_assert!(notices.is_empty());
        }
    }
}
