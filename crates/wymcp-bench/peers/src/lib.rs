//! What the servers, the load generator and the comparisons share. How to run them and what their
//! figures mean: `README.md`.

pub mod answer;
pub mod arguments;
#[cfg(feature = "calculator")]
pub mod calculator;
pub mod call;
pub mod host;
pub mod in_process;
pub mod load;
pub mod process;
pub mod watch;
