//! That what is fuzzed is tested and described.

use std::fs;

use crate::{assert_none, sources::root};

/// Where the laws are listed.
const LAWS: [&str; 2] = [
    "crates/wymcp-core/tests/laws/fuzzed/mod.rs",
    "crates/wymcp-everything/tests/fuzzed/targets.rs",
];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

#[test]
fn every_fuzz_target_has_seeds_a_row_and_a_law_that_the_tests_run() {
    let manifest = read("fuzz/Cargo.toml");
    let bins = manifest.split("[[bin]]").skip(1);
    let targets = bins.map(|bin| bin.split('"').nth(1).unwrap());
    let targets: Vec<&str> = targets.collect();
    let page = read("fuzz/README.md");
    let laws: String = LAWS.map(read).concat();
    let mut faults = Vec::new();
    for target in &targets {
        let seeds = fs::read_dir(root().join("fuzz/seeds").join(target));
        let body = read(&format!("fuzz/fuzz_targets/{target}.rs"));
        for (is_there, what) in [
            (seeds.is_ok_and(|mut it| it.next().is_some()), "no seeds"),
            (page.contains(&format!("\n| `{target}` |")), "no row"),
            (laws.contains(&format!("(\"{target}\", ")), "no law"),
            (
                body.contains(&format!("hold(\"{target}\", ")),
                "the law of another",
            ),
        ] {
            faults.extend((!is_there).then(|| format!("{target} has {what}")));
        }
    }
    let rows = page.matches("\n| `").count();
    let listed = laws.matches("    (\"").count();
    if (rows, listed) != (targets.len(), targets.len()) {
        faults.push(format!(
            "{} targets, {rows} rows and {listed} laws",
            targets.len()
        ));
    }
    assert_none("what is fuzzed is tested and described", faults);
}
