//! The laws of the core: what holds for every input, held against references that are too simple to be wrong.
//!
//! One file a law. `oracle.rs` and `naive.rs` are shared with the fuzz targets in `fuzz/`.

mod authentication;
mod classification;
mod corruption;
mod duplicates;
mod eras;
mod generators;
mod growth;
mod ids;
#[path = "../messages/mod.rs"]
mod messages;
mod mirrors;
mod naive;
#[path = "../../../wymcp-testkit/src/official.rs"]
mod official;
mod oracle;
mod replay;
mod results;
mod pages;
mod seeds;
mod sessions;
mod streams;
mod text;
mod totality;
mod untrusted;
