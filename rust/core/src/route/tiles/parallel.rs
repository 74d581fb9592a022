//! Parallel solves of tiles, with one solver for each thread.

use super::solve::TileSolver;
use crate::workers::Workers;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `task(solver, number)` for the numbers below `count` on as many threads as there are `solvers`, and returns
/// the results in the order of the numbers. The results are the same on any number of threads if the task depends only
/// on its number and on shared input.
pub(crate) fn solve_each<T: Send>(
    workers: &Workers,
    solvers: &mut [TileSolver],
    count: usize,
    task: impl Fn(&mut TileSolver, usize) -> T + Sync,
) -> Vec<T> {
    if let [solver] = solvers
        && count > 0
    {
        return (0..count).map(|number| task(solver, number)).collect();
    }
    if count < 2 {
        let first = solvers.first_mut().filter(|_| count > 0);
        return first.map(|solver| task(solver, 0)).into_iter().collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    workers.for_each_chunk(solvers, 1, |_, chunk| {
        // Tiles take different times: a thread that has finished takes the next one.
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&it| it < count)
        {
            let found = task(&mut chunk[0], number);
            done.lock().push((number, found));
        }
    });
    let mut done = done.into_inner();
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, found)| found).collect()
}

/// Makes one solver for each thread.
pub(crate) fn make_solvers(solvers: &mut Vec<TileSolver>, workers: &Workers) {
    solvers.resize_with(workers.threads().max(1), TileSolver::new);
}
