//! A clean release build of the calculator, and its binary, beside those of rmcp's.

use std::error::Error;
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use wymcp_peers::process::binary;

use crate::plan::Plan;
use crate::table::Table;

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let sides = [("wymcp", "calculator"), ("rmcp", "rmcp-server")];
    let [ours, rmcp] =
        sides.map(|(_, name)| binary(name).and_then(|path| Ok(fs::metadata(path)?.len())));
    #[expect(clippy::cast_precision_loss, reason = "no binary has 2^52 bytes")]
    table.ratio(
        "KB of the binary: in axum / rmcp",
        &[ours? as f64 / 1e3],
        &[rmcp? as f64 / 1e3],
        None,
    );
    if plan.smoke {
        return Ok(());
    }
    let [ours, rmcp] = sides.map(|(feature, name)| build(feature, name));
    let (ours, rmcp) = (ours?, rmcp?);
    table.ratio(
        "CPU s of a clean release build: in axum / rmcp",
        &[ours.cpu],
        &[rmcp.cpu],
        None,
    );
    table.ratio(
        "s of it on the cores of this machine: in axum / rmcp",
        &[ours.wall],
        &[rmcp.wall],
        None,
    );
    Ok(())
}

struct Built {
    cpu: f64,
    wall: f64,
}

fn build(feature: &str, name: &str) -> Result<Built, Box<dyn Error>> {
    let target = env::temp_dir().join(format!("wymcp-peers-build-{}", std::process::id()));
    let cores = format!(
        "0-{}",
        usize::from(std::thread::available_parallelism()?).max(2) - 1
    );
    let (before, begun) = (children_cpu()?, Instant::now());
    let status = Command::new("taskset")
        .args([
            "-c",
            &cores,
            "cargo",
            "build",
            "--release",
            "--quiet",
            "--locked",
        ])
        .args(["--features", feature, "--bin", name])
        .env("CARGO_TARGET_DIR", &target)
        .status()?;
    let wall = begun.elapsed().as_secs_f64();
    fs::remove_dir_all(&target)?;
    if !status.success() {
        return Err(format!("{name} was not built").into());
    }
    Ok(Built {
        cpu: children_cpu()? - before,
        wall,
    })
}

/// Seconds that the children of this process and theirs have had, once they have ended.
fn children_cpu() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // Behind the name, which may have spaces: cutime and cstime, the 16th and the 17th field of all.
    let (_, fields) = stat.rsplit_once(')').ok_or("no process")?;
    let ticks: Result<Vec<f64>, _> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(str::parse)
        .collect();
    Ok(ticks?.iter().sum::<f64>() / 100.0)
}
