//! A monotone bucket queue (Dial, CACM 12(11), 1969), for waves and for repairs.
//!
//! If no edge is shorter than a bucket is wide, no key that is relaxed from a bucket falls into the same bucket. So
//! when a bucket is processed all its keys are final, in any order of its entries (Dinic 1978). A ring of buckets that
//! spans the longest edge suffices. Entries farther ahead, such as goals with initial costs or changes in another
//! corner of the map, are in a heap until their bucket is processed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cell indices by key, in buckets of `2^shift` keys.
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    ring: Vec<Vec<u32>>,
    shift: u32,
    mask: u32,
    /// The current bucket, counted from key 0 without wrapping.
    current: u32,
    in_ring: usize,
    /// The buckets and indices of the entries beyond the ring.
    far: BinaryHeap<Reverse<(u32, u32)>>,
}

impl BucketQueue {
    /// Empties the queue and sets it up for a graph's edge lengths. Keeps its memory.
    ///
    /// Bucket widths are powers of two, at most the shortest edge, so that finding a key's bucket is a
    /// shift.
    pub(super) fn reset(&mut self, shortest_edge: u32, longest_edge: u32) {
        let shift = shortest_edge.ilog2();
        let span = (longest_edge >> shift) + 2;
        self.reset_ring(shift, span.next_power_of_two());
    }

    /// Empties the queue and fits it to buckets of `2^shift` keys, of which `count`, a power of two, are in the ring.
    pub(super) fn reset_ring(&mut self, shift: u32, count: u32) {
        self.shift = shift;
        self.mask = count - 1;
        if self.in_ring > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
        }
        self.ring.resize_with(count as usize, Vec::new);
        self.current = 0;
        self.in_ring = 0;
        self.far.clear();
    }

    /// The number of the bucket that `key` belongs to, counted from key 0.
    #[inline]
    pub(super) fn bucket_of(&self, key: u32) -> u32 {
        key >> self.shift
    }

    /// Adds an entry whose key is at least the current bucket's and at most one longest edge
    /// beyond it.
    #[inline]
    pub(super) fn push(&mut self, key: u32, index: u32) {
        self.ring[((key >> self.shift) & self.mask) as usize].push(index);
        self.in_ring += 1;
    }

    /// Adds an entry with any key. Keys before the current bucket count as in the current bucket.
    #[inline]
    pub(super) fn push_any(&mut self, key: u32, index: u32) {
        let bucket = self.bucket_of(key).max(self.current);
        if bucket - self.current <= self.mask {
            self.ring[(bucket & self.mask) as usize].push(index);
            self.in_ring += 1;
        } else {
            self.far.push(Reverse((bucket, index)));
        }
    }

    /// Adds entries with any keys.
    pub(super) fn push_all(&mut self, entries: impl Iterator<Item = (u32, u32)>) {
        for (key, index) in entries {
            self.push_any(key, index);
        }
    }

    /// Swaps the next non-empty bucket with `entries`, which is emptied first; returns the bucket's number.
    pub(super) fn pop_bucket(&mut self, entries: &mut Vec<u32>) -> Option<u32> {
        entries.clear();
        let next_far = self.far.peek().map(|&Reverse((bucket, _))| bucket);
        if self.in_ring == 0 {
            self.current = next_far?;
        }
        let end = next_far.unwrap_or(u32::MAX);
        while self.current < end && self.ring[(self.current & self.mask) as usize].is_empty() {
            self.current += 1;
        }
        let bucket = &mut self.ring[(self.current & self.mask) as usize];
        std::mem::swap(bucket, entries);
        self.in_ring -= entries.len();
        while let Some(&Reverse((bucket, index))) = self.far.peek()
            && bucket == self.current
        {
            entries.push(index);
            self.far.pop();
        }
        Some(self.current)
    }

    /// Puts entries of the bucket that was popped last back, to be popped next.
    pub(super) fn put_back(&mut self, entries: &[u32]) {
        self.ring[(self.current & self.mask) as usize].extend_from_slice(entries);
        self.in_ring += entries.len();
    }

    /// The greatest key of bucket `number`.
    pub(super) fn last_key(&self, number: u32) -> u64 {
        ((u64::from(number) + 1) << self.shift) - 1
    }

    /// Empties the queue, and calls `entry` for each entry that was in it.
    pub(super) fn drain(&mut self, mut entry: impl FnMut(u32)) {
        for bucket in &mut self.ring {
            bucket.drain(..).for_each(&mut entry);
        }
        for Reverse((_, index)) in self.far.drain() {
            entry(index);
        }
        self.in_ring = 0;
    }
}
