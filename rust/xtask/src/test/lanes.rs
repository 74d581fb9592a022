//! Runs jobs in lanes: one after another within a lane, and all lanes at the same time.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Runs all jobs, and reports each from this thread when it is done.
pub(super) fn run<Job: Copy + Send, Done: Send, const LANES: usize>(
    lanes: [Vec<Job>; LANES],
    work: impl Fn(Job) -> Done + Sync,
    mut report: impl FnMut(Job, Done, Duration),
) {
    let (sender, receiver) = mpsc::channel();
    let work = &work;
    thread::scope(|scope| {
        for lane in lanes {
            let sender = sender.clone();
            scope.spawn(move || {
                for job in lane {
                    let start = Instant::now();
                    let done = work(job);
                    // The receiver exists until all senders are dropped.
                    let _ = sender.send((job, done, start.elapsed()));
                }
            });
        }
        // The lanes hold the other copies, so the loop ends when the lanes do.
        drop(sender);
        for (job, done, time) in receiver {
            report(job, done, time);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn every_job_is_reported_and_those_of_a_lane_keep_their_order() {
        let mut reported = Vec::new();
        run(
            [vec![1, 2, 3], vec![], vec![10, 20]],
            |job| job * 2,
            |job, done, _| {
                assert_eq!(done, job * 2);
                reported.push(job);
            },
        );
        for lane in [[1, 2, 3].as_slice(), &[10, 20]] {
            let order: Vec<_> = reported.iter().filter(|job| lane.contains(job)).collect();
            assert_eq!(order, lane.iter().collect::<Vec<_>>());
        }
        assert_eq!(reported.len(), 5);
    }

    #[test]
    fn lanes_run_side_by_side() {
        // Each job waits for the other, so one after another they would never end.
        let both = Barrier::new(2);
        let mut count = 0;
        run(
            [vec![()], vec![()]],
            |()| both.wait().is_leader(),
            |(), _, _| count += 1,
        );
        assert_eq!(count, 2);
    }
}
