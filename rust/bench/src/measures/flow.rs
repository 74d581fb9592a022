//! Flow: the number of agents that pass per second, over a whole run, in its best and worst window, and between two
//! shares of all agents.

/// Length of a window, in seconds.
const WINDOW: f64 = 150.0;
/// Distance between the beginnings of two windows, in seconds.
const STRIDE: f64 = 1.0;
/// The least number of agents still to pass for which there is a queue. Fewer are stragglers, which do not fill a door.
const QUEUE: usize = 20;

/// The lowest and the highest flow of all windows, in agents per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Flow in the window with the fewest agents.
    pub worst: f64,
    /// Flow in the window with the most agents.
    pub best: f64,
}

/// The times at which agents pass a door or a line or, in scenes with neither, arrive at their goal.
#[derive(Clone, Debug, Default)]
pub struct Passages {
    seconds: Vec<f64>,
}

impl Passages {
    /// Records that `agents` passed at a time, in seconds since the start. Times must not descend.
    pub fn note(&mut self, seconds: f64, agents: usize) {
        self.seconds.extend(std::iter::repeat_n(seconds, agents));
    }

    /// The number of agents that have passed.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seconds.len()
    }

    /// The time at which the last of `all` agents passed, in seconds; `None` before that.
    #[must_use]
    pub fn finished(&self, all: usize) -> Option<f64> {
        self.seconds.get(all.checked_sub(1)?).copied()
    }

    /// Seconds from the last passage to the end of the run; from the start if none has passed.
    #[must_use]
    pub fn quiet(&self, end: f64) -> f64 {
        end - self.seconds.last().copied().unwrap_or(0.0)
    }

    /// Agents per second from the first passage to the last or, if not `all` agents passed, to the end of the run, so
    /// that a jammed door has a low flow. `None` with fewer than two passages.
    #[must_use]
    pub fn whole(&self, all: usize, end: f64) -> Option<f64> {
        let &first = self.seconds.first()?;
        let last = self.finished(all).unwrap_or(end);
        (self.count() > 1 && last > first).then(|| (self.count() - 1) as f64 / (last - first))
    }

    /// The best and the worst window of 150 s while there is a queue. A window begins every second from the first
    /// passage on. The last one ends before fewer than 20 of `all` agents are left or the run ends. `None` if there is
    /// no such window.
    #[must_use]
    pub fn windows(&self, all: usize, end: f64) -> Option<Window> {
        let &first = self.seconds.first()?;
        let end = self.finished(all.saturating_sub(QUEUE)).unwrap_or(end);
        let mut found: Option<Window> = None;
        let mut start = first;
        while start + WINDOW <= end {
            let until = |time: f64| self.seconds.partition_point(|&passed| passed < time);
            let flow = (until(start + WINDOW) - until(start)) as f64 / WINDOW;
            let so_far = found.unwrap_or(Window {
                worst: flow,
                best: flow,
            });
            found = Some(Window {
                worst: so_far.worst.min(flow),
                best: so_far.best.max(flow),
            });
            start += STRIDE;
        }
        found
    }

    /// Agents per second between the passages of the tenth and the ninetieth percent of `all` agents, which excludes
    /// the start and the stragglers. `None` until that many have passed.
    #[must_use]
    pub fn middle(&self, all: usize) -> Option<f64> {
        let (from, to) = (all / 10, all * 9 / 10);
        let seconds = self.finished(to)? - self.finished(from)?;
        (seconds > 0.0).then(|| (to - from) as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds agents that pass one by one, `rate` per second for `seconds` seconds.
    fn add(passages: &mut Passages, from: f64, rate: f64, seconds: f64) {
        for index in 0..(rate * seconds) as usize {
            passages.note(from + index as f64 / rate, 1);
        }
    }

    #[test]
    fn a_steady_flow_is_the_same_by_every_measure() {
        let mut passages = Passages::default();
        add(&mut passages, 10.0, 2.0, 400.0);
        let all = passages.count();
        assert_eq!(all, 800);
        assert_eq!(passages.whole(all, 500.0), Some(2.0));
        assert_eq!(passages.middle(all), Some(2.0));
        let windows = passages.windows(all, 500.0).expect("a long run");
        assert_eq!((windows.worst, windows.best), (2.0, 2.0));
        assert_eq!(passages.finished(all), Some(10.0 + 399.5));
        assert_eq!(passages.finished(all + 1), None);
    }

    #[test]
    fn windows_find_the_slow_and_the_fast_part() {
        let mut passages = Passages::default();
        add(&mut passages, 0.0, 2.0, 200.0);
        add(&mut passages, 200.0, 1.0, 200.0);
        add(&mut passages, 400.0, 4.0, 200.0);
        let windows = passages.windows(1400, 600.0).expect("a long run");
        assert_eq!((windows.worst, windows.best), (1.0, 4.0));
    }

    #[test]
    fn a_jam_counts_to_the_end_of_the_run_and_stragglers_do_not() {
        let mut passages = Passages::default();
        add(&mut passages, 0.0, 1.0, 200.0);
        // 100 agents are left and never pass.
        let jammed = passages.windows(300, 800.0).expect("a long run");
        assert_eq!((jammed.worst, jammed.best), (0.0, 1.0));
        assert_eq!(passages.whole(300, 797.0), Some(199.0 / 797.0));
        // Ten agents are left, too few for a queue, so the end of the run has no effect.
        let stragglers = passages.windows(210, 800.0).expect("a long run");
        assert_eq!((stragglers.worst, stragglers.best), (1.0, 1.0));
    }

    #[test]
    fn short_runs_have_no_windows_and_empty_ones_no_flow() {
        let mut passages = Passages::default();
        assert_eq!(passages.whole(5, 9.0), None);
        assert_eq!(passages.middle(5), None);
        assert_eq!(passages.quiet(9.0), 9.0);
        passages.note(1.0, 5);
        assert_eq!(passages.quiet(9.0), 8.0);
        assert_eq!(passages.windows(5, 100.0), None);
        assert_eq!(passages.finished(5), Some(1.0));
    }
}
