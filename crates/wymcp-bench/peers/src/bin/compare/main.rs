//! Runs the comparisons that are named, or all, and prints what they came to as one table. `README.md` says what each
//! figure means; the shell script `compare` builds the servers first.

mod bodies;
mod build;
mod connections;
mod edits;
mod http;
mod in_process;
mod lists;
mod listeners;
mod plan;
mod rounds;
mod start;
mod streams;
mod table;

use std::error::Error;
use std::process::ExitCode;

use plan::Plan;
use table::Table;

type Comparison = fn(&Plan, &mut Table) -> Result<(), Box<dyn Error>>;

const COMPARISONS: [(&str, Comparison); 10] = [
    ("in-process", in_process::compare),
    ("http", http::compare),
    ("streams", streams::compare),
    ("listeners", listeners::compare),
    ("connections", connections::compare),
    ("bodies", bodies::compare),
    ("lists", lists::compare),
    ("edits", edits::compare),
    ("start", start::compare),
    ("build", build::compare),
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let plan = Plan::of(std::env::args().skip(1))?;
    if let Some(name) = plan
        .names
        .iter()
        .find(|name| COMPARISONS.iter().all(|(known, _)| known != *name))
    {
        let known: Vec<_> = COMPARISONS.iter().map(|(name, _)| *name).collect();
        return Err(format!("no comparison {name:?}; there are: {}", known.join(" ")).into());
    }
    let mut table = Table::begin(!plan.smoke);
    for (name, compare) in COMPARISONS {
        if plan.names.is_empty() || plan.names.iter().any(|wanted| wanted == name) {
            println!("{name}");
            compare(&plan, &mut table)?;
        }
    }
    Ok(if plan.gate && table.missed() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
