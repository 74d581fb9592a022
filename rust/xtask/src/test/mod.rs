//! `cargo xtask test`: runs everything that CI runs, with one line per suite and one count at the end.
//!
//! The output of suites is written to files in `artifacts`. For a suite that fails, the part about the failing tests is
//! printed.
//!
//! Order of reading: `workbench` and `outcome`, which the suites share, `lanes`, then the suites. `cargo_log` extracts
//! failures from cargo's output.

mod cargo_log;
mod cross;
mod docs;
mod editor;
mod engine;
mod export;
mod gdscript;
mod goldens;
mod installations;
mod lanes;
mod notices;
mod outcome;
mod package;
mod rust;
mod workbench;

use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::EngineArgs;
use crate::repo::Repo;
use crate::tally::Tally;
use outcome::{Outcome, Verdict};
use workbench::Workbench;

#[derive(Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Run only these suites [default: all]
    #[arg(value_enum)]
    only: Vec<Suite>,
    /// Instead of the suites, run the golden tests on these other processors and systems [default: all]
    #[arg(long, conflicts_with = "only", num_args = 0.., value_name = "TARGET", value_parser = cross::names())]
    cross: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Suite {
    /// cargo fmt
    Fmt,
    /// cargo test of everything that needs no engine
    Cargo,
    /// the golden hashes once more without SIMD
    Scalar,
    /// the extension builds and the engine imports the project
    Extension,
    /// cargo clippy, warnings as errors
    Clippy,
    /// cargo doc, warnings as errors
    Doc,
    /// the documentation site builds, and all links in it lead somewhere
    Docs,
    /// THIRD_PARTY.md is what the linked crates say; allowed licences only, no crate linked twice
    Notices,
    /// the last commit that changed a golden value says why
    Goldens,
    /// gdformat
    Gdformat,
    /// gdlint
    Gdlint,
    /// the GDScript suites in the headless engine
    Godot,
    /// lockstep games between several processes of the engine, over loopback addresses
    Network,
    /// the packed addon in an empty project, with the README's example; in another folder, twice, without its library
    Package,
    /// the GDScript suites in games exported with the packed addon, by the release and the debug template
    Export,
    /// the packed addon in a real editor
    Editor,
    /// a level from an empty project to a game that runs, by mouse and keys
    Designer,
    /// the library replaced again and again under the open editor; a hundred times where named
    Reload,
    /// real input in a real window
    Play,
    /// cargo deny: licences, advisories, duplicates; only where it is installed, or named
    Deny,
}

impl Suite {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    fn run(self, bench: &Workbench, is_named: bool) -> Result<Outcome> {
        match self {
            Self::Fmt => rust::fmt(bench),
            Self::Cargo => rust::tests(bench),
            Self::Scalar => rust::scalar_tests(bench),
            Self::Extension => bench.engine().map(|_| Tally::one(true).into()),
            Self::Clippy => rust::clippy(bench),
            Self::Doc => rust::doc(bench),
            Self::Docs => docs::check(bench),
            Self::Notices => notices::check(bench),
            Self::Goldens => goldens::check(bench),
            Self::Gdformat => gdscript::format(bench),
            Self::Gdlint => gdscript::lint(bench),
            Self::Godot => engine::headless(bench),
            Self::Network => engine::network(bench),
            Self::Package => package::check(bench),
            Self::Export => export::check(bench),
            Self::Editor => editor::check(bench),
            Self::Designer => editor::designer(bench),
            Self::Reload => editor::reloads(bench, is_named),
            Self::Play => engine::play(bench),
            Self::Deny => rust::deny(bench),
        }
    }

    /// Returns `true` if a run of all suites includes this one.
    fn is_default(self) -> bool {
        match self {
            Self::Deny => which::which("cargo-deny").is_ok(),
            _ => true,
        }
    }
}

/// The suites, in lanes that run at the same time. A lane runs its suites one after another.
///
/// The lanes separate what would wait for the same lock: cargo's in each of the two profiles, and the engine's. The
/// extension is built first, because most other suites need it.
const LANES: [&[Suite]; 3] = [
    &[Suite::Fmt, Suite::Cargo, Suite::Scalar],
    &[Suite::Extension, Suite::Clippy, Suite::Doc, Suite::Docs],
    &[
        Suite::Notices,
        Suite::Goldens,
        Suite::Deny,
        Suite::Gdformat,
        Suite::Gdlint,
        Suite::Godot,
        Suite::Network,
        Suite::Package,
        Suite::Export,
        Suite::Editor,
        Suite::Designer,
        Suite::Reload,
        Suite::Play,
    ],
];

/// Runs the suites, continues after failures, and prints the count as the last line.
pub(crate) fn run(repo: &Repo, args: &TestArgs) -> Result<Tally> {
    let everything_required = std::env::var("CI").is_ok_and(|value| value == "true");
    let bench = Workbench::new(repo, &args.engine);
    if let Some(targets) = &args.cross {
        let total = cross::run(&bench, targets, everything_required);
        println!("{total}");
        return Ok(total);
    }
    let wanted = |suite: &Suite| match args.only.as_slice() {
        [] => suite.is_default(),
        only => only.contains(suite),
    };
    let lanes = LANES.map(|lane| lane.iter().copied().filter(wanted).collect());
    let is_named = !args.only.is_empty();
    let mut total = Tally::default();
    lanes::run(
        lanes,
        |suite: Suite| Verdict::of(suite.run(&bench, is_named), everything_required),
        |suite, verdict, time| {
            println!("{}", verdict.report(&suite.name(), time));
            total = total + verdict.tally();
        },
    );
    println!("{total}");
    Ok(total)
}

/// The end of a failed suite's details: the path of its full output.
fn log_note(path: &Path) -> String {
    format!("the whole log: {}\n", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_is_in_one_lane() {
        for suite in Suite::value_variants() {
            let places = LANES.iter().flat_map(|lane| lane.iter());
            assert_eq!(
                places.filter(|other| *other == suite).count(),
                1,
                "{suite:?}"
            );
        }
    }
}
