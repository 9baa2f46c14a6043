//! Bytes to messages: one strict pass into a borrowed tree, request ids, classification, and the way back.

mod number;
mod json;
mod read;
mod id;
mod classify;
mod arguments_error;
mod deserialize;
mod texts;
mod canonical;
mod sorted;
mod write;
pub mod jsonrpc;

pub use arguments_error::ArgumentsError;
pub(crate) use canonical::canonical;
pub(crate) use classify::{Classified, RequestMessage};
pub use classify::{MessageKind, classify};
pub(crate) use deserialize::is_reserved;
pub use id::RequestId;
pub use json::{Json, Object};
pub(crate) use number::MAX_SAFE_INTEGER;
pub use number::Number;
pub(crate) use read::read_own;
pub use read::{Document, TextFault, read};
pub(crate) use sorted::sorted;
pub use texts::Texts;
pub(crate) use write::{Bounded, BoundedFault, to_bytes, to_bytes_within, to_raw};
