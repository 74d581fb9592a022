//! The packed addon in an empty project, with the README's example and a recipe in 3D, and the editor's help there; and
//! the addon installed otherwise.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::outcome::Outcome;
use super::workbench::Workbench;
use super::{engine, installations};
use crate::repo::Repo;
use crate::tally::Tally;
use crate::{files, project, readme};

pub(super) const SETTINGS: &str = "config_version=5\n\n[application]\n\nconfig/name=\"Package test\"\nrun/flush_stdout_on_print=true\n";

/// What users look for in the addon's folder.
const SHIPPED: &[&str] = &[
    "README.md",
    "LICENSE",
    "THIRD_PARTY.md",
    "MIGRATION.md",
    "icon.svg",
    "plugin.cfg",
];

/// The recipe with hills, floors above each other and an animated character.
const RECIPE: &str = "hills_3d";

/// Runs the examples, which count as one test, checks the editor's help, in which each class counts as one, and other
/// installations.
pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let godot = bench.engine()?;
    let folder = set_up(bench.repo, bench.package()?)?;
    project::import(bench.repo, godot, &folder, "package_import.log")?;

    let mut command = godot.isolated(&bench.repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(&folder)
        // As fast as possible, with the time between frames of a game at 60 fps.
        .args(["--fixed-fps", "60", "--script", "res://package_check.gd"]);
    let mut outcome = engine::run_tests(bench, "package", command)?;
    outcome.tally = Tally::one(outcome.tally.is_success());

    add_plugin(bench.repo, &folder, "help_check.gd")?;
    enable(&folder, &["addons/help_check"])?;
    let mut command = godot.isolated(&bench.repo.cache());
    command
        .args(["--headless", "--editor", "--language", "en", "--path"])
        .arg(&folder);
    let help = engine::run_tests(bench, "package_help", command)?;
    outcome.tally = outcome.tally + help.tally;
    outcome.details += &help.details;

    let installed = installations::check(bench)?;
    outcome.tally = outcome.tally + installed.tally;
    outcome.details += &installed.details;
    Ok(outcome)
}

/// Adds a script of `tests` to the project as a plugin of the editor, in a folder of the script's name.
pub(super) fn add_plugin(repo: &Repo, project: &Path, script: &str) -> Result<()> {
    let source = repo.project().join("tests").join(script);
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let plugin = project.join("addons").join(&*name);
    files::copy(&source, &plugin.join(format!("{name}.gd")))?;
    let config = format!(
        "[plugin]\n\nname=\"{name}\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"{name}.gd\"\n"
    );
    fs::write(plugin.join("plugin.cfg"), config)?;
    Ok(())
}

/// Has the editor start the plugins in these folders with the project.
pub(super) fn enable(project: &Path, plugins: &[&str]) -> Result<()> {
    let paths: Vec<String> = plugins
        .iter()
        .map(|folder| format!("\"res://{folder}/plugin.cfg\""))
        .collect();
    let enabled = format!(
        "\n[editor_plugins]\n\nenabled=PackedStringArray({})\n",
        paths.join(", ")
    );
    fs::write(
        project.join("project.godot"),
        format!("{SETTINGS}{enabled}"),
    )?;
    Ok(())
}

/// Unpacks the addon into a new folder `name` in `artifacts`, as a user does into a project.
pub(super) fn unpack(repo: &Repo, zip: &Path, name: &str) -> Result<PathBuf> {
    let folder = repo.artifacts().join(name);
    files::fresh_folder(&folder)?;
    File::open(zip)
        .map_err(zip::result::ZipError::from)
        .and_then(zip::ZipArchive::new)
        .and_then(|mut archive| archive.extract(&folder))
        .with_context(|| format!("cannot unpack {}", zip.display()))?;
    let strays: Vec<_> = files::walk(&folder)?
        .into_iter()
        .filter(|file| !file.starts_with(folder.join("addons/flow_swarm")))
        .collect();
    ensure!(
        strays.is_empty(),
        "the zip holds more than addons/flow_swarm: {strays:?}"
    );
    for name in SHIPPED {
        ensure!(
            folder.join("addons/flow_swarm").join(name).is_file(),
            "the zip lacks {name}"
        );
    }
    Ok(folder)
}

/// Creates the project as a user would: only the zip's content and the copied examples.
fn set_up(repo: &Repo, zip: &Path) -> Result<PathBuf> {
    let folder = unpack(repo, zip, "package_project")?;
    let readme =
        fs::read_to_string(repo.root().join("README.md")).context("cannot read README.md")?;
    fs::write(folder.join("example.gd"), readme::example(&readme)?)?;
    fs::write(folder.join("project.godot"), SETTINGS)?;
    fs::copy(
        repo.project().join("tests/package_check.gd"),
        folder.join("package_check.gd"),
    )
    .context("cannot copy tests/package_check.gd")?;
    for ending in ["gd", "tscn"] {
        copy_of_recipe(repo, &folder, &format!("{RECIPE}.{ending}"))?;
    }
    copy_of_recipe(repo, &folder, "soldier.glb")?;
    Ok(folder)
}

/// Copies a file of the recipe, which works in any folder.
fn copy_of_recipe(repo: &Repo, project: &Path, file: &str) -> Result<()> {
    let source = repo.project().join("examples").join(RECIPE).join(file);
    files::copy(&source, &project.join("from_recipes").join(file))
}
