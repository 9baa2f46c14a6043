//! Measures what a turn costs, as ratios of neighbors in time, and fails when one passes its bound.
//!
//! See README.md for how to run it and what each figure means.

#![expect(clippy::print_stdout, reason = "the table is the product")]

use std::{
    hint::black_box,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use wymcp_bench::{Request, server};
use wymcp_core::Server;

fn main() -> ExitCode {
    let smoke = std::env::args().any(|argument| argument == "--smoke");
    let rounds = if smoke { 3 } else { 51 };
    let server = server();
    let comparisons = comparisons(&server);
    let measured = measure(&comparisons, rounds);

    println!(
        "{:<30} {:>6}  {:>13}  {:>9}  {:>9}  bound",
        "ratio", "median", "min..max", "ns", "of ns"
    );
    let mut held = true;
    for (comparison, ratios) in comparisons.iter().zip(measured) {
        let verdict = match comparison.bound {
            None => "-".to_owned(),
            Some(bound) if smoke || ratios.median <= bound => format!("{bound}"),
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
    /// The largest ratio that passes.
    bound: Option<f64>,
}

fn comparisons(server: &Server) -> Vec<Comparison<'_>> {
    let turn = |request: &Request| {
        let request = request.clone();
        Box::new(move || drop(black_box(request.turn(server))))
    };
    let parse = |request: &Request| {
        let request = request.clone();
        Box::new(move || drop(black_box(request.parse())))
    };
    let call = Request::call();
    let mut comparisons = vec![Comparison {
        name: call.name,
        cost: turn(&call),
        base: parse(&call),
        bound: Some(1.5),
    }];
    for request in Request::large() {
        let (cost, base) = (turn(&request), parse(&request));
        comparisons.push(Comparison {
            name: request.name,
            cost,
            base,
            bound: Some(1.2),
        });
    }
    for request in Request::refused()
        .into_iter()
        .chain([Request::list(), Request::discover()])
    {
        comparisons.push(Comparison {
            name: request.name,
            cost: turn(&request),
            base: turn(&call),
            bound: None,
        });
    }
    comparisons
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
    (each(cost, cost_times), each(base, base_times))
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
