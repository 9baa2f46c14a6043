//! A tool comes and goes every ten milliseconds, by another thread: what those who call notice of it.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::rounds::{Side, measure};
use crate::table::{AtMost, Table};

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let call = Call::sum();
    let tools = ["--tools", "100"];
    let (edited, _) = Process::start(
        "calculator",
        &[&tools[..], &["--edits", "10"]].concat(),
        &call,
    )?;
    let (still, _) = Process::start("calculator", &tools, &call)?;
    let side = |server| Side {
        server,
        call: call.clone(),
        connections: 32,
    };
    let [edited, still] = measure(plan, &[side(&edited), side(&still)])?;
    // On one core the work of the edits itself takes from the requests; it is not in the time of the thread that serves.
    table.ratio(
        "req/s: edited / still, on one core",
        &edited.requests(),
        &still.requests(),
        None,
    );
    table.ratio(
        "CPU us of the thread that serves: edited / still",
        &edited.of(|it| it.first_thread_us),
        &still.of(|it| it.first_thread_us),
        Some(AtMost(1.1)),
    );
    table.ratio(
        "p50 us: edited / still",
        &edited.p50(),
        &still.p50(),
        Some(AtMost(1.1)),
    );
    table.ratio("p99 us: edited / still", &edited.p99(), &still.p99(), None);
    Ok(())
}
