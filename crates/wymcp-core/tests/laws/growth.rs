//! Twice the input takes less than three times the time; so eight times the input less than 27 times.

use std::{
    fmt::Write as _,
    fs,
    hint::black_box,
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use serde_json::json;
use wymcp_core::{Decision, Head};

use crate::{
    generators::{Request, call, line, valid_call},
    oracle::SERVER,
};

/// How often a ratio is measured before it counts; a busy machine spoils some.
const ATTEMPTS: usize = 8;

/// Asserts the law for requests of `size` and of eight times that: a step in which a quadratic cost, 64 times the time,
/// stands out of what caches, the allocator and busy neighbors add.
fn check(what: &str, size: usize, request: impl Fn(usize) -> Request) {
    let (small, large) = (request(size), request(8 * size));
    let mut ratios = Vec::new();
    for _ in 0..ATTEMPTS {
        let ratio = time(&large).as_secs_f64() / time(&small).as_secs_f64();
        if ratio < 27.0 {
            return;
        }
        ratios.push(ratio);
    }
    panic!("{what}: eight times the input took {ratios:.1?} times the time");
}

/// The shortest of a few runs, which is the least disturbed one.
fn time(request: &Request) -> Duration {
    let run = || {
        let start = clock();
        let head = Head::new(&request.method, &request.headers);
        black_box(SERVER.receive(&head, &request.body, Decision::anonymous()));
        clock().saturating_sub(start)
    };
    (0..3).map(|_| run()).min().unwrap_or_default()
}

/// The time that this thread has run, where the system tells it: on a busy machine the wall clock counts the others'
/// work. Elsewhere the time since the first question.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    // Linux brings the number up to date when the thread gives way.
    thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ran = told
        .split(' ')
        .next()
        .and_then(|nanoseconds| nanoseconds.parse().ok());
    ran.filter(|nanoseconds| *nanoseconds > 0)
        .map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// A valid call with text in the place of its arguments.
fn with_arguments(arguments: &str) -> Request {
    let mut request = Request::of(&call(7.into(), "echo", json!("HERE")));
    request.body = String::from_utf8(request.body)
        .unwrap()
        .replacen("\"HERE\"", arguments, 1)
        .into_bytes();
    request
}

/// Members, each with a name of its own.
fn members(count: usize) -> String {
    let mut text = String::new();
    for member in 0..count {
        let _ = write!(
            text,
            "\"member {}\":{member},",
            member.wrapping_mul(7919) % count
        );
    }
    text
}

#[test]
fn bodies_are_read_in_linear_time() {
    check("a long string", 100_000, |size| {
        with_arguments(&format!("{{\"a\":\"{}\"}}", "é".repeat(size)))
    });
    check("escapes", 100_000, |size| {
        with_arguments(&format!("{{\"a\":\"{}\"}}", "\\u2028".repeat(size)))
    });
    check("a long name", 100_000, |size| {
        with_arguments(&format!("{{\"{}\":1}}", "k".repeat(size)))
    });
    check("a long fraction", 100_000, |size| {
        with_arguments(&format!("{{\"a\":0.{}}}", "7".repeat(size)))
    });
    check("white space", 500_000, |size| {
        with_arguments(&format!("{{{}}}", " ".repeat(size)))
    });
    check("an array", 25_000, |size| {
        with_arguments(&format!("{{\"a\":[{}1]}}", "1,".repeat(size)))
    });
    check("many objects", 10_000, |size| {
        with_arguments(&format!("{{\"a\":[{}1]}}", "{\"a\":{}},".repeat(size)))
    });
    check("many members", 10_000, |size| {
        with_arguments(&format!("{{{}\"a\":1}}", members(size)))
    });
    check("equal members", 10_000, |size| {
        with_arguments(&format!("{{{}\"a\":1}}", "\"a\":1,".repeat(size)))
    });
    check("brackets", 500_000, |size| {
        with_arguments(&"[".repeat(size))
    });
}

#[test]
fn refusals_are_written_in_linear_time() {
    let meta = |value: &str| {
        let mut message = valid_call();
        message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = json!("HERE");
        let mut request = Request::of(&message);
        request.body = String::from_utf8(request.body)
            .unwrap()
            .replacen("\"HERE\"", value, 1)
            .into_bytes();
        request
    };
    check("many faulty icons", 5_000, |size| {
        meta(&format!(
            "{{\"name\":\"a\",\"icons\":[{}1]}}",
            "1,".repeat(size)
        ))
    });
    check("a large _meta", 5_000, |size| {
        meta(&format!("{{{}\"name\":1}}", members(size)))
    });
    check("a long name of a tool", 100_000, |size| {
        Request::of(&call(7.into(), &"é".repeat(size), json!({})))
    });
    check("a long id", 100_000, |size| {
        Request::of(&call("\u{202e}".repeat(size).into(), "none", json!({})))
    });
}

#[test]
fn heads_are_read_in_linear_time() {
    let usual = || Request::of(&call(7.into(), "mirrored", json!({})));
    let with = |lines: Vec<(String, Vec<u8>)>| {
        let mut request = usual();
        request.headers.extend(lines);
        request
    };
    check("many headers", 5_000, |size| {
        with(
            (0..size)
                .map(|at| line(&format!("X-Header-{at}"), "a"))
                .collect(),
        )
    });
    check("many mirrored arguments", 2_000, |size| {
        with(
            (0..size)
                .map(|at| line(&format!("Mcp-Param-{at:08}"), "a"))
                .collect(),
        )
    });
    check("many Accept lines", 2_000, |size| {
        with(vec![line("Accept", "text/html;q=0.1, a/b"); size])
    });
    for name in [
        "Accept",
        "Content-Type",
        "Origin",
        "Host",
        "Mcp-Name",
        "Authorization",
    ] {
        for piece in [
            "a/b;c=\"d\",",
            "application/json;a=b;",
            " \t",
            "\"\\\"",
            "=?base64?",
            ":",
            "\u{e9}",
        ] {
            check(name, 5_000, |size| {
                let mut request = usual();
                request.headers.retain(|(other, _)| other != name);
                request.headers.push(line(name, &piece.repeat(size)));
                request
            });
        }
    }
}
