//! The figures that the horde demo prints at its end, and what is expected of them.

use anyhow::{Context, Result};

/// The line of figures of the demo.
#[derive(Debug, PartialEq)]
pub(super) struct Figures {
    enemies: u32,
    steps_a_second: f64,
    /// The median of whole ticks.
    tick_ms: f64,
}

/// The least number of enemies that are alive at the end.
const ENEMIES: u32 = 10_000;
const STEPS_A_SECOND: f64 = 60.0;
/// The clocks of the browser and of the engine differ by this share at most.
const CLOCKS: f64 = 0.005;

impl Figures {
    /// Finds the line in all that the game has printed.
    pub(super) fn find(log: &str) -> Result<(Self, &str)> {
        let line = log.lines().rev().find(|line| line.starts_with("horde: "));
        let line = line.context("the game printed no line `horde: …`")?;
        let figures = Self::parse(line)
            .with_context(|| format!("the game's figures cannot be read: {line}"))?;
        Ok((figures, line))
    }

    fn parse(line: &str) -> Option<Self> {
        Some(Self {
            enemies: before(line, " enemies")?.parse().ok()?,
            steps_a_second: before(line, " steps a second")?.parse().ok()?,
            tick_ms: before(line.split_once("whole tick")?.1, " ms")?
                .parse()
                .ok()?,
        })
    }

    /// Returns what is worse than it should be, one sentence each.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.enemies < ENEMIES {
            faults.push(format!(
                "{} enemies were alive at the end instead of {ENEMIES}",
                self.enemies
            ));
        }
        if self.steps_a_second < STEPS_A_SECOND * (1.0 - CLOCKS) {
            faults.push(format!(
                "there were {} steps a second instead of {STEPS_A_SECOND}",
                self.steps_a_second
            ));
        }
        let budget = 1000.0 / STEPS_A_SECOND;
        if self.tick_ms > budget {
            faults.push(format!(
                "half of the ticks took longer than {} ms, and {STEPS_A_SECOND} steps a second leave {budget:.1} ms",
                self.tick_ms
            ));
        }
        faults
    }
}

/// The word before `unit`.
fn before<'a>(text: &'a str, unit: &str) -> Option<&'a str> {
    text.split_once(unit)?.0.split_whitespace().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "horde: 10120 enemies, 380 slain, health 71, level 4; 60.0 steps a second, step 3.20 ms, whole tick 6.80 ms (medians)";

    #[test]
    fn the_figures_are_found_among_other_lines() {
        let log = format!("Godot Engine v4.6.3\n{LINE}\n");
        let (figures, line) = Figures::find(&log).expect("they are there");
        assert_eq!(line, LINE);
        assert_eq!(
            figures,
            Figures {
                enemies: 10120,
                steps_a_second: 60.0,
                tick_ms: 6.8
            }
        );
        assert!(figures.faults().is_empty());
        assert!(Figures::find("Godot Engine v4.6.3\n").is_err());
        let error = Figures::find("horde: 3 enemies\n").expect_err("some are missing");
        assert!(error.to_string().contains("horde: 3 enemies"));
    }

    #[test]
    fn each_figure_that_is_too_bad_is_a_fault() {
        for (from, to, text) in [
            ("10120 enemies", "9999 enemies", "9999 enemies"),
            ("60.0 steps", "59.6 steps", "59.6 steps"),
            ("tick 6.80", "tick 16.70", "16.7 ms"),
        ] {
            let figures = Figures::parse(&LINE.replace(from, to)).expect("figures");
            let faults = figures.faults();
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].contains(text), "{faults:?}");
        }
        let nearly = LINE.replace("60.0 steps", "59.8 steps");
        let figures = Figures::parse(&nearly).expect("figures");
        assert!(figures.faults().is_empty(), "clocks differ a little");
    }
}
