//! The thread pools of a world or swarm: one for work that the caller waits for, and one for work in the background.
//!
//! rayon's global pool cannot be joined, and a thread that is still running crashes when the library is unloaded. So
//! each [`Workers`] has pools of its own and keeps the join handles of its threads.
//!
//! - Work in the background never delays work that the caller waits for. In one pool it does: a frame is queued behind
//!   all tasks of a bake, and a thread that waits for the other half of a frame's work may begin a task of a second.
//! - Dropping a [`Workers`] runs all tasks that were started and waits for every thread to end.
//! - With one thread there are no pools, and all work runs on the calling thread. The same holds on platforms without
//!   threads, whatever number is asked for.

use crate::error::{Error, Result};
use parking_lot::Mutex;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// Whether threads can be started. WebAssembly has them only if compiled with shared memory and atomics.
const HAS_THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// Worker threads, or no threads at all.
#[derive(Default)]
pub struct Workers {
    pools: Option<Pools>,
}

/// The pools of [`Workers`].
struct Pools {
    /// For work that the caller waits for.
    waited_for: Pool,
    /// For tasks that are spawned. It has a thread less, so that a core is left for frames.
    background: Pool,
}

impl Workers {
    /// No threads: all work runs on the calling thread.
    #[must_use]
    pub fn serial() -> Self {
        Self::default()
    }

    /// A pool of `threads` threads, and one in the background with a thread less: 0 means one per core, and 1 means no
    /// pools. On a platform without threads there are no pools either.
    ///
    /// # Errors
    /// [`Error::Workers`] if the system cannot start a thread.
    pub fn new(threads: usize) -> Result<Self> {
        let threads = if threads == 0 {
            std::thread::available_parallelism().map_or(1, usize::from)
        } else {
            threads
        };
        if threads == 1 || !HAS_THREADS {
            return Ok(Self::serial());
        }
        let pools = Pools {
            waited_for: Pool::new("flow-swarm", threads)?,
            background: Pool::new("flow-swarm-bg", threads - 1)?,
        };
        Ok(Self { pools: Some(pools) })
    }

    /// The pool for work that the caller waits for.
    fn pool(&self) -> Option<&ThreadPool> {
        self.pools.as_ref()?.waited_for.threads.as_ref()
    }

    /// The number of threads for work that the caller waits for; 1 without a pool.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool().map_or(1, ThreadPool::current_num_threads)
    }

    /// The length of pieces into which `count` entries are divided, if each piece has a cost of its own: about four
    /// pieces for each thread, but none of them shorter than `least`. Without a pool there is one piece.
    #[must_use]
    pub(crate) fn piece_length(&self, count: usize, least: usize) -> usize {
        let pieces = if self.pools.is_some() {
            4 * self.threads()
        } else {
            1
        };
        count.div_ceil(pieces).max(least).max(1)
    }

    /// Runs `task` inside the pool, so that rayon's parallel iterators use the pool. Without a pool `task` runs on the
    /// calling thread.
    pub fn install<R: Send>(&self, task: impl FnOnce() -> R + Send) -> R {
        match self.pool() {
            Some(pool) => pool.install(task),
            None => task(),
        }
    }

    /// Calls `task(offset, chunk)` for each chunk of `chunk_length` entries of `data`, in parallel. The last chunk may
    /// be shorter.
    ///
    /// The result does not depend on the number of threads if `task` reads only its arguments and shared input.
    pub fn for_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        chunk_length: usize,
        task: impl Fn(usize, &mut [T]) + Send + Sync,
    ) {
        match self.pool() {
            // A single chunk cannot be shared, so no thread is woken for it.
            Some(pool) if data.len() > chunk_length => pool.install(|| {
                data.par_chunks_mut(chunk_length)
                    .enumerate()
                    .for_each(|(chunk, part)| task(chunk * chunk_length, part));
            }),
            _ => {
                for (chunk, part) in data.chunks_mut(chunk_length).enumerate() {
                    task(chunk * chunk_length, part);
                }
            }
        }
    }

    /// [`Self::for_each_chunk`] for several columns of the same length.
    pub(crate) fn for_each_rows<C: Columns>(
        &self,
        columns: C,
        chunk_length: usize,
        task: impl Fn(usize, C) + Send + Sync,
    ) {
        match self.pool() {
            Some(pool) if columns.len() > chunk_length => {
                pool.install(|| halve(columns, 0, chunk_length, &task));
            }
            _ => {
                let (mut rest, mut offset) = (columns, 0);
                while rest.len() > chunk_length {
                    let (chunk, more) = rest.split_at(chunk_length);
                    task(offset, chunk);
                    (rest, offset) = (more, offset + chunk_length);
                }
                task(offset, rest);
            }
        }
    }

    /// Runs both tasks, in parallel if there is a pool, and returns when both are done.
    pub fn join(&self, one: impl FnOnce() + Send, two: impl FnOnce() + Send) {
        match self.pool() {
            Some(pool) => {
                pool.install(|| rayon::join(one, two));
            }
            None => {
                one();
                two();
            }
        }
    }

    /// Starts `task` in the background and returns without waiting for it. Without a pool `task` runs before the call
    /// returns.
    pub fn spawn(&self, task: impl FnOnce() + Send + 'static) {
        let pools = self.pools.as_ref();
        let background = pools.and_then(|pools| pools.background.threads.as_ref());
        match background {
            Some(pool) => pool.spawn(task),
            None => task(),
        }
    }
}

/// Columns of the same length.
pub(crate) trait Columns: Sized + Send {
    fn len(&self) -> usize;
    fn split_at(self, middle: usize) -> (Self, Self);
}

impl<T: Send> Columns for &mut [T] {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        self.split_at_mut(middle)
    }
}

/// The length is that of the first columns. The second may be empty if their `split_at` permits it.
impl<A: Columns, B: Columns> Columns for (A, B) {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let (a, more_a) = self.0.split_at(middle);
        let (b, more_b) = self.1.split_at(middle);
        ((a, b), (more_a, more_b))
    }
}

/// Splits the columns in halves down to single chunks, which needs no memory for a list of chunks.
fn halve<C: Columns>(columns: C, offset: usize, length: usize, task: &(impl Fn(usize, C) + Sync)) {
    if columns.len() <= length {
        task(offset, columns);
        return;
    }
    let middle = columns.len().div_ceil(length) / 2 * length;
    let (one, two) = columns.split_at(middle);
    rayon::join(
        || halve(one, offset, length, task),
        || halve(two, offset + middle, length, task),
    );
}

/// A pool whose threads have ended when it has been dropped.
struct Pool {
    threads: Option<ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Threads called `name` and their number.
    fn new(name: &'static str, count: usize) -> Result<Self> {
        let handles = Arc::new(Mutex::new(Vec::with_capacity(count)));
        let kept = Arc::clone(&handles);
        let threads = ThreadPoolBuilder::new()
            .num_threads(count)
            .spawn_handler(move |thread| {
                let name = format!("{name}-{}", thread.index());
                let handle = Builder::new().name(name).spawn(|| thread.run())?;
                kept.lock().push(handle);
                Ok(())
            })
            .build()
            .map_err(|error| Error::Workers(error.to_string()))?;
        let handles = std::mem::take(&mut *handles.lock());
        Ok(Self {
            threads: Some(threads),
            handles,
        })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Dropping rayon's pool tells its threads to end, but does not wait for them.
        drop(self.threads.take());
        for handle in self.handles.drain(..) {
            // A thread that panicked has already reported it.
            drop(handle.join());
        }
    }
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Workers({})", self.threads())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn dropping_the_pool_waits_for_its_work() {
        let done = Arc::new(AtomicUsize::new(0));
        let workers = Workers::new(3).expect("threads");
        for _ in 0..3 {
            let done = Arc::clone(&done);
            workers.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        drop(workers);
        assert_eq!(done.load(Ordering::SeqCst), 3);
    }

    /// More tasks than threads wait for the frame, up to five seconds. The frame would wait as long if they had its
    /// threads.
    #[test]
    fn work_that_is_waited_for_overtakes_all_work_in_the_background() {
        let workers = Workers::new(2).expect("threads");
        let is_done = Arc::new(AtomicUsize::new(0));
        let timely = Arc::new(AtomicUsize::new(0));
        for _ in 0..4 {
            let (is_done, timely) = (Arc::clone(&is_done), Arc::clone(&timely));
            workers.spawn(move || {
                let begin = std::time::Instant::now();
                while is_done.load(Ordering::SeqCst) == 0 && begin.elapsed().as_secs() < 5 {
                    std::thread::yield_now();
                }
                timely.fetch_add(usize::from(begin.elapsed().as_secs() < 5), Ordering::SeqCst);
            });
        }
        let mut frame = [0; 64];
        workers.for_each_chunk(&mut frame, 1, |offset, part| part.fill(offset));
        workers.install(|| workers.join(|| (), || ()));
        is_done.store(1, Ordering::SeqCst);
        drop(workers);
        assert_eq!(timely.load(Ordering::SeqCst), 4);
    }

    #[test]
    fn one_thread_means_no_pool() {
        assert_eq!(Workers::new(1).expect("threads").threads(), 1);
        let four = Workers::new(4).expect("threads").threads();
        assert_eq!(four, if HAS_THREADS { 4 } else { 1 });
    }
}
