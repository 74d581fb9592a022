//! Games exported with the packed addon, with both templates. They run the GDScript suites again, without an editor.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::outcome::Outcome;
use super::workbench::Workbench;
use super::{engine, package};
use crate::godot::{Godot, Kind, Templates};
use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::tally::Tally;
use crate::{engine_log, extension, files, project};

/// The scene with which the exported game starts, because templates do not know `--script`.
const MAIN_SCENE: &str = "run/main_scene=\"res://tests/run_tests.tscn\"";

/// The addon's plugin in the project's settings.
const PLUGIN: &str =
    "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/flow_swarm/plugin.cfg\")\n";
/// Part of the plugin's warning of an export without the library.
const LIBRARY_WARNING: &str = "flow_swarm.gdextension is not among the exported files";

pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let templates = godot.templates(&bench.repo.cache())?;
    let project = set_up(bench.repo, bench.package()?, &templates)?;
    project::import(bench.repo, godot, &project, "export_import.log")?;
    make_files(bench, &project)?;
    let mut outcome = selected_scenes(bench, &project)?;
    for kind in [Kind::Release, Kind::Debug] {
        let game = export(bench, godot, &project, kind)?;
        let command = templates.start(&game, &bench.repo.cache())?;
        let name = format!("export_{}", kind.name());
        let mut run = engine::run_tests(bench, &name, command)?;
        let log = bench.repo.artifacts().join(format!("{name}.log"));
        let log =
            fs::read_to_string(&log).with_context(|| format!("cannot read {}", log.display()))?;
        for warning in startup_warnings(&log) {
            run.tally.failed += 1;
            run.details += &format!("problem: a warning at the start: {warning}\n");
        }
        outcome.tally = outcome.tally + run.tally;
        if !run.tally.is_success() {
            outcome.details += &format!("the {} export:\n{}", kind.name(), run.details);
        }
    }
    Ok(outcome)
}

/// Creates a project with the demos, recipes, tests and packed addon in a folder of its own.
fn set_up(repo: &Repo, zip: &Path, templates: &Templates) -> Result<PathBuf> {
    let folder = package::unpack(repo, zip, "export_project")?;
    for part in ["demos", "examples", "tests"] {
        let source = repo.project().join(part);
        for file in files::walk(&source)? {
            let relative = file
                .strip_prefix(repo.project())
                .context("walking left the project's folder")?;
            files::copy(&file, &folder.join(relative))?;
        }
    }
    let settings = repo.project().join("project.godot");
    let settings = fs::read_to_string(&settings)
        .with_context(|| format!("cannot read {}", settings.display()))?;
    let settings = with_main_scene(&settings) + PLUGIN;
    fs::write(folder.join("project.godot"), settings)?;
    fs::write(folder.join("export_presets.cfg"), presets(templates))?;
    Ok(folder)
}

fn with_main_scene(settings: &str) -> String {
    let is_main_scene = |line: &&str| line.starts_with("run/main_scene=");
    settings
        .lines()
        .map(|line| {
            if is_main_scene(&line) {
                MAIN_SCENE
            } else {
                line
            }
        })
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// The preset of the games, and those of [`selected_scenes`].
fn presets(templates: &Templates) -> String {
    let scene = "export_files=PackedStringArray(\"res://examples/flee/flee.tscn\")\nexport_filter=\"scenes\"";
    let all = "export_filter=\"all_resources\"";
    [
        ("Linux", all, "*.tiles"),
        ("Scenes", scene, ""),
        (
            "Scenes and library",
            scene,
            "addons/flow_swarm/flow_swarm.gdextension",
        ),
    ]
    .iter()
    .enumerate()
    .map(|(number, (name, filter, include))| preset(templates, number, name, filter, include))
    .collect()
}

fn preset(templates: &Templates, number: usize, name: &str, filter: &str, include: &str) -> String {
    format!(
        "[preset.{number}]\n\n\
         name=\"{name}\"\n\
         platform=\"Linux\"\n\
         runnable=true\n\
         {filter}\n\
         include_filter=\"{include}\"\n\
         exclude_filter=\"\"\n\
         export_path=\"\"\n\n\
         [preset.{number}.options]\n\n\
         custom_template/debug=\"{}\"\n\
         custom_template/release=\"{}\"\n\
         binary_format/embed_pck=false\n\
         binary_format/architecture=\"{}\"\n\n",
        templates.of(Kind::Debug).display(),
        templates.of(Kind::Release).display(),
        if std::env::consts::ARCH == "aarch64" {
            "arm64"
        } else {
            "x86_64"
        }
    )
}

/// Makes the files that the exported games read.
fn make_files(bench: &Workbench, project: &Path) -> Result<()> {
    let mut command = bench.engine()?.isolated(&bench.repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(project)
        .args(["--script", "res://tests/make_export_files.gd"]);
    let text = process::quietly(command)?;
    let problems = engine_log::problems(&text);
    ensure!(
        problems.is_empty() && text.contains("files: made"),
        "making files for the export failed:\n{}",
        problems.join("\n")
    );
    Ok(())
}

/// The plugin warns of an export of selected scenes, which lacks the library, and not of one that names the manifest.
fn selected_scenes(bench: &Workbench, project: &Path) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for (preset, is_warned) in [("Scenes", true), ("Scenes and library", false)] {
        let artifacts = bench.repo.artifacts();
        let mut command = bench.engine()?.isolated(&bench.repo.cache());
        command
            .arg("--headless")
            .arg("--path")
            .arg(project)
            .args(["--export-pack", preset])
            .arg(artifacts.join("export_selected.pck"));
        let output = process::capture(command, Echo::Nothing, Duration::from_secs(300))?;
        process::write_log(&artifacts.join("export_selected.log"), &output.text)?;
        let warnings = output.text.matches(LIBRARY_WARNING).count();
        let is_right = output.is_success() && warnings == usize::from(is_warned);
        outcome.tally = outcome.tally + Tally::one(is_right);
        if !is_right {
            outcome.details += &format!("{preset}: {warnings} warnings\n{}\n", output.tail());
        }
    }
    Ok(outcome)
}

/// Exports the project and returns the game's program.
fn export(bench: &Workbench, godot: &Godot, project: &Path, kind: Kind) -> Result<PathBuf> {
    let artifacts = bench.repo.artifacts();
    let folder = artifacts.join(format!("export_{}", kind.name()));
    files::fresh_folder(&folder)?;
    let game = folder.join("flow_swarm_tests.program");
    let mut command = godot.isolated(&bench.repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(project)
        .args([&format!("--export-{}", kind.name()), "Linux"])
        .arg(&game);
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(600))?;
    let log = artifacts.join(format!("export_{}_build.log", kind.name()));
    process::write_log(&log, &output.text)?;
    let problems = engine_log::problems(&output.text);
    ensure!(
        output.is_success() && problems.is_empty() && game.is_file(),
        "the {} export failed: {}\n{}",
        kind.name(),
        output.failure.as_deref().unwrap_or("there were errors"),
        if problems.is_empty() {
            output.tail()
        } else {
            problems.join("\n")
        }
    );
    ensure_library(project, &folder)?;
    Ok(game)
}

/// Returns the warnings before the first test, which a player would get too.
fn startup_warnings(log: &str) -> Vec<&str> {
    log.lines()
        .take_while(|line| !line.starts_with("case "))
        .filter(|line| line.contains("WARNING:"))
        .collect()
}

/// Checks the library beside the game, which it loads: the packed one for this machine, and no other.
fn ensure_library(project: &Path, folder: &Path) -> Result<()> {
    let addon = project.join("addons/flow_swarm");
    let packed = extension::library_of_this_machine(&addon)?;
    let is_library = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "so");
    let beside: Vec<_> = files::walk(folder)?
        .into_iter()
        .filter(is_library)
        .collect();
    let expected = folder.join(packed.file_name().unwrap_or_default());
    ensure!(
        beside == [expected.clone()],
        "the export has the libraries {beside:?} instead of {}",
        expected.display()
    );
    ensure!(
        fs::read(&expected)? == fs::read(&packed)?,
        "{} is not the packed library",
        expected.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_before_the_first_test_is_found() {
        let log = "Godot Engine\nWARNING: docs in an exported build\ncase a.b\nWARNING: fine\n";
        assert_eq!(
            startup_warnings(log),
            ["WARNING: docs in an exported build"]
        );
    }

    #[test]
    fn the_exported_game_starts_with_the_tests() {
        let settings = include_str!("../../../../godot_project/project.godot");
        let changed = with_main_scene(settings);
        let scenes: Vec<_> = changed
            .lines()
            .filter(|line| line.starts_with("run/main_scene"))
            .collect();
        assert_eq!(scenes, [MAIN_SCENE]);
        assert_eq!(changed.lines().count(), settings.lines().count());
    }
}
