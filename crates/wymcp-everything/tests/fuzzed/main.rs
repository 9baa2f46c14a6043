//! The fuzz targets of what stands around the core: the seeds through their laws.

mod adapters;
#[path = "../../../wymcp-testkit/src/official.rs"]
mod official;
mod stdio_lines;
mod targets;
mod told;

use std::fs;

use targets::TARGETS;

#[test]
fn every_seed_keeps_the_laws() {
    for (target, law) in TARGETS {
        let folder = format!("{}/../../fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
        let seeds: Vec<_> = fs::read_dir(folder).unwrap().collect();
        assert!(!seeds.is_empty(), "{target} has no seeds");
        for seed in seeds {
            law(&fs::read(seed.unwrap().path()).unwrap());
        }
    }
}
