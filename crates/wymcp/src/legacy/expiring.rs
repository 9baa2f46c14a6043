//! Values that are forgotten when nobody has used them for a time.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

/// Values under keys, at most so many, each until its time has passed. The time is told by whoever asks.
#[derive(Debug)]
pub(crate) struct Expiring<V> {
    most: usize,
    /// How long a value is kept that was never used.
    opening: Duration,
    /// How long a value is kept since it was used last.
    idle: Duration,
    entries: HashMap<Arc<str>, Entry<V>>,
    /// The end of each, soonest first.
    ends: BTreeSet<(Duration, Arc<str>)>,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    until: Duration,
}

impl<V> Expiring<V> {
    pub(crate) fn new(most: usize, opening: Duration, idle: Duration) -> Self {
        Self {
            most,
            opening,
            idle,
            entries: HashMap::new(),
            ends: BTreeSet::new(),
        }
    }

    /// Keeps a value under a key that none has yet. Whether there was room for it.
    pub(crate) fn insert(&mut self, key: &str, value: V, now: Duration) -> bool {
        self.sweep(now);
        if self.entries.len() >= self.most || self.entries.contains_key(key) {
            return false;
        }
        let key: Arc<str> = key.into();
        let until = now.saturating_add(self.opening);
        self.ends.insert((until, Arc::clone(&key)));
        self.entries.insert(key, Entry { value, until });
        true
    }

    /// The value of a key, which is used by this.
    pub(crate) fn find(&mut self, key: &str, now: Duration) -> Option<&mut V> {
        self.sweep(now);
        let until = now.saturating_add(self.idle);
        let (key, _) = self.entries.get_key_value(key)?;
        let key = Arc::clone(key);
        let entry = self.entries.get_mut(&key)?;
        if until > entry.until {
            self.ends.remove(&(entry.until, Arc::clone(&key)));
            self.ends.insert((until, key));
            entry.until = until;
        }
        Some(&mut entry.value)
    }

    /// Forgets a value.
    pub(crate) fn remove(&mut self, key: &str, now: Duration) -> Option<V> {
        self.sweep(now);
        let (key, entry) = self.entries.remove_entry(key)?;
        self.ends.remove(&(entry.until, key));
        Some(entry.value)
    }

    /// Forgets every value whose time has passed, and gives them back.
    pub(crate) fn sweep(&mut self, now: Duration) -> Vec<V> {
        let mut gone = Vec::new();
        while self.ends.first().is_some_and(|(until, _)| *until <= now) {
            let Some((_, key)) = self.ends.pop_first() else {
                break;
            };
            gone.extend(self.entries.remove(&key).map(|entry| entry.value));
        }
        if self.entries.is_empty() {
            // What was there for thousands is not kept for none.
            self.entries.shrink_to_fit();
        }
        gone
    }

    /// When the next value is forgotten, unless it is used.
    pub(crate) fn next_end(&self) -> Option<Duration> {
        self.ends.first().map(|(until, _)| *until)
    }
}
