//! The call over HTTP, beside the bare hosts and the peers.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::rounds::{Series, Side, measure};
use crate::table::{AtLeast, AtMost, Table};

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let names = [
        "calculator",
        "bare-axum",
        "rmcp-server",
        "neva-server",
        "calculator-actix",
        "bare-actix",
    ];
    let call = Call::sum();
    let mut servers = Vec::new();
    for name in names {
        servers.push(Process::start(name, &[], &call)?.0);
    }
    let sides = std::array::from_fn(|at| Side {
        server: &servers[at],
        call: call.clone(),
        connections: 32,
    });
    let [ours, bare, rmcp, neva, ours_actix, bare_actix] = measure(plan, &sides)?;

    for (host, ours, bare, least) in [
        ("axum", &ours, &bare, 0.75),
        ("actix-web", &ours_actix, &bare_actix, 0.70),
    ] {
        table.ratio(
            format!("req/s: in {host} / bare {host}"),
            &ours.requests(),
            &bare.requests(),
            Some(AtLeast(least)),
        );
        table.ratio(
            format!("CPU us: in {host} / bare {host}"),
            &ours.cpu(),
            &bare.cpu(),
            None,
        );
        table.ratio(
            format!("p50 us: in {host} / bare {host}"),
            &ours.p50(),
            &bare.p50(),
            None,
        );
        table.ratio(
            format!("p99 us: in {host} / bare {host}"),
            &ours.p99(),
            &bare.p99(),
            Some(AtMost(1.5)),
        );
    }
    for (name, peer, times) in [("rmcp", &rmcp, 5.0), ("neva", &neva, 3.0)] {
        table.ratio(
            format!("req/s: in axum / {name}"),
            &ours.requests(),
            &peer.requests(),
            Some(AtLeast(times)),
        );
        table.ratio(
            format!("req/s: bare axum / {name}, which bounds the line above"),
            &bare.requests(),
            &peer.requests(),
            None,
        );
        table.ratio(
            format!("CPU us over bare axum: {name} / in axum"),
            &over(peer, &bare),
            &over(&ours, &bare),
            None,
        );
        table.ratio(
            format!("p99 us: {name} / in axum"),
            &peer.p99(),
            &ours.p99(),
            None,
        );
    }
    let resident = |at: usize| servers[at].resident().map(|kib| vec![f64::from(kib)]);
    for (name, at) in [("bare axum", 1), ("rmcp", 2), ("neva", 3)] {
        table.ratio(
            format!("resident KiB after all that: in axum / {name}"),
            &resident(0)?,
            &resident(at)?,
            None,
        );
    }
    let busy: Vec<f64> = [&ours, &bare, &rmcp, &neva, &ours_actix, &bare_actix]
        .iter()
        .flat_map(|series| series.of(|it| it.cpu_percent))
        .collect();
    // Under 90 something else ran on the machine, or the load was the limit: ratios of req/s then come out too near to 1.
    table.figure(
        "% of its core that a server had",
        &busy,
        Some(AtLeast(90.0)),
    );
    Ok(())
}

/// What the protocol costs, in the same round.
fn over(server: &Series, bare: &Series) -> Vec<f64> {
    server
        .cpu()
        .iter()
        .zip(bare.cpu())
        .map(|(cpu, bare)| cpu - bare)
        .collect()
}
