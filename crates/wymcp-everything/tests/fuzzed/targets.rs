//! The targets, each a law of any bytes: what `fuzz/` mutates, and `main.rs` runs the seeds through.

use super::{adapters, stdio_lines};

/// A law; it panics where it is broken.
pub(crate) type Law = fn(&[u8]);

/// The targets, by their names.
pub(crate) const TARGETS: &[(&str, Law)] = &[
    ("adapters", adapters::adapters),
    ("stdio_lines", stdio_lines::stdio_lines),
];
