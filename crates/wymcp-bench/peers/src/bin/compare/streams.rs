//! A call that reports progress three times, on a stream, beside the same call of a client that asks for none.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::rounds::{Side, measure};
use crate::table::{AtMost, Table};

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let plan = &plan.halved();
    for (host, name) in [("axum", "calculator"), ("actix-web", "calculator-actix")] {
        let (server, _) = Process::start(name, &[], &Call::sum())?;
        let side = |told, connections| Side {
            server: &server,
            call: Call::count(told),
            connections,
        };
        let [told, untold, told_alone, untold_alone] = measure(
            plan,
            &[
                side(true, 32),
                side(false, 32),
                side(true, 1),
                side(false, 1),
            ],
        )?;
        let twice = Some(AtMost(2.0));
        let of = format!("with three notifications / without, {host}");
        table.ratio(format!("CPU us: {of}"), &told.cpu(), &untold.cpu(), twice);
        table.ratio(format!("p50 us: {of}"), &told.p50(), &untold.p50(), twice);
        table.ratio(format!("p99 us: {of}"), &told.p99(), &untold.p99(), twice);
        // A host without TCP_NODELAY keeps parts of an answer back until its client has acknowledged others, after 40 ms.
        for (form, series) in [("streamed", &told_alone), ("in one piece", &untold_alone)] {
            let milliseconds: Vec<f64> = series.of(|it| it.p99_us / 1_000.0);
            table.figure(
                format!("p99 ms: one client alone, {form}, {host}"),
                &milliseconds,
                Some(AtMost(20.0)),
            );
        }
    }
    Ok(())
}
