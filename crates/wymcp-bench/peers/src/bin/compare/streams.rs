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
        let side = |tool, told, connections| Side {
            server: &server,
            call: Call::count(tool, told),
            connections,
        };
        let (quick, slow) = ("count", "count-slowly");
        let sides = [
            side(quick, true, 32),
            side(quick, false, 32),
            side(slow, true, 32),
            side(slow, false, 32),
            side(slow, true, 1),
            side(slow, false, 1),
        ];
        let [at_once, in_one, apart, waited, apart_alone, waited_alone] = measure(plan, &sides)?;
        for (how, told, untold) in [
            ("sent at once", &at_once, &in_one),
            ("each by itself", &apart, &waited),
        ] {
            let of = format!("three reports, {how} / none, {host}");
            let twice = Some(AtMost(2.0));
            table.ratio(format!("CPU us: {of}"), &told.cpu(), &untold.cpu(), twice);
            table.ratio(format!("p50 us: {of}"), &told.p50(), &untold.p50(), twice);
        }
        // A host without TCP_NODELAY keeps parts of an answer back until its client has acknowledged others, after 40 ms.
        for (form, series) in [("streamed", &apart_alone), ("in one piece", &waited_alone)] {
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
