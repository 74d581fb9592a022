//! The outcome of a suite, and the line that reports it.

use std::time::Duration;

use anyhow::Result;

use crate::apt::MissingTool;
use crate::tally::Tally;

/// The counts of a suite.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) tally: Tally,
    /// What is printed after a failure: the part of the log about the failing tests.
    pub(super) details: String,
}

impl From<Tally> for Outcome {
    fn from(tally: Tally) -> Self {
        Self {
            tally,
            details: String::new(),
        }
    }
}

/// The outcome for the whole run.
pub(super) enum Verdict {
    Counted(Outcome),
    /// Skipped, because a tool is missing that only the user may install.
    Skipped(String),
}

impl Verdict {
    pub(super) fn of(result: Result<Outcome>, everything_required: bool) -> Self {
        match result {
            // A suite that ran no test counts as failed.
            Ok(mut outcome) => {
                outcome.tally = outcome.tally.with_exit(outcome.tally.is_success());
                Self::Counted(outcome)
            }
            Err(error) => match error.downcast_ref::<MissingTool>() {
                Some(missing) if !everything_required => Self::Skipped(missing.to_string()),
                _ => Self::Counted(Outcome {
                    tally: Tally::one(false),
                    details: format!("{error:#}"),
                }),
            },
        }
    }

    pub(super) fn tally(&self) -> Tally {
        match self {
            Self::Counted(outcome) => outcome.tally,
            Self::Skipped(_) => Tally::default(),
        }
    }

    /// Returns one line, followed by the failures.
    pub(super) fn report(&self, name: &str, time: Duration) -> String {
        let (mark, text) = match self {
            Self::Counted(outcome) if outcome.tally.is_success() => {
                ("ok", outcome.tally.to_string())
            }
            Self::Counted(outcome) => ("FAILED", outcome.tally.to_string()),
            Self::Skipped(reason) => ("skipped", reason.clone()),
        };
        let line = format!(
            "{name:<10} {mark:<8} {:>6.1} s   {text}",
            time.as_secs_f64()
        );
        match self {
            Self::Counted(outcome) if !outcome.tally.is_success() => {
                format!("{line}\n{}\n", indented(&outcome.details))
            }
            _ => line,
        }
    }
}

/// Indents the details, so that none of their lines is taken for a count of the whole run.
fn indented(text: &str) -> String {
    text.lines()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
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
        let Verdict::Skipped(reason) = Verdict::of(Err(missing()), false) else {
            panic!("skipped outside CI");
        };
        assert_eq!(
            reason,
            "gdlint is missing: sudo apt-get install -y python3-venv"
        );
        let required = Verdict::of(Err(missing()), true);
        assert!(matches!(required, Verdict::Counted(_)));
        assert_eq!(required.tally(), Tally::one(false));
    }

    #[test]
    fn a_missing_tool_is_seen_through_added_context() {
        let error = missing().context("checking the format");
        assert!(matches!(
            Verdict::of(Err(error), false),
            Verdict::Skipped(_)
        ));
    }

    #[test]
    fn a_suite_without_tests_fails() {
        let verdict = Verdict::of(Ok(Outcome::default()), false);
        assert_eq!(verdict.tally().failed, 1);
    }

    #[test]
    fn a_suite_is_one_line_and_its_failures_follow() {
        let time = Duration::from_millis(1500);
        let good = Verdict::of(Ok(Tally::one(true).into()), false);
        assert_eq!(
            good.report("fmt", time),
            "fmt        ok          1.5 s   1 passed, 0 failed"
        );
        let bad = Outcome {
            tally: Tally::one(false),
            details: "first\n0 passed, 1 failed".into(),
        };
        assert_eq!(
            Verdict::of(Ok(bad), false).report("fmt", time),
            "fmt        FAILED      1.5 s   0 passed, 1 failed\n    first\n    0 passed, 1 failed\n"
        );
    }
}
