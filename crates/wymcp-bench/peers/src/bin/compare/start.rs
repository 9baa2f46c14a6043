//! From nothing to the first answer, with a thousand tools.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::table::Table;

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    const SERVERS: [&str; 2] = ["calculator", "rmcp-server"];
    for tools in [1, 1_000] {
        let mut measured = [const { Vec::new() }; SERVERS.len()];
        for round in 0..plan.rounds {
            for turn in 0..SERVERS.len() {
                let at = (round + turn) % SERVERS.len();
                let (server, elapsed) =
                    Process::start(SERVERS[at], &["--tools", &tools.to_string()], &Call::sum())?;
                let milliseconds = [elapsed, server.cpu()?.all].map(|it| it.as_secs_f64() * 1e3);
                measured[at].push((milliseconds, f64::from(server.resident()?)));
            }
        }
        let [ours, rmcp] = measured.map(|rounds| {
            [
                rounds.iter().map(|([wall, _], _)| *wall).collect(),
                rounds.iter().map(|([_, cpu], _)| *cpu).collect(),
                rounds.iter().map(|(_, kib)| *kib).collect::<Vec<f64>>(),
            ]
        });
        for (at, what) in [
            "ms to the first answer",
            "CPU ms of that",
            "resident KiB then",
        ]
        .into_iter()
        .enumerate()
        {
            table.ratio(
                format!("{tools} tools: {what}, in axum / rmcp"),
                &ours[at],
                &rmcp[at],
                None,
            );
        }
    }
    Ok(())
}
