//! What a setting allows: the own machine, a list, or everything.

/// Whom a server answers, by entries of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Allowed<Entry> {
    /// What names the own machine.
    #[default]
    Loopback,
    /// These and no others; an empty list denies all.
    List(Box<[Entry]>),
    /// Everything that is well-formed.
    Any,
}

impl<Entry> Allowed<Entry> {
    /// A list of what can be read.
    ///
    /// # Errors
    ///
    /// The first entry that cannot.
    pub(super) fn read<Text: AsRef<str>>(
        entries: impl IntoIterator<Item = Text>,
        read: impl Fn(&str) -> Option<Entry>,
    ) -> Result<Self, String> {
        let entries = entries.into_iter().map(|entry| {
            let entry = entry.as_ref();
            read(entry).ok_or_else(|| entry.to_owned())
        });
        Ok(Self::List(entries.collect::<Result<_, _>>()?))
    }

    /// Whether something is allowed, by whether it is loopback and whether it is an entry.
    pub(super) fn allows(
        &self,
        is_loopback: impl FnOnce() -> bool,
        is: impl Fn(&Entry) -> bool,
    ) -> bool {
        match self {
            Self::Loopback => is_loopback(),
            Self::List(entries) => entries.iter().any(is),
            Self::Any => true,
        }
    }
}
