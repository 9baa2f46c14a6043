//! What the servers and the load generator of the comparison share. How to run it and what its
//! figures mean: `README.md`.

pub mod arguments;
pub mod call;
pub mod host;
pub mod watch;
