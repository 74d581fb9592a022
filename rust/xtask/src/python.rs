//! Python packages in separate environments in the checkout's cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::apt::{self, MissingTool};
use crate::{files, process};

/// The packages of an environment. Versions are pinned, because other versions behave differently.
#[derive(Debug)]
pub(crate) struct Packages {
    /// Name of the environment's folder.
    pub(crate) environment: &'static str,
    /// Packages that are installed with their dependencies.
    pub(crate) complete: &'static [&'static str],
    /// Packages that are installed without their dependencies, which are not needed.
    pub(crate) bare: &'static [&'static str],
}

impl Packages {
    fn list(&self) -> String {
        [self.complete, self.bare].concat().join(" ")
    }
}

/// Returns the folder with the programs of an environment that has these packages, and creates it if necessary.
///
/// # Errors
/// If Python or its module venv is missing, or if packages cannot be installed.
pub(crate) fn programs(cache: &Path, packages: &Packages) -> Result<PathBuf> {
    let environment = cache.join(packages.environment);
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    // Written last, with the packages as its content, so that an incomplete or outdated installation is recognised.
    let mark = environment.join("installed");
    if fs::read_to_string(&mark).is_ok_and(|text| text == packages.list()) {
        return Ok(programs);
    }
    println!(
        "installing {} into {}",
        packages.list(),
        environment.display()
    );
    create(&environment)?;
    let python = program(&programs, "python");
    install(&python, &[], packages.complete)?;
    install(&python, &["--no-deps"], packages.bare)?;
    fs::write(&mark, packages.list())
        .with_context(|| format!("cannot write {}", mark.display()))?;
    Ok(programs)
}

/// Returns the path of a program of an environment.
pub(crate) fn program(programs: &Path, name: &str) -> PathBuf {
    programs
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION)
}

fn install(python: &Path, options: &[&str], packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let mut command = Command::new(python);
    command
        .args(["-m", "pip", "install"])
        .args(["--quiet", "--disable-pip-version-check"])
        .args(options)
        .args(packages);
    // Packages are missing like a tool: without a network there are none to install.
    process::quietly(command).map(drop).map_err(|error| {
        let reason = error.to_string();
        let missing = MissingTool {
            what: packages.join(" "),
            remedy: reason.lines().last().unwrap_or_default().to_owned(),
        };
        missing.into()
    })
}

fn create(environment: &Path) -> Result<()> {
    if try_create(environment).is_ok() {
        return Ok(());
    }
    // Debian and Ubuntu package the module that creates environments separately.
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
