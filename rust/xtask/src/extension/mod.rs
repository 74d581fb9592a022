//! Builds the extension and copies it to where the engine looks for it.

mod web;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::files;
use crate::repo::Repo;
use crate::toolchain::Toolchain;
use crate::web::emscripten::Emscripten;

const PACKAGE: &str = "flow_swarm_godot";
/// The keys of the libraries for the web.
const WEB: &str = "web.wasm32";
const WEB_THREADS: &str = "web.threads.wasm32";

/// Compiler flags for size: less inlining makes the library 0.2 MB smaller and a step 4 % slower.
const FOR_SIZE: &[&str] = &["-C", "llvm-args=-inline-threshold=25"];
/// Merges functions with the same code. Only this linker, Rust's own on this platform, supports it.
const FOLDING: &[&str] = &["-C", "link-arg=-Wl,--icf=all"];
/// Android loads libraries for pages of 16 KiB on new devices, and on all others too.
const LARGE_PAGES: &[&str] = &["-C", "link-arg=-Wl,-z,max-page-size=16384"];

/// Builds the library for the engine on this machine. Editor and exported games load the same library.
///
/// Cargo prints only warnings and errors here.
pub(crate) fn build_for_this_machine(repo: &Repo) -> Result<()> {
    build(repo, &library_key()?, &[None], &["--quiet"])
}

/// Builds the library of a target of Rust into the addon. Only the web has libraries with and without threads.
pub(crate) fn build_for(repo: &Repo, target: &str, has_threads: bool) -> Result<()> {
    let key = key_of(target).with_context(|| format!("no library is named for {target}"))?;
    if target != web::TARGET {
        ensure!(!has_threads, "--threads is for {} only", web::TARGET);
        return build(repo, key, &[Some(target)], &[]);
    }
    let key = if has_threads { WEB_THREADS } else { WEB };
    let mut command = cargo(repo);
    web::apply_to(&mut command, has_threads);
    place(&[built_by(command)?], &library(&repo.addon(), key)?)
}

/// Builds the library for the web without threads by a compiler that was fetched. Returns its path.
pub(crate) fn build_for_the_web(
    repo: &Repo,
    toolchain: &Toolchain,
    emscripten: &Emscripten,
) -> Result<PathBuf> {
    let mut command = cargo(repo);
    emscripten.apply_to(&mut command)?;
    command
        .env("RUSTC", toolchain.rustc())
        .env("CARGO_TARGET_DIR", repo.root().join("target/web"));
    web::apply_to(&mut command, false);
    built_by(command)
}

/// The path of the library that an addon's folder has for the web without threads.
pub(crate) fn library_of_the_web(addon: &Path) -> Result<PathBuf> {
    library(addon, WEB)
}

/// Builds this platform's library for all its processors.
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
    build(repo, &library_key()?, targets, &[])
}

/// The path of the library that an engine on this machine loads from an addon's folder.
pub(crate) fn library_of_this_machine(addon: &Path) -> Result<PathBuf> {
    library(addon, &library_key()?)
}

fn library(addon: &Path, key: &str) -> Result<PathBuf> {
    let manifest = addon.join("flow_swarm.gdextension");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("cannot read {}", manifest.display()))?;
    let path = library_path(&text, key)
        .with_context(|| format!("{} has no entry {key}", manifest.display()))?;
    Ok(addon.join(path))
}

/// The libraries that a .gdextension names, as paths relative to the addon's folder.
pub(crate) fn libraries(manifest: &str) -> Vec<&str> {
    manifest
        .lines()
        .filter_map(entry)
        .map(|(_, value)| value)
        .filter(|value| value.starts_with("bin/"))
        .collect()
}

fn build(repo: &Repo, key: &str, targets: &[Option<&str>], arguments: &[&str]) -> Result<()> {
    let library = library(&repo.addon(), key)?;
    let built = targets
        .iter()
        .map(|target| cargo_build(repo, *target, arguments))
        .collect::<Result<Vec<_>>>()?;
    place(&built, &library)
}

/// Puts what was built where the engine looks for it.
fn place(built: &[PathBuf], library: &Path) -> Result<()> {
    if let Some(folder) = library.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    match built {
        [one] => files::replace(one, library),
        several => join(several, library),
    }
}

/// The key of this platform's library in a .gdextension, for debug and release builds of the engine.
fn library_key() -> Result<String> {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x86_64",
        "aarch64" => "arm64",
        other => bail!("no library is named for the processor {other}"),
    };
    match std::env::consts::OS {
        "macos" => Ok("macos".to_owned()),
        os @ ("linux" | "windows") => Ok(format!("{os}.{arch}")),
        other => bail!("no library is named for the system {other}"),
    }
}

/// The key of the library of a target of Rust.
fn key_of(target: &str) -> Option<&'static str> {
    Some(match target {
        "x86_64-unknown-linux-gnu" => "linux.x86_64",
        "aarch64-unknown-linux-gnu" => "linux.arm64",
        "x86_64-pc-windows-msvc" | "x86_64-pc-windows-gnu" => "windows.x86_64",
        "aarch64-pc-windows-msvc" => "windows.arm64",
        "aarch64-linux-android" => "android.arm64",
        "x86_64-linux-android" => "android.x86_64",
        web::TARGET => WEB,
        _ => return None,
    })
}

/// The value of `key = "value"` in a .gdextension.
fn library_path(manifest: &str, key: &str) -> Option<String> {
    manifest
        .lines()
        .filter_map(entry)
        .find(|(name, _)| *name == key)
        .map(|(_, value)| value.to_owned())
}

/// Parses a line `name = "value"`.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    Some((name.trim(), value.trim().trim_matches('"')))
}

/// Builds one library. Returns its path, which depends on settings outside this repository.
fn cargo_build(repo: &Repo, target: Option<&str>, arguments: &[&str]) -> Result<PathBuf> {
    let mut command = cargo(repo);
    command.args(arguments);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    command.arg("--").args(FOR_SIZE);
    if target.is_some_and(|target| target.ends_with("-android")) {
        command.args(LARGE_PAGES);
    }
    if target.is_none() && cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        command.args(FOLDING);
    }
    built_by(command)
}

/// A cargo that builds the extension and reports what it built. Further arguments and, after `--`, the compiler's can
/// be added.
fn cargo(repo: &Repo) -> Command {
    let mut command = repo.cargo("rustc");
    command
        .args(["--package", PACKAGE, "--release"])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit());
    command
}

/// Runs such a cargo, and returns the path of the library.
fn built_by(mut command: Command) -> Result<PathBuf> {
    println!("building the extension");
    let output = command.output().context("cannot start cargo")?;
    ensure!(output.status.success(), "the extension did not build");
    let messages = String::from_utf8_lossy(&output.stdout);
    let library = messages.lines().rev().find_map(library_in_message);
    library.context("cargo built no library for the extension")
}

/// The path of the library, if one of cargo's JSON messages states it.
fn library_in_message(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != PACKAGE {
        return None;
    }
    message["filenames"]
        .as_array()?
        .iter()
        .filter_map(|name| name.as_str())
        // On Windows the message also lists an import library and debug information.
        .find(|name| {
            [".so", ".dylib", ".dll", ".wasm"]
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
        let manifest = include_str!("../../../../addons/flow_swarm/flow_swarm.gdextension");
        let key = library_key().expect("a platform we build for");
        let path = library_path(manifest, &key).expect("an entry");
        assert!(path.starts_with("bin/"), "{path}");
        let libraries = libraries(manifest);
        assert!(libraries.contains(&path.as_str()), "{libraries:?}");
        assert_eq!(libraries.len(), 9);
    }

    #[test]
    fn every_target_that_can_be_named_has_a_library() {
        let manifest = include_str!("../../../../addons/flow_swarm/flow_swarm.gdextension");
        for target in [
            "aarch64-unknown-linux-gnu",
            "x86_64-pc-windows-gnu",
            "aarch64-pc-windows-msvc",
            "aarch64-linux-android",
            "x86_64-linux-android",
            "wasm32-unknown-emscripten",
        ] {
            let key = key_of(target).expect("a key");
            assert!(library_path(manifest, key).is_some(), "{target}: {key}");
        }
        assert!(library_path(manifest, WEB_THREADS).is_some());
        assert_eq!(key_of("wasm32-wasip1"), None);
    }

    #[test]
    fn keys_are_matched_whole() {
        let manifest = "linux.x86_64 = \"bin/a.so\"\nlinux = \"bin/b.so\"\n";
        assert_eq!(library_path(manifest, "linux").as_deref(), Some("bin/b.so"));
        assert_eq!(library_path(manifest, "macos"), None);
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
