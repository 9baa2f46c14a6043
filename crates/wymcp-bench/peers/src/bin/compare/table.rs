//! The table: a line for each figure, printed as soon as it is known.

use std::fmt;

/// Where a figure is to be.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
}

pub use Target::{AtLeast, AtMost};

/// What is printed so far.
#[derive(Debug)]
pub struct Table {
    missed: bool,
    /// Whether its times say anything.
    judged: bool,
}

impl Table {
    /// Prints the head. What is not `judged` has no verdicts.
    pub fn begin(judged: bool) -> Self {
        println!(
            "{:<60} {:>7} {:<16} {:>10} {:>10}  {:<8} verdict",
            "ratio of neighbors in one round", "median", "[min..max]", "of", "to", "target"
        );
        Self {
            missed: false,
            judged,
        }
    }

    /// A ratio: in each round `measured` to `base`.
    pub fn ratio(
        &mut self,
        what: impl fmt::Display,
        measured: &[f64],
        base: &[f64],
        target: Option<Target>,
    ) {
        let ratios: Vec<f64> = measured.iter().zip(base).map(|(a, b)| a / b).collect();
        let sides = format!(
            "{:>10} {:>10}",
            short(median(measured)),
            short(median(base))
        );
        self.line(what, &ratios, &sides, target);
    }

    /// A figure that is compared with nothing.
    pub fn figure(&mut self, what: impl fmt::Display, values: &[f64], target: Option<Target>) {
        self.line(what, values, &" ".repeat(21), target);
    }

    fn line(
        &mut self,
        what: impl fmt::Display,
        values: &[f64],
        sides: &str,
        target: Option<Target>,
    ) {
        let middle = median(values);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (target, verdict) = match target.filter(|_| self.judged) {
            None => (String::new(), ""),
            Some(AtLeast(bound)) => (format!(">= {bound}"), verdict(middle >= bound)),
            Some(AtMost(bound)) => (format!("<= {bound}"), verdict(middle <= bound)),
        };
        self.missed |= verdict == MISSED;
        let range = format!("[{}..{}]", short(least), short(most));
        println!(
            "  {:<58} {:>7} {range:<16} {sides}  {target:<8} {verdict}",
            what.to_string(),
            short(middle)
        );
    }

    /// Whether a figure is not where it is to be.
    pub fn missed(&self) -> bool {
        self.missed
    }
}

const MISSED: &str = "missed";

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { MISSED }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

/// Three digits, or all before the point.
fn short(value: f64) -> String {
    let digits = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}
