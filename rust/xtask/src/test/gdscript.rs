//! Format and lint of the GDScript, by gdtoolkit in a Python environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::log_note;
use super::outcome::Outcome;
use super::workbench::Workbench;
use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::tally::Tally;
use crate::{apt, files};

/// Pinned: another version formats differently.
const GDTOOLKIT: &str = "gdtoolkit==4.5.0";

pub(super) fn format(bench: &Workbench) -> Result<Outcome> {
    check(bench, "gdformat", &["--check"])
}

pub(super) fn lint(bench: &Workbench) -> Result<Outcome> {
    check(bench, "gdlint", &[])
}

fn check(bench: &Workbench, tool: &str, arguments: &[&str]) -> Result<Outcome> {
    let program = find_or_install(&bench.repo.cache(), tool)?;
    let mut command = Command::new(program);
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

/// All scripts, each once: the project's `addons` is a link and is not followed.
fn scripts(repo: &Repo) -> Result<Vec<PathBuf>> {
    let mut scripts = files::walk(&repo.project())?;
    scripts.extend(files::walk(&repo.addon())?);
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "gd"));
    Ok(scripts)
}

fn find_or_install(cache: &Path, tool: &str) -> Result<PathBuf> {
    let environment = cache.join("gdtoolkit");
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let program = programs
        .join(tool)
        .with_extension(std::env::consts::EXE_EXTENSION);
    // Written last, with what it stands for: half an installation or an older version is none.
    let mark = environment.join("installed");
    if fs::read_to_string(&mark).is_ok_and(|text| text == GDTOOLKIT) {
        return Ok(program);
    }
    println!("installing {GDTOOLKIT} into {}", environment.display());
    create_environment(&environment)?;
    let mut install = Command::new(programs.join("python"));
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        GDTOOLKIT,
    ]);
    process::quietly(install)?;
    fs::write(&mark, GDTOOLKIT).with_context(|| format!("cannot write {}", mark.display()))?;
    Ok(program)
}

fn create_environment(environment: &Path) -> Result<()> {
    if try_create(environment).is_ok() {
        return Ok(());
    }
    // Debian and Ubuntu split Python: it may be there without the module that makes environments.
    apt::install("Python with its module venv", &["python3", "python3-venv"])?;
    try_create(environment)
}

fn try_create(environment: &Path) -> Result<()> {
    files::fresh_folder(environment)?;
    let python = ["python3", "python"]
        .into_iter()
        .find_map(|name| which::which(name).ok())
        .context("there is no Python 3")?;
    let mut command = Command::new(python);
    command.args(["-m", "venv"]).arg(environment);
    process::quietly(command).map(drop)
}
