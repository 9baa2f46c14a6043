//! Reads the sources of the workspace, and holds them to the sentences that its design rests on.

mod answers;
mod fuzzing;
mod packages;
mod sources;

use std::fs;

use sources::{Source, adapters, core, has_word, root, sources};

fn assert_none(law: &str, faults: impl IntoIterator<Item = String>) {
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{law}\n{}", faults.join("\n"));
}

#[test]
fn the_core_does_nothing_by_itself() {
    let words = [
        // A clock.
        "Instant",
        "SystemTime",
        "chrono",
        // Files, the environment, processes, sockets.
        "std::fs",
        "std::env",
        "std::process",
        "std::os",
        "File",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "UnixStream",
        "ToSocketAddrs",
        "env::var",
        "stdin",
        "stdout",
        "stderr",
        // Threads and runtimes.
        "std::thread",
        "thread",
        "spawn",
        "sleep",
        "tokio",
        "futures_util",
        "async",
        "await",
        "Future",
        // Randomness, which the hash maps of the standard library ask the system for.
        "rand",
        "getrandom",
        "RandomState",
        "HashMap",
        "HashSet",
        // State beyond a value, and logging.
        "static mut",
        "thread_local",
        "LazyLock",
        "OnceCell",
        "lazy_static",
        "tracing",
        "log",
        "println",
        "eprintln",
        "dbg",
    ];
    let sources = core();
    assert_none(
        "the core names no clock, file, environment, process, socket, thread, runtime, randomness or log",
        sources.iter().flat_map(|source| source.lines_with(&words)),
    );
    // A lock that is filled once may be a member of a value; a static one would be global state.
    let statics = sources.iter().flat_map(|source| {
        source
            .code()
            .filter(|(_, line)| {
                let item = line.trim_start();
                let item = item
                    .strip_prefix("pub")
                    .map_or(item, |item| item.trim_start_matches("(crate)").trim_start());
                item.starts_with("static ")
            })
            .map(|(number, line)| format!("{}:{number}: {}", source.path, line.trim()))
    });
    assert_none("the core has no statics", statics);
}

#[test]
fn the_core_cannot_panic_on_what_a_peer_sends() {
    let words = [
        ".unwrap()",
        ".unwrap_err()",
        ".expect(",
        ".expect_err(",
        "panic!",
        "unreachable!",
        "assert!",
        "assert_eq!",
        "assert_ne!",
        "todo!",
        "unimplemented!",
        "unsafe",
        "resume_unwind",
    ];
    assert_none(
        "the core has no panic of its own",
        core().iter().flat_map(|source| source.lines_with(&words)),
    );

    let lib = fs::read_to_string(root().join("crates/wymcp-core/src/lib.rs")).unwrap();
    for lint in [
        "unwrap_used",
        "expect_used",
        "indexing_slicing",
        "arithmetic_side_effects",
        "panic",
        "string_slice",
    ] {
        assert!(
            lib.contains(&format!("clippy::{lint}")),
            "lib.rs denies clippy::{lint}"
        );
    }
    assert!(lib.contains("#![forbid(unsafe_code)]"));
}

#[test]
fn statuses_and_codes_stand_in_the_table_only() {
    let tables = ["/reason.rs", "/legacy/rows.rs", "/reply.rs"];
    let mut faults = Vec::new();
    for source in core()
        .iter()
        .filter(|source| !tables.iter().any(|table| source.path.ends_with(table)))
    {
        faults.extend(source.lines_with(&["StatusCode", "code::", "status"]));
        faults.extend(error_codes(source));
    }
    for source in sources("crates/wymcp/src") {
        faults.extend(source.lines_with(&["StatusCode"]));
        faults.extend(error_codes(&source));
    }
    assert_none(
        "a status and an error code are written by reason.rs, legacy/rows.rs and reply.rs, and by nobody else",
        faults,
    );
}

/// The lines that spell an error code of JSON-RPC or MCP.
fn error_codes(source: &Source) -> impl Iterator<Item = String> {
    let code = |line: &str| {
        line.replace('_', "").match_indices("-32").any(|(at, _)| {
            let digits = line.replace('_', "")[at + 1..]
                .chars()
                .take_while(char::is_ascii_digit)
                .count();
            digits == 5
        })
    };
    let lines = source.code().filter(move |(_, line)| code(line));
    lines
        .map(|(number, line)| format!("{}:{number}: {}", source.path, line.trim()))
        .collect::<Vec<_>>()
        .into_iter()
}

#[test]
fn an_adapter_only_translates() {
    let words = [
        "StatusCode",
        "Limits",
        "limits",
        "body_bytes",
        "RejectionReason",
        "Rejection",
        "serde_json",
        "json!",
        "format!",
        "jsonrpc",
        "Event",
        "ALLOW",
        "CONTENT_TYPE",
        "ACCEPT",
        "HOST",
        "ORIGIN",
        "AUTHORIZATION",
        "WWW_AUTHENTICATE",
        "RETRY_AFTER",
    ];
    let mut faults = Vec::new();
    for adapter in adapters() {
        let lines: usize = adapter
            .iter()
            .map(|source| source.text.lines().count())
            .sum();
        if lines >= ADAPTER_LINES {
            faults.push(format!("{}, ...: {lines} lines", adapter[0].path));
        }
    }
    for source in adapters().iter().flatten() {
        faults.extend(source.lines_with(&words));
        for (number, line) in source.code() {
            let mut fault = |what: &str| {
                faults.push(format!("{}:{number}: {what}: {}", source.path, line.trim()));
            };
            if line.to_ascii_lowercase().contains("mcp-") {
                fault("a protocol header");
            }
            // Its constructors name statuses: `HttpResponse::Ok()`.
            let constructors = line.match_indices("HttpResponse::");
            let mut built = constructors.map(|(at, name)| &line[at + name.len()..]);
            if built.any(|rest| {
                !["with_body(", "new("]
                    .iter()
                    .any(|free| rest.starts_with(free))
            }) {
                fault("a status by its name");
            }
            if numbers(line).any(|number| number.len() > 2 && number != "127") {
                fault("a status, a code or a limit");
            }
            if strings(line).any(|text| text.contains(' ')) {
                fault("a sentence");
            }
        }
    }
    assert_none(
        "an adapter has less than 300 lines, and no status, no code, no protocol header, no limit and no sentence",
        faults,
    );
}

/// All sources of an adapter have less lines than this.
const ADAPTER_LINES: usize = 300;

/// The number literals of a line, without their separators.
fn numbers(line: &str) -> impl Iterator<Item = String> {
    let identifier = |char: char| char.is_alphanumeric() || char == '_';
    let words = line
        .split(move |char| !identifier(char))
        .filter(|word| word.starts_with(|char: char| char.is_ascii_digit()));
    words.map(|word| word.replace('_', ""))
}

/// The string literals of a line, roughly: what stands between every other quote.
fn strings(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[test]
fn one_file_holds_one_concept() {
    let mut faults = Vec::new();
    for source in sources("crates") {
        let lines = source.text.lines().count();
        if lines > FILE_LINES {
            faults.push(format!("{}: {lines} lines", source.path));
        }
    }
    assert_none(
        "a file of more than 500 lines has a second concept in it",
        faults,
    );
}

/// The most lines of any source file.
const FILE_LINES: usize = 500;

#[test]
fn every_public_item_is_shown_in_an_example() {
    let crates = [
        "wymcp-core",
        "wymcp",
        "wymcp-axum",
        "wymcp-actix",
        "wymcp-stdio",
        "wymcp-testkit",
    ];
    let sources = crates
        .iter()
        .flat_map(|name| sources(&format!("crates/{name}/src")));
    let mut faults = Vec::new();
    for source in sources {
        let examples = source.examples();
        // What a macro writes is documented where it is used.
        let macros = source.text.contains("macro_rules! described");
        for (number, line) in source.code().filter(|_| !macros) {
            if let Some(item) = public_item(line)
                && !has_word(&examples, item)
            {
                faults.push(format!("{}:{number}: {item}", source.path));
            }
        }
    }
    assert_none(
        "the name of every public item occurs in a documentation example of its file",
        faults,
    );
}

/// The name of the item that a line declares for other crates.
fn public_item(line: &str) -> Option<&str> {
    let mut words = line.trim_start().strip_prefix("pub ")?.split(' ');
    let mut kind = words.next()?;
    while ["const", "async"].contains(&kind) {
        let next = words.next()?;
        if next != "fn" && next != "async" {
            return next.split(':').next();
        }
        kind = next;
    }
    let named = ["struct", "enum", "trait", "fn", "type", "static"].contains(&kind);
    let rest = named.then(|| words.next())??;
    // What a macro names, it names where it is used.
    rest.split(['(', '<', ':', ';', '{', '='])
        .next()
        .filter(|name| !name.starts_with('$'))
}

#[test]
fn the_words_are_found_as_words() {
    assert!(has_word("use std::fs;", "std::fs") && !has_word("use std::fsync;", "std::fs"));
    assert!(has_word("rand()", "rand") && !has_word("operand", "rand"));
    assert!(has_word("a.unwrap()", ".unwrap()") && !has_word("a.unwrap_or()", ".unwrap()"));
    assert_eq!(public_item("    pub fn of(id: u8) {"), Some("of"));
    assert_eq!(public_item("pub const MOST: usize = 1;"), Some("MOST"));
    assert_eq!(public_item("pub(crate) struct Hidden;"), None);
    assert_eq!(public_item("    pub name: String,"), None);
    assert_eq!(
        numbers("a1 = 4_096 + 0x1F").collect::<Vec<_>>(),
        ["4096", "0x1F"]
    );
    assert_eq!(
        strings(r#"f("a b", "c")"#).collect::<Vec<_>>(),
        ["a b", "c"]
    );
}
