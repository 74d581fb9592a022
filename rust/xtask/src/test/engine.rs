//! The GDScript suites inside the engine.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::Workbench;
use crate::process::{self, Echo, Output};
use crate::tally::Tally;
use crate::{display, engine_log};

const LIMIT: Duration = Duration::from_secs(900);

/// The public surface, without a window.
pub(super) fn headless(bench: &Workbench) -> Result<Tally> {
    let mut command = bench.engine()?.isolated(&bench.repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(bench.repo.project())
        .args(["--script", "res://tests/run_tests.gd"]);
    run_script(bench, "godot", command)
}

/// The lab with real input events, in a real window.
pub(super) fn play(bench: &Workbench) -> Result<Tally> {
    let godot = bench.engine()?;
    let mut command = godot.isolated(&bench.repo.cache());
    let _display = display::attach(&mut command, godot)?;
    let artifacts = bench.repo.artifacts().join("play");
    crate::files::fresh_folder(&artifacts)?;
    command
        .arg("--path")
        .arg(bench.repo.project())
        .args(["--script", "res://tests/play_test.gd", "--", "--artifacts"])
        .arg(&artifacts);
    run_script(bench, "play", command)
}

/// Runs a test script and counts what it printed.
pub(super) fn run_script(bench: &Workbench, name: &str, command: Command) -> Result<Tally> {
    let output = process::capture(command, Echo::Lines, LIMIT)?;
    process::write_log(
        &bench.repo.artifacts().join(format!("{name}.log")),
        &output.text,
    )?;
    let (tally, reasons) = judge(&output);
    for reason in reasons {
        println!("problem: {reason}");
    }
    Ok(tally)
}

/// Exit code, last line and log must all be good; whatever else is wrong is one failure more.
fn judge(output: &Output) -> (Tally, Vec<String>) {
    let mut reasons = engine_log::problems(&output.text);
    let mut tally = Tally::default();
    match engine_log::tally(&output.text) {
        Some(printed) => tally = printed,
        None => reasons.push("no line `N passed, N failed` was printed".to_owned()),
    }
    if let Some(failure) = &output.failure
        && tally.failed == 0
    {
        reasons.push(failure.clone());
    }
    if !reasons.is_empty() {
        tally.failed += 1;
    }
    (tally, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(text: &str, failure: Option<&str>) -> u32 {
        let output = Output {
            text: text.to_owned(),
            failure: failure.map(str::to_owned),
        };
        judge(&output).0.failed
    }

    #[test]
    fn a_run_must_be_good_in_every_respect() {
        assert_eq!(failed("2 passed, 0 failed\n", None), 0);
        assert_eq!(failed("2 passed, 0 failed\n", Some("signal: 11")), 1);
        assert_eq!(failed("2 passed, 0 failed\nERROR: late\n", None), 1);
        assert_eq!(failed("", None), 1);
    }

    #[test]
    fn the_exit_code_of_counted_failures_is_no_failure_more() {
        assert_eq!(failed("2 passed, 3 failed\n", Some("exit status: 1")), 3);
    }
}
