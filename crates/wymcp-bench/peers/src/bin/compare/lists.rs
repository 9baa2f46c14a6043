//! `tools/list` of 1 to 10,000 tools, beside a bare handler that has the same bytes ready.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::net::TcpStream;

use wymcp_peers::answer::Answer;
use wymcp_peers::call::Call;
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::rounds::{Side, measure};
use crate::table::{AtMost, Table};

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let plan = &plan.halved();
    let mut costs = Vec::new();
    let lengths: &[u32] = if plan.smoke {
        &[1, 10]
    } else {
        &[1, 10, 100, 1_000, 10_000]
    };
    for tools in lengths {
        let call = Call::list();
        let (ours, _) = Process::start("calculator", &["--tools", &tools.to_string()], &call)?;
        let file = std::env::temp_dir().join(format!("wymcp-peers-{}", std::process::id()));
        fs::write(&file, answer(&ours, &call)?)?;
        let started = Process::start("bare-axum", &["--answer", &file.to_string_lossy()], &call);
        fs::remove_file(&file)?;
        let (bare, _) = started?;
        let side = |server| Side {
            server,
            call: call.clone(),
            connections: 4,
        };
        let [ours, bare] = measure(plan, &[side(&ours), side(&bare)])?;
        table.ratio(
            format!("{tools} tools: req/s, in axum / bare axum"),
            &ours.requests(),
            &bare.requests(),
            None,
        );
        table.ratio(
            format!("{tools} tools: CPU us, in axum / bare axum"),
            &ours.cpu(),
            &bare.cpu(),
            None,
        );
        costs.push(ours.cpu());
    }
    let [.., small, large] = &costs[..] else {
        return Err("too few lists".into());
    };
    let linear: Vec<f64> = small.iter().map(|cost| cost * 10.0).collect();
    table.ratio(
        "CPU us of the longest list / 10 times that of a tenth of it",
        large,
        &linear,
        Some(AtMost(1.5)),
    );
    Ok(())
}

/// The body that answers `call`.
fn answer(server: &Process, call: &Call) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut stream = TcpStream::connect(server.address)?;
    stream.write_all(&call.request(&server.address.to_string()))?;
    let mut answer = Answer::default();
    loop {
        if let Some(body) = answer.read(&mut stream)? {
            return Ok(body.to_vec());
        }
    }
}
