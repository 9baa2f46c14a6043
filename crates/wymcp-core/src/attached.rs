//! What a host keeps with a value of this crate, which never looks at it.

use std::{any::Any, fmt, sync::Arc};

use crate::event::drop_contained;

/// A value of any type, or none. It may panic when it is dropped, wherever the last holder is; that reaches nobody. `Debug`
/// shows neither.
#[derive(Clone, Default)]
pub(crate) struct Attached(Option<Arc<dyn Any + Send + Sync>>);

impl Attached {
    pub(crate) fn new<T: Any + Send + Sync>(data: T) -> Self {
        Self(Some(Arc::new(data)))
    }

    /// The value, if it has this type.
    pub(crate) fn data<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.as_deref().and_then(|data| data.downcast_ref())
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        if let Some(data) = self.0.take() {
            drop_contained(data);
        }
    }
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "attached" } else { "none" })
    }
}
