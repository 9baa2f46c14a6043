//! The legacy lane: sessions of the revisions that open with `initialize`, beside the modern messages on the same endpoint.
//!
//! In the order of a message: [`lane`] gates and sorts it, [`handshake`] opens a session, [`method`] answers, [`projection`]
//! takes out of a result what the revision does not know; [`asking`] and [`replay`] are of streams.

mod version;
mod setting;
mod session;
mod session_id;
mod turn;
mod lane;
mod batch;
mod handshake;
mod method;
mod params;
mod attachment;
mod answer;
mod rows;
mod definition;
mod known_results;
mod known_questions;
mod projection;
mod question;
mod choices;
mod asking;
mod replay;
mod change;

pub(crate) use answer::finish;
pub use attachment::Attachment;
pub use batch::Batch;
pub use change::change_message;
pub use handshake::{Handshake, sealed_session};
pub(crate) use lane::proceed;
pub(crate) use method::projected;
use projection::{project_info, project_result};
use question::{project_client_capabilities, project_question, restore_answer};
pub use replay::{EventId, EventKind, Replay};
pub(crate) use rows::row;
pub use session::{Session, SessionEdit};
pub use setting::LegacySessions;
pub use turn::{ClientAnswer, LegacyTurn};
pub use version::LegacyVersion;

#[cfg(test)]
mod tests;
