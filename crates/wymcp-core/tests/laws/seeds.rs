//! The seeds of the fuzz targets, through the oracles of the fuzz targets.

use std::{fs, path::PathBuf};

use wymcp_core::Limits;

use crate::oracle::{json_text, receive};

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
    let requests = seeds("receive");
    let texts = seeds("json_text");
    assert!(!requests.is_empty() && !texts.is_empty());
    for bytes in requests {
        receive(&bytes);
        receive(
            &String::from_utf8_lossy(&bytes)
                .replace('\n', "\r\n")
                .into_bytes(),
        );
    }
    for bytes in texts {
        let _ = json_text(&bytes, &Limits::default());
    }
}
