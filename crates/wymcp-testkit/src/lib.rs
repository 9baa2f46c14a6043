#![doc = include_str!("../README.md")]

mod adapter;
mod answer;
mod case;
mod connection;
pub mod fixture;
mod layout;
mod placeholder;
mod process;
mod request;
mod transport;

pub use adapter::{Adapter, Served, check_adapter};
pub use answer::Answer;
pub use case::{Case, CaseError};
pub use connection::Connection;
pub use process::{Outcome, in_process};
pub use request::Request;
pub use transport::{Application, check_mounting, check_transport};
