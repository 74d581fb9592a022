//! Panics, and inputs that take too long.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::verdict::Verdict;

thread_local! {
    /// The text of the last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What a worker reads.
#[derive(Default)]
struct Work {
    seed: AtomicU64,
    /// Milliseconds from the start of the watch, plus 1; 0 between inputs.
    since: AtomicU64,
}

/// Observes all workers.
pub struct Watch {
    start: Instant,
    limit_ms: u64,
    work: Vec<Work>,
}

impl Watch {
    /// From now on panics are not printed but kept as texts, with `RUST_BACKTRACE=1` with their backtraces.
    pub fn new(workers: usize, seconds: u64) -> Self {
        set_hook(Box::new(|panic| {
            let trace = Backtrace::capture();
            let has_trace = trace.status() == BacktraceStatus::Captured;
            let trace = has_trace.then(|| format!("\n{trace}"));
            PANIC.set(format!("{panic}{}", trace.unwrap_or_default()));
        }));
        Self {
            start: Instant::now(),
            limit_ms: 1000 * seconds,
            work: (0..workers).map(|_| Work::default()).collect(),
        }
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64 + 1
    }

    /// Runs a call of a worker. A panic is a fault.
    pub fn run(&self, worker: usize, seed: u64, call: impl FnOnce() -> Verdict) -> Verdict {
        let work = &self.work[worker];
        work.seed.store(seed, Ordering::Relaxed);
        work.since.store(self.now(), Ordering::Relaxed);
        let verdict = catch_unwind(AssertUnwindSafe(call));
        work.since.store(0, Ordering::Relaxed);
        verdict.unwrap_or_else(|_| Err(PANIC.take()))
    }

    /// The seed of an input that takes too long.
    fn overdue(&self) -> Option<u64> {
        let now = self.now();
        let is_late = |work: &&Work| {
            let since = work.since.load(Ordering::Relaxed);
            since > 0 && now.saturating_sub(since) > self.limit_ms
        };
        let late = self.work.iter().find(is_late)?;
        Some(late.seed.load(Ordering::Relaxed))
    }

    /// Ends the program if an input takes too long: a call that hangs cannot be stopped.
    pub fn check(&self) {
        if let Some(seed) = self.overdue() {
            println!("--seed {seed} --count 1: it takes too long");
            process::exit(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Fate;
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn panics_are_faults_with_their_text() {
        let watch = Watch::new(1, 9);
        assert_eq!(watch.run(0, 5, || Ok(Fate::Refused)), Ok(Fate::Refused));
        let fault = watch.run(0, 6, || panic!("an index"));
        let text = fault.expect_err("it panicked");
        assert!(
            text.contains("an index") && text.contains("watch.rs"),
            "{text}"
        );
        assert_eq!(watch.overdue(), None);
    }

    #[test]
    fn calls_that_take_long_are_told_by_their_seed() {
        let watch = Watch::new(2, 0);
        let late = watch.run(1, 77, || {
            thread::sleep(Duration::from_millis(20));
            assert_eq!(watch.overdue(), Some(77));
            Ok(Fate::Accepted)
        });
        assert_eq!(late, Ok(Fate::Accepted));
        assert_eq!(watch.overdue(), None);
    }
}
