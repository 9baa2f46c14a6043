//! Embeds the case files, so that the crate carries them wherever it is a dependency.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=cases");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("cases");
    let mut names = Vec::new();
    for rule in fs::read_dir(&root)? {
        let rule = rule?;
        if !rule.file_type()?.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", rule.path().display());
        for case in fs::read_dir(rule.path())? {
            let case = case?.path();
            if case
                .extension()
                .is_some_and(|extension| extension == "http")
            {
                names.push(name(&root, &case)?);
            }
        }
    }
    names.sort();
    let mut table = String::from("&[\n");
    for name in names {
        let path = root.join(format!("{name}.http"));
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "    ({name:?}, include_str!({:?})),",
            path.to_string_lossy()
        );
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("cases.rs");
    fs::write(out, table)
}

/// `rule/behavior`, with slashes on every platform.
fn name(root: &Path, case: &Path) -> io::Result<String> {
    let relative = case
        .strip_prefix(root)
        .map_err(io::Error::other)?
        .with_extension("");
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    parts
        .map(|parts| parts.join("/"))
        .ok_or_else(|| io::Error::other("a case's name is not Unicode"))
}
