//! The tiles that wait to be solved, by the least cost that has come to them.

use crate::integrate::UNREACHED;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A priority queue in which every tile waits once.
#[derive(Debug, Clone, Default)]
pub(super) struct TileQueue {
    /// Keys and slots; entries whose key is not the slot's any more are void.
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// By slot; [`UNREACHED`] if it does not wait.
    keys: Vec<u32>,
    waiting: usize,
}

impl TileQueue {
    /// Lets a tile wait for a key below [`UNREACHED`], unless it waits for a lower one.
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

    /// Takes the tile with the least key.
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

    /// The key that a tile waits for.
    pub(super) fn key(&self, slot: u32) -> Option<u32> {
        let key = self.keys.get(slot as usize).copied();
        key.filter(|&key| key != UNREACHED)
    }

    /// Lets a tile wait no longer.
    pub(super) fn remove(&mut self, slot: u32) {
        if let Some(key) = self.keys.get_mut(slot as usize) {
            self.waiting -= usize::from(*key != UNREACHED);
            *key = UNREACHED;
        }
    }

    /// How many tiles wait.
    pub(super) fn len(&self) -> usize {
        self.waiting
    }

    /// Whether none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Lets all go.
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
