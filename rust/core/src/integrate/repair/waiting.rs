//! The queue of cells that a repair has to evaluate, each once, in the order of their keys.

use crate::integrate::bucket_queue::BucketQueue;

/// The number of buckets in the ring. On ground of one cost two would suffice; a step of cost 160 reaches 256.
const RING: u32 = 256;

/// Cells by the key at which they must be evaluated, in buckets of `2^shift` keys.
#[derive(Debug, Default)]
pub(super) struct WaitingCells {
    queue: BucketQueue,
    /// A bit for each cell, set while it waits. Only the first of its entries counts.
    waiting: Vec<u64>,
}

impl WaitingCells {
    /// Sets the empty queue up for a map. Buckets are at most `least_step` wide.
    pub(super) fn fit(&mut self, least_step: u32, cells: usize) {
        self.queue.reset_ring(least_step.ilog2(), RING);
        let words = cells.div_ceil(64);
        if self.waiting.len() != words {
            // Memory that is zero already is only touched where it is used.
            self.waiting = vec![0; words];
        }
    }

    /// The number of the bucket that `key` belongs to.
    #[inline]
    pub(super) fn bucket_of(&self, key: u32) -> u32 {
        self.queue.bucket_of(key)
    }

    /// Queues a cell at `key`, or in the current bucket if that is later.
    #[inline]
    pub(super) fn push(&mut self, key: u32, index: usize) {
        self.waiting[index / 64] |= 1 << (index % 64);
        self.queue.push_any(key, index as u32);
    }

    /// Removes a cell. Returns whether it was waiting.
    #[inline]
    pub(super) fn take(&mut self, index: usize) -> bool {
        let word = &mut self.waiting[index / 64];
        let bit = 1 << (index % 64);
        let waited = *word & bit != 0;
        *word &= !bit;
        waited
    }

    /// Moves the next bucket's entries to `entries`, which is emptied first; returns the bucket's number.
    #[inline]
    pub(super) fn pop_bucket(&mut self, entries: &mut Vec<u32>) -> Option<u32> {
        self.queue.pop_bucket(entries)
    }

    /// Removes all entries. Linear in the entries.
    pub(super) fn clear(&mut self) {
        let waiting = &mut self.waiting;
        self.queue.drain(|index| waiting[index as usize / 64] = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far_keys_come_in_order() {
        let mut queue = WaitingCells::default();
        queue.fit(8, 1000);
        let mut keys = vec![900_000, 5, 16, 17, 4000, 900_001, 2047, 2048];
        for (index, &key) in keys.iter().enumerate() {
            queue.push(key, index);
        }
        // An earlier entry of the same cell makes the later one void.
        queue.push(40, 0);
        keys[0] = 40;
        let mut order = Vec::new();
        let mut entries = Vec::new();
        while let Some(bucket) = queue.pop_bucket(&mut entries) {
            for &index in &entries {
                if queue.take(index as usize) {
                    assert_eq!(keys[index as usize] >> 3, bucket);
                    order.push(keys[index as usize]);
                }
            }
            if bucket == 5 && keys.len() == 8 {
                // Before the current bucket, so it comes next.
                queue.push(3, 8);
                keys.push(41);
            }
        }
        assert_eq!(order, [5, 16, 17, 40, 41, 2047, 2048, 4000, 900_001]);
    }

    #[test]
    fn a_cleared_queue_is_empty() {
        let mut queue = WaitingCells::default();
        queue.fit(8, 100);
        queue.push(3, 70);
        queue.push(1_000_000, 71);
        queue.clear();
        assert_eq!(queue.pop_bucket(&mut Vec::new()), None);
        assert!(!queue.take(70) && !queue.take(71));
    }
}
