//! The queue of tiles to be solved, ordered by the least cost that has reached them.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::integrate::UNREACHED;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A priority queue that contains each tile at most once.
#[derive(Debug, Clone, Default)]
pub(super) struct TileQueue {
    /// Keys and slots. Entries whose key differs from the slot's key are void.
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// The key of each slot; [`UNREACHED`] if it is not queued.
    keys: Vec<u32>,
    waiting: usize,
}

impl TileQueue {
    /// Queues a tile with a key below [`UNREACHED`]. A tile that is queued with a lower key keeps that.
    pub(super) fn push(&mut self, slot: u32, key: u32) {
        let index = slot as usize;
        if self.keys.len() <= index {
            self.keys.resize(index + 1, UNREACHED);
        }
        if key < self.keys[index] {
            self.waiting += usize::from(self.keys[index] == UNREACHED);
            self.keys[index] = key;
            self.heap.push(Reverse((key, slot)));
        }
    }

    /// Removes and returns the tile with the least key.
    pub(super) fn pop(&mut self) -> Option<u32> {
        while let Some(Reverse((key, slot))) = self.heap.pop() {
            let waiting = &mut self.keys[slot as usize];
            if *waiting == key {
                *waiting = UNREACHED;
                self.waiting -= 1;
                return Some(slot);
            }
        }
        None
    }

    /// Writes the slots of queued tiles with their keys.
    pub(super) fn write(&self, out: &mut Writer) {
        let queued = (0..).zip(&self.keys).filter(|entry| *entry.1 != UNREACHED);
        let queued: Vec<(u32, u32)> = queued.map(|(slot, &key)| (slot, key)).collect();
        queued.write(out);
    }

    /// Reads a queue of tiles whose slots satisfy `is_slot`.
    pub(super) fn read(input: &mut Unpacker<'_>, is_slot: impl Fn(u32) -> bool) -> Result<Self> {
        let mut queue = Self::default();
        for (slot, key) in Vec::<(u32, u32)>::read(input)? {
            if !is_slot(slot) || key == UNREACHED {
                return Err(input.bad("it has tiles that wait and are not there"));
            }
            queue.push(slot, key);
        }
        Ok(queue)
    }

    /// The key of a queued tile.
    pub(super) fn key(&self, slot: u32) -> Option<u32> {
        let key = self.keys.get(slot as usize).copied();
        key.filter(|&key| key != UNREACHED)
    }

    /// Removes a tile.
    pub(super) fn remove(&mut self, slot: u32) {
        if let Some(key) = self.keys.get_mut(slot as usize) {
            self.waiting -= usize::from(*key != UNREACHED);
            *key = UNREACHED;
        }
    }

    /// The number of queued tiles.
    pub(super) fn len(&self) -> usize {
        self.waiting
    }

    /// Returns true if no tile is queued.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Removes all tiles.
    pub(super) fn clear(&mut self) {
        self.heap.clear();
        self.keys.fill(UNREACHED);
        self.waiting = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_waits_once_for_its_least_key() {
        let mut queue = TileQueue::default();
        for (slot, key) in [(3, 30), (1, 10), (3, 5), (2, 20), (1, 40)] {
            queue.push(slot, key);
        }
        queue.remove(2);
        assert_eq!(
            (queue.len(), queue.key(3), queue.key(2)),
            (2, Some(5), None)
        );
        assert_eq!(
            [queue.pop(), queue.pop(), queue.pop()],
            [Some(3), Some(1), None]
        );
        assert!(queue.is_empty());
    }
}
