//! Extracts the failures from cargo's output.

/// How many lines of compiler errors are shown. The first error usually causes the others.
const ERROR_LINES: usize = 60;

/// Returns the output of failing tests under the name of their test program; without failing tests, the errors.
pub(super) fn failures(log: &str) -> String {
    let tests = failing_tests(log);
    if tests.is_empty() { errors(log) } else { tests }
}

/// For each test program with failing tests, returns the lines from `failures:` to its result.
fn failing_tests(log: &str) -> String {
    let mut shown = String::new();
    let mut program = "";
    let mut inside = false;
    for line in log.lines() {
        let start = line.trim_start();
        if start.starts_with("Running ") || start.starts_with("Doc-tests ") {
            program = line;
        }
        if line == "failures:" && !inside {
            inside = true;
            push(&mut shown, program);
        }
        if inside {
            push(&mut shown, line);
        }
        if line.starts_with("test result:") {
            inside = false;
        }
    }
    shown
}

/// Returns the lines from the first error on; without one, the end of the log.
fn errors(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let is_error = |line: &&str| {
        line.starts_with("error") || line.starts_with("warning: ") || line.starts_with("Diff in")
    };
    let first = lines
        .iter()
        .position(is_error)
        .unwrap_or(lines.len().saturating_sub(ERROR_LINES));
    let mut shown = String::new();
    for line in lines.iter().skip(first).take(ERROR_LINES) {
        push(&mut shown, line);
    }
    shown
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "   Compiling a v1.0.0\n\
        \u{20}    Running tests/good.rs (target/debug/deps/good-1)\n\n\
        running 1 test\ntest fine ... ok\n\n\
        test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
        \u{20}    Running tests/bad.rs (target/debug/deps/bad-1)\n\n\
        running 2 tests\ntest fine ... ok\ntest broken ... FAILED\n\n\
        failures:\n\n---- broken stdout ----\nleft: 1\nright: 2\n\n\
        failures:\n    broken\n\n\
        test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n\
        \u{20}    Running tests/other.rs (target/debug/deps/other-1)\n\
        error: 1 target failed:\n    `-p a --test bad`\n";

    #[test]
    fn the_output_of_failing_tests_is_shown_and_no_other() {
        assert_eq!(
            failures(LOG),
            "     Running tests/bad.rs (target/debug/deps/bad-1)\n\
             failures:\n\n---- broken stdout ----\nleft: 1\nright: 2\n\n\
             failures:\n    broken\n\n\
             test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
        );
    }

    #[test]
    fn what_does_not_compile_is_shown_from_its_first_error_on() {
        let log = "   Compiling a v1.0.0\nerror[E0308]: mismatched types\n --> src/lib.rs:1:1\n";
        assert_eq!(
            failures(log),
            "error[E0308]: mismatched types\n --> src/lib.rs:1:1\n"
        );
    }

    #[test]
    fn the_end_is_shown_of_a_log_without_errors() {
        let log: String = (0..1000).map(|number| format!("line {number}\n")).collect();
        let shown = failures(&log);
        assert_eq!(shown.lines().count(), ERROR_LINES);
        assert!(shown.ends_with("line 999\n"), "{shown}");
    }
}
