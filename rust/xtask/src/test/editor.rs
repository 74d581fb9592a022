//! The packed addon in a real editor: warnings, the painter, the inspector, the dock, reloads of the extension, and a
//! level that is made and played by mouse and keys alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::outcome::Outcome;
use super::workbench::Workbench;
use super::{engine, package};
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
    "layout_check.gd",
    "inspect_check.gd",
    "designer_check.gd",
    "dock_hand.gd",
    "dock_check.gd",
    "dock_3d_check.gd",
];

/// What writes down what happens in the game of that level.
const PROBE: &str = "designer_probe.gd";
const GAME: &str =
    "\n[audio]\n\ndriver/driver=\"Dummy\"\n\n[autoload]\n\nProbe=\"*res://designer_probe.gd\"\n";

/// What Godot 4.6 prints at its end once an array of resources has been unfolded in the inspector, with this addon and
/// without: it does not free the slots of the array, which are buttons with icons (godotengine/godot#120035).
const LEAKS_OF_ARRAYS: &[&str] = &[
    "WARNING: # RIDs of type \"CanvasItem\" were leaked.",
    "WARNING: ObjectDB instances leaked at exit (run with --verbose for details).",
    "ERROR: Texture with GL ID of #: leaked # bytes.",
    "ERROR: # RID allocations of type 'N#GLES#TextureE' were leaked at exit.",
    "ERROR: # RID allocations of type 'PN#TextServerAdvanced#ShapedTextDataAdvancedE' were leaked at exit.",
    "ERROR: # RID allocations of type 'PN#TextServerAdvanced#FontAdvancedE' were leaked at exit.",
];

/// All checks that begin with a scene.
pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let folder = set_up(bench, "editor_project", "")?;
    // Not before the import, which starts plugins too.
    fs::write(folder.join("project.godot"), format!("{SETTINGS}{PLUGINS}"))?;
    let mut command = godot.isolated(&bench.repo.cache());
    let _display = display::attach(&mut command, godot)?;
    open(&mut command, &folder);
    engine::run_tests(bench, "editor", command)
}

/// A level from an empty project to a game that runs. The addon's plugin is off at first.
pub(super) fn designer(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let folder = set_up(bench, "designer_project", GAME)?;
    let checks = "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/editor_check/plugin.cfg\")\n";
    fs::write(
        folder.join("project.godot"),
        format!("{SETTINGS}{GAME}{checks}"),
    )?;
    let copy = bench.repo.artifacts().join("restartable_engine");
    let mut command = godot.restartable(&bench.repo.cache(), &copy)?;
    let _display = display::attach(&mut command, godot)?;
    open(&mut command, &folder);
    command.args(["--", "--designer"]);
    engine::run_tests_despite(bench, "designer", command, LEAKS_OF_ARRAYS)
}

/// A library that is replaced a hundred times, or less often as one of all suites.
pub(super) fn reloads(bench: &Workbench, is_named: bool) -> Result<Outcome> {
    let godot = bench.engine()?;
    let folder = package::unpack(bench.repo, bench.package()?, "reload_project")?;
    fs::write(folder.join("project.godot"), package::SETTINGS)?;
    project::import(bench.repo, godot, &folder, "reload_import.log")?;
    package::add_plugin(bench.repo, &folder, "reload_check.gd")?;
    package::enable(&folder, &["addons/flow_swarm", "addons/reload_check"])?;
    let mut command = godot.isolated(&bench.repo.cache());
    let _display = display::attach(&mut command, godot)?;
    open(&mut command, &folder);
    // glibc keeps memory for each thread, and the editor reads its help on any of them: about 40 MiB for each one.
    command.env("MALLOC_ARENA_MAX", "1");
    if !is_named {
        command.args(["--", "--short"]);
    }
    engine::run_tests(bench, "reload", command)
}

/// A project with the packed addon and the checks, imported.
fn set_up(bench: &Workbench, name: &str, settings: &str) -> Result<PathBuf> {
    let tests = bench.repo.project().join("tests/editor");
    let folder = package::unpack(bench.repo, bench.package()?, name)?;
    for name in CHECKS {
        files::copy(
            &tests.join(name),
            &folder.join("addons/editor_check").join(name),
        )?;
    }
    files::copy(&tests.join(PROBE), &folder.join(PROBE))?;
    fs::write(
        folder.join("project.godot"),
        format!("{SETTINGS}{settings}"),
    )?;
    project::import(
        bench.repo,
        bench.engine()?,
        &folder,
        &format!("{name}_import.log"),
    )?;
    Ok(folder)
}

/// Has the editor open a project, in one window that events reach.
fn open(command: &mut Command, project: &Path) {
    command
        .args(["--editor", "--single-window", "--language", "en", "--path"])
        .arg(project);
}
