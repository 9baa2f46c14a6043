//! The items of one kind, in the order of their registration.

use std::{collections::BTreeMap, sync::Arc};

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

/// Items, each under a key of its own.
#[derive(Debug)]
pub(crate) struct Listed<T> {
    items: Vec<T>,
    by_key: BTreeMap<Arc<str>, usize>,
    /// All of them, as the one page that most servers have.
    rendered: Box<RawValue>,
}

impl<T: Item> Listed<T> {
    /// A list of these.
    ///
    /// # Errors
    ///
    /// The first item whose key an earlier one has.
    pub(super) fn new(definitions: Vec<T>) -> Result<Self, T> {
        let mut items = Vec::with_capacity(definitions.len());
        let mut by_key = BTreeMap::new();
        for item in definitions {
            if by_key.insert(Arc::clone(item.key()), items.len()).is_some() {
                return Err(item);
            }
            items.push(item);
        }
        Ok(Self {
            rendered: render(&items),
            items,
            by_key,
        })
    }

    /// The item of exactly this key.
    pub(crate) fn find(&self, key: &str) -> Option<&T> {
        let position = self.by_key.get(key)?;
        self.items.get(*position)
    }

    /// All items.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// What a page needs of a list, whatever its items are.
pub(crate) trait Pages {
    /// How many items there are.
    fn count(&self) -> usize;

    /// All items as an array.
    fn all(&self) -> &RawValue;

    /// Some of them as an array.
    fn some(&self, range: std::ops::Range<usize>) -> Box<RawValue>;
}

impl<T: Item> Pages for Listed<T> {
    fn count(&self) -> usize {
        self.items.len()
    }

    fn all(&self) -> &RawValue {
        &self.rendered
    }

    fn some(&self, range: std::ops::Range<usize>) -> Box<RawValue> {
        render(self.items.get(range).unwrap_or_default())
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

fn render<T: Item>(items: &[T]) -> Box<RawValue> {
    to_raw(&items.iter().map(Item::rendered).collect::<Vec<_>>())
}
