//! Building the extension and putting it where the engine looks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::files;
use crate::repo::Repo;

const PACKAGE: &str = "flow_swarm_godot";

/// Which entry of the .gdextension a library is for.
#[derive(Clone, Copy)]
enum Flavour {
    /// The editor and debug exports load this one: it carries the class documentation, and is optimised all the same.
    Editor,
    /// Release exports load this one.
    Release,
}

impl Flavour {
    fn key(self) -> &'static str {
        match self {
            Self::Editor => "debug",
            Self::Release => "release",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Editor => "for the editor and debug exports",
            Self::Release => "for release exports",
        }
    }

    /// What tells the two builds apart for cargo.
    ///
    /// Both are optimised alike. But a library's file name does not depend on its features, so in one folder each build
    /// would throw out the other; a second profile has a folder of its own.
    fn cargo_arguments(self) -> &'static [&'static str] {
        match self {
            Self::Editor => &["--profile", "release", "--features", "docs"],
            Self::Release => &[
                "--profile",
                "export",
                "--config",
                r#"profile.export.inherits="release""#,
            ],
        }
    }
}

/// Builds what the editor and the tests load.
pub(crate) fn build_for_editor(repo: &Repo) -> Result<()> {
    build(repo, Flavour::Editor, &[None])
}

/// Builds what release exports load, for this machine.
pub(crate) fn build_for_release(repo: &Repo) -> Result<()> {
    build(repo, Flavour::Release, &[None])
}

/// Builds both libraries of this platform.
pub(crate) fn build_all(repo: &Repo, universal: bool) -> Result<()> {
    ensure!(
        !universal || cfg!(target_os = "macos"),
        "--universal is for macOS only"
    );
    let targets: &[Option<&str>] = if universal {
        &[Some("aarch64-apple-darwin"), Some("x86_64-apple-darwin")]
    } else {
        &[None]
    };
    build(repo, Flavour::Editor, targets)?;
    build(repo, Flavour::Release, targets)
}

fn build(repo: &Repo, flavour: Flavour, targets: &[Option<&str>]) -> Result<()> {
    let addon = repo.addon();
    let manifest = addon.join("flow_swarm.gdextension");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("cannot read {}", manifest.display()))?;
    let key = library_key(flavour)?;
    let library = addon.join(
        library_path(&text, &key)
            .with_context(|| format!("{} has no entry {key}", manifest.display()))?,
    );
    let built = targets
        .iter()
        .map(|target| cargo_build(repo, flavour, *target))
        .collect::<Result<Vec<_>>>()?;
    if let Some(folder) = library.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    match built.as_slice() {
        [one] => files::replace(one, &library),
        several => join(several, &library),
    }
}

/// The key under which the .gdextension names this platform's library.
fn library_key(flavour: Flavour) -> Result<String> {
    let kind = flavour.key();
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x86_64",
        "aarch64" => "arm64",
        other => bail!("no library is named for the processor {other}"),
    };
    match std::env::consts::OS {
        "macos" => Ok(format!("macos.{kind}")),
        os @ ("linux" | "windows") => Ok(format!("{os}.{kind}.{arch}")),
        other => bail!("no library is named for the system {other}"),
    }
}

/// The value of `key = "value"` in a .gdextension.
fn library_path(manifest: &str, key: &str) -> Option<String> {
    manifest.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == key).then(|| value.trim().trim_matches('"').to_owned())
    })
}

/// Builds one library and returns where cargo put it, which depends on settings outside this repository.
fn cargo_build(repo: &Repo, flavour: Flavour, target: Option<&str>) -> Result<PathBuf> {
    let mut command = repo.cargo();
    command
        .args(["build", "--package", PACKAGE])
        .args(flavour.cargo_arguments())
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit());
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    println!("building the extension: {}", flavour.label());
    let output = command.output().context("cannot start cargo")?;
    ensure!(output.status.success(), "the extension did not build");
    let messages = String::from_utf8_lossy(&output.stdout);
    let library = messages.lines().rev().find_map(library_in_message);
    library.context("cargo built no library for the extension")
}

/// The library's file in one of cargo's JSON messages, if it is the one about it.
fn library_in_message(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != PACKAGE {
        return None;
    }
    message["filenames"]
        .as_array()?
        .iter()
        .filter_map(|name| name.as_str())
        // On Windows an import library and debug information come along.
        .find(|name| {
            [".so", ".dylib", ".dll"]
                .iter()
                .any(|end| name.ends_with(end))
        })
        .map(PathBuf::from)
}

fn join(libraries: &[PathBuf], target: &Path) -> Result<()> {
    let status = Command::new("lipo")
        .arg("-create")
        .args(libraries)
        .arg("-output")
        .arg(target)
        .status()
        .context("cannot start lipo")?;
    ensure!(status.success(), "lipo could not join the libraries");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_this_platforms_libraries() {
        let manifest = include_str!("../../../addons/flow_swarm/flow_swarm.gdextension");
        for flavour in [Flavour::Editor, Flavour::Release] {
            let key = library_key(flavour).expect("a platform we build for");
            let path = library_path(manifest, &key).expect("an entry");
            assert!(path.starts_with("bin/"), "{path}");
        }
    }

    #[test]
    fn keys_are_matched_whole() {
        let manifest = "linux.debug.x86_64 = \"bin/a.so\"\nlinux.debug = \"bin/b.so\"\n";
        assert_eq!(
            library_path(manifest, "linux.debug").as_deref(),
            Some("bin/b.so")
        );
        assert_eq!(library_path(manifest, "macos.debug"), None);
    }

    #[test]
    fn the_library_is_found_in_cargos_messages() {
        let line = r#"{"reason":"compiler-artifact","target":{"name":"flow_swarm_godot"},"filenames":["t/flow_swarm_godot.dll.lib","t/flow_swarm_godot.dll"]}"#;
        assert_eq!(
            library_in_message(line),
            Some(PathBuf::from("t/flow_swarm_godot.dll"))
        );
        assert_eq!(
            library_in_message(r#"{"reason":"build-finished","success":true}"#),
            None
        );
        assert_eq!(library_in_message("not json"), None);
    }
}
