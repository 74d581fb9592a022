//! Exports the horde demo for the web, from a project of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::unpacked::text;
use crate::godot::Godot;
use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::{engine_log, extension, files, project};

const MAIN_SCENE: &str = "run/main_scene=\"res://demos/horde/horde.tscn\"";
const PAGE: &str = "page.html";

/// The folder of the exported game.
pub(super) fn folder(repo: &Repo) -> PathBuf {
    repo.root().join("dist/web")
}

/// Exports the demo to [`folder`].
pub(super) fn export(repo: &Repo, godot: &Godot, template: &Path, library: &Path) -> Result<()> {
    extension::build_for_this_machine(repo)?;
    let source = repo.artifacts().join("web_project");
    set_up(repo, &source, template, library)?;
    project::import(repo, godot, &source, "web_import.log")?;

    let target = folder(repo);
    files::fresh_folder(&target)?;
    let page = target.join("index.html");
    let mut command = godot.isolated(&repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(&source)
        .args(["--export-release", "Web"])
        .arg(&page);
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(600))?;
    process::write_log(&repo.artifacts().join("web_export.log"), &output.text)?;
    let problems = engine_log::problems(&output.text);
    ensure!(
        output.is_success() && problems.is_empty() && page.is_file(),
        "the export for the web failed: {}\n{}",
        output.failure.as_deref().unwrap_or("there were errors"),
        if problems.is_empty() {
            output.tail()
        } else {
            problems.join("\n")
        }
    );
    println!("exported to {}", target.display());
    Ok(())
}

/// Makes a project with the demos and the addon, which has the library for the web too.
fn set_up(repo: &Repo, folder: &Path, template: &Path, library: &Path) -> Result<()> {
    files::fresh_folder(folder)?;
    copy_all(&repo.project().join("demos"), &folder.join("demos"), |_| {
        true
    })?;
    let addon = folder.join("addons/flow_swarm");
    let own = extension::library_of_this_machine(&repo.addon())?;
    copy_all(&repo.addon(), &addon, |file| {
        !file.starts_with(repo.addon().join("bin")) || file == own
    })?;
    files::copy(library, &extension::library_of_the_web(&addon)?)?;

    let settings = repo.project().join("project.godot");
    let settings = fs::read_to_string(&settings)
        .with_context(|| format!("cannot read {}", settings.display()))?;
    fs::write(folder.join("project.godot"), with_main_scene(&settings))?;
    fs::write(folder.join("export_presets.cfg"), preset(text(template)?))?;
    fs::write(folder.join(PAGE), include_str!("page.html"))?;
    Ok(())
}

fn copy_all(source: &Path, target: &Path, is_wanted: impl Fn(&Path) -> bool) -> Result<()> {
    for file in files::walk(source)?.iter().filter(|file| is_wanted(file)) {
        let relative = file
            .strip_prefix(source)
            .context("walking left the folder")?;
        files::copy(file, &target.join(relative))?;
    }
    Ok(())
}

fn with_main_scene(settings: &str) -> String {
    settings
        .lines()
        .map(|line| match line.starts_with("run/main_scene=") {
            true => MAIN_SCENE,
            false => line,
        })
        .flat_map(|line| [line, "\n"])
        .collect()
}

fn preset(template: &str) -> String {
    format!(
        "[preset.0]\n\n\
         name=\"Web\"\n\
         platform=\"Web\"\n\
         runnable=true\n\
         export_filter=\"all_resources\"\n\
         include_filter=\"\"\n\
         exclude_filter=\"\"\n\
         export_path=\"\"\n\n\
         [preset.0.options]\n\n\
         custom_template/release=\"{template}\"\n\
         variant/extensions_support=true\n\
         variant/thread_support=false\n\
         html/custom_html_shell=\"res://{PAGE}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_is_the_main_scene() {
        let settings = include_str!("../../../../godot_project/project.godot");
        let changed = with_main_scene(settings);
        assert_eq!(changed.matches("run/main_scene=").count(), 1);
        assert!(changed.contains(MAIN_SCENE));
    }
}
