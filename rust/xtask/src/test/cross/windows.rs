//! Windows: its standard library is compiled from source, programs are linked by MinGW's compiler and run by Wine.
//!
//! Both are of the system's own suite, so that they run with the system's C library.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::super::workbench::Workbench;
use super::target::Target;
use super::{Tools, text};
use crate::files;
use crate::private_apt;
use crate::process::{self, Echo};
use crate::tally::Tally;
use crate::toolchain::Toolchain;

const PACKAGES: &[&str] = &["wine64", "gcc-mingw-w64-x86-64-posix"];
const COMPILER: &str = "x86_64-w64-mingw32-gcc-posix";
/// A library of Windows that Rust's standard library needs, and that Wine has only since version 8.13.
const RANDOM: &str = "bcryptprimitives.dll";

/// Wine with settings of its own. Its programs need no display.
const WINE: &str = r#"#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
lib=$folder/windows/usr/lib
export LD_LIBRARY_PATH="$lib/x86_64-linux-gnu" WINEDLLPATH="$lib/x86_64-linux-gnu/wine"
export WINEPREFIX="$folder/wine-home/prefix" HOME="$folder/wine-home" WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
unset DISPLAY WAYLAND_DISPLAY
exec "$lib/wine/wine64" "$@"
"#;

pub(super) struct WindowsTools {
    pub(super) common: Tools,
    root: PathBuf,
    wine: PathBuf,
}

pub(super) fn tools(toolchain: &Toolchain) -> Result<WindowsTools> {
    let tools = WindowsTools {
        root: toolchain.folder().join("windows"),
        wine: toolchain.folder().join("wine"),
        common: Tools {
            linker: COMPILER.into(),
            runner: text(&toolchain.folder().join("wine"))?,
            flags: "",
        },
    };
    // Written last, so its presence means that the rest is complete.
    let mark = tools.root.join("complete");
    if !mark.is_file() {
        fetch(toolchain, &tools)?;
        fs::write(&mark, "").context("cannot write into the cache")?;
    }
    Ok(tools)
}

/// Has cargo compile the standard library too, with MinGW's tools.
pub(super) fn adapt(command: &mut Command, tools: &WindowsTools) {
    super::with_std_from_source(command);
    command.env("PATH", tools.path());
}

/// Builds the extension, and loads it with a small program that asks for its entry symbol.
pub(super) fn loads_extension(
    bench: &Workbench,
    toolchain: &Toolchain,
    target: &Target,
    tools: &WindowsTools,
) -> Result<Tally> {
    let mut build = super::cargo(bench, toolchain, "build", target, &tools.common);
    build.args(["--package", "flow_swarm_godot"]);
    adapt(&mut build, tools);
    let output = process::capture(build, Echo::Nothing, Duration::from_secs(3600))?;
    ensure!(
        output.is_success(),
        "the extension did not build\n{}",
        output.tail()
    );
    let library = super::built(bench, target).join("flow_swarm_godot.dll");

    let host = toolchain.folder().join("host.exe");
    tools.compile(include_str!("host.c"), &host, &[])?;
    let mut load = Command::new(&tools.wine);
    load.arg(&host).arg(&library).arg("flow_swarm_init");
    let output = process::capture(load, Echo::Nothing, Duration::from_secs(300))?;
    ensure!(
        output.is_success() && output.text.contains("flow_swarm_init is there"),
        "the extension cannot be loaded\n{}",
        output.tail()
    );
    Ok(Tally::one(true))
}

impl WindowsTools {
    /// The search path with MinGW's tools, after all others.
    fn path(&self) -> OsString {
        let mut path = std::env::var_os("PATH").unwrap_or_default();
        path.push(":");
        path.push(self.root.join("usr/bin"));
        path
    }

    /// Compiles a C program or library for Windows.
    fn compile(&self, source: &str, target: &Path, arguments: &[&str]) -> Result<()> {
        let file = target.with_extension("c");
        fs::write(&file, source).with_context(|| format!("cannot write {}", file.display()))?;
        let mut command = Command::new(self.root.join("usr/bin").join(COMPILER));
        command
            .env("PATH", self.path())
            .env(
                "LD_LIBRARY_PATH",
                self.root.join("usr/lib/x86_64-linux-gnu"),
            )
            .arg("-o")
            .arg(target)
            .arg(&file)
            .args(arguments);
        process::quietly(command).map(drop)
    }
}

fn fetch(toolchain: &Toolchain, tools: &WindowsTools) -> Result<()> {
    let apt = toolchain.debian(&system_suite()?, &["amd64"])?;
    println!("taking MinGW and Wine from the system's package archive (about 240 MB, once)");
    let mut packages = apt.closure(PACKAGES)?;
    packages.retain(|name| !name.starts_with("libc6"));
    apt.download(&packages)?;
    private_apt::new_root(&tools.root)?;
    apt.unpack_into(&tools.root)?;
    link_server(tools)?;
    files::write_program(&tools.wine, WINE)?;

    let home = toolchain.folder().join("wine-home");
    files::fresh_folder(&home)?;
    let system = home.join("prefix/drive_c/windows/system32");
    fs::create_dir_all(&system).with_context(|| format!("cannot make {}", system.display()))?;
    // Wine's own libraries need it, and it is none of those that Wine installs.
    let zlib = tools.root.join("usr/x86_64-w64-mingw32/lib/zlib1.dll");
    files::copy(&zlib, &system.join("zlib1.dll"))?;
    let mut boot = Command::new(&tools.wine);
    boot.args(["wineboot", "--init"]);
    process::quietly(boot)?;
    let random = system.join(RANDOM);
    if !random.exists() {
        let arguments = ["-shared", "-ladvapi32"];
        tools.compile(
            include_str!("random.c"),
            &toolchain.folder().join(RANDOM),
            &arguments,
        )?;
        files::copy(&toolchain.folder().join(RANDOM), &random)?;
    }
    Ok(())
}

/// Makes the link that the packages' own scripts make on installation.
fn link_server(tools: &WindowsTools) -> Result<()> {
    let programs = tools.root.join("usr/lib/wine");
    if programs.join("wineserver64").exists() {
        let server = programs.join("wineserver");
        fs::remove_file(&server).with_context(|| format!("cannot replace {}", server.display()))?;
        private_apt::link(Path::new("wineserver64"), &server)?;
    }
    Ok(())
}

/// The name of the suite from which the system is installed.
fn system_suite() -> Result<String> {
    let text = fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?;
    let suite = text
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    Ok(suite.unwrap_or("sid").trim_matches('"').to_owned())
}
