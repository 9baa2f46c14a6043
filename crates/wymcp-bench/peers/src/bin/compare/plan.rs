//! What the command line asks for.

use std::time::Duration;

/// Which comparisons, how long and how hard.
#[derive(Clone, Debug)]
pub struct Plan {
    /// All of them when it is empty.
    pub names: Vec<String>,
    /// A pass that shows that everything works: its times say nothing.
    pub smoke: bool,
    /// Whether a missed target fails the run.
    pub gate: bool,
    /// How often everything is measured; each round begins with another server.
    pub rounds: usize,
    /// How long one server is measured in one round.
    pub measured: Duration,
    /// How long it is called before that.
    pub warm_up: Duration,
}

impl Plan {
    /// Reads `[NAME...] [--rounds N] [--seconds S] [--smoke] [--gate]`.
    pub fn of(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let (mut rounds, mut seconds) = (None, None);
        let mut plan = Self {
            names: Vec::new(),
            smoke: false,
            gate: false,
            rounds: 7,
            measured: Duration::from_secs(1),
            warm_up: Duration::from_millis(300),
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--smoke" => plan.smoke = true,
                "--gate" => plan.gate = true,
                "--rounds" => rounds = arguments.next(),
                "--seconds" => seconds = arguments.next(),
                name if !name.starts_with('-') => plan.names.push(name.to_owned()),
                other => return Err(format!("unknown: {other}")),
            }
        }
        if plan.smoke {
            plan.rounds = 1;
            plan.measured = Duration::from_millis(50);
            plan.warm_up = Duration::from_millis(10);
        }
        if let Some(rounds) = rounds {
            let rounds = rounds.parse().ok().filter(|rounds| *rounds > 0);
            plan.rounds = rounds.ok_or("--rounds takes a number from 1")?;
        }
        if let Some(seconds) = seconds {
            let seconds = seconds.parse().ok();
            let measured = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            plan.measured = measured.ok_or("--seconds takes a number of seconds")?;
        }
        Ok(plan)
    }

    /// The same for a comparison of many sides, each of them half as long.
    pub fn halved(&self) -> Self {
        Self {
            measured: self.measured / 2,
            warm_up: self.warm_up / 2,
            ..self.clone()
        }
    }
}
