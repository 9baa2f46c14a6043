//! What an object may hold, by revision: a row of the tables of `known_results` and `known_questions`.

use super::LegacyVersion;

/// What an object may hold, under the name that the revisions' schemas give it.
///
/// Left out is what no answer of ours has: tasks, and the execution of a tool as one.
pub(super) struct Definition {
    /// What every revision knows.
    pub(super) always: &'static [Member],
    pub(super) from_2025_06_18: &'static [Member],
    pub(super) from_2025_11_25: &'static [Member],
}

pub(super) type Member = (&'static str, Holds);

/// What a member holds, as far as its own members are not for everybody.
#[derive(Clone, Copy)]
pub(super) enum Holds {
    /// A text, a number, or what is the application's own: nobody touches it.
    Anything,
    One(&'static Definition),
    Each(&'static Definition),
    /// Content: a block, or an array of blocks.
    Blocks,
    /// An object of the application's own. Another value is left out.
    Object,
    /// The schema of an object. Another one is left out.
    ObjectSchema,
    /// The `_meta` of a result, where the newest revision says who serves.
    ResultMeta,
    /// What is said to a model.
    Messages,
    /// The schema of a form.
    Form,
    /// The fields of a form.
    Fields,
}

impl Definition {
    /// What the member of this name holds, if the revision knows it.
    pub(super) fn member(&self, version: LegacyVersion, name: &str) -> Option<Holds> {
        let mut members = self.members(version);
        let (_, holds) = members.find(|(known, _)| *known == name)?;
        Some(*holds)
    }

    /// Every member that the revision knows.
    pub(super) fn members(&self, version: LegacyVersion) -> impl Iterator<Item = &'static Member> {
        let columns = [
            (LegacyVersion::V2025_03_26, self.always),
            (LegacyVersion::V2025_06_18, self.from_2025_06_18),
            (LegacyVersion::V2025_11_25, self.from_2025_11_25),
        ];
        let known = columns
            .into_iter()
            .filter(move |(since, _)| *since <= version);
        known.flat_map(|(_, members)| members)
    }
}
