//! Measures sides in turn, round after round, so that no spell of a busy machine falls on one of them.

use std::error::Error;

use wymcp_peers::call::Call;
use wymcp_peers::load::{Clients, Figures};
use wymcp_peers::process::Process;

use crate::plan::Plan;

/// A server and the call that it is given.
pub struct Side<'s> {
    pub server: &'s Process,
    pub call: Call,
    /// How many clients call it at a time.
    pub connections: usize,
}

/// The figures of one side, a round each.
pub struct Series(Vec<Figures>);

impl Series {
    /// One figure in all rounds.
    pub fn of(&self, figure: impl Fn(&Figures) -> f64) -> Vec<f64> {
        self.0.iter().map(figure).collect()
    }

    pub fn requests(&self) -> Vec<f64> {
        self.of(|it| it.requests_per_second)
    }

    pub fn cpu(&self) -> Vec<f64> {
        self.of(|it| it.cpu_us)
    }

    pub fn p50(&self) -> Vec<f64> {
        self.of(|it| it.p50_us)
    }

    pub fn p99(&self) -> Vec<f64> {
        self.of(|it| it.p99_us)
    }
}

/// Measures `sides` in all rounds; each round begins with another one.
pub fn measure<const N: usize>(
    plan: &Plan,
    sides: &[Side<'_>; N],
) -> Result<[Series; N], Box<dyn Error>> {
    let mut measured = [const { Series(Vec::new()) }; N];
    for round in 0..plan.rounds {
        for turn in 0..N {
            let at = (round + turn) % N;
            let side = &sides[at];
            let figures = Clients::connect(side.server.address, &side.call, side.connections)
                .and_then(|mut clients| clients.measure(side.server, plan.warm_up, plan.measured))
                .map_err(|error| format!("{}: {error}", side.server.name))?;
            measured[at].0.push(figures);
        }
    }
    Ok(measured)
}
