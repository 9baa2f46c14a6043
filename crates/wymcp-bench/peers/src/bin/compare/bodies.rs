//! Bodies from 1 KiB to nearly 4 MiB, filled up with one string: what a byte costs.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::rounds::{Side, measure};
use crate::table::{AtMost, Table};

/// Below the limits of 4 MiB of the servers.
const SIZES: [usize; 6] = [1, 16, 64, 256, 1_024, 4_092];

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let plan = &plan.halved();
    let (ours, _) = Process::start("calculator", &[], &Call::sum())?;
    let (bare, _) = Process::start("bare-axum", &[], &Call::sum())?;
    let mut costs = Vec::new();
    for kib in SIZES {
        let side = |server| Side {
            server,
            call: Call::measure(kib * 1024),
            connections: 4,
        };
        let [ours, bare] = measure(plan, &[side(&ours), side(&bare)])?;
        table.ratio(
            format!("{kib} KiB: req/s, in axum / bare axum"),
            &ours.requests(),
            &bare.requests(),
            None,
        );
        table.ratio(
            format!("{kib} KiB: CPU us, in axum / bare axum"),
            &ours.cpu(),
            &bare.cpu(),
            None,
        );
        costs.push((ours.cpu(), bare.cpu()));
    }
    // Of sizes that no fixed cost shows in.
    let [.., (ours_small, bare_small), _, (ours_large, bare_large)] = &costs[..] else {
        return Err("too few sizes".into());
    };
    let mut growth = |name, large: &[f64], small: &[f64], target| {
        let sixteen: Vec<f64> = small.iter().map(|cost| cost * 4_092.0 / 256.0).collect();
        table.ratio(
            format!("{name}: CPU us of 4092 KiB / of as much in 256 KiB"),
            large,
            &sixteen,
            target,
        );
    };
    growth("in axum", ours_large, ours_small, Some(AtMost(1.5)));
    growth("bare axum", bare_large, bare_small, None);
    Ok(())
}
