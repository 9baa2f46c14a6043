//! What connections cost: memory for each, idle and busy, and what is left of speed.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::load::{Clients, Figures};
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::table::{AtMost, Table};

const SERVERS: [&str; 3] = ["calculator", "bare-axum", "rmcp-server"];

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let levels: &[u32] = if plan.smoke {
        &[1, 64]
    } else {
        &[1, 64, 512, 4_096]
    };
    for &level in levels {
        let mut measured = [const { Vec::new() }; SERVERS.len()];
        // Each round starts its servers anew, since memory is given back to nobody.
        for round in 0..plan.rounds.min(3) {
            for turn in 0..SERVERS.len() {
                let at = (round + turn) % SERVERS.len();
                measured[at].push(Measured::of(SERVERS[at], level, plan)?);
            }
        }
        let [ours, bare, rmcp] = measured.map(|rounds| {
            move |figure: fn(&Measured) -> f64| -> Vec<f64> { rounds.iter().map(figure).collect() }
        });
        let mut pair = |what, figure: fn(&Measured) -> f64, target| {
            table.ratio(
                format!("{level}: {what}, in axum / bare axum"),
                &ours(figure),
                &bare(figure),
                target,
            );
        };
        pair("req/s", |it| it.figures.requests_per_second, None);
        pair("p99 us", |it| it.figures.p99_us, None);
        // With few of them the pages that a server takes anyway are all that shows.
        if level >= 512 {
            let target = Some(AtMost(1.3));
            pair("KiB for each, idle", |it| it.idle_kib, target);
            pair("KiB for each, busy", |it| it.busy_kib, target);
            let busy = |it: &Measured| it.busy_kib;
            table.ratio(
                format!("{level}: KiB for each, busy, rmcp / bare axum"),
                &rmcp(busy),
                &bare(busy),
                None,
            );
        }
    }
    Ok(())
}

struct Measured {
    figures: Figures,
    /// For each connection that was used once.
    idle_kib: f64,
    /// For each connection after a while of calls on all of them.
    busy_kib: f64,
}

impl Measured {
    fn of(name: &'static str, level: u32, plan: &Plan) -> Result<Self, Box<dyn Error>> {
        let call = Call::sum();
        let (server, _) = Process::start(name, &[], &call)?;
        let before = server.resident()?;
        let each = |now: u32| f64::from(now - before) / f64::from(level);
        let mut clients = Clients::connect(server.address, &call, level.try_into()?)?;
        clients.call_once()?;
        let idle_kib = each(server.resident()?);
        let figures = clients.measure(&server, plan.warm_up, plan.measured)?;
        let busy_kib = each(server.resident()?);
        Ok(Self {
            figures,
            idle_kib,
            busy_kib,
        })
    }
}
