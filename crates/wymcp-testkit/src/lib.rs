#![doc = include_str!("../README.md")]

mod adapter;
mod answer;
mod case;
mod client;
mod connection;
pub mod fixture;
mod layout;
mod lines;
mod official;
mod panics;
mod placeholder;
mod process;
mod redaction;
mod request;
mod session;
mod transport;
mod unanswered;

pub use adapter::{Adapter, Served, check_adapter};
pub use answer::Answer;
pub use case::{Case, CaseError};
pub use client::{Client, Returned};
pub use connection::Connection;
pub use lines::{LineAdapter, check_lines};
pub use process::{Outcome, in_process};
pub use request::Request;
pub use session::CaseSession;
#[cfg(feature = "http2")]
pub use transport::check_http2;
pub use transport::{Application, check_mounting, check_parity, check_transport};
