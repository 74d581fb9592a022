//! A monotone bucket queue (Dial, CACM 12(11), 1969).
//!
//! If no edge is shorter than a bucket is wide, nothing that is reached from a
//! bucket falls into that same bucket: when its turn comes every key in it is
//! final, in whatever order its entries are taken (Dinic 1978). A ring of
//! buckets suffices that spans the longest edge.

/// Cell indices by key, in buckets of `2^shift` keys.
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    shift: u32,
    mask: u32,
    /// The bucket whose turn it is, counted from key 0 without wrapping.
    current: u32,
    queued: usize,
    /// Keys and indices that wait for their bucket's turn, the greatest key first.
    seeds: Vec<(u32, u32)>,
}

impl BucketQueue {
    /// Empties the queue and fits it to a graph's edge lengths. Keeps its memory.
    ///
    /// Bucket widths are powers of two, at most the shortest edge, so that finding a key's bucket is a
    /// shift.
    pub(super) fn reset(&mut self, shortest_edge: u32, longest_edge: u32) {
        self.shift = shortest_edge.ilog2();
        let span = (longest_edge >> self.shift) + 2;
        let count = span.next_power_of_two();
        self.mask = count - 1;
        self.buckets.truncate(count as usize);
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        self.buckets.resize_with(count as usize, Vec::new);
        self.current = 0;
        self.queued = 0;
        self.seeds.clear();
    }

    /// Adds entries with keys from anywhere, before the first bucket's turn.
    pub(super) fn sow(&mut self, seeds: impl Iterator<Item = (u32, u32)>) {
        self.seeds.extend(seeds);
        self.seeds.sort_unstable_by(|one, other| other.cmp(one));
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
        self.buckets[((key >> self.shift) & self.mask) as usize].push(index);
        self.queued += 1;
    }

    /// Exchanges the next bucket that has entries for the empty `entries`; returns its number.
    pub(super) fn pop_bucket(&mut self, entries: &mut Vec<u32>) -> Option<u32> {
        entries.clear();
        let next_seed = self.seeds.last().map(|&(key, _)| self.bucket_of(key));
        if self.queued == 0 {
            self.current = next_seed?;
        }
        let end = next_seed.unwrap_or(u32::MAX);
        while self.current < end && self.buckets[(self.current & self.mask) as usize].is_empty() {
            self.current += 1;
        }
        let bucket = &mut self.buckets[(self.current & self.mask) as usize];
        std::mem::swap(bucket, entries);
        self.queued -= entries.len();
        while let Some(&(key, index)) = self.seeds.last()
            && self.bucket_of(key) == self.current
        {
            entries.push(index);
            self.seeds.pop();
        }
        Some(self.current)
    }

    /// The greatest key of bucket `number`.
    pub(super) fn last_key(&self, number: u32) -> u64 {
        ((u64::from(number) + 1) << self.shift) - 1
    }
}
