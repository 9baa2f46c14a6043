//! Measures what a turn costs, as ratios of neighbors in time, and fails when one passes its bound.
//!
//! See README.md for how to run it and what each figure means.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::{
    hint::black_box,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use wymcp_bench::{Request, server, server_of};
use wymcp_core::Server;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [option, name] = &arguments[..]
        && option == "--turn"
    {
        return run(name);
    }
    let smoke = arguments.iter().any(|argument| argument == "--smoke");
    let rounds = if smoke { 3 } else { 51 };
    let server = server();
    let (thousand, ten_thousand) = (server_of(1_000), server_of(10_000));
    let mut comparisons = comparisons(&server);
    comparisons.extend(growth(&server, &thousand, &ten_thousand));
    let measured = measure(&comparisons, rounds);

    println!(
        "{:<30} {:>6}  {:>13}  {:>9}  {:>9}  bound",
        "ratio", "median", "min..max", "ns", "of ns"
    );
    let mut held = true;
    for (comparison, ratios) in comparisons.iter().zip(measured) {
        let verdict = match comparison.bound {
            None => "-".to_owned(),
            Some(bound) if ratios.median <= bound => format!("{bound}"),
            // A short pass says little of time, but growth shows in it.
            Some(bound) if smoke && comparison.times == 1 => format!("{bound}, not judged"),
            Some(bound) => {
                held = false;
                format!("{bound}, which is exceeded")
            }
        };
        println!(
            "{:<30} {:>6.2}  {:>5.2}..{:<6.2}  {:>9.0}  {:>9.0}  {verdict}",
            comparison.name, ratios.median, ratios.min, ratios.max, ratios.cost, ratios.base
        );
    }
    if count_allocations() && held {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs one turn a thousand times, for a profiler to look at.
fn run(name: &str) -> ExitCode {
    let server = server();
    let Some(request) = Request::all().into_iter().find(|it| it.name == name) else {
        println!("no turn has the name {name:?}");
        return ExitCode::FAILURE;
    };
    for _ in 0..1_000 {
        drop(black_box(request.turn(&server)));
    }
    ExitCode::SUCCESS
}

/// Runs the gate on allocations, a test with an allocator of its own.
fn count_allocations() -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = [
        "test",
        "--quiet",
        "--release",
        "-p",
        "wymcp-bench",
        "--test",
        "allocations",
        "--",
        "--nocapture",
    ];
    Command::new(cargo)
        .args(arguments)
        .status()
        .is_ok_and(|status| status.success())
}

/// How long one side runs at a stretch: short against the spells of a busy machine, long against the clock's grain.
const SLICE: Duration = Duration::from_micros(250);

/// Two things that are measured side by side.
struct Comparison<'s> {
    name: &'static str,
    cost: Box<dyn Fn() + 's>,
    base: Box<dyn Fn() + 's>,
    /// How many runs of the base one run of the cost is held against.
    times: u32,
    /// The largest ratio that passes.
    bound: Option<f64>,
}

/// One run of a turn, and one of the yardstick.
fn turn<'s>(request: &Request, server: &'s Server) -> Box<dyn Fn() + 's> {
    let request = request.clone();
    Box::new(move || drop(black_box(request.turn(server))))
}

fn parse(request: &Request) -> Box<dyn Fn()> {
    let request = request.clone();
    Box::new(move || drop(black_box(request.parse())))
}

fn comparisons(server: &Server) -> Vec<Comparison<'_>> {
    let of_parse = |request: &Request, bound| Comparison {
        name: request.name,
        cost: turn(request, server),
        base: parse(request),
        times: 1,
        bound: Some(bound),
    };
    let call = Request::call();
    let of_call = |request: &Request, bound| Comparison {
        name: request.name,
        cost: turn(request, server),
        base: turn(&call, server),
        times: 1,
        bound,
    };
    let large = Request::large();
    let large = large.iter().zip([1.05, 1.05, 0.6, 0.6]);
    let refused = Request::refused();
    // Broken arguments are told to a model in words, which is what they cost more.
    let refused = refused.iter().zip([1.05, 1.05, 1.05, 1.05, 1.75]);
    [of_parse(&call, 1.45)]
        .into_iter()
        .chain(large.map(|(request, bound)| of_parse(request, bound)))
        .chain(refused.map(|(request, bound)| of_call(request, Some(bound))))
        .chain([
            of_call(&Request::list(), None),
            of_call(&Request::discover(), None),
        ])
        .collect()
}

/// What is many times larger, beside as many of what is small: more than one only where something grows faster than its
/// input.
fn growth<'s>(
    server: &'s Server,
    thousand: &'s Server,
    ten_thousand: &'s Server,
) -> [Comparison<'s>; 3] {
    // Below the limit of 4 MiB.
    let (small, large) = (64 * 1024, 50 * 64 * 1024);
    let (list, bound) = (Request::list(), Some(1.5));
    let grown = |name, cost, base, times| Comparison {
        name,
        cost,
        base,
        times,
        bound,
    };
    [
        grown(
            "a byte of 3 MB, one string",
            turn(&Request::one_string("", large), server),
            turn(&Request::one_string("", small), server),
            50,
        ),
        grown(
            "a byte of 3 MB, small members",
            turn(&Request::small_members("", large), server),
            turn(&Request::small_members("", small), server),
            50,
        ),
        grown(
            "a tool of 10,000, tools/list",
            turn(&list, ten_thousand),
            turn(&list, thousand),
            10,
        ),
    ]
}

/// What the rounds of a comparison came to; costs are medians in nanoseconds.
struct Ratios {
    median: f64,
    min: f64,
    max: f64,
    cost: f64,
    base: f64,
}

/// Measures all comparisons in turn, round after round, so that no spell of a busy machine falls on one of them.
fn measure(comparisons: &[Comparison<'_>], rounds: usize) -> Vec<Ratios> {
    let times: Vec<(u32, u32)> = comparisons
        .iter()
        .map(|it| (fitting(&it.cost), fitting(&it.base)))
        .collect();
    let mut measured = vec![Vec::with_capacity(rounds); comparisons.len()];
    for _ in 0..rounds {
        for ((comparison, (cost, base)), rounds) in
            comparisons.iter().zip(&times).zip(&mut measured)
        {
            rounds.push(round(comparison, *cost, *base));
        }
    }
    measured.iter().map(|rounds| ratios(rounds)).collect()
}

/// One round: short slices of both sides by turns, of which the fastest counts, since whatever else the machine does
/// makes a slice only slower. Nanoseconds for one run of each.
fn round(comparison: &Comparison<'_>, cost_times: u32, base_times: u32) -> (f64, f64) {
    let (mut cost, mut base) = (Duration::MAX, Duration::MAX);
    for _ in 0..8 {
        base = base.min(time(&comparison.base, base_times));
        cost = cost.min(time(&comparison.cost, cost_times));
    }
    let each = |total: Duration, times: u32| total.as_secs_f64() * 1e9 / f64::from(times);
    let base = each(base, base_times) * f64::from(comparison.times);
    (each(cost, cost_times), base)
}

fn time(work: &dyn Fn(), times: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        work();
    }
    start.elapsed()
}

/// How often work runs in one slice of time.
fn fitting(work: &dyn Fn()) -> u32 {
    let mut times = 1;
    while time(work, times) < SLICE {
        times *= 2;
    }
    times
}

fn ratios(rounds: &[(f64, f64)]) -> Ratios {
    let sorted = |value: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let middle = |values: &[f64]| values[values.len() / 2];
    let ratios = sorted(|(cost, base)| cost / base);
    Ratios {
        median: middle(&ratios),
        min: ratios[0],
        max: ratios[ratios.len() - 1],
        cost: middle(&sorted(|(cost, _)| *cost)),
        base: middle(&sorted(|(_, base)| *base)),
    }
}
