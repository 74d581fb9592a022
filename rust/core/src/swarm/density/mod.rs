//! Crowd density: the share of each cell that standing or slow agents cover.
//!
//! An agent's area is spread over the cells around it (cloud-in-cell, as in particle-mesh methods: Hockney and
//! Eastwood, Computer Simulation Using Particles, 1981). The coverage is summed anew four times a second and blended
//! into the previous values, so that a crowd that has left fades and a passing one hardly shows.
//!
//! Read this file, then `crowding` (which agents count, and the report to the world) and `bytes` (saves and hashes).
//!
//! - All sums are of integers, so they do not depend on the order of agents or on threads.
//! - Only blocks of cells with any coverage take memory.

mod bytes;
mod crowding;

use crate::grid::Grid;
use crate::movement::{BlockLevels, CROWDING_BLOCK, MOST_CROWDING};
use glam::{IVec2, Vec2};

/// Cells of a block.
pub(in crate::swarm) const CELLS: usize = CROWDING_BLOCK * CROWDING_BLOCK;
/// The coverage of a fully covered cell.
pub(in crate::swarm) const WHOLE: u16 = 4096;
/// The coverage from which on a cell counts as full. Discs without order cannot be packed much more densely.
const FULL: u16 = (0.6 * WHOLE as f32) as u16;
/// The coverage from one level to the next.
const LEVEL: u16 = FULL / MOST_CROWDING as u16;
/// The coverage beyond a level's bounds at which the level changes, so that it does not oscillate.
const SLACK: u16 = LEVEL / 3;
/// The seconds from one sum to the next.
pub(in crate::swarm) const EVERY: f32 = 0.25;

const NONE: u32 = u32::MAX;

/// A square of cells, row-major.
#[derive(Debug, Clone)]
pub(in crate::swarm) struct Block {
    /// The coverage of the present sum.
    fresh: [u16; CELLS],
    /// The blended coverage.
    pub(in crate::swarm) covered: [u16; CELLS],
    pub(in crate::swarm) levels: BlockLevels,
}

impl Block {
    const EMPTY: Self = Self {
        fresh: [0; CELLS],
        covered: [0; CELLS],
        levels: [0; CELLS],
    };

    /// Blends the present sum into the coverage, with a weight of `share` / 65,536. Returns false if no coverage is
    /// left.
    fn blend(&mut self, share: i32) -> bool {
        let mut any = 0;
        for ((fresh, covered), level) in self
            .fresh
            .iter_mut()
            .zip(&mut self.covered)
            .zip(&mut self.levels)
        {
            let old = i32::from(*covered);
            let now = i32::from((*fresh).min(WHOLE));
            // Rounded down, so that coverage fades to 0.
            *covered = (old + (((now - old) * share) >> 16)) as u16;
            *fresh = 0;
            *level = level_of(*covered, *level);
            any |= *covered | u16::from(*level);
        }
        any != 0
    }
}

/// The level of a cell whose previous level is `known`.
fn level_of(covered: u16, known: u8) -> u8 {
    let low = (u16::from(known) * LEVEL).saturating_sub(SLACK);
    let high = if known == MOST_CROWDING {
        u16::MAX
    } else {
        u16::from(known + 1) * LEVEL + SLACK
    };
    if (low..high).contains(&covered) {
        known
    } else {
        (covered / LEVEL).min(u16::from(MOST_CROWDING)) as u8
    }
}

/// The coverage of each cell of a grid.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Density {
    /// The grid's size in cells.
    pub(in crate::swarm) size: IVec2,
    /// Seconds since the last sum.
    pub(in crate::swarm) since: f32,
    /// For each block of the grid its index in `blocks`, or [`NONE`].
    slots: Vec<u32>,
    blocks: Vec<Block>,
    free: Vec<u32>,
}

impl Density {
    /// Becomes a copy of `other`.
    pub(in crate::swarm) fn copy_from(&mut self, other: &Self) {
        let Self {
            size,
            since,
            slots,
            blocks,
            free,
        } = self;
        *size = other.size;
        *since = other.since;
        slots.clone_from(&other.slots);
        blocks.clone_from(&other.blocks);
        free.clone_from(&other.free);
    }

    /// Forgets everything.
    pub(in crate::swarm) fn clear(&mut self) {
        if self.size != IVec2::ZERO {
            *self = Self::default();
        }
    }

    /// Sets the grid's size. Clears all coverage if the size changes.
    pub(in crate::swarm) fn lay_out(&mut self, size: IVec2) {
        if self.size == size {
            return;
        }
        self.clear();
        self.size = size;
        let blocks = self.block_count();
        self.slots.resize((blocks.x * blocks.y) as usize, NONE);
    }

    fn block_count(&self) -> IVec2 {
        let edge = CROWDING_BLOCK as i32;
        (self.size + (edge - 1)) / edge
    }

    /// Whether another sum is due, `dt` seconds after the last call.
    pub(in crate::swarm) fn is_due(&mut self, dt: f32) -> bool {
        self.since += dt;
        self.since >= EVERY
    }

    /// Adds a share of a disc to the present sum.
    pub(in crate::swarm) fn cover(&mut self, grid: &Grid, position: Vec2, radius: f32, share: f32) {
        let middle = grid.to_cell_space(position);
        let radius = radius / grid.cell_size();
        // The disc counts as a square of its width, or of a cell's if that is wider, with the disc's area.
        let width = (2.0 * radius).max(1.0);
        let scale =
            share * f32::from(WHOLE) * (std::f32::consts::PI * radius * radius) / (width * width);
        let last = (self.size - 1).as_vec2();
        let (low, high) = (middle - 0.5 * width, middle + 0.5 * width);
        let first = low.floor().clamp(Vec2::ZERO, last);
        let end = high.floor().clamp(Vec2::ZERO, last);
        let overlap = |at: f32, low: f32, high: f32| (high.min(at + 1.0) - low.max(at)).max(0.0);
        for y in first.y as i32..=end.y as i32 {
            let rows = scale * overlap(y as f32, low.y, high.y);
            for x in first.x as i32..=end.x as i32 {
                let amount = (rows * overlap(x as f32, low.x, high.x)) as u16;
                if amount > 0 {
                    let cell = self.fresh_at(IVec2::new(x, y));
                    *cell = cell.saturating_add(amount);
                }
            }
        }
    }

    fn fresh_at(&mut self, cell: IVec2) -> &mut u16 {
        let edge = CROWDING_BLOCK as i32;
        let place = cell / edge;
        let within = cell - place * edge;
        let key = (place.y * self.block_count().x + place.x) as usize;
        &mut self.block_at(key).fresh[(within.y * edge + within.x) as usize]
    }

    /// The block with this number, counted by rows. It is created if there is none.
    pub(in crate::swarm) fn block_at(&mut self, key: usize) -> &mut Block {
        if self.slots[key] == NONE {
            self.slots[key] = self.free.pop().unwrap_or_else(|| {
                self.blocks.push(Block::EMPTY);
                self.blocks.len() as u32 - 1
            });
        }
        &mut self.blocks[self.slots[key] as usize]
    }

    /// Blends the present sum into the coverage, which fades within about `fading` seconds. O(blocks).
    pub(in crate::swarm) fn blend(&mut self, fading: f32) {
        let share = (self.since / (self.since + fading) * 65_536.0) as i32;
        self.since = 0.0;
        for slot in &mut self.slots {
            if *slot != NONE && !self.blocks[*slot as usize].blend(share) {
                self.free.push(*slot);
                *slot = NONE;
            }
        }
    }

    /// All blocks with any coverage, with their numbers, ascending.
    pub(in crate::swarm) fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let used = self
            .slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| **slot != NONE);
        used.map(|(key, &slot)| (key, &self.blocks[slot as usize]))
    }

    /// The levels of all blocks, with the blocks' columns and rows.
    pub(in crate::swarm) fn levels(&self) -> impl Iterator<Item = ((i32, i32), &BlockLevels)> {
        let columns = self.block_count().x.max(1) as usize;
        self.blocks().map(move |(key, block)| {
            (
                ((key / columns) as i32, (key % columns) as i32),
                &block.levels,
            )
        })
    }

    /// The number of columns and rows of a block that lie in the grid.
    pub(in crate::swarm) fn inside(&self, key: usize) -> IVec2 {
        let columns = self.block_count().x.max(1) as usize;
        let place = IVec2::new((key % columns) as i32, (key / columns) as i32);
        self.size - place * CROWDING_BLOCK as i32
    }

    /// The number of blocks in the grid.
    pub(in crate::swarm) fn grid_blocks(&self) -> usize {
        self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_changes_when_it_is_overshot_and_not_before() {
        for known in 0..=MOST_CROWDING {
            let (begin, end) = (u16::from(known) * LEVEL, u16::from(known + 1) * LEVEL);
            assert_eq!(level_of(begin + LEVEL / 2, known), known);
            if known > 0 {
                assert_eq!(level_of(begin - SLACK, known), known);
                assert_eq!(level_of(begin - SLACK - 1, known), known - 1);
            }
            if known < MOST_CROWDING {
                assert_eq!(level_of(end + SLACK - 1, known), known);
                assert_eq!(level_of(end + SLACK, known), known + 1);
            }
        }
        assert_eq!(level_of(WHOLE, 0), MOST_CROWDING);
        assert_eq!(level_of(u16::MAX, MOST_CROWDING), MOST_CROWDING);
        assert_eq!(level_of(0, MOST_CROWDING), 0);
    }

    /// Coverage that oscillates within the slack does not change costs.
    #[test]
    fn ground_that_is_covered_by_a_little_more_and_less_keeps_its_level() {
        let mut level = level_of(3 * LEVEL + 1, 0);
        assert_eq!(level, 3);
        for tick in 0..20 {
            let covered = 3 * LEVEL + 1 - (tick % 2) * (SLACK / 2);
            level = level_of(covered, level);
            assert_eq!(level, 3);
        }
    }
}
