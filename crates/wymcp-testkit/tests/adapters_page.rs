//! Reads `docs/adapters.md`, and holds the adapter that it shows against the example that is compiled and judged.

use std::{collections::BTreeSet, fs, path::Path};

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The texts of the blocks in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("\n```{language}\n");
    let parts = page.split(&opening).skip(1);
    let blocks = parts.filter_map(|part| part.split_once("\n```\n"));
    blocks.map(|(block, _)| format!("{block}\n")).collect()
}

const FILES: [&str; 2] = [
    "crates/wymcp-testkit/examples/adapter/respond.rs",
    "crates/wymcp-testkit/examples/adapter/main.rs",
];

#[test]
fn the_adapter_of_the_page_is_the_example() {
    let page = read("docs/adapters.md");
    let files = FILES.map(read);
    assert_eq!(blocks(&page, "rust"), files);
}

#[test]
fn the_dependencies_of_the_page_are_those_of_the_example() {
    let page = read("docs/adapters.md");
    let listed = blocks(&page, "toml").concat();
    let listed = listed.lines().filter_map(|line| line.split_once(" = "));
    let listed: BTreeSet<String> = listed.map(|(name, _)| name.to_owned()).collect();
    let code = FILES.map(read).concat();
    let crates = read("crates/wymcp-testkit/Cargo.toml");
    let known = crates.lines().filter_map(|line| line.split_once(" = "));
    let used = known.filter(|(name, _)| code.contains(&format!("{}::", name.replace('-', "_"))));
    let mut used: BTreeSet<String> = used.map(|(name, _)| name.to_owned()).collect();
    used.insert("wymcp-testkit".to_owned());
    assert_eq!(listed, used);
}
