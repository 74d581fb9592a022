//! Rust with the standard libraries of other targets, from Debian's development suite.
//!
//! Compiler, libraries and emulators are unpacked into one folder. The compiler is started by that folder's own dynamic
//! loader, as the engine is that comes from there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::private_apt::{self, Apt};
use crate::python::{self, Packages};
use crate::repo::Repo;
use crate::{files, process};

/// This machine's architecture, then the others.
const ARCHITECTURES: &[&str] = &["amd64", "arm64", "riscv64", "s390x"];
/// Fetched with all that they depend on: the libraries that the compiler loads.
const WITH_DEPENDENCIES: &[&str] = &["libstd-rust-dev"];
/// Fetched alone. The compiler depends on a C compiler, for which the system's is used.
const ALONE: &[&str] = &[
    "rustc",
    "rust-src",
    "libstd-rust-dev-wasm32",
    "libstd-rust-dev:arm64",
    "libstd-rust-dev:riscv64",
    "libstd-rust-dev:s390x",
    "qemu-user",
];
/// Has a linker for every target, with the C libraries to link.
const ZIG: Packages = Packages {
    environment: "ziglang",
    complete: &[],
    bare: &["ziglang==0.17.1"],
};
/// Starts the compiler, wherever the folder is.
const RUSTC: &str = r#"#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/rust/usr
lib=$root/lib/x86_64-linux-gnu
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib" "$root/bin/rustc" --sysroot "$root" "$@"
"#;

pub(crate) struct Toolchain {
    folder: PathBuf,
    cache: PathBuf,
}

impl Toolchain {
    pub(crate) fn find_or_fetch(repo: &Repo) -> Result<Self> {
        let cache = repo.cache();
        let toolchain = Self {
            folder: cache.join("cross"),
            cache,
        };
        // The launcher is written last, so its presence means that the rest is complete.
        if !toolchain.rustc().is_file() {
            toolchain.fetch()?;
        }
        Ok(toolchain)
    }

    /// The folder of all that cross builds need.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn rustc(&self) -> PathBuf {
        self.folder.join("rustc")
    }

    /// A program of the development suite.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join("rust/usr/bin").join(name)
    }

    /// The root of the C library of an architecture.
    pub(crate) fn libraries(&self, architecture: &str) -> PathBuf {
        self.folder.join("libraries").join(architecture)
    }

    /// The Python in which `-m ziglang` is Zig's compiler.
    pub(crate) fn zig(&self) -> Result<PathBuf> {
        let programs = python::programs(&self.cache, &ZIG)?;
        Ok(python::program(&programs, "python"))
    }

    /// apt with a suite of Debian: the one in development, or another.
    pub(crate) fn debian(
        &self,
        suite: &str,
        architectures: &'static [&'static str],
    ) -> Result<Apt> {
        Apt::for_debian(self.folder.join("apt"), suite, architectures)
    }

    fn fetch(&self) -> Result<()> {
        let apt = self.debian("sid", ARCHITECTURES)?;
        println!(
            "taking Rust and emulators from the system's package archive (about 450 MB, once)"
        );
        let mut packages = apt.closure(WITH_DEPENDENCIES)?;
        packages.extend(ALONE.iter().map(|&name| name.to_owned()));
        apt.download(&packages)?;
        let root = self.folder.join("rust");
        private_apt::new_root(&root)?;
        apt.unpack_into(&root)?;
        remove_compiler_sources(&root.join("usr/src"))?;
        self.fetch_libraries(&apt)?;
        fs::remove_dir_all(self.folder.join("apt")).context("cannot remove apt's files")?;

        let fresh = self.folder.join("rustc.new");
        files::write_program(&fresh, RUSTC)?;
        let mut version = std::process::Command::new(&fresh);
        version.arg("--version");
        println!("fetched {}", process::quietly(version)?.trim());
        fs::rename(&fresh, self.rustc()).context("cannot name the compiler")
    }

    /// Fetches the C libraries that emulated programs load.
    fn fetch_libraries(&self, apt: &Apt) -> Result<()> {
        for architecture in &ARCHITECTURES[1..] {
            let packages = ["libc6", "libgcc-s1"].map(|name| format!("{name}:{architecture}"));
            apt.download(&packages)?;
            let root = self.libraries(architecture);
            private_apt::new_root(&root)?;
            apt.unpack_into(&root)?;
        }
        Ok(())
    }
}

/// Of the compiler's sources only those of the standard library are compiled.
fn remove_compiler_sources(folder: &Path) -> Result<()> {
    for version in fs::read_dir(folder)?.flatten() {
        for part in ["compiler", "src"] {
            let part = version.path().join(part);
            if part.is_dir() {
                fs::remove_dir_all(&part)
                    .with_context(|| format!("cannot remove {}", part.display()))?;
            }
        }
    }
    Ok(())
}
