//! Formatting and linting of the GDScript code by gdtoolkit, in a Python environment of its own.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::log_note;
use super::outcome::Outcome;
use super::workbench::Workbench;
use crate::process::{self, Echo};
use crate::python::Packages;
use crate::repo::Repo;
use crate::tally::Tally;
use crate::{files, python};

/// Pinned, because other versions format differently.
const GDTOOLKIT: Packages = Packages {
    environment: "gdtoolkit",
    complete: &["gdtoolkit==4.5.0"],
    bare: &[],
};

pub(super) fn format(bench: &Workbench) -> Result<Outcome> {
    check(bench, "gdformat", &["--check"])
}

pub(super) fn lint(bench: &Workbench) -> Result<Outcome> {
    check(bench, "gdlint", &[])
}

fn check(bench: &Workbench, tool: &str, arguments: &[&str]) -> Result<Outcome> {
    let programs = python::programs(&bench.repo.cache(), &GDTOOLKIT)?;
    let mut command = Command::new(python::program(&programs, tool));
    command
        .current_dir(bench.repo.root())
        .args(arguments)
        .args(scripts(bench.repo)?);
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(600))?;
    let log = bench.repo.artifacts().join(format!("{tool}.log"));
    process::write_log(&log, &output.text)?;
    let mut outcome = Outcome::from(Tally::one(output.is_success()));
    if !output.is_success() {
        outcome.details = output.tail() + "\n" + &log_note(&log);
    }
    Ok(outcome)
}

/// Returns all scripts once. The project's `addons` is a link, which is not followed.
fn scripts(repo: &Repo) -> Result<Vec<PathBuf>> {
    let mut scripts = files::walk(&repo.project())?;
    scripts.extend(files::walk(&repo.addon())?);
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "gd"));
    Ok(scripts)
}
