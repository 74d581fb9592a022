//! The checks that cargo does.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::Workbench;
use crate::process::{self, Echo, Output};
use crate::tally::Tally;

const LIMIT: Duration = Duration::from_secs(3600);

pub(super) fn fmt(bench: &Workbench) -> Result<Tally> {
    let mut command = bench.repo.cargo();
    command.args(["fmt", "--all", "--check"]);
    passes(command)
}

pub(super) fn clippy(bench: &Workbench) -> Result<Tally> {
    let mut command = bench.repo.cargo();
    command.args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]);
    passes(command)
}

/// Documentation, with links that lead somewhere. The crates' own only, so that it takes seconds.
pub(super) fn doc(bench: &Workbench) -> Result<Tally> {
    let mut command = bench.repo.cargo();
    command.args(["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    passes(command)
}

/// All tests but those of the extension's crate, which only the engine can load.
pub(super) fn tests(bench: &Workbench) -> Result<Tally> {
    let mut command = bench.repo.cargo();
    command.args([
        "test",
        "--workspace",
        "--exclude",
        "flow_swarm_godot",
        "--no-fail-fast",
    ]);
    match bench.repo.movingai() {
        Some(maps) => {
            command.env("FLOW_SWARM_MOVINGAI", maps);
        }
        None => println!("the Moving AI maps are not here: their tests check nothing"),
    }
    let output = run(command)?;
    process::write_log(&bench.repo.artifacts().join("cargo_test.log"), &output.text)?;
    Ok(Tally::from_cargo(&output.text).with_exit(output.is_success()))
}

/// That runs end the same where vectors are not in SIMD registers.
pub(super) fn scalar_tests(bench: &Workbench) -> Result<Tally> {
    let mut command = bench.repo.cargo();
    command.args(["test", "--package", "flow_swarm", "--test", "golden"]);
    command.args(["--package", "flow_swarm_bench", "--test", "crowd_scenes"]);
    command.args(["--features", "glam/scalar-math"]);
    let output = run(command)?;
    Ok(Tally::from_cargo(&output.text).with_exit(output.is_success()))
}

fn passes(command: Command) -> Result<Tally> {
    Ok(Tally::one(run(command)?.is_success()))
}

fn run(command: Command) -> Result<Output> {
    process::capture(command, Echo::Lines, LIMIT)
}
