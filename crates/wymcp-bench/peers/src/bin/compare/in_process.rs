//! One call without sockets: our whole turn and our service beside the services of the others.

use std::collections::HashMap;
use std::error::Error;
use std::process::Command;

use wymcp_peers::process::binary;

use crate::plan::Plan;
use crate::table::{AtLeast, Table};

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let mut series: HashMap<String, Vec<f64>> = HashMap::new();
    for _ in 0..plan.rounds {
        for server in ["calculator", "rmcp-server", "bare-axum"] {
            for (name, nanoseconds) in figures(server)? {
                series
                    .entry(format!("{server} {name}"))
                    .or_default()
                    .push(nanoseconds);
            }
        }
    }
    let [rmcp, turn, service, bare] = [
        "rmcp-server service_ns",
        "calculator turn_ns",
        "calculator service_ns",
        "bare-axum service_ns",
    ]
    .map(|name| series.get(name).map_or(&[][..], Vec::as_slice));
    table.ratio(
        "ns: rmcp's service / our turn",
        rmcp,
        turn,
        Some(AtLeast(20.0)),
    );
    table.ratio("ns: rmcp's service / our axum service", rmcp, service, None);
    table.ratio("ns: our axum service / a bare handler", service, bare, None);
    Ok(())
}

/// What a server prints of itself: `name=value` pairs.
fn figures(server: &str) -> Result<Vec<(String, f64)>, Box<dyn Error>> {
    let output = Command::new("taskset")
        .args(["-c", "0"])
        .arg(binary(server)?)
        .arg("--in-process")
        .output()?;
    if !output.status.success() {
        return Err(format!("{server}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').ok_or("no figure")?;
        Ok((name.to_owned(), value.parse()?))
    };
    str::from_utf8(&output.stdout)?
        .split_whitespace()
        .map(pair)
        .collect()
}
