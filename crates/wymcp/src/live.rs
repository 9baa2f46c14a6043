//! What a server offers at this moment.

use std::sync::Arc;

#[cfg(feature = "editing")]
use arc_swap::ArcSwap;
use wymcp_core::Server as Protocol;

/// The protocol's side, which an edit may replace while requests go on with the one that they began with.
pub(crate) struct Live {
    #[cfg(feature = "editing")]
    now: ArcSwap<Protocol>,
    #[cfg(not(feature = "editing"))]
    now: Arc<Protocol>,
}

#[cfg(feature = "editing")]
impl Live {
    pub(crate) fn new(protocol: Protocol) -> Self {
        let now = ArcSwap::from_pointee(protocol);
        Self { now }
    }

    pub(crate) fn now(&self) -> Arc<Protocol> {
        self.now.load_full()
    }

    pub(crate) fn replace(&self, protocol: Protocol) {
        self.now.store(Arc::new(protocol));
    }
}

#[cfg(not(feature = "editing"))]
impl Live {
    pub(crate) fn new(protocol: Protocol) -> Self {
        let now = Arc::new(protocol);
        Self { now }
    }

    pub(crate) fn now(&self) -> Arc<Protocol> {
        Arc::clone(&self.now)
    }
}
