//! How much of the ground those cover who stand or hardly move.
//!
//! An agent's area is spread over the cells around it (cloud-in-cell, as in particle-mesh methods: Hockney
//! and Eastwood, Computer Simulation Using Particles, 1981). What is covered is added up afresh several
//! times a second and blended into what was before, so that a crowd that has gone fades, and one that
//! passes hardly shows. All sums are of whole numbers, so that their order does not matter.
//!
//! Only blocks of cells with anything in them take memory.

mod bytes;
mod crowding;

use crate::grid::Grid;
use crate::movement::{BlockLevels, CROWDING_BLOCK, MOST_CROWDING};
use glam::{IVec2, Vec2};

/// Cells of a block.
pub(in crate::swarm) const CELLS: usize = CROWDING_BLOCK * CROWDING_BLOCK;
/// A cell that is covered wholly.
pub(in crate::swarm) const WHOLE: u16 = 4096;
/// A cell covered by this is full: discs cannot be packed much more densely without order.
const FULL: u16 = (0.6 * WHOLE as f32) as u16;
/// How much more must be covered for the next level.
const LEVEL: u16 = FULL / MOST_CROWDING as u16;
/// By how much a level is overshot before it changes, so that it does not go to and fro.
const SLACK: u16 = LEVEL / 3;
/// Seconds from one sum to the next.
pub(in crate::swarm) const EVERY: f32 = 0.25;

const NONE: u32 = u32::MAX;

/// A square of cells, row-major.
#[derive(Debug, Clone)]
pub(in crate::swarm) struct Block {
    /// What is covered now.
    fresh: [u16; CELLS],
    /// What has been covered lately.
    pub(in crate::swarm) covered: [u16; CELLS],
    pub(in crate::swarm) levels: BlockLevels,
}

impl Block {
    const EMPTY: Self = Self {
        fresh: [0; CELLS],
        covered: [0; CELLS],
        levels: [0; CELLS],
    };

    /// Blends what is covered now, by `share` of 65,536, into what was before. False if nothing is left.
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
            // Rounded down, so that what has gone fades to nothing.
            *covered = (old + (((now - old) * share) >> 16)) as u16;
            *fresh = 0;
            *level = level_of(*covered, *level);
            any |= *covered | u16::from(*level);
        }
        any != 0
    }
}

/// The level of a cell, whose level has been `known`.
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

/// How much of each cell of a grid is covered.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Density {
    /// The grid's size in cells.
    pub(in crate::swarm) size: IVec2,
    /// Seconds since the last sum.
    pub(in crate::swarm) since: f32,
    /// For each block of the grid its place in `blocks`, or [`NONE`].
    slots: Vec<u32>,
    blocks: Vec<Block>,
    free: Vec<u32>,
}

impl Density {
    /// Forgets everything.
    pub(in crate::swarm) fn clear(&mut self) {
        if self.size != IVec2::ZERO {
            *self = Self::default();
        }
    }

    /// Lays it out for a grid of this size, which forgets what was known of another.
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

    /// Whether it is time for another sum, `dt` seconds later than when last asked.
    pub(in crate::swarm) fn is_due(&mut self, dt: f32) -> bool {
        self.since += dt;
        self.since >= EVERY
    }

    /// Adds a share of a disc to what is covered now.
    pub(in crate::swarm) fn cover(&mut self, grid: &Grid, position: Vec2, radius: f32, share: f32) {
        let middle = grid.to_cell_space(position);
        let radius = radius / grid.cell_size();
        // A square of the disc's width, or that of a cell, with the disc's area.
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

    /// The block of a number counted by rows; an empty one if there was none.
    pub(in crate::swarm) fn block_at(&mut self, key: usize) -> &mut Block {
        if self.slots[key] == NONE {
            self.slots[key] = self.free.pop().unwrap_or_else(|| {
                self.blocks.push(Block::EMPTY);
                self.blocks.len() as u32 - 1
            });
        }
        &mut self.blocks[self.slots[key] as usize]
    }

    /// Blends what has been covered since into what was before, which fades within about `fading`
    /// seconds. O(blocks).
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

    /// All blocks with anything in them and their numbers, ascending.
    pub(in crate::swarm) fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let used = self
            .slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| **slot != NONE);
        used.map(|(key, &slot)| (key, &self.blocks[slot as usize]))
    }

    /// All blocks' levels by row and column.
    pub(in crate::swarm) fn levels(&self) -> impl Iterator<Item = ((i32, i32), &BlockLevels)> {
        let columns = self.block_count().x.max(1) as usize;
        self.blocks().map(move |(key, block)| {
            (
                ((key / columns) as i32, (key % columns) as i32),
                &block.levels,
            )
        })
    }

    /// How many columns and rows of a block lie in the grid.
    pub(in crate::swarm) fn inside(&self, key: usize) -> IVec2 {
        let columns = self.block_count().x.max(1) as usize;
        let place = IVec2::new((key % columns) as i32, (key / columns) as i32);
        self.size - place * CROWDING_BLOCK as i32
    }

    /// How many blocks the grid has.
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

    /// What goes to and fro by less than the slack leaves costs as they are.
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
