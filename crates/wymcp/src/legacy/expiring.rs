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
}

#[cfg(test)]
mod tests {
    use proptest::{
        collection::vec,
        prelude::{ProptestConfig, Strategy, prop_assert_eq, prop_oneof, proptest},
    };

    use super::*;

    const OPENING: Duration = Duration::from_secs(3);
    const IDLE: Duration = Duration::from_secs(10);

    #[derive(Clone, Debug)]
    enum Step {
        Insert(usize),
        Find(usize),
        Remove(usize),
        Sweep,
        Wait(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0..KEYS.len()).prop_map(Step::Insert),
            4 => (0..KEYS.len()).prop_map(Step::Find),
            1 => (0..KEYS.len()).prop_map(Step::Remove),
            1 => (0..1_u8).prop_map(|_| Step::Sweep),
            4 => (0..12_000_u64).prop_map(Step::Wait),
        ]
    }

    const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];

    /// Each value with when it was put down, and when it was used last.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Model(Vec<(&'static str, u32, Duration, Option<Duration>)>);

    impl Model {
        fn end((_, _, opened, used): &(&str, u32, Duration, Option<Duration>)) -> Duration {
            let opening = *opened + OPENING;
            used.map_or(opening, |used| opening.max(used + IDLE))
        }

        fn forget(&mut self, now: Duration) -> Vec<u32> {
            let gone = self.0.iter().filter(|entry| Self::end(entry) <= now);
            let mut gone: Vec<u32> = gone.map(|(_, value, ..)| *value).collect();
            self.0.retain(|entry| Self::end(entry) > now);
            gone.sort_unstable();
            gone
        }

        fn at(&self, key: &str) -> Option<usize> {
            self.0.iter().position(|(known, ..)| *known == key)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn values_are_kept_as_a_list_keeps_them(steps in vec(step(), 0..80), most in 1..4_usize) {
            let (mut values, mut model) = (Expiring::new(most, OPENING, IDLE), Model::default());
            let (mut now, mut next) = (Duration::from_secs(1_785_000_000), 0);
            for step in steps {
                match step {
                    Step::Wait(time) => {
                        now += Duration::from_millis(time);
                        continue;
                    }
                    Step::Sweep => {
                        let mut gone = values.sweep(now);
                        gone.sort_unstable();
                        prop_assert_eq!(gone, model.forget(now));
                    }
                    Step::Insert(key) => {
                        next += 1;
                        model.forget(now);
                        let before = model.clone();
                        let has_room = model.0.len() < most && model.at(KEYS[key]).is_none();
                        if has_room {
                            model.0.push((KEYS[key], next, now, None));
                        }
                        prop_assert_eq!(values.insert(KEYS[key], next, now), has_room);
                        // What is refused leaves nothing behind.
                        prop_assert_eq!(has_room, model != before);
                    }
                    Step::Find(key) => {
                        model.forget(now);
                        let at = model.at(KEYS[key]);
                        let due = at.map(|at| {
                            model.0[at].3 = Some(now);
                            model.0[at].1
                        });
                        prop_assert_eq!(values.find(KEYS[key], now).copied(), due);
                    }
                    Step::Remove(key) => {
                        model.forget(now);
                        let due = model.at(KEYS[key]).map(|at| model.0.remove(at).1);
                        prop_assert_eq!(values.remove(KEYS[key], now), due);
                    }
                }
                // Each operation lets go of all whose time has passed, and of nothing else.
                let next = values.ends.first().map(|(until, _)| *until);
                prop_assert_eq!(next, model.0.iter().map(Model::end).min());
                prop_assert_eq!(values.entries.len(), model.0.len());
                prop_assert_eq!(values.ends.len(), model.0.len());
            }
        }
    }
}
