//! The GDScript suites in the engine.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::log_note;
use super::outcome::Outcome;
use super::workbench::Workbench;
use crate::process::{self, Echo, Output};
use crate::tally::Tally;
use crate::{display, engine_log};

const LIMIT: Duration = Duration::from_secs(900);

/// Tests the public API without a window.
pub(super) fn headless(bench: &Workbench) -> Result<Outcome> {
    let mut command = bench.engine()?.isolated(&bench.repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(bench.repo.project())
        .arg("res://tests/run_tests.tscn");
    run_tests(bench, "godot", command)
}

/// Tests the demos with real input events in a real window.
pub(super) fn play(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let mut command = godot.isolated(&bench.repo.cache());
    let _display = display::attach(&mut command, godot)?;
    let artifacts = bench.repo.artifacts().join("play");
    crate::files::fresh_folder(&artifacts)?;
    command
        .arg("--path")
        .arg(bench.repo.project())
        .args(["res://tests/play_test.tscn", "--", "--artifacts"])
        .arg(&artifacts);
    run_tests(bench, "play", command)
}

/// Plays lockstep games between several processes, which find each other over loopback addresses.
pub(super) fn network(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let mut command = godot.isolated(&bench.repo.cache());
    // The engine of the test cannot say which program it is if a loader has started it.
    let program = godot.command().get_program().to_string_lossy().into_owned();
    command
        .arg("--headless")
        .arg("--path")
        .arg(bench.repo.project())
        .args(["res://tests/network_test.tscn", "--"])
        .arg(format!("--engine={program}"));
    run_tests(bench, "network", command)
}

/// Runs tests in the engine, counts their results, and writes their output to `artifacts/NAME.log`.
pub(super) fn run_tests(bench: &Workbench, name: &str, command: Command) -> Result<Outcome> {
    run_tests_despite(bench, name, command, &[])
}

/// As [`run_tests`], but the engine may print some lines; `#` stands for any number in them.
pub(super) fn run_tests_despite(
    bench: &Workbench,
    name: &str,
    command: Command,
    known: &[&str],
) -> Result<Outcome> {
    let mut output = process::capture(command, Echo::Nothing, LIMIT)?;
    let log = bench.repo.artifacts().join(format!("{name}.log"));
    process::write_log(&log, &output.text)?;
    output.text = engine_log::without(&output.text, known);
    let mut outcome = judge(&output);
    if !outcome.tally.is_success() {
        outcome.details += &log_note(&log);
    }
    Ok(outcome)
}

/// The exit code, the last line and the log must all be good. Any other problem counts as one more failure.
fn judge(output: &Output) -> Outcome {
    let mut reasons = engine_log::problems(&output.text);
    let mut tally = Tally::default();
    let unfinished = engine_log::unfinished_case(&output.text);
    match (engine_log::tally(&output.text), &unfinished) {
        (Some(printed), _) => tally = printed,
        (None, Some(case)) => reasons.push(format!("the run ended in the case {case}")),
        (None, None) => reasons.push("no line `N passed, N failed` was printed".to_owned()),
    }
    if let Some(failure) = &output.failure
        && tally.failed == 0
    {
        reasons.push(failure.clone());
    }
    let mut details = String::new();
    for reason in &reasons {
        details += &format!("problem: {reason}\n");
    }
    let shown = engine_log::bad_parts(&output.text);
    details += if shown.is_empty() && unfinished.is_none() && !reasons.is_empty() {
        output.tail()
    } else {
        shown
    }
    .as_str();
    if !reasons.is_empty() {
        tally.failed += 1;
    }
    Outcome { tally, details }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str, failure: Option<&str>) -> Outcome {
        judge(&Output {
            text: text.to_owned(),
            failure: failure.map(str::to_owned),
        })
    }

    fn failed(text: &str, failure: Option<&str>) -> u32 {
        judged(text, failure).tally.failed
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

    #[test]
    fn a_good_run_has_nothing_to_show() {
        let log = "case a.b\nsuite a: 1 passed, 0 failed\n1 passed, 0 failed\n";
        assert_eq!(judged(log, None).details, "");
    }

    #[test]
    fn a_crash_names_the_case() {
        let log = "case a.good\ncase a.crashing\nhandle_crash: signal 11\n";
        let outcome = judged(log, Some("signal: 6 (SIGABRT)"));
        assert_eq!(outcome.tally.failed, 1);
        assert!(
            outcome.details.contains("ended in the case a.crashing"),
            "{}",
            outcome.details
        );
        assert!(outcome.details.contains("SIGABRT"), "{}", outcome.details);
    }
}
