//! The packed addon as users may install it: in another folder than its own, twice, and without its library.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::outcome::Outcome;
use super::workbench::Workbench;
use super::{engine, package};
use crate::process::{self, Echo};
use crate::tally::Tally;
use crate::{extension, files, project};

/// Where the addon is in these projects. The check in the engine names the same folder.
const MOVED: &str = "plugins/crowd";
/// The scene of the addon's nodes, which refers to them by uid.
const RECIPE: &str = "without_script_2d";
/// What the plugin says of faults begins with this.
const MARK: &str = "ERROR: Flow Swarm: ";

/// Runs all of them; each check counts as one.
pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let mut outcome = moved(bench)?;
    for fault in [twice(bench)?, without_library(bench)?] {
        outcome.tally = outcome.tally + fault.tally;
        outcome.details += &fault.details;
    }
    Ok(outcome)
}

/// The addon in another folder, in a real editor.
fn moved(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let folder = package::unpack(bench.repo, bench.package()?, "moved_project")?;
    move_addon(&folder)?;
    let recipe = bench.repo.project().join("examples").join(RECIPE);
    files::copy(
        &recipe.join(format!("{RECIPE}.tscn")),
        &folder.join(format!("from_recipes/{RECIPE}.tscn")),
    )?;
    fs::write(folder.join("project.godot"), package::SETTINGS)?;
    project::import(bench.repo, godot, &folder, "moved_import.log")?;
    package::add_plugin(bench.repo, &folder, "editor/moved_check.gd")?;
    package::enable(&folder, &[MOVED, "addons/moved_check"])?;
    let mut command = godot.isolated(&bench.repo.cache());
    command
        .args(["--headless", "--editor", "--language", "en", "--path"])
        .arg(&folder);
    engine::run_tests(bench, "moved", command)
}

/// Two copies in a project, of which the engine loads both.
fn twice(bench: &Workbench) -> Result<Outcome> {
    let folder = package::unpack(bench.repo, bench.package()?, "twice_project")?;
    let addon = folder.join("addons/flow_swarm");
    for file in files::walk(&addon)? {
        let relative = file
            .strip_prefix(&addon)
            .context("walking left the addon's folder")?;
        files::copy(&file, &folder.join(MOVED).join(relative))?;
    }
    let version = env!("CARGO_PKG_VERSION");
    let copies = format!("res://addons/flow_swarm ({version}), res://{MOVED} ({version})");
    is_said(
        bench,
        "twice",
        &folder,
        &format!("in the project 2 times: {copies};"),
    )
}

/// An addon whose library has been lost, as by a version control that ignores such files.
fn without_library(bench: &Workbench) -> Result<Outcome> {
    let folder = package::unpack(bench.repo, bench.package()?, "bare_project")?;
    let addon = folder.join("addons/flow_swarm");
    let library = extension::library_of_this_machine(&addon)?;
    let path = library
        .strip_prefix(&folder)
        .context("the library lies in the addon")?;
    let text = format!("is missing: res://{};", path.display());
    fs::remove_file(&library).with_context(|| format!("cannot remove {}", library.display()))?;
    is_said(bench, "bare", &folder, &text)
}

/// Checks that the plugin, in an editor that opens a project, says one thing only, with this text.
///
/// The engine prints errors of its own about such projects, and may crash at its end.
fn is_said(bench: &Workbench, name: &str, folder: &Path, text: &str) -> Result<Outcome> {
    package::enable(folder, &["addons/flow_swarm"])?;
    let mut command = bench.engine()?.isolated(&bench.repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(folder)
        .arg("--import");
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(120))?;
    process::write_log(
        &bench.repo.artifacts().join(format!("{name}.log")),
        &output.text,
    )?;
    let said: Vec<&str> = output
        .text
        .lines()
        .filter(|line| line.starts_with(MARK))
        .collect();
    let is_right = matches!(said.as_slice(), [line] if line.contains(text));
    let mut outcome = Outcome::from(Tally::one(is_right));
    if !is_right {
        outcome.details = format!("{name}: the plugin says {said:?} instead of: {text}\n");
    }
    Ok(outcome)
}

fn move_addon(project: &Path) -> Result<()> {
    let target: PathBuf = project.join(MOVED);
    let parent = target.parent().context("the addon lies in a folder")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    fs::rename(project.join("addons/flow_swarm"), &target)
        .with_context(|| format!("cannot move the addon to {}", target.display()))
}
