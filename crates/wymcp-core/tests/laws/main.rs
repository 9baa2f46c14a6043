//! The laws of the core: what holds for every input, held against references that are too simple to be wrong.
//!
//! One file a law. `fuzzed` and what it uses are shared with the fuzz targets in `fuzz/`.

mod accept;
mod authentication;
mod classification;
mod corruption;
mod dual;
mod duplicates;
mod eras;
mod fuzzed;
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
mod requests;
mod results;
mod pages;
mod seeds;
mod sentinel;
mod sessions;
mod streams;
mod template;
mod text;
mod totality;
mod untrusted;
