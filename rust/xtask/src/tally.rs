//! Counts passed and failed tests.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// The numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
}

impl Tally {
    /// The tally of one test.
    pub(crate) fn one(passed: bool) -> Self {
        Self {
            passed: u32::from(passed),
            failed: u32::from(!passed),
        }
    }

    /// Returns `true` if something passed and nothing failed. A suite without tests proves nothing.
    pub(crate) fn is_success(self) -> bool {
        self.failed == 0 && self.passed > 0
    }

    /// Adds a failure if the program failed without counting one.
    pub(crate) fn with_exit(mut self, success: bool) -> Self {
        if !success && self.failed == 0 {
            self.failed = 1;
        }
        self
    }

    /// Parses a whole line `N passed, N failed`.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (passed, failed) = line.trim().split_once(", ")?;
        Some(Self {
            passed: passed.strip_suffix(" passed")?.parse().ok()?,
            failed: failed.strip_suffix(" failed")?.parse().ok()?,
        })
    }

    /// Sums cargo's lines `test result: ok. N passed; N failed; …`.
    pub(crate) fn from_cargo(output: &str) -> Self {
        output
            .lines()
            .filter_map(|line| {
                let (_, counts) = line
                    .trim()
                    .strip_prefix("test result: ")?
                    .split_once(". ")?;
                let mut counts = counts.split("; ");
                Some(Self {
                    passed: counts.next()?.strip_suffix(" passed")?.parse().ok()?,
                    failed: counts.next()?.strip_suffix(" failed")?.parse().ok()?,
                })
            })
            .sum()
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_results_are_summed_over_binaries() {
        let output = "running 3 tests\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        assert_eq!(
            Tally::from_cargo(output),
            Tally {
                passed: 4,
                failed: 2
            }
        );
    }

    #[test]
    fn a_run_that_did_not_compile_counts_as_a_failure() {
        let tally = Tally::from_cargo("error: could not compile `flow_swarm`").with_exit(false);
        assert_eq!(
            tally,
            Tally {
                passed: 0,
                failed: 1
            }
        );
    }

    #[test]
    fn a_counted_failure_is_not_counted_twice() {
        let tally = Tally {
            passed: 5,
            failed: 2,
        };
        assert_eq!(tally.with_exit(false), tally);
    }

    #[test]
    fn what_is_printed_can_be_read_back() {
        let tally = Tally {
            passed: 12,
            failed: 3,
        };
        assert_eq!(Tally::parse(&tally.to_string()), Some(tally));
    }

    #[test]
    fn only_whole_lines_are_tallies() {
        for line in [
            "suite a: 1 passed, 0 failed",
            "1 passed",
            "x passed, 0 failed",
            "",
        ] {
            assert_eq!(Tally::parse(line), None, "{line}");
        }
    }

    #[test]
    fn nothing_counted_is_no_success() {
        assert!(!Tally::default().is_success());
    }
}
