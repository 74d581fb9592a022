//! Searches for an installed engine, and fetches one if there is none.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::version::{MINIMUM, Version};
use super::{Godot, fetch_debian, fetch_release};
use crate::process::{self, Echo};
use crate::repo::Repo;

/// Returns the engine that the user named, otherwise the first one found that is new enough, otherwise a fetched one.
pub(crate) fn find_or_fetch(repo: &Repo, wanted: Option<&Path>) -> Result<Godot> {
    let godot = match named(wanted) {
        // An engine that the user named is used or refused, never skipped.
        Some((program, origin)) => {
            check(&program).with_context(|| format!("the Godot given by {origin}"))?
        }
        None => match installed(&repo.cache()) {
            Some(godot) => godot,
            None => fetch(&repo.cache())?,
        },
    };
    println!("using {godot}");
    Ok(godot)
}

fn named(wanted: Option<&Path>) -> Option<(PathBuf, &'static str)> {
    if let Some(path) = wanted {
        return Some((path.to_path_buf(), "--godot"));
    }
    let variable = std::env::var_os("GODOT").filter(|value| !value.is_empty())?;
    Some((variable.into(), "the variable GODOT"))
}

fn installed(cache: &Path) -> Option<Godot> {
    let folder = Godot::folder(cache);
    let mut candidates: Vec<PathBuf> = ["godot", "godot4"]
        .into_iter()
        .filter_map(|name| which::which(name).ok())
        .collect();
    if cfg!(target_os = "macos") {
        candidates.push("/Applications/Godot.app/Contents/MacOS/Godot".into());
    }
    candidates.push(fetch_release::program(&folder));
    // A copy fetched before export templates were part of it is fetched again, because versions must match.
    if fetch_debian::is_complete(&folder) {
        candidates.push(fetch_debian::program(&folder));
    }
    candidates
        .into_iter()
        .filter(|program| program.exists())
        .find_map(|program| match check(&program) {
            Ok(godot) => Some(godot),
            Err(error) => {
                println!("passing over {}: {error:#}", program.display());
                None
            }
        })
}

fn fetch(cache: &Path) -> Result<Godot> {
    println!(
        "no Godot {MINIMUM} or newer found; fetching one into {}",
        Godot::folder(cache).display()
    );
    let folder = Godot::folder(cache);
    let release = match fetch_release::fetch(&folder).and_then(|program| check(&program)) {
        Ok(godot) => return Ok(godot),
        Err(error) => error,
    };
    println!("the official release is not to be had here ({release:#})");
    match fetch_debian::fetch(&folder).and_then(|program| check(&program)) {
        Ok(godot) => Ok(godot),
        Err(packages) => bail!(
            "no Godot {MINIMUM} or newer was found and none could be fetched.\n\
             Install one from https://godotengine.org/download, then name it with --godot PATH or in the variable GODOT.\n\
             official release: {release:#}\n\
             system packages: {packages:#}"
        ),
    }
}

/// Starts the program once, because an existing file may be for another system, too old, or incomplete.
fn check(program: &Path) -> Result<Godot> {
    let program =
        which::which(program).with_context(|| format!("{} is not a program", program.display()))?;
    let mut command = Command::new(&program);
    command.arg("--version");
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(60))?;
    let version = Version::parse(&output.text).with_context(|| {
        format!(
            "{} --version printed no version: {}",
            program.display(),
            output.text.lines().next().unwrap_or_default()
        )
    })?;
    ensure!(
        version >= MINIMUM,
        "it is Godot {version}, and {MINIMUM} or newer is needed"
    );
    let build = Version::line(&output.text).unwrap_or_default();
    Ok(Godot {
        program,
        version,
        build,
    })
}
