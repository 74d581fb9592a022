//! `cargo xtask test`: everything that CI runs, suite after suite, and one count at the end.

mod engine;
mod gdscript;
mod package;
mod rust;

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};

use crate::apt::MissingTool;
use crate::godot::{self, Godot};
use crate::repo::Repo;
use crate::tally::Tally;
use crate::{EngineArgs, extension, project};

#[derive(Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Run these suites only [default: all]
    #[arg(value_enum)]
    only: Vec<Suite>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Suite {
    /// cargo fmt
    Fmt,
    /// cargo clippy, warnings as errors
    Clippy,
    /// cargo doc, warnings as errors
    Doc,
    /// cargo test of everything that needs no engine
    Cargo,
    /// the golden hashes once more without SIMD
    Scalar,
    /// gdformat
    Gdformat,
    /// gdlint
    Gdlint,
    /// the extension builds and the engine imports the project
    Extension,
    /// the GDScript suites in the headless engine
    Godot,
    /// real input in a real window
    Play,
    /// the packed addon in an empty project, with the README's example
    Package,
}

impl Suite {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    fn run(self, bench: &Workbench) -> Result<Tally> {
        match self {
            Self::Fmt => rust::fmt(bench),
            Self::Clippy => rust::clippy(bench),
            Self::Doc => rust::doc(bench),
            Self::Cargo => rust::tests(bench),
            Self::Scalar => rust::scalar_tests(bench),
            Self::Gdformat => gdscript::format(bench),
            Self::Gdlint => gdscript::lint(bench),
            Self::Extension => bench.engine().map(|_| Tally::one(true)),
            Self::Godot => engine::headless(bench),
            Self::Play => engine::play(bench),
            Self::Package => package::check(bench),
        }
    }
}

/// What the suites share.
struct Workbench<'a> {
    repo: &'a Repo,
    args: &'a EngineArgs,
    /// Built and found once; the reason is kept too, so that a failed build is not tried again by every suite.
    engine: std::cell::OnceCell<Result<Godot, String>>,
}

impl Workbench<'_> {
    /// An engine that can run the demo project with the extension as it is now.
    fn engine(&self) -> Result<&Godot> {
        let mut fresh = false;
        let engine = self.engine.get_or_init(|| {
            fresh = true;
            self.make_engine().map_err(|error| format!("{error:#}"))
        });
        match engine {
            Ok(godot) => Ok(godot),
            Err(reason) if fresh => Err(anyhow!(reason.clone())),
            Err(_) => Err(anyhow!(
                "not run, because there is no engine with the extension"
            )),
        }
    }

    fn make_engine(&self) -> Result<Godot> {
        let godot = godot::find_or_fetch(self.repo, self.args.godot.as_deref())?;
        extension::build_for_editor(self.repo)?;
        project::prepare(self.repo, &godot)?;
        Ok(godot)
    }
}

struct Line {
    suite: Suite,
    result: Verdict,
    time: Duration,
}

enum Verdict {
    Counted(Tally),
    /// Left out for want of a tool that only the user may install.
    Skipped(String),
}

/// Runs the suites, all of them even when some fail, and prints the count as the last line.
pub(crate) fn run(repo: &Repo, args: &TestArgs) -> Result<Tally> {
    let everything_required = std::env::var("CI").is_ok_and(|value| value == "true");
    let bench = Workbench {
        repo,
        args: &args.engine,
        engine: std::cell::OnceCell::new(),
    };
    let mut lines = Vec::new();
    for &suite in Suite::value_variants() {
        if args.only.is_empty() || args.only.contains(&suite) {
            println!("\n=== {}", suite.name());
            let start = Instant::now();
            let result = judge(suite.run(&bench), everything_required);
            lines.push(Line {
                suite,
                result,
                time: start.elapsed(),
            });
        }
    }
    println!("\n{}", table(&lines));
    let total = lines
        .iter()
        .map(|line| match line.result {
            Verdict::Counted(tally) => tally,
            Verdict::Skipped(_) => Tally::default(),
        })
        .sum();
    println!("{total}");
    Ok(total)
}

fn judge(result: Result<Tally>, everything_required: bool) -> Verdict {
    match result {
        // A suite that ran no test has not shown that anything works.
        Ok(tally) => Verdict::Counted(tally.with_exit(tally.is_success())),
        Err(error) => match error.downcast_ref::<MissingTool>() {
            Some(missing) if !everything_required => {
                println!("skipped: {missing}");
                Verdict::Skipped(missing.to_string())
            }
            _ => {
                println!("failed: {error:#}");
                Verdict::Counted(Tally::one(false))
            }
        },
    }
}

fn table(lines: &[Line]) -> String {
    let mut table = String::new();
    for Line {
        suite,
        result,
        time,
    } in lines
    {
        let (mark, text) = match result {
            Verdict::Counted(tally) if tally.is_success() => ("ok", tally.to_string()),
            Verdict::Counted(tally) => ("FAILED", tally.to_string()),
            Verdict::Skipped(reason) => ("skipped", reason.clone()),
        };
        table += &format!(
            "{:<10} {mark:<8} {:>6.1} s   {text}\n",
            suite.name(),
            time.as_secs_f64()
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing() -> anyhow::Error {
        MissingTool {
            what: "gdlint".into(),
            remedy: "sudo apt-get install -y python3-venv".into(),
        }
        .into()
    }

    #[test]
    fn a_missing_tool_is_named_here_and_fails_in_ci() {
        let Verdict::Skipped(reason) = judge(Err(missing()), false) else {
            panic!("skipped outside CI");
        };
        assert_eq!(
            reason,
            "gdlint is missing: sudo apt-get install -y python3-venv"
        );
        assert!(matches!(
            judge(Err(missing()), true),
            Verdict::Counted(Tally {
                passed: 0,
                failed: 1
            })
        ));
    }

    #[test]
    fn a_missing_tool_is_seen_through_added_context() {
        let error = missing().context("checking the format");
        assert!(matches!(judge(Err(error), false), Verdict::Skipped(_)));
    }

    #[test]
    fn a_suite_without_tests_fails() {
        assert!(matches!(
            judge(Ok(Tally::default()), false),
            Verdict::Counted(Tally { failed: 1, .. })
        ));
    }
}
