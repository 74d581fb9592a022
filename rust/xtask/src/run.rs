//! `cargo xtask run`: the demo, seen or photographed.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::godot::{self, Godot};
use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::{EngineArgs, display, engine_log, extension, project};

/// How long the demo runs where nobody watches it.
const SECONDS: u32 = 8;

/// Builds, imports and shows the demo.
pub(crate) fn run(repo: &Repo, args: &EngineArgs) -> Result<()> {
    // First: a wrong path should not be found out after a long build.
    let godot = godot::find_or_fetch(repo, args.godot.as_deref())?;
    extension::build_for_editor(repo)?;
    project::prepare(repo, &godot)?;
    if display::is_present() {
        open(repo, &godot)
    } else {
        photograph(repo, &godot)
    }
}

fn open(repo: &Repo, godot: &Godot) -> Result<()> {
    let status = godot
        .command()
        .arg("--path")
        .arg(repo.project())
        .status()
        .context("cannot start Godot")?;
    ensure!(status.success(), "the demo ended with {status}");
    Ok(())
}

fn photograph(repo: &Repo, godot: &Godot) -> Result<()> {
    println!("no display: running the demo for {SECONDS} s on a virtual one");
    let artifacts = repo.artifacts();
    let screenshot = artifacts.join("lab.png");
    fs::create_dir_all(&artifacts)
        .with_context(|| format!("cannot make {}", artifacts.display()))?;
    if screenshot.exists() {
        // An old picture must not pass for a new one.
        fs::remove_file(&screenshot)
            .with_context(|| format!("cannot remove {}", screenshot.display()))?;
    }
    let mut command = godot.isolated(&repo.cache());
    let display = display::attach(&mut command, godot)?;
    command
        .arg("--path")
        .arg(repo.project())
        .arg("--")
        .arg(format!("--demo-seconds={SECONDS}"))
        .arg(format!("--screenshot={}", screenshot.display()));
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(180))?;
    drop(display);
    process::write_log(&artifacts.join("lab.log"), &output.text)?;

    let problems = engine_log::problems(&output.text);
    if let Some(failure) = &output.failure {
        anyhow::bail!("the demo failed: {failure}\n{}", output.tail());
    }
    ensure!(
        problems.is_empty(),
        "the demo printed errors:\n{}",
        problems.join("\n")
    );
    let report = output
        .text
        .lines()
        .rev()
        .find(|line| line.starts_with("lab:"))
        .with_context(|| format!("the demo printed no line `lab: …`\n{}", output.tail()))?;
    let size = fs::metadata(&screenshot).map_or(0, |file| file.len());
    ensure!(
        size > 0,
        "the demo wrote no screenshot to {}",
        screenshot.display()
    );
    println!("{report}");
    println!("screenshot: {}", screenshot.display());
    Ok(())
}
