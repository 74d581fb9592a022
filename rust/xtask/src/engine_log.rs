//! Checks the engine's log for errors.
//!
//! Godot exits with code 0 after many errors, so the log of a run is checked too. Every error line is a problem, except
//! for those that a test expects. A test prints `EXPECT_ERROR_BEGIN` before the call that must fail and
//! `EXPECT_ERROR_END` after it. If no error comes in between, that is a problem as well.

use crate::tally::Tally;

const BEGIN: &str = "EXPECT_ERROR_BEGIN";
const END: &str = "EXPECT_ERROR_END";
const ALLOW_BEGIN: &str = "ALLOW_ERROR_BEGIN";
const ALLOW_END: &str = "ALLOW_ERROR_END";

/// Returns everything in the log that a clean run does not contain, one line each.
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

/// Returns the log without some lines; `#` stands for any number in them.
pub(crate) fn without(log: &str, known: &[&str]) -> String {
    let is_kept = |line: &&str| {
        let line = without_numbers(without_colour(line).trim());
        !known.contains(&line.as_str())
    };
    let kept = log.lines().filter(is_kept);
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the last line of the form `N passed, N failed`.
pub(crate) fn tally(log: &str) -> Option<Tally> {
    log.lines().rev().find_map(Tally::parse)
}

/// How many lines of a part are shown at its beginning and at its end.
const SHOWN: (usize, usize) = (10, 40);

/// Returns the parts of the log that contain a failed check, a problem or the end of a crashed run, each below the line
/// of its case.
///
/// The test runner prints `case SUITE.TEST` before each test and `suite NAME` after each suite.
pub(crate) fn bad_parts(log: &str) -> String {
    let mut shown = String::new();
    let unfinished = unfinished_case(log).map(|case| format!("case {case}"));
    for part in parts(log) {
        let failed = part.iter().any(|line| line.starts_with("FAILED"));
        let crashed = unfinished.is_some() && part.first() == unfinished.as_ref();
        if failed || crashed || !problems(&part.join("\n")).is_empty() {
            shown.push_str(&shortened(&part));
        }
    }
    shown
}

/// Returns the case that was running when the log ended, which is the one that crashed.
pub(crate) fn unfinished_case(log: &str) -> Option<String> {
    let part = parts(log).pop()?;
    let case = part.first()?.strip_prefix("case ")?;
    let ended = part.iter().any(|line| Tally::parse(line).is_some());
    (!ended).then(|| case.to_owned())
}

fn parts(log: &str) -> Vec<Vec<String>> {
    let mut parts: Vec<Vec<String>> = vec![Vec::new()];
    for line in log.lines().map(without_colour) {
        if line.starts_with("case ") || line.starts_with("suite ") {
            parts.push(Vec::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(line);
        }
    }
    parts
}

fn shortened(lines: &[String]) -> String {
    let (first, last) = SHOWN;
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number == first && lines.len() > first + last {
            text.push_str(&format!("  ... {} lines\n", lines.len() - first - last));
        }
        if number < first || number + last >= lines.len() {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

struct Announced {
    line: String,
    /// Whether an error has come or is optional.
    came: bool,
}

/// A script error ends its function early, so no test expects one.
fn is_script_error(line: &str) -> bool {
    line.contains("SCRIPT ERROR") || line.contains("Parse Error")
}

fn is_leak(line: &str) -> bool {
    // The name of a suite may contain these words.
    !line.starts_with("suite ") && (line.contains("leaked") || line.contains("Leaked"))
}

fn is_complaint(line: &str) -> bool {
    line.contains("ERROR:") || line.contains("WARNING:")
}

/// Returns the line without terminal colour codes.
fn without_colour(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

/// Returns the line with `#` for each number.
fn without_numbers(line: &str) -> String {
    let mut plain = String::new();
    for letter in line.chars() {
        if !letter.is_ascii_digit() {
            plain.push(letter);
        } else if !plain.ends_with('#') {
            plain.push('#');
        }
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
    fn known_lines_are_left_out_and_no_others() {
        let log = "first\nERROR: 12 things of 'N5Kind' leaked\nERROR: 12 things of 'N5Kinder' leaked\n\
            \u{1b}[31mERROR:\u{1b}[0m 3 things of 'N5Kind' leaked\nERROR: things of 'N5Kind' leaked\n";
        assert_eq!(
            without(log, &["ERROR: # things of 'N#Kind' leaked"]),
            "first\nERROR: 12 things of 'N5Kinder' leaked\nERROR: things of 'N5Kind' leaked\n"
        );
        assert_eq!(without(log, &[]), log);
    }

    const LOG: &str = "Godot Engine v4.6\n\
        case a.good\nEXPECT_ERROR_BEGIN\nERROR: wanted\nEXPECT_ERROR_END\n\
        case a.failing\nsome output\nFAILED a.failing: 1 is not 2\n\
        case a.noisy\n\u{1b}[31mERROR:\u{1b}[0m not wanted\n\
        case a.silent\nEXPECT_ERROR_BEGIN\nEXPECT_ERROR_END\n\
        suite a: 1 passed, 1 failed\n";

    #[test]
    fn only_parts_of_bad_cases_are_shown() {
        assert_eq!(
            bad_parts(LOG),
            "case a.failing\nsome output\nFAILED a.failing: 1 is not 2\n\
             case a.noisy\nERROR: not wanted\n\
             case a.silent\nEXPECT_ERROR_BEGIN\nEXPECT_ERROR_END\n"
        );
        assert_eq!(bad_parts("case a.good\nsuite a: 1 passed, 0 failed\n"), "");
    }

    #[test]
    fn a_long_part_is_shown_by_its_ends() {
        let noise: String = (0..1000).map(|number| format!("line {number}\n")).collect();
        let shown = bad_parts(&format!("case a.b\n{noise}FAILED a.b: no\n"));
        assert_eq!(shown.lines().count(), SHOWN.0 + 1 + SHOWN.1);
        assert!(shown.starts_with("case a.b\nline 0\n"), "{shown}");
        assert!(shown.contains("  ... 952 lines\n"), "{shown}");
        assert!(shown.ends_with("line 999\nFAILED a.b: no\n"), "{shown}");
    }

    #[test]
    fn a_crash_is_in_the_case_that_did_not_end() {
        let crashed = "case a.first\ncase a.second\nhandle_crash: Program crashed with signal 11\n";
        assert_eq!(unfinished_case(crashed).as_deref(), Some("a.second"));
        assert_eq!(
            bad_parts(crashed),
            "case a.second\nhandle_crash: Program crashed with signal 11\n"
        );
        // After the end of a suite or of the run, a failure belongs to no case.
        assert_eq!(unfinished_case(LOG), None);
        assert_eq!(
            unfinished_case("case a.b\n1 passed, 0 failed\nlate\n"),
            None
        );
        assert_eq!(unfinished_case(""), None);
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
