//! Reads `docs/architecture.md`, and holds its lists of files and of layers against the sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A section of the page, to the next one.
fn section(heading: &str) -> String {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    rest.split("\n## ").next().unwrap_or(rest).to_owned()
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The sources of a crate by their modules: a file is one, and so is a folder with all that is in it.
fn modules(source: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut modules = BTreeMap::<_, Vec<_>>::new();
    for entry in fs::read_dir(root().join(source)).unwrap() {
        let path = entry.unwrap().path();
        let files = match fs::read_dir(&path) {
            Ok(folder) => folder.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => vec![path.clone()],
        };
        let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let is_code = !["lib", "tests"].contains(&&*name(&file));
            if is_code {
                let files = modules.entry(name(&path)).or_default();
                files.push((name(&file), text));
            }
        }
    }
    modules
}

/// What the page says against what is so.
fn assert_same<T: Ord + Debug>(page: &BTreeSet<T>, sources: &BTreeSet<T>) {
    let missing: Vec<_> = sources.difference(page).collect();
    let gone: Vec<_> = page.difference(sources).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "not on the page: {missing:?}; on the page alone: {gone:?}"
    );
}

/// A folder has one row, which names each of its files; a file beside it has a row, alone or with others.
#[test]
fn each_file_of_core_and_toolkit_is_in_its_table() {
    for (heading, source) in [
        ("The files of the core", "crates/wymcp-core/src"),
        ("The files of the toolkit", "crates/wymcp/src"),
    ] {
        let section = section(heading);
        let rows = section.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split(" | ");
            Some((format!("`{}", cells.next()?), cells.next()?))
        });
        let mut documented = BTreeSet::new();
        let modules = modules(source);
        for (files, concept) in rows {
            for file in quoted(&files) {
                let Some(folder) = file.strip_suffix('/') else {
                    documented.insert(file.to_owned());
                    continue;
                };
                let names = quoted(concept).filter(|name| {
                    let files = modules.get(folder).into_iter().flatten();
                    files.map(|(file, _)| file).any(|file| file == name)
                });
                documented.extend(names.map(|name| format!("{folder}/{name}.rs")));
            }
        }
        let files = modules.iter().flat_map(|(module, files)| {
            let is_folder = files.iter().any(|(file, _)| file == "mod");
            files.iter().filter_map(move |(file, _)| match &**file {
                "mod" => None,
                file if is_folder => Some(format!("{module}/{file}.rs")),
                file => Some(format!("{file}.rs")),
            })
        });
        assert_same(&documented, &files.collect());
    }
}

#[test]
fn the_layers_of_the_core_and_the_arrows_against_them_are_those_of_the_page() {
    let section = section("The files of the core");
    let (layers, rest) = section.split_once("\n\nWithin a layer").unwrap();
    let (_, layers) = layers.split_once("\n1. ").unwrap();
    let layers = layers.replace("\n   ", " ");
    let layers: Vec<BTreeSet<&str>> = layers.lines().map(|line| quoted(line).collect()).collect();
    let layer = |module: &str| layers.iter().position(|layer| layer.contains(module));

    let modules = modules("crates/wymcp-core/src");
    let all: BTreeSet<&str> = modules.keys().map(String::as_str).collect();
    let listed: Vec<&str> = layers.iter().flatten().copied().collect();
    assert_same(&listed.iter().copied().collect(), &all);
    assert_eq!(listed.len(), all.len(), "a module is in one layer");

    let mut arrows = BTreeSet::new();
    for (module, files) in &modules {
        let imported = files.iter().flat_map(|(_, text)| imports(text));
        let against = imported.filter(|imported| layer(module) < layer(imported));
        arrows.extend(against.map(|imported| format!("`{module}` → `{imported}`")));
    }
    let documented = rest.lines().filter_map(|line| {
        let arrow = line.strip_prefix("- ").filter(|line| line.contains(" → "));
        Some(arrow?.split(':').next()?.to_owned())
    });
    assert_same(&documented.collect(), &arrows);
}

/// Each place of each row is a line of that crate's `[dependencies]`, and each line has a place: of the crates that are
/// published.
#[test]
fn the_dependencies_are_those_of_the_table() {
    let places = [
        ("core", "wymcp-core"),
        ("toolkit", "wymcp"),
        ("axum", "wymcp-axum"),
        ("actix-web", "wymcp-actix"),
        ("stdio", "wymcp-stdio"),
        ("testkit", "wymcp-testkit"),
    ];
    let section = section("Dependencies");
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((format!("`{}", cells.next()?), cells.next()?))
    });
    let documented = rows.flat_map(|(crates, places)| {
        let places = places.split([',', ';']).map(str::trim);
        let places: Vec<String> = places
            .filter(|place| !place.starts_with("feature "))
            .map(str::to_owned)
            .collect();
        let crates: Vec<String> = quoted(&crates).map(str::to_owned).collect();
        crates.into_iter().flat_map(move |name| {
            places
                .clone()
                .into_iter()
                .map(move |place| (name.clone(), place))
        })
    });
    let declared = places.iter().flat_map(|(place, package)| {
        let manifest = root().join(format!("crates/{package}/Cargo.toml"));
        let manifest = fs::read_to_string(manifest).unwrap();
        let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap();
        let lines = rest.split("\n[").next().unwrap_or(rest).lines();
        let names = lines.filter_map(|line| line.split_once(" = "));
        let others = names.filter(|(name, _)| *name != "wymcp" && !name.starts_with("wymcp-"));
        others
            .map(|(name, _)| (name.to_owned(), (*place).to_owned()))
            .collect::<Vec<_>>()
    });
    assert_same(&documented.collect(), &declared.collect());
}

/// The modules that some code takes from its own crate.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.split("\nmod tests").next().unwrap_or(text);
    let lines = code.lines().map(str::trim);
    let code: String = lines.filter(|line| !line.starts_with("//")).collect();
    let mut modules = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        let rest = &code[at + start.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            modules.insert(first_word(rest));
            continue;
        };
        let mut depth = 1;
        let end = list.find(|char| {
            depth += i32::from(char == '{') - i32::from(char == '}');
            depth == 0
        });
        let items = list[..end.unwrap_or(list.len())].split(|char| {
            depth += i32::from(char == '{') - i32::from(char == '}');
            depth == 0 && char == ','
        });
        modules.extend(items.map(first_word).filter(|module| !module.is_empty()));
    }
    modules
}

fn first_word(path: &str) -> String {
    let identifier = |char: &char| char.is_alphanumeric() || *char == '_';
    path.chars().take_while(identifier).collect()
}

#[test]
fn imports_are_read_by_their_modules() {
    let code = "use crate::{\n    text::{Json, read},\n    wire,\n};\nuse crate::sse::event;\n// crate::no\nfn f(_: crate::Turn) {}\nmod tests {\n    crate::no\n}";
    let expected = ["Turn", "sse", "text", "wire"].map(str::to_owned);
    assert_eq!(imports(code), expected.into());
}
