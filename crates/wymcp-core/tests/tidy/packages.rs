//! That what is published is described alike.

use std::fs;

use crate::{assert_none, sources::root};

/// What each published crate takes from the workspace or says of itself.
const METADATA: [&str; 11] = [
    "description = \"",
    "version.workspace = true",
    "edition.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
    "repository.workspace = true",
    "keywords.workspace = true",
    "categories.workspace = true",
    "readme = \"",
    "\"/LICENSE-*\"",
    "[package.metadata.docs.rs]\nall-features = true",
];

#[test]
fn each_published_crate_has_the_metadata_and_documents_its_features() {
    let mut faults = Vec::new();
    let mut published = 0;
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        if manifest.contains("publish = false") {
            continue;
        }
        published += 1;
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let lacks = METADATA.iter().filter(|it| !manifest.contains(**it));
        faults.extend(lacks.map(|it| format!("{name} lacks {it}")));
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let is_there = folder.join(license).exists();
            faults.extend((!is_there).then(|| format!("{name} lacks {license}")));
        }
        let listing = root().join(format!("docs/api/{name}.txt"));
        faults.extend((!listing.exists()).then(|| format!("{name} has no list in docs/api")));
        let documented = ["src/lib.rs", "README.md"]
            .map(|it| fs::read_to_string(folder.join(it)).unwrap_or_default());
        let documented = documented.concat();
        let features = features(&manifest);
        let undocumented = features
            .iter()
            .filter(|it| !documented.contains(&format!("`{it}`")));
        faults.extend(undocumented.map(|it| format!("{name} does not document `{it}`")));
    }
    assert!(published > 5, "{published} published crates");
    assert_none("what is published is described alike", faults);
}

/// The names of a manifest's features, but for `default`.
fn features(manifest: &str) -> Vec<&str> {
    let section = manifest.split("[features]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let names = section
        .lines()
        .filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
    names
        .filter(|name| *name != "default" && !name.starts_with('#'))
        .collect()
}
