//! The seeds of the fuzz targets, through the laws of the fuzz targets.

use std::{fs, path::PathBuf};

use crate::fuzzed::TARGETS;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let files =
        fs::read_dir(&folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
    files
        .map(|file| file.unwrap().path())
        .map(|path| fs::read(path).unwrap())
        .collect()
}

#[test]
fn every_seed_keeps_the_laws() {
    for (target, law) in TARGETS {
        let seeds = seeds(target);
        assert!(!seeds.is_empty(), "{target} has no seeds");
        for bytes in seeds {
            law(&bytes);
            let lines = String::from_utf8_lossy(&bytes).replace('\n', "\r\n");
            law(lines.as_bytes());
        }
    }
}
