//! Where answers go: back by the way of their requests, and in tests to the judge.

use crate::{
    assert_none,
    sources::{Source, has_word, sources},
};

/// Two clients may use one id. What ends a call may be found by it, among the calls of one client.
#[test]
fn no_answer_finds_its_way_by_a_request_id() {
    let mut sources = sources("crates");
    sources.retain(is_elsewhere);
    let faults = sources.iter().flat_map(|source| {
        let code: String = source.code().map(|(_, line)| line).collect();
        let code = code.replace(' ', "");
        let routes = collections(&code).filter(|held| routes_answers(held));
        let faults = routes.map(|held| format!("{}: {held}", source.path));
        faults.collect::<Vec<_>>()
    });
    assert_none(
        "a collection with request ids holds nothing but what ends a call (AbortHandle, Cancellation)",
        faults,
    );
}

/// What the collections of some code hold, by their types.
fn collections(code: &str) -> impl Iterator<Item = &str> {
    let kinds = ["Map<", "Set<", "Cache<", "Vec<", "VecDeque<", "Slab<"];
    let starts = kinds.into_iter().flat_map(move |kind| {
        let found = code.match_indices(kind);
        found.map(move |(at, kind)| &code[at + kind.len()..])
    });
    starts.map(|rest| {
        let mut open = 1;
        let end = rest.find(|char| {
            open += i32::from(char == '<') - i32::from(char == '>');
            open == 0
        });
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// Whether something that is kept by request ids, or with them, could be an answer or the way of one.
fn routes_answers(held: &str) -> bool {
    let ends_calls = ["AbortHandle", "Cancellation"];
    let besides = [
        "RequestId",
        "static",
        "wymcp",
        "wymcp_core",
        "task",
        "Id",
        "Option",
        "u64",
        "usize",
    ];
    let identifier = |char: char| char.is_alphanumeric() || char == '_';
    let names: Vec<_> = held.split(|char| !identifier(char)).collect();
    let only_ends = names.iter().any(|name| ends_calls.contains(name))
        && names
            .iter()
            .all(|name| name.is_empty() || ends_calls.contains(name) || besides.contains(name));
    names.contains(&"RequestId") && !only_ends
}

#[test]
fn what_could_route_an_answer_is_told_from_what_ends_a_call() {
    let routes = |code: &str| collections(code).any(routes_answers);
    assert!(routes("HashMap<RequestId<'static>,Sender<Reply>>"));
    assert!(routes(
        "BTreeMap<u64,HashMap<(ClientId,RequestId<'static>),Waker>>"
    ));
    assert!(routes("Vec<(&RequestId<'_>,AbortHandle,Outlet)>"));
    assert!(routes("HashSet<wymcp_core::RequestId<'static>>"));
    assert!(!routes(
        "HashMap<task::Id,(RequestId<'static>,AbortHandle)>"
    ));
    assert!(!routes("HashMap<RequestId<'static>,Cancellation>"));
    assert!(!routes("HashMap<task::Id,AbortHandle>,RequestId<'static>"));
}

#[test]
fn every_answer_that_a_test_reads_is_judged() {
    let mut sources = sources("crates");
    sources.retain(|source| {
        let is_testkit = source.path.starts_with("crates/wymcp-testkit/src/");
        // A fixture is the server's side.
        let is_fixture = source.path.contains("/fixture/");
        // What is measured is no answer that anybody reads.
        let is_bench = source.path.starts_with("crates/wymcp-bench/");
        is_elsewhere(source)
            && !is_bench
            && (source.path.contains("/tests/") || is_testkit && !is_fixture)
    });
    assert_none(
        "a test that takes an answer out of a server itself hands it to the judge (crates/wymcp-testkit/src/official.rs)",
        sources.iter().flat_map(unjudged),
    );
}

/// Where a file reads answers and calls no judge, and where a function takes one and neither judges it nor hands it on.
fn unjudged(source: &Source) -> Vec<String> {
    let readers = [
        "Reply",
        "Exchange",
        "Outbox",
        "Notices",
        "Lines::new(",
        "AnswerStream",
        "Answering",
        "TcpStream",
        "DuplexStream",
    ];
    let takers = [
        ".receive(",
        ".proceed(",
        ".finish(",
        ".notices(",
        "Outbox::of(",
        ".take(line",
        "converse(",
    ];
    let functions = source.functions();
    // Without arguments they are others: a connection's, which judges what it reads, or a builder's. `common` judges.
    let others = [".receive()", ".finish()", "common::converse("];
    let is_taking = |function: &str| {
        let others = others.iter().copied();
        let function = others.fold(function.to_owned(), |text, other| text.replace(other, ""));
        takers.iter().any(|taker| function.contains(taker))
    };
    let is_judging = |function: &str| {
        ["judge(", "judge_by("]
            .iter()
            .any(|judge| has_word(function, judge))
    };
    let judges = |function: &str| is_judging(function) && !function.contains("fn judge(");
    let reads = source.lines_with(&readers).next().is_some();
    let taking = functions.iter().filter(|(_, function)| is_taking(function));
    let mut faults = Vec::new();
    for (number, function) in taking {
        let (signature, _) = function.split_once('{').unwrap_or_default();
        let hands_on = signature
            .split_once("->")
            .is_some_and(|(_, returned)| has_word(returned, "Reply"));
        // What growth costs is no answer that anybody reads.
        let drops = function.contains("black_box(");
        if !judges(function) && !hands_on && !drops {
            faults.push(format!("{}:{number}: {}", source.path, signature.trim()));
        }
    }
    let defines = functions
        .iter()
        .any(|(_, function)| function.contains("fn judge("));
    if reads && !defines && !functions.iter().any(|(_, function)| judges(function)) {
        faults.push(source.path.clone());
    }
    faults
}

#[test]
fn a_test_without_a_judge_is_found() {
    let source = |text: &str| Source {
        path: "a.rs".to_owned(),
        text: text.to_owned(),
    };
    let judged = "fn f() {\n    let turn = server.receive(&head, body, nobody);\n    judge(body, &turn);\n}\n";
    assert_eq!(unjudged(&source(judged)), [""; 0]);
    let handed_on =
        "fn f() -> Reply {\n    call.finish(outcome, time)\n}\nfn g() {\n    judge(f());\n}\n";
    assert_eq!(unjudged(&source(handed_on)), [""; 0]);
    for unjudged_one in [
        "fn f() {\n    // judge(it)\n    let turn = lines.take(line, clock);\n}\n",
        "fn f() {\n    let said = subscription.notices();\n}\nfn g() {\n    judge(it);\n}\n",
        "use wymcp::Reply;\nuse common::judge;\nfn f(reply: Reply) {}\n",
    ] {
        assert_eq!(unjudged(&source(unjudged_one)).len(), 1, "{unjudged_one}");
    }
}

/// These tests have examples of what is wrong.
fn is_elsewhere(source: &Source) -> bool {
    !source.path.contains("/tests/tidy/")
}
