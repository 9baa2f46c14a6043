//! The items of one kind, in the order of their registration.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{exchange::StructuredContent, text::to_raw};

/// Something that a list shows and that is found by its key.
pub(crate) trait Item {
    /// The name or the address that is unique among the items of its kind.
    fn key(&self) -> &Arc<str>;

    /// The definition as the list sends it.
    fn rendered(&self) -> &RawValue;
}

/// Items, each under a key of its own, and under the number of its registration. No number is given twice, so that a
/// position survives what is added and removed.
#[derive(Debug)]
pub(crate) struct Listed<T> {
    items: BTreeMap<u64, Arc<T>>,
    by_key: BTreeMap<Arc<str>, (u64, Arc<T>)>,
    /// The number of the next registration.
    next: u64,
    declared: bool,
    /// All of them, as the one page that most servers have.
    rendered: Box<RawValue>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self {
            items: BTreeMap::new(),
            by_key: BTreeMap::new(),
            next: 0,
            declared: false,
            rendered: to_raw(&[(); 0]),
        }
    }
}

/// The items themselves are shared.
impl<T> Clone for Listed<T> {
    fn clone(&self) -> Self {
        Self {
            items: self.items.clone(),
            by_key: self.by_key.clone(),
            next: self.next,
            declared: self.declared,
            rendered: self.rendered.clone(),
        }
    }
}

impl<T: Item> Listed<T> {
    /// Registers an item behind all others.
    ///
    /// # Errors
    ///
    /// The item, when another one has its key.
    pub(super) fn add(&mut self, item: T) -> Result<(), T> {
        self.place(item)?;
        self.next = self.next.saturating_add(1);
        self.declared = true;
        Ok(())
    }

    /// Puts an item behind all others that is registered anew after each of them.
    ///
    /// # Errors
    ///
    /// The item, when another one has its key.
    pub(super) fn add_last(&mut self, item: T) -> Result<(), T> {
        self.place(item)
    }

    fn place(&mut self, item: T) -> Result<(), T> {
        if self.by_key.contains_key(item.key()) {
            return Err(item);
        }
        let item = Arc::new(item);
        let key = Arc::clone(item.key());
        self.items.insert(self.next, Arc::clone(&item));
        self.by_key.insert(key, (self.next, item));
        Ok(())
    }

    /// Takes out the item of exactly this key, if there is one.
    pub(super) fn remove(&mut self, key: &str) {
        if let Some((number, _)) = self.by_key.remove(key) {
            self.items.remove(&number);
        }
    }

    /// Says that there can be items, even if there are none yet.
    pub(super) fn declare(&mut self) {
        self.declared = true;
    }

    /// Renders the one page of all, when no more items come or go.
    pub(super) fn render(&mut self) {
        self.rendered = render(self.items.values());
    }

    /// The item of exactly this key.
    pub(crate) fn find(&self, key: &str) -> Option<&T> {
        self.by_key.get(key).map(|(_, item)| &**item)
    }

    /// All items.
    pub(crate) fn items(&self) -> impl Iterator<Item = &T> + Clone {
        self.items.values().map(|item| &**item)
    }

    /// Whether there are none at the moment.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether clients were told that there are such items, or that there can be some. What was declared stays so, since
    /// clients ask once.
    pub(crate) fn is_declared(&self) -> bool {
        self.declared
    }

    /// Whether it shows something else than another one, what is registered anew after each addition aside.
    pub(crate) fn differs_from(&self, other: &Self) -> bool {
        let registered = |list: &Self| {
            list.items
                .range(..list.next)
                .map(|(_, item)| Arc::as_ptr(item))
                .collect::<Vec<_>>()
        };
        registered(self) != registered(other)
    }
}

/// What a page needs of a list, whatever its items are.
pub(crate) trait Pages {
    /// The items that were registered under this number or later, at most so many, and the number of the one behind them.
    /// `None` when no registration has come so far.
    fn page(&self, from: u64, size: usize) -> Option<(Cow<'_, RawValue>, Option<u64>)>;
}

impl<T: Item> Pages for Listed<T> {
    fn page(&self, from: u64, size: usize) -> Option<(Cow<'_, RawValue>, Option<u64>)> {
        if from > self.next {
            return None;
        }
        if size >= self.items.len() && self.items.range(..from).next().is_none() {
            return Some((Cow::Borrowed(&*self.rendered), None));
        }
        let page = || self.items.range(from..);
        let items = render(page().take(size).map(|(_, item)| item));
        let behind = page().nth(size).map(|(number, _)| *number);
        Some((Cow::Owned(items), behind))
    }
}

/// A definition as lists send it.
///
/// # Errors
///
/// Why no client could read it.
pub(super) fn rendered(definition: &impl Serialize) -> Result<Box<RawValue>, String> {
    let encoded = StructuredContent::new(definition)
        .map_err(|fault| format!("has no encoding that a client could read: {fault}"))?;
    Ok(encoded.into_raw())
}

fn render<'i, T: Item + 'i>(items: impl Iterator<Item = &'i Arc<T>>) -> Box<RawValue> {
    to_raw(&items.map(|item| item.rendered()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug)]
    struct Named(Arc<str>, Box<RawValue>);

    impl Item for Named {
        fn key(&self) -> &Arc<str> {
            &self.0
        }

        fn rendered(&self) -> &RawValue {
            &self.1
        }
    }

    fn named(name: u8) -> Named {
        Named(name.to_string().into(), to_raw(&name))
    }

    fn shown(page: &RawValue) -> Vec<u8> {
        serde_json::from_str(page.get()).unwrap()
    }

    proptest! {
        #[test]
        fn whoever_follows_cursors_sees_what_is_there_all_the_while_once_and_comes_to_an_end(
            before in prop::collection::btree_set(0..20_u8, 0..12),
            edits in prop::collection::vec(prop::collection::vec((any::<bool>(), 0..20_u8), 0..4), 1..30),
            size in 1..5_usize,
        ) {
            let mut list = Listed::default();
            let mut model: Vec<u8> = before.iter().copied().collect();
            for name in &model {
                list.add(named(*name)).unwrap();
            }
            let (mut all_the_while, mut seen, mut from) = (model.clone(), Vec::new(), 0);
            for edit in edits {
                list.render();
                let (page, next) = list.page(from, size).unwrap();
                let page = shown(&page);
                prop_assert!(page.len() <= size && page.iter().all(|name| model.contains(name)));
                seen.extend(page);
                let Some(next) = next else {
                    from = u64::MAX;
                    break;
                };
                prop_assert!(next > from);
                from = next;
                for (adds, name) in edit {
                    let is_there = model.contains(&name);
                    if adds {
                        prop_assert_eq!(list.add(named(name)).is_err(), is_there);
                        if !is_there {
                            model.push(name);
                        }
                    } else {
                        list.remove(&name.to_string());
                        model.retain(|other| *other != name);
                        all_the_while.retain(|other| *other != name);
                    }
                    prop_assert_eq!(list.find(&name.to_string()).is_some(), model.contains(&name));
                }
            }
            while from != u64::MAX {
                list.render();
                let (page, next) = list.page(from, size).unwrap();
                seen.extend(shown(&page));
                from = next.unwrap_or(u64::MAX);
            }
            seen.retain(|name| all_the_while.contains(name));
            prop_assert_eq!(seen, all_the_while);
            list.render();
            prop_assert_eq!(shown(&list.page(0, usize::MAX).unwrap().0), model);
        }
    }

    #[test]
    fn a_position_that_no_registration_has_reached_is_none() {
        let mut list = Listed::default();
        list.add(named(1)).unwrap();
        assert!(list.page(1, 9).is_some());
        assert!(list.page(2, 9).is_none());
        list.remove("1");
        list.render();
        assert_eq!(shown(&list.page(1, 9).unwrap().0), [0; 0]);
    }
}
