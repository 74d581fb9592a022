//! `cargo xtask test --cross`: the golden tests on other processors and systems, one line per target.
//!
//! The targets run on this machine, by emulators and by Node. What that needs is fetched into `.cache/cross`; the
//! system does not change. docs/platforms.md has the table of what ran where.
//!
//! Order of reading: `target` (which there are), `toolchain` of the crate (Rust for them), then what each kind of
//! target needs: `emulated`, `wasm`, `wasm_threads`, `windows`.

mod emulated;
mod target;
mod wasm;
mod wasm_threads;
mod windows;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;

use super::outcome::{Outcome, Verdict};
use super::rust;
use super::workbench::Workbench;
use crate::tally::Tally;
use crate::toolchain::Toolchain;
use crate::web::emscripten::Emscripten;
use target::{Machine, TARGETS, Target};

/// The names of the targets, for the command line.
pub(super) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(TARGETS.iter().map(|target| target.name))
}

/// Builds and runs the tests of the targets with these names, or of all.
pub(super) fn run(bench: &Workbench, only: &[String], everything_required: bool) -> Tally {
    let mut total = Tally::default();
    let is_wanted =
        |target: &&Target| only.is_empty() || only.iter().any(|name| name == target.name);
    for target in TARGETS.iter().filter(is_wanted) {
        let start = Instant::now();
        let verdict = Verdict::of(check(bench, target), everything_required);
        println!("{}", verdict.report(target.name, start.elapsed()));
        total = total + verdict.tally();
    }
    total
}

fn check(bench: &Workbench, target: &Target) -> Result<Outcome> {
    let toolchain = Toolchain::find_or_fetch(bench.repo)?;
    match &target.machine {
        Machine::Emulated(machine) => {
            let command = tests(
                bench,
                &toolchain,
                target,
                &emulated::tools(&toolchain, machine)?,
            );
            counted(bench, target, command)
        }
        Machine::Wasm => {
            let command = tests(bench, &toolchain, target, &wasm::tools(&toolchain)?);
            counted(bench, target, command)
        }
        Machine::WasmThreads => {
            let emscripten = Emscripten::find_or_fetch(&bench.repo.cache())?;
            let tools = wasm_threads::tools(&toolchain, &emscripten)?;
            let mut command = tests(bench, &toolchain, target, &tools);
            with_std_from_source(&mut command);
            emscripten.apply_to(&mut command)?;
            counted(bench, target, command)
        }
        Machine::Windows => {
            let tools = windows::tools(&toolchain)?;
            let mut command = tests(bench, &toolchain, target, &tools.common);
            windows::adapt(&mut command, &tools);
            let mut outcome = counted(bench, target, command)?;
            if outcome.tally.is_success() {
                outcome.tally =
                    outcome.tally + windows::loads_extension(bench, &toolchain, target, &tools)?;
            }
            Ok(outcome)
        }
    }
}

/// What links the programs of a target and starts them.
struct Tools {
    linker: String,
    /// The program and its arguments, separated by spaces.
    runner: String,
    flags: &'static str,
}

fn tests(bench: &Workbench, toolchain: &Toolchain, target: &Target, tools: &Tools) -> Command {
    let mut command = cargo(bench, toolchain, "test", target, tools);
    command.args(["--package", "flow_swarm", "--no-fail-fast"]);
    for program in target.programs {
        command.args(["--test", program]);
    }
    command
}

/// A cargo that compiles for the target with its toolchain. What it builds lies apart from what this machine's compiler
/// has built.
fn cargo(
    bench: &Workbench,
    toolchain: &Toolchain,
    subcommand: &str,
    target: &Target,
    tools: &Tools,
) -> Command {
    let mut command = bench.repo.cargo(subcommand);
    let setting = |name: &str| {
        let triple = target.triple.to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{triple}_{name}")
    };
    command
        .args(["--target", target.triple])
        .env("RUSTC", toolchain.rustc())
        .env("CARGO_TARGET_DIR", folder(bench))
        .env("ZIG_GLOBAL_CACHE_DIR", toolchain.folder().join("zig"))
        .env(setting("LINKER"), &tools.linker)
        .env(setting("RUNNER"), &tools.runner)
        .env(setting("RUSTFLAGS"), tools.flags)
        // Flags for this machine's compiler are not for this one.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// Has cargo compile the standard library too, for targets of which Debian packages none.
fn with_std_from_source(command: &mut Command) {
    command
        .arg("-Zbuild-std=std,panic_unwind,test")
        .env("RUSTC_BOOTSTRAP", "1");
}

fn counted(bench: &Workbench, target: &Target, command: Command) -> Result<Outcome> {
    rust::counts(bench, &format!("cross-{}", target.name), command)
}

/// The folder of what is built for other targets.
fn folder(bench: &Workbench) -> PathBuf {
    bench.repo.root().join("target/cross")
}

/// The folder of what is built for a target.
fn built(bench: &Workbench, target: &Target) -> PathBuf {
    folder(bench).join(target.triple).join("debug")
}

/// A path in a setting of cargo.
fn text(path: &Path) -> Result<String> {
    path.to_str()
        .map(str::to_owned)
        .with_context(|| format!("the path {} is not Unicode", path.display()))
}
