//! The project's commands: `cargo xtask run`, `test`, `bench`, `build`, `package`, `docs`, `web`,
//! `reference`, `notices`.
//!
//! Each command is a module. Code that several commands need (running programs, the extension, the engine, a display)
//! is in the other modules. Nothing here is needed to build or use the extension.
//!
//! Order of reading: `run`, `package` and the `test` suites, then `extension`, `godot` and `process`, which they share.
//! `toolchain` has Rust for other targets.
//!
//! Invariants:
//! - A command ends with a non-zero exit code if any of its steps failed.
//! - Downloads are pinned by version and checksum.
#![allow(
    clippy::print_stdout,
    reason = "this program reports to a person in a terminal"
)]

mod apt;
mod bench;
mod checksum;
mod display;
mod docs;
mod engine_log;
mod extension;
mod files;
mod godot;
mod notices;
mod package;
mod private_apt;
mod process;
mod project;
mod python;
mod readme;
mod reference;
mod repo;
mod run;
mod tally;
mod test;
mod toolchain;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Build, run, test, bench and package Flow Swarm.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the extension and open a demo; without a display, write a screenshot of it.
    Run(run::RunArgs),
    /// Run everything that CI runs; the last line is `N passed, N failed`.
    Test(test::TestArgs),
    /// Run the benchmarks behind docs/performance.md.
    Bench(bench::BenchArgs),
    /// Build this platform's library into addons/flow_swarm/bin.
    Build(BuildArgs),
    /// Write dist/flow_swarm-VERSION.zip in the asset library's layout, and its checksum beside it.
    Package(package::PackageArgs),
    /// Build the documentation site into dist/site, with animations that the demos make.
    Docs(docs::DocsArgs),
    /// Build the engine and the extension for the web, export the horde demo and play it in a browser.
    Web(web::WebArgs),
    /// Write docs/reference.md and the editor's help from the classes' doc comments.
    Reference,
    /// Write addons/flow_swarm/THIRD_PARTY.md from the crates that the library links.
    Notices,
}

/// Which engine to use.
#[derive(Args, Clone, Default)]
struct EngineArgs {
    /// A Godot 4.5 or newer [default: $GODOT, then PATH, then .cache/godot, otherwise it is fetched]
    #[arg(long, value_name = "PATH")]
    godot: Option<PathBuf>,
}

#[derive(Args)]
struct BuildArgs {
    /// On macOS: build for both processors and join them, as a release needs.
    #[arg(long)]
    universal: bool,
    /// Build for another target, such as aarch64-linux-android, whose standard library and linker are set up.
    #[arg(long, value_name = "TRIPLE", conflicts_with = "universal")]
    target: Option<String>,
    /// With wasm32-unknown-emscripten: for a template with threads.
    #[arg(long, requires = "target")]
    threads: bool,
}

fn main() -> ExitCode {
    let outcome = repo::Repo::locate().and_then(|repo| match Cli::parse().command {
        Command::Run(args) => run::run(&repo, &args),
        Command::Test(args) => as_exit(test::run(&repo, &args)?),
        Command::Bench(args) => bench::run(&repo, &args),
        Command::Build(args) => match &args.target {
            Some(target) => extension::build_for(&repo, target, args.threads),
            None => extension::build_all(&repo, args.universal),
        },
        Command::Package(args) => package::run(&repo, &args),
        Command::Docs(args) => docs::run(&repo, &args),
        Command::Web(args) => web::run(&repo, &args),
        Command::Reference => reference::write(&repo),
        Command::Notices => notices::write(&repo),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<TestsFailed>() => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The error of a run in which tests failed. It prints nothing, because the tally must stay the last line.
#[derive(Debug)]
struct TestsFailed;

impl std::fmt::Display for TestsFailed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("some tests failed")
    }
}

impl std::error::Error for TestsFailed {}

fn as_exit(tally: tally::Tally) -> anyhow::Result<()> {
    if tally.is_success() {
        Ok(())
    } else {
        Err(TestsFailed.into())
    }
}
