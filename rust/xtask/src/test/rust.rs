//! The checks by cargo.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::outcome::Outcome;
use super::workbench::Workbench;
use super::{cargo_log, log_note};
use crate::apt::MissingTool;
use crate::process::{self, Echo, Output};
use crate::tally::Tally;

const LIMIT: Duration = Duration::from_secs(3600);

pub(super) fn fmt(bench: &Workbench) -> Result<Outcome> {
    let mut command = bench.repo.cargo("fmt");
    command.args(["--all", "--check"]);
    passes(bench, "fmt", command)
}

/// Runs clippy in the release profile, like the documentation below, to share the bindings' generated code with the
/// extension. That code is most of the work.
pub(super) fn clippy(bench: &Workbench) -> Result<Outcome> {
    let mut command = bench.repo.cargo("clippy");
    command.args([
        "--release",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]);
    passes(bench, "clippy", command)
}

/// Builds the documentation and checks its links, for this workspace's crates only, so that it takes seconds.
pub(super) fn doc(bench: &Workbench) -> Result<Outcome> {
    let mut command = bench.repo.cargo("doc");
    command.args(["--release", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    passes(bench, "doc", command)
}

/// Checks licences, advisories and duplicates by cargo deny, with the rules of deny.toml.
pub(super) fn deny(bench: &Workbench) -> Result<Outcome> {
    if which::which("cargo-deny").is_err() {
        return Err(MissingTool {
            what: "cargo-deny".into(),
            remedy: "cargo install --locked cargo-deny".into(),
        }
        .into());
    }
    let mut command = bench.repo.cargo("deny");
    command.arg("check");
    passes(bench, "deny", command)
}

/// Runs all tests except those of the extension's crate, which only the engine can load.
pub(super) fn tests(bench: &Workbench) -> Result<Outcome> {
    let mut command = bench.repo.cargo("test");
    command.args([
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
    counts(bench, "cargo", command)
}

/// Checks that runs end in the same state if vectors are not in SIMD registers.
pub(super) fn scalar_tests(bench: &Workbench) -> Result<Outcome> {
    let mut command = bench.repo.cargo("test");
    command.args(["--package", "flow_swarm", "--test", "golden"]);
    command.args(["--package", "flow_swarm_bench", "--test", "crowd_scenes"]);
    command.args(["--features", "glam/scalar-math"]);
    counts(bench, "scalar", command)
}

/// A check that counts as one test.
fn passes(bench: &Workbench, name: &str, command: Command) -> Result<Outcome> {
    judged(bench, name, command, |output| {
        Tally::one(output.is_success())
    })
}

/// A run of tests that counts them itself.
pub(super) fn counts(bench: &Workbench, name: &str, command: Command) -> Result<Outcome> {
    judged(bench, name, command, |output| {
        Tally::from_cargo(&output.text).with_exit(output.is_success())
    })
}

fn judged(
    bench: &Workbench,
    name: &str,
    command: Command,
    tally: impl Fn(&Output) -> Tally,
) -> Result<Outcome> {
    let output = process::capture(command, Echo::Nothing, LIMIT)?;
    let log = bench.repo.artifacts().join(format!("{name}.log"));
    process::write_log(&log, &output.text)?;
    let mut outcome = Outcome::from(tally(&output));
    if !outcome.tally.is_success() {
        outcome.details = cargo_log::failures(&output.text) + &log_note(&log);
    }
    Ok(outcome)
}
