//! Judging what the engine printed.
//!
//! Godot exits with code 0 after many errors, so a run is judged by its log too: every error line is a problem, except
//! those a test asked for. A test announces them by printing `EXPECT_ERROR_BEGIN` before the call that must complain and
//! `EXPECT_ERROR_END` after it; a call that then stays silent is a problem as well.

use crate::tally::Tally;

const BEGIN: &str = "EXPECT_ERROR_BEGIN";
const END: &str = "EXPECT_ERROR_END";
const ALLOW_BEGIN: &str = "ALLOW_ERROR_BEGIN";
const ALLOW_END: &str = "ALLOW_ERROR_END";

/// Everything in the log that a clean run does not have, one line each.
pub(crate) fn problems(log: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut expecting = None;
    for line in log.lines().map(without_colour) {
        let line = line.trim();
        if line.starts_with(BEGIN) || line.starts_with(ALLOW_BEGIN) {
            if expecting.is_some() {
                problems.push(format!("{BEGIN} twice without {END}"));
            }
            expecting = Some(Announced {
                line: line.to_owned(),
                came: line.starts_with(ALLOW_BEGIN),
            });
        } else if line.starts_with(END) || line.starts_with(ALLOW_END) {
            match expecting.take() {
                None => problems.push(format!("{END} without {BEGIN}")),
                Some(announced) if !announced.came => {
                    problems.push(format!("no error came after: {}", announced.line));
                }
                Some(_) => {}
            }
        } else if is_script_error(line) || is_leak(line) {
            problems.push(line.to_owned());
        } else if is_complaint(line) {
            match &mut expecting {
                Some(announced) => announced.came = true,
                None if line.contains("ERROR:") => problems.push(line.to_owned()),
                None => {}
            }
        }
    }
    if expecting.is_some() {
        problems.push(format!("{BEGIN} without {END}"));
    }
    problems
}

/// The last line of the form `N passed, N failed`.
pub(crate) fn tally(log: &str) -> Option<Tally> {
    log.lines().rev().find_map(Tally::parse)
}

struct Announced {
    line: String,
    /// Whether an error has come, or need not.
    came: bool,
}

/// A mistake in a script ends its function half-way: never what a test wanted.
fn is_script_error(line: &str) -> bool {
    line.contains("SCRIPT ERROR") || line.contains("Parse Error")
}

fn is_leak(line: &str) -> bool {
    // A suite may be named after what it tests.
    !line.starts_with("suite ") && (line.contains("leaked") || line.contains("Leaked"))
}

fn is_complaint(line: &str) -> bool {
    line.contains("ERROR:") || line.contains("WARNING:")
}

/// The line without terminal colour codes.
fn without_colour(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_log_has_no_problems() {
        let log = "Godot Engine v4.6\nWARNING: a hint\nsuite leaked_agents: 3 passed, 0 failed\n3 passed, 0 failed\n";
        assert_eq!(problems(log), Vec::<String>::new());
        assert_eq!(
            tally(log),
            Some(Tally {
                passed: 3,
                failed: 0
            })
        );
    }

    #[test]
    fn each_kind_of_error_is_found() {
        for line in [
            "ERROR: Condition \"x\" is true.",
            "USER ERROR: from a script",
            "SCRIPT ERROR: Invalid call.",
            "\u{1b}[1;31mERROR:\u{1b}[0;91m coloured\u{1b}[0m",
            "WARNING: ObjectDB instances leaked at exit",
            "Leaked instance: Node:123",
        ] {
            assert_eq!(problems(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn announced_errors_are_allowed() {
        let log =
            "EXPECT_ERROR_BEGIN bad size\nERROR: grid_size (0, 0)\n   at: set\nEXPECT_ERROR_END\n";
        assert_eq!(problems(log), Vec::<String>::new());
    }

    #[test]
    fn an_announced_error_that_stays_away_is_a_problem() {
        let found = problems("EXPECT_ERROR_BEGIN bad size\nEXPECT_ERROR_END\n");
        assert_eq!(found, ["no error came after: EXPECT_ERROR_BEGIN bad size"]);
    }

    #[test]
    fn allowed_errors_may_stay_away() {
        for error in ["", "ERROR: freed while it emits\n"] {
            let log = format!("{ALLOW_BEGIN}\n{error}{ALLOW_END}\n");
            assert_eq!(problems(&log), Vec::<String>::new());
        }
        assert_eq!(problems("ALLOW_ERROR_BEGIN\nERROR: x\n").len(), 1);
    }

    #[test]
    fn script_errors_and_leaks_cannot_be_announced() {
        for line in ["SCRIPT ERROR: Invalid call.", "Leaked instance: Node:123"] {
            let log = format!("{BEGIN}\nERROR: wanted\n{line}\n{END}\n");
            assert_eq!(problems(&log), [line]);
        }
    }

    #[test]
    fn announcements_come_in_pairs() {
        assert_eq!(problems("EXPECT_ERROR_BEGIN\nERROR: x\n").len(), 1);
        assert_eq!(problems("EXPECT_ERROR_END\n").len(), 1);
        assert_eq!(
            problems("EXPECT_ERROR_BEGIN\nEXPECT_ERROR_BEGIN\nERROR: x\nEXPECT_ERROR_END\n").len(),
            1
        );
    }

    #[test]
    fn the_last_tally_counts() {
        let log = "1 passed, 0 failed\nsuite a: 2 passed, 0 failed\n2 passed, 1 failed\nbye\n";
        assert_eq!(
            tally(log),
            Some(Tally {
                passed: 2,
                failed: 1
            })
        );
    }
}
