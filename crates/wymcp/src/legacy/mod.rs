//! The legacy lane: what the sessions of older clients hold, and how their messages are driven.

mod setting;
mod expiring;
mod store;
mod stream;
mod question;
mod live;
mod sessions;
mod in_use;
mod attended;
mod driving;

pub(crate) use attended::Attended;
pub(crate) use driving::{drive, enter, send};
pub(crate) use live::{InSession, Live};
pub(crate) use question::put;
pub(crate) use sessions::{Found, Sessions};
pub(crate) use setting::Legacy;
pub use store::{MemorySessions, SessionStore};
pub(crate) use stream::Reader;
