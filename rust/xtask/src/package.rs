//! `cargo xtask package`: writes the zip that a user unpacks into a project, and its checksum.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::repo::Repo;
use crate::{checksum, extension, files};

#[derive(Args)]
pub(crate) struct PackageArgs {
    /// Pack the libraries in addons/flow_swarm/bin without building any.
    #[arg(long)]
    prebuilt: bool,
}

/// Builds this platform's library and writes the zip, with the existing libraries of other platforms.
pub(crate) fn run(repo: &Repo, args: &PackageArgs) -> Result<()> {
    if !args.prebuilt {
        extension::build_all(repo, false)?;
    }
    println!("{}", write(repo)?.display());
    Ok(())
}

/// Writes the zip from the addon's folder and returns its path.
pub(crate) fn write(repo: &Repo) -> Result<PathBuf> {
    // All crates share the workspace's version.
    let name = format!("flow_swarm-{}.zip", env!("CARGO_PKG_VERSION"));
    let folder = repo.root().join("dist");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(name);
    let entries = entries(&repo.addon())?;
    ensure!(
        entries.iter().any(|(_, name)| is_library(name)),
        "{} holds no library",
        repo.addon().join("bin").display()
    );
    write_zip(&path, &entries).with_context(|| format!("cannot write {}", path.display()))?;
    let sums = folder.join("SHA256SUMS");
    let line = checksum::line(&path)?;
    fs::write(&sums, line).with_context(|| format!("cannot write {}", sums.display()))?;
    Ok(path)
}

/// Returns each file to pack with its name in the zip, sorted. Only libraries that the .gdextension names are packed,
/// because others remain from builds of other versions.
fn entries(addon: &Path) -> Result<Vec<(PathBuf, String)>> {
    let manifest = addon.join("flow_swarm.gdextension");
    let manifest = fs::read_to_string(&manifest)
        .with_context(|| format!("cannot read {}", manifest.display()))?;
    let libraries = extension::libraries(&manifest);
    let mut entries = Vec::new();
    for file in files::walk(addon)? {
        let relative = file
            .strip_prefix(addon)
            .context("walking left the addon's folder")?;
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        let name = parts.join("/");
        if belongs(&name, &libraries) {
            entries.push((file, format!("addons/flow_swarm/{name}")));
        }
    }
    Ok(entries)
}

/// Excludes files of git and the editor, and the copies that Windows editors make of a loaded library.
fn belongs(name: &str, libraries: &[&str]) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let leftover = [".import", ".new", ".pdb", ".TMP"]
        .iter()
        .any(|end| file.ends_with(end));
    let stray = name.starts_with("bin/") && !libraries.contains(&name);
    !(file.starts_with(['.', '~']) || leftover || stray)
}

fn is_library(name: &str) -> bool {
    [".so", ".dll", ".dylib", ".wasm"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn write_zip(path: &Path, entries: &[(PathBuf, String)]) -> Result<()> {
    let mut zip = ZipWriter::new(File::create(path)?);
    for (file, name) in entries {
        let mode = if is_library(name) { 0o755 } else { 0o644 };
        // Without times, so that the same files give the same zip.
        zip.start_file(
            name.as_str(),
            SimpleFileOptions::default().unix_permissions(mode),
        )?;
        io::copy(&mut File::open(file)?, &mut zip)?;
    }
    zip.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("flow_swarm_{name}_{}", std::process::id()));
        files::fresh_folder(&folder).expect("a temporary folder");
        folder
    }

    #[test]
    fn the_zip_holds_the_addon_and_nothing_else() {
        let folder = folder("package");
        let addon = folder.join("addons/flow_swarm");
        for name in [
            "flow_swarm.gdextension",
            "LICENSE",
            "icons/EnemySwarm.svg",
            "icons/EnemySwarm.svg.import",
            "bin/.gitkeep",
            "bin/libflow_swarm.linux.x86_64.so",
            "bin/libflow_swarm.linux.x86_64.new",
            "bin/libflow_swarm.editor.linux.x86_64.so",
            "bin/~flow_swarm.windows.x86_64.dll",
            ".hidden/file",
        ] {
            let path = addon.join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, name).expect("a file");
        }
        fs::write(
            addon.join("flow_swarm.gdextension"),
            "linux.x86_64 = \"bin/libflow_swarm.linux.x86_64.so\"\n",
        )
        .expect("a manifest");
        let zip = folder.join("a.zip");
        write_zip(&zip, &entries(&addon).expect("entries")).expect("a zip");
        let archive = zip::ZipArchive::new(File::open(&zip).expect("the zip")).expect("a good zip");
        let mut names: Vec<_> = archive
            .file_names()
            .map(|name| name.expect("a readable name").into_owned())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "addons/flow_swarm/LICENSE",
                "addons/flow_swarm/bin/libflow_swarm.linux.x86_64.so",
                "addons/flow_swarm/flow_swarm.gdextension",
                "addons/flow_swarm/icons/EnemySwarm.svg",
            ]
        );
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}
