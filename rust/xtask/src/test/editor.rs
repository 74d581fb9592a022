//! The packed addon in a real editor: warnings, the brush, the dock, and a reload of the extension.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::outcome::Outcome;
use super::workbench::Workbench;
use super::{engine, package};
use crate::repo::Repo;
use crate::{display, files, project};

const SETTINGS: &str = "config_version=5\n\n[application]\n\nconfig/name=\"Editor test\"\nrun/flush_stdout_on_print=true\n\n\
    [rendering]\n\nrenderer/rendering_method=\"gl_compatibility\"\n";

/// The addon's plugin, and the plugin that tests it.
const PLUGINS: &str = "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/flow_swarm/plugin.cfg\", \
    \"res://addons/editor_check/plugin.cfg\")\n";

/// The files of that plugin.
const CHECKS: &[&str] = &[
    "plugin.cfg",
    "editor_check.gd",
    "editor_hand.gd",
    "paint_check.gd",
    "dock_hand.gd",
    "dock_check.gd",
    "dock_3d_check.gd",
];

pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let folder = set_up(bench.repo, bench.package()?)?;
    project::import(bench.repo, godot, &folder, "editor_import.log")?;
    // Not before the import, which starts plugins too.
    fs::write(folder.join("project.godot"), format!("{SETTINGS}{PLUGINS}"))?;
    let mut command = godot.isolated(&bench.repo.cache());
    let _display = display::attach(&mut command, godot)?;
    command
        .args(["--editor", "--single-window", "--language", "en", "--path"])
        .arg(&folder);
    engine::run_tests(bench, "editor", command)
}

fn set_up(repo: &Repo, zip: &Path) -> Result<PathBuf> {
    let folder = package::unpack(repo, zip, "editor_project")?;
    for name in CHECKS {
        files::copy(
            &repo.project().join("tests/editor").join(name),
            &folder.join("addons/editor_check").join(name),
        )?;
    }
    fs::write(folder.join("project.godot"), SETTINGS)?;
    Ok(folder)
}
