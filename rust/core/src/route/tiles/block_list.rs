//! A list that grows without moving its elements. A vector of a hundred thousand entries takes milliseconds when it
//! grows.

use std::ops::{Index, IndexMut};

/// The number of elements in a block.
const BLOCK: usize = 1_024;

#[derive(Debug)]
pub(super) struct BlockList<T> {
    /// All but the last one are full.
    blocks: Vec<Vec<T>>,
}

impl<T> Default for BlockList<T> {
    fn default() -> Self {
        let blocks = Vec::new();
        Self { blocks }
    }
}

impl<T> BlockList<T> {
    /// Adds an element, and returns its index.
    pub(super) fn push(&mut self, element: T) -> usize {
        if self.blocks.last().is_none_or(|last| last.len() == BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let last = self.blocks.len() - 1;
        self.blocks[last].push(element);
        last * BLOCK + self.blocks[last].len() - 1
    }

    pub(super) fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.blocks.get_mut(index / BLOCK)?.get_mut(index % BLOCK)
    }
}

impl<T> Index<usize> for BlockList<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.blocks[index / BLOCK][index % BLOCK]
    }
}

impl<T> IndexMut<usize> for BlockList<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.blocks[index / BLOCK][index % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_are() {
        let mut list = BlockList::default();
        let first = list.push(0);
        let place = &raw const list[first];
        for element in 1..3 * BLOCK {
            assert_eq!(list.push(element), element);
        }
        assert_eq!(&raw const list[first], place);
        assert!((0..3 * BLOCK).all(|index| list[index] == index));
        assert_eq!((list.get(3 * BLOCK), list.get(usize::MAX)), (None, None));
        list[BLOCK] = 7;
        assert_eq!(list.get_mut(BLOCK), Some(&mut 7));
    }
}
