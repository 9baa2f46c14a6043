//! On whose behalf a request runs.

use std::{any::Any, fmt, sync::Arc};

use crate::attached::Attached;

/// Who sends a request, as the host's authenticator found out.
///
/// The name is what the protocol binds things to; the data is the host's own and reaches its handlers untouched.
/// Debug shows neither.
///
/// # Examples
///
/// ```
/// use wymcp_core::Principal;
///
/// struct Claims { admin: bool }
///
/// let principal = Principal::named("alice").with(Claims { admin: true });
/// assert_eq!(principal.name(), Some("alice"));
/// assert!(principal.data::<Claims>().unwrap().admin);
/// assert_eq!(Principal::anonymous().name(), None);
/// ```
#[derive(Clone, Default)]
pub struct Principal {
    name: Option<Arc<str>>,
    data: Attached,
}

impl Principal {
    /// Nobody in particular: the principal of a server without an authenticator.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// Somebody, by a name that no other principal has.
    pub fn named(name: impl Into<Arc<str>>) -> Self {
        Self {
            name: Some(name.into()),
            data: Attached::default(),
        }
    }

    /// Attaches data for the handlers: claims, tenant, scopes.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, data: T) -> Self {
        self.data = Attached::new(data);
        self
    }

    /// The name, unless anonymous.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The data, if it has this type.
    pub fn data<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.data.data()
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.name.is_some() {
            "Principal(named)"
        } else {
            "Principal(anonymous)"
        })
    }
}
