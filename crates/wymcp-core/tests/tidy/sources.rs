//! The sources of the workspace, as text.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A source file, with its path from the workspace's root.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// The lines that are compiled into a build, with their numbers: no comments, and nothing from the tests on, which
    /// stand last in a file.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let tests = self.text.find("\nmod tests").unwrap_or(self.text.len());
        let lines = self.text[..tests].lines().enumerate();
        let code = lines.filter(|(_, line)| !line.starts_with("#[cfg("));
        code.filter(|(_, line)| !line.trim_start().starts_with("//"))
            .map(|(at, line)| (at + 1, line))
    }

    /// The code of each function, from its name to the next one's, with the number of its first line.
    pub(crate) fn functions(&self) -> Vec<(usize, String)> {
        let mut functions: Vec<(usize, String)> = Vec::new();
        for (number, line) in self.code() {
            let words = line.trim_start().split(' ');
            let mut words = words.skip_while(|word| word.starts_with("pub") || *word == "async");
            if words.next() == Some("fn") {
                functions.push((number, String::new()));
            }
            if let Some((_, function)) = functions.last_mut() {
                function.push_str(line);
                function.push('\n');
            }
        }
        functions
    }

    /// The code of the documentation's examples, without what they only import.
    pub(crate) fn examples(&self) -> String {
        let mut inside = false;
        let mut examples = String::new();
        for line in self.text.lines() {
            let line = line.trim_start();
            let text = line.strip_prefix("///").or(line.strip_prefix("//!"));
            let Some(text) = text.map(str::trim_start) else {
                inside = false;
                continue;
            };
            if text.starts_with("```") {
                inside = !inside;
            } else if inside && !text.trim_start_matches("# ").starts_with("use ") {
                examples.push_str(text);
                examples.push('\n');
            }
        }
        examples
    }

    /// Every line of code that has one of the words, as a fault to print.
    pub(crate) fn lines_with<'s>(&'s self, words: &'s [&str]) -> impl Iterator<Item = String> + 's {
        self.code().filter_map(|(number, line)| {
            let word = words.iter().find(|word| has_word(line, word))?;
            Some(format!("{}:{number}: {word}: {}", self.path, line.trim()))
        })
    }
}

/// Whether a line has a word: text at whose ends no identifier goes on.
pub(crate) fn has_word(line: &str, word: &str) -> bool {
    let identifier = |char: char| char.is_alphanumeric() || char == '_';
    line.match_indices(word).any(|(at, _)| {
        let goes_on_before = word.starts_with(identifier) && line[..at].ends_with(identifier);
        let goes_on_behind =
            word.ends_with(identifier) && line[at + word.len()..].starts_with(identifier);
        !goes_on_before && !goes_on_behind
    })
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files below a folder of the workspace.
pub(crate) fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(root().join(&folder)).unwrap_or_else(|fault| panic!("{folder}: {fault}"));
        for entry in entries {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let is_package_apart =
                path != folder && entry.path().join("Cargo.toml").exists() && folder != "crates";
            if entry.file_type().unwrap().is_dir()
                && !path.ends_with("/target")
                && !is_package_apart
            {
                folders.push(path);
            } else if Path::new(&path)
                .extension()
                .is_some_and(|extension| extension == "rs")
            {
                found.push(Source {
                    text: fs::read_to_string(entry.path()).unwrap(),
                    path,
                });
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

/// The sources of the core that are no tests.
pub(crate) fn core() -> Vec<Source> {
    let mut sources = sources("crates/wymcp-core/src");
    sources.retain(|source| !source.path.ends_with("/tests.rs"));
    sources
}

/// The sources of each adapter: of whatever binds the server to a host.
pub(crate) fn adapters() -> Vec<Vec<Source>> {
    let crates = [
        "crates/wymcp-axum",
        "crates/wymcp-actix",
        "crates/wymcp-stdio",
    ];
    crates
        .iter()
        .map(|path| sources(&format!("{path}/src")))
        .collect()
}
