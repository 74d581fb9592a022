//! Hashes of cost fields, for tiles that are saved and for cached ones.

use super::CostField;
use crate::bytes::Checksum;
use crate::random::mix;

/// Walls are hashed so many at a time.
const WORD: usize = 64;

impl CostField {
    /// A hash of the costs and walls.
    pub(crate) fn hash(&self) -> u64 {
        let mut costs = Checksum::default();
        let mut row = vec![0; self.stride];
        for y in 0..self.height + 2 {
            self.cost.copy_row(y * self.stride, &mut row);
            costs.add(&row);
        }
        let mut hash = costs.finish();
        self.add_walls(|walls| hash = mix(hash ^ walls));
        hash
    }

    /// Passes to `add` which cells are walls, 64 at a time, if this does not follow from the costs.
    pub(crate) fn add_walls(&self, mut add: impl FnMut(u64)) {
        if !self.has_clearance() {
            return;
        }
        let mut add = |walls: &[bool]| {
            let bits = walls.iter();
            add(bits.fold(0, |word, &wall| word << 1 | u64::from(wall)));
        };
        let mut waiting = Vec::new();
        for y in 0..self.height + 2 {
            self.walls
                .append_row(y * self.stride, self.stride, &mut waiting);
            let whole = waiting.len() / WORD * WORD;
            waiting[..whole].chunks(WORD).for_each(&mut add);
            waiting.drain(..whole);
        }
        if !waiting.is_empty() {
            add(&waiting);
        }
    }
}
