//! Prepares a Godot project so that it can run without ever having been opened in the editor.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::engine_log;
use crate::godot::Godot;
use crate::process::{self, Echo, Output};
use crate::repo::Repo;

const MANIFEST: &str = "flow_swarm.gdextension";
/// Where the manifest is in the demo project.
const EXTENSION: &str = "res://addons/flow_swarm/flow_swarm.gdextension";

/// Makes the demo project runnable: links the addon, registers the extension, and imports everything.
pub(crate) fn prepare(repo: &Repo, godot: &Godot) -> Result<()> {
    let project = repo.project();
    link_addons(&project)?;
    // The engine lists extensions during its first scan, which is too late for the scripts that it parses in the same
    // scan. With the list written in advance one import suffices.
    let list = extension_list(&project);
    if !lists_extension(&list) {
        process::write_log(&list, &format!("{EXTENSION}\n"))?;
    }
    import(repo, godot, &project, "import.log")
}

/// Lets the engine scan and import a project, and checks its output.
pub(crate) fn import(repo: &Repo, godot: &Godot, project: &Path, log: &str) -> Result<()> {
    let mut output = scan(repo, godot, project)?;
    if !output.is_success() && engine_log::problems(&output.text).is_empty() {
        // If an engine without a window quits while it still writes the documentation of a new extension, it crashes
        // (godotengine/godot#111048). Everything is imported by then. A crash of the extension itself would occur
        // again.
        println!("the engine ended its first import badly; importing again");
        output = scan(repo, godot, project)?;
    }
    process::write_log(&repo.artifacts().join(log), &output.text)?;
    let problems = engine_log::problems(&output.text);
    ensure!(
        output.is_success() && problems.is_empty(),
        "importing {} failed: {}\n{}",
        project.display(),
        output.failure.as_deref().unwrap_or("there were errors"),
        if problems.is_empty() {
            output.tail()
        } else {
            problems.join("\n")
        }
    );
    ensure!(
        lists_extension(&extension_list(project)),
        "after the import, {} does not name the extension",
        extension_list(project).display()
    );
    Ok(())
}

fn scan(repo: &Repo, godot: &Godot, project: &Path) -> Result<Output> {
    let mut command = godot.isolated(&repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(project)
        .arg("--import");
    process::capture(command, Echo::Nothing, Duration::from_secs(600))
}

fn extension_list(project: &Path) -> std::path::PathBuf {
    project.join(".godot/extension_list.cfg")
}

fn lists_extension(list: &Path) -> bool {
    let is_manifest = |line: &str| line.trim().rsplit('/').next() == Some(MANIFEST);
    fs::read_to_string(list).is_ok_and(|text| text.lines().any(is_manifest))
}

/// Links `addons` in the project to the addon.
///
/// In git it is a symbolic link. On Windows git usually writes such a link as a text file.
fn link_addons(project: &Path) -> Result<()> {
    let link = project.join("addons");
    if link.join("flow_swarm/flow_swarm.gdextension").exists() {
        return Ok(());
    }
    if fs::symlink_metadata(&link).is_ok() {
        fs::remove_file(&link).with_context(|| {
            format!(
                "{} does not lead to the addon and cannot be replaced",
                link.display()
            )
        })?;
    }
    make_link(project, &link)
        .with_context(|| format!("cannot make {} lead to the addon", link.display()))
}

#[cfg(unix)]
fn make_link(_project: &Path, link: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink("../addons", link)?)
}

/// Creates a junction, which unlike a symbolic link needs neither special rights nor developer mode.
#[cfg(windows)]
fn make_link(project: &Path, link: &Path) -> Result<()> {
    let target = project
        .parent()
        .context("the project lies in no folder")?
        .join("addons");
    let mut command = std::process::Command::new("cmd");
    command.args(["/C", "mklink", "/J"]).arg(link).arg(target);
    process::quietly(command).map(drop)
}
