//! Golden values change only for a reason: the last commit that changed one must state it in its body.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::outcome::Outcome;
use super::workbench::Workbench;
use crate::process::{Echo, capture};
use crate::tally::Tally;

/// The paths of golden values.
const PATHS: [&str; 2] = ["rust/bench/tests/golden", "rust/core/tests/golden.rs"];

/// The time limit for reading the history.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let root = bench.repo.root();
    // A source archive has no history to check.
    if root.join(".git").exists() {
        let mut git = Command::new("git");
        // The first commit of a shallow clone appears to add all files.
        git.current_dir(root)
            .args(["log", "--min-parents=1", "-n", "1", "--format=%h %B", "--"])
            .args(PATHS);
        let log = capture(git, Echo::Nothing, LIMIT)?;
        ensure!(log.is_success(), "git log failed: {}", log.tail());
        ensure!(
            log.text.trim().is_empty() || has_reason(&log.text),
            "golden values change only with a reason: this commit's body does not name them\n{}",
            log.text
        );
    }
    Ok(Tally::one(true).into())
}

/// Returns `true` if the body of a commit's message names golden values.
fn has_reason(message: &str) -> bool {
    let body = message.split_once("\n\n").map_or("", |(_, body)| body);
    body.to_lowercase().contains("golden")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_in_the_body() {
        assert!(has_reason(
            "a1b2 Let doors be wide\n\nGolden scenes at doors end\nelsewhere.\n"
        ));
        assert!(!has_reason("a1b2 Record golden scenes anew\n"));
        assert!(!has_reason("a1b2 Let doors be wide\n\nThey were narrow.\n"));
    }
}
