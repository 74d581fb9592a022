//! Timing of contestants in turn, so that other load on the machine affects all of them equally.

use std::fmt;
use std::time::Instant;

use serde_json::{Value, json};

/// A closure to be timed.
pub struct Contestant<'run> {
    name: String,
    run: Box<dyn FnMut() + 'run>,
}

impl<'run> Contestant<'run> {
    /// Creates a contestant. The closure should pass its result to [`std::hint::black_box`], otherwise the compiler may
    /// remove it.
    pub fn new(name: impl Into<String>, run: impl FnMut() + 'run) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

/// The times of one contestant.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The contestant's name.
    pub name: String,
    /// Seconds per round, in order.
    pub seconds: Vec<f64>,
}

impl Timing {
    /// The time of the median round, in milliseconds.
    #[must_use]
    pub fn median_ms(&self) -> f64 {
        median(&self.seconds) * 1e3
    }

    /// The time of the fastest round, in milliseconds.
    #[must_use]
    pub fn fastest_ms(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::NAN, f64::min) * 1e3
    }

    /// The ratio of this contestant's time to that of `other`: the median of the ratios of all rounds. This compares
    /// only runs that follow directly on each other.
    #[must_use]
    pub fn ratio_to(&self, other: &Timing) -> f64 {
        let ratios: Vec<_> = self
            .seconds
            .iter()
            .zip(&other.seconds)
            .map(|(own, others)| own / others)
            .collect();
        median(&ratios)
    }
}

/// The times of all contestants of one race. `Display` writes a table with the ratio of each to the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The input of the race, such as the map's name.
    pub title: String,
    /// The times in the order of the contestants. Ratios refer to the first.
    pub timings: Vec<Timing>,
}

impl Race {
    /// Runs all contestants once to warm up, and then in turn for `rounds` rounds: A B C, A B C, and so on.
    pub fn run(
        title: impl Into<String>,
        rounds: usize,
        contestants: &mut [Contestant<'_>],
    ) -> Self {
        for contestant in &mut *contestants {
            (contestant.run)();
        }
        let mut timings: Vec<_> = contestants
            .iter()
            .map(|contestant| Timing {
                name: contestant.name.clone(),
                seconds: Vec::with_capacity(rounds),
            })
            .collect();
        for _ in 0..rounds {
            for (contestant, timing) in contestants.iter_mut().zip(&mut timings) {
                let start = Instant::now();
                (contestant.run)();
                timing.seconds.push(start.elapsed().as_secs_f64());
            }
        }
        Self {
            title: title.into(),
            timings,
        }
    }

    /// The times of the contestant `name`.
    #[must_use]
    pub fn timing(&self, name: &str) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.name == name)
    }

    /// The ratio of the time of `slow` to that of `fast`; `None` if one of them did not run.
    #[must_use]
    pub fn ratio(&self, slow: &str, fast: &str) -> Option<f64> {
        Some(self.timing(slow)?.ratio_to(self.timing(fast)?))
    }

    /// The title, and for each contestant its name, median and fastest milliseconds, ratio to the first, and all
    /// rounds.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let timings: Vec<_> = self
            .timings
            .iter()
            .map(|timing| {
                json!({
                    "name": timing.name,
                    "median_ms": timing.median_ms(),
                    "fastest_ms": timing.fastest_ms(),
                    "ratio": timing.ratio_to(&self.timings[0]),
                    "seconds": timing.seconds,
                })
            })
            .collect();
        json!({ "title": self.title, "timings": timings })
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name_width = self
            .timings
            .iter()
            .map(|timing| timing.name.chars().count())
            .chain([self.title.chars().count()])
            .max()
            .unwrap_or(0);
        writeln!(
            f,
            "{:name_width$}  {:>11}  {:>12}  {:>7}",
            self.title, "median [ms]", "fastest [ms]", "ratio"
        )?;
        for timing in &self.timings {
            writeln!(
                f,
                "{:name_width$}  {:>11.3}  {:>12.3}  {:>7.2}",
                timing.name,
                timing.median_ms(),
                timing.fastest_ms(),
                timing.ratio_to(&self.timings[0])
            )?;
        }
        Ok(())
    }
}

/// The middle value, or the mean of the middle two; NaN without values.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => sorted[length / 2],
        length => f64::midpoint(sorted[length / 2 - 1], sorted[length / 2]),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn race() -> Race {
        let timing = |name: &str, seconds: &[f64]| Timing {
            name: name.to_owned(),
            seconds: seconds.to_vec(),
        };
        Race {
            title: "open".to_owned(),
            timings: vec![
                timing("heap", &[0.010, 0.040, 0.020]),
                timing("bucket", &[0.005, 0.010, 0.010]),
            ],
        }
    }

    #[test]
    fn contestants_take_turns_after_a_warm_up() {
        let order = RefCell::new(String::new());
        let race = Race::run(
            "turns",
            2,
            &mut [
                Contestant::new("a", || order.borrow_mut().push('a')),
                Contestant::new("b", || order.borrow_mut().push('b')),
            ],
        );
        assert_eq!(*order.borrow(), "ababab");
        assert!(race.timings.iter().all(|timing| timing.seconds.len() == 2));
    }

    #[test]
    fn medians_and_ratios() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
        // The ratios of the rounds are 2, 4 and 2. The ratio of medians would also be 2, that of means would be larger.
        assert_eq!(race().ratio("heap", "bucket"), Some(2.0));
        assert_eq!(race().ratio("bucket", "heap"), Some(0.5));
        assert_eq!(race().ratio("bucket", "none"), None);
        assert_eq!(race().timings[0].median_ms(), 20.0);
        assert_eq!(race().timings[0].fastest_ms(), 10.0);
    }

    #[test]
    fn shows_a_table_and_json() {
        let table = race().to_string();
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 3, "{table}");
        assert!(lines[0].starts_with("open") && lines[0].contains("median [ms]"));
        assert_eq!(
            lines[2].split_whitespace().collect::<Vec<_>>(),
            ["bucket", "10.000", "5.000", "0.50"]
        );
        assert_eq!(race().to_json()["timings"][1]["median_ms"], 10.0);
    }
}
