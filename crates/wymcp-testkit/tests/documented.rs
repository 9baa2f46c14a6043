//! Reads the pages in `docs/`, and holds what they state against the code, the golden cases and the tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use wymcp::RejectionReason;
use wymcp_core::{Limits, Method};
use wymcp_testkit::Case;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// A row of a table, or an item of a list, of a page.
#[derive(Debug)]
struct Entry {
    /// The heading of the second level above it.
    section: String,
    /// The cells of a row, the one text of an item.
    cells: Vec<String>,
}

impl Entry {
    fn text(&self) -> String {
        let text = self.cells.join(" | ");
        text.strip_prefix("**[D]** ")
            .map_or(text.clone(), str::to_owned)
    }
}

/// The rows and the items of a page in their order, without the heads of tables, and without what is nested.
fn entries(path: &str) -> Vec<Entry> {
    let text = read(path);
    let mut entries = Vec::new();
    let (mut section, mut row) = (String::new(), 0);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.clone_into(&mut section);
        }
        let cells = line
            .strip_prefix('|')
            .and_then(|line| line.strip_suffix('|'));
        row = if cells.is_some() { row + 1 } else { 0 };
        let numbered = line
            .split_once(". ")
            .filter(|(number, _)| number.parse::<u8>().is_ok());
        let item = line.strip_prefix("- ").or(numbered.map(|(_, item)| item));
        let cells = match (cells, item) {
            // A head and a rule stand above the rows.
            (Some(cells), _) if row > 2 => cells.split('|').map(|cell| cell.trim().to_owned()),
            (None, Some(item)) => {
                entries.push(Entry {
                    section: section.clone(),
                    cells: vec![item.to_owned()],
                });
                continue;
            }
            _ => continue,
        };
        entries.push(Entry {
            section: section.clone(),
            cells: cells.collect(),
        });
    }
    entries
}

/// The rows of one section whose tables have this many columns.
fn rows(path: &str, section: &str, columns: usize) -> Vec<Vec<String>> {
    let rows: Vec<_> = entries(path)
        .into_iter()
        .filter(|entry| entry.section == section && entry.cells.len() == columns)
        .map(|entry| entry.cells)
        .collect();
    assert!(!rows.is_empty(), "no rows in {path}, {section}");
    rows
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_table_of_rejections_is_the_table_of_the_code() {
    let rows = rows("docs/wire.md", "Rejections", 5);
    let documented: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let reasons: Vec<String> = RejectionReason::ALL
        .iter()
        .map(|reason| format!("{reason:?}"))
        .collect();
    assert_eq!(documented, reasons, "a row a reason, in the code's order");
    for (row, reason) in rows.iter().zip(RejectionReason::ALL) {
        let mut parts = row[2].splitn(3, " / ");
        let (status, code) = (parts.next().unwrap(), parts.next().unwrap());
        let answered = reason.row();
        assert_eq!(status, answered.status.as_str(), "{reason:?}");
        assert_eq!(code, answered.code.to_string(), "{reason:?}");
        // Which id it is, rejection_id decides; here the page says that it is one of these.
        let id = parts.next().unwrap().split(',').next().unwrap();
        let known = ["null", "rule", "id"].contains(&id) || id.starts_with("the id if ");
        assert!(known, "{reason:?} has the id {id:?}");
    }
}

#[test]
fn the_limits_are_the_defaults_of_the_code() {
    let rows = rows("docs/wire.md", "Rejections", 5);
    let stated: Vec<&str> = rows
        .iter()
        .map(|row| &*row[4])
        .filter(|cell| cell.contains("`limits."))
        .collect();
    let limits = Limits::default();
    let expected = [
        format!("`limits.body_bytes` ({} MiB)", limits.body_bytes >> 20),
        format!(
            "`limits.body_timeout` ({} s)",
            limits.body_timeout.as_secs()
        ),
        format!(
            "`limits.depth` ({}, at most {}), `limits.values` ({},{:03})",
            limits.depth,
            Limits::MAX_DEPTH,
            limits.values / 1000,
            limits.values % 1000
        ),
        format!(
            "`limits.listeners` ({}), `limits.listeners_each` ({}), `limits.sessions` ({},{:03}), \
             `limits.session_calls` ({})",
            limits.listeners,
            limits.listeners_each,
            limits.sessions / 1000,
            limits.sessions % 1000,
            limits.session_calls
        ),
    ];
    assert_eq!(stated, expected);
    assert_eq!(limits.body_bytes % (1 << 20), 0);
    assert_eq!(limits.body_timeout.subsec_nanos(), 0);
}

#[test]
fn the_methods_are_those_of_the_code() {
    let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
    for columns in [2, 3] {
        let rows = rows("docs/wire.md", "Methods", columns);
        let documented: Vec<&str> = rows.iter().flat_map(|row| quoted(&row[0])).collect();
        assert_eq!(documented, names);
    }
}

#[test]
fn the_events_are_those_of_the_code() {
    let source = read("crates/wymcp-core/src/event.rs");
    let (_, variants) = source.split_once("pub enum Event {").unwrap();
    let (variants, _) = variants.split_once("\n}").unwrap();
    let mut declared: Vec<&str> = variants
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
        .filter_map(|line| line.split([' ', '(', ',']).next())
        .collect();
    let rows = rows("docs/wire.md", "Events", 3);
    let mut documented: Vec<&str> = rows.iter().map(|row| quoted(&row[0])[0]).collect();
    declared.sort_unstable();
    documented.sort_unstable();
    assert_eq!(documented, declared);
}

/// The stages name the statuses of their reasons; the reasons stand in the order of the stages.
#[test]
fn the_statuses_of_the_stages_are_those_of_their_rejections() {
    let stages = rows("docs/wire.md", "The pipeline", 4);
    let last = |stage: &str| match stage {
        "1" => RejectionReason::HostMalformed,
        "2" => RejectionReason::CrossSite,
        "3" => RejectionReason::MethodNotAllowed,
        "4" => RejectionReason::NotAcceptable,
        "5" => RejectionReason::BodyTimeout,
        "6" => RejectionReason::DuplicateMember,
        "8" => RejectionReason::Forbidden,
        "9" => RejectionReason::HeaderDuplicated,
        "11" => RejectionReason::InvalidFraming,
        "13" => RejectionReason::UnsupportedProtocolVersion,
        "14" => RejectionReason::MethodNotFound,
        "15" => RejectionReason::InvalidParams,
        other => panic!("stage {other} refuses nothing by a row of its own"),
    };
    let mut reasons = RejectionReason::ALL.iter();
    for stage in &stages {
        let statuses: Vec<&str> = stage[3]
            .split(|char: char| !char.is_ascii_digit() && char != '-')
            .filter(|number| number.len() == 3)
            .collect();
        if !statuses.iter().any(|status| status.starts_with('4')) {
            continue;
        }
        let last = last(&stage[0]);
        let mut answered: Vec<&str> = Vec::new();
        for reason in reasons.by_ref() {
            let row = reason.row();
            let status = statuses
                .iter()
                .find(|status| **status == row.status.as_str());
            answered.extend(status);
            assert!(status.is_some(), "stage {} has {reason:?}", stage[0]);
            if *reason == last {
                break;
            }
        }
        for status in statuses {
            assert!(answered.contains(&status), "stage {}: {status}", stage[0]);
        }
    }
}

/// Sections of the wire page that state nothing by themselves: the contents, examples, and what is to come.
const WITHOUT_PROOFS: [&str; 2] = ["", "Worked exchanges"];

#[test]
fn each_row_of_the_wire_page_has_a_proof() {
    let proofs: Vec<Entry> = entries("docs/proofs.md")
        .into_iter()
        .filter(|entry| !entry.section.is_empty())
        .collect();
    let mut proofs = proofs.iter();
    let existing = Proofs::read();
    for entry in entries("docs/wire.md") {
        if WITHOUT_PROOFS.contains(&&*entry.section) {
            continue;
        }
        let text = entry.text();
        let proof = proofs
            .next()
            .unwrap_or_else(|| panic!("no proof of: {text}"));
        let line = proof.text();
        let (start, named) = line
            .split_once(" → ")
            .unwrap_or_else(|| panic!("no → in: {line}"));
        assert!(
            proof.section == entry.section && text.starts_with(start),
            "a line for {text:?} in {:?} is missing; there is {line:?} in {:?}",
            entry.section,
            proof.section
        );
        existing.check(named.split(", "), start);
    }
    assert!(proofs.next().is_none(), "more proofs than rows");
}

#[test]
fn each_reported_fault_has_a_proof() {
    let existing = Proofs::read();
    let mut before = 0;
    for row in rows("docs/reported.md", "The list", 4) {
        let number: u32 = row[0].parse().unwrap();
        assert!(before < number, "{number} stands after {before}");
        before = number;
        existing.check(row[3].split(", "), &row[0]);
    }
}

/// Paths stand from the root, or from the sources of the core.
#[test]
fn each_file_that_the_threat_model_names_exists() {
    let page = read("docs/threat-model.md");
    let named = quoted(&page).into_iter().filter_map(|text| {
        let is_source = Path::new(text).extension().is_some_and(|it| it == "rs");
        let cases = text.strip_prefix("cases/").filter(|rule| !rule.is_empty());
        match cases {
            Some(rule) => Some(format!("crates/wymcp-testkit/cases/{rule}")),
            None if text.starts_with("crates/") => Some(text.to_owned()),
            None => is_source.then(|| format!("crates/wymcp-core/src/{text}")),
        }
    });
    let missing: Vec<_> = named.filter(|path| !root().join(path).exists()).collect();
    assert_eq!(missing, [""; 0]);
}

/// Everything that a page can name as a proof.
struct Proofs {
    cases: Vec<String>,
    /// The source of each file of the workspace, by its path.
    sources: BTreeMap<String, String>,
}

impl Proofs {
    fn read() -> Self {
        let mut sources = BTreeMap::new();
        let mut folders = vec!["crates".to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root().join(&folder)).unwrap() {
                let entry = entry.unwrap();
                let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
                if entry.file_type().unwrap().is_dir() {
                    folders.push(path);
                } else if Path::new(&path)
                    .extension()
                    .is_some_and(|ending| ending == "rs")
                {
                    sources.insert(path.clone(), read(&path));
                }
            }
        }
        Self {
            cases: Case::all().into_iter().map(|case| case.name).collect(),
            sources,
        }
    }

    fn check<'p>(&self, named: impl Iterator<Item = &'p str>, of: &str) {
        for proof in named {
            let exists = match proof.split_once("::") {
                Some((file, test)) => self.has_test(file, test),
                None => self.cases.iter().any(|case| is_like(case, proof)),
            };
            assert!(exists, "{of}: {proof} does not exist");
        }
    }

    /// Whether a file of this name, or path, has a test of this name, or lists a scenario of it.
    fn has_test(&self, file: &str, test: &str) -> bool {
        let head = format!("fn {test}(");
        let ends = format!("/{file}");
        let mut sources = self
            .sources
            .iter()
            .filter(|(path, _)| path.ends_with(&ends));
        sources.any(|(_, source)| {
            let above = source.split_once(&head).map(|(above, _)| above);
            // The attribute stands between the item before and the function.
            let attributes = above.and_then(|above| above.rsplit("\n\n").next());
            let is_scenario =
                || source.contains("= scenarios![") && source.contains(&format!("\n    {test},\n"));
            attributes.is_some_and(|attributes| {
                attributes.contains("#[test]")
                    || attributes.contains("#[tokio::test")
                    || is_scenario()
            })
        })
    }
}

/// Whether a text has the form of a pattern, in which `*` is any text.
fn is_like(text: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return text == pattern;
    };
    let Some(text) = text.strip_prefix(start) else {
        return false;
    };
    (0..=text.len()).any(|at| text.is_char_boundary(at) && is_like(&text[at..], rest))
}

#[test]
fn patterns_match_whole_names() {
    assert!(is_like("a/bc", "a/b*") && is_like("a/bc", "a/*c") && is_like("a/bc", "a/bc*"));
    assert!(!is_like("a/bc", "a/b") && !is_like("a/bc", "b*") && !is_like("a/bc", "a/*b"));
}
