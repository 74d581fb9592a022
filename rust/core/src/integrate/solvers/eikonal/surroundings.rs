//! Cells with curved paths and the cells around them, many at a time, and the steps out of them that may be useful.

use super::local_solver::LocalSolver;
use crate::direction::Direction;
use crate::integrate::candidate::Candidate;
use crate::integrate::moves::{Move, STEP_COUNTS, STEP_LISTS};
use crate::integrate::root::Root;
use crate::integrate::scale::StepScale;

/// The most cells.
pub(super) const CHUNK: usize = 64;

/// The least cost of a triangle, in 256ths of a straight step: half of the square root of two.
const LEAST_RISE: u32 = 181;
/// If a cell beside a diagonal step costs at most this many 256ths of a straight step more than the step's beginning,
/// the path through the triangle of both, or straight from that cell, is shorter than the diagonal step by at least a
/// hundredth: at 0.6 it costs 0.6 + 0.8.
const BESIDE: u32 = 153;
/// The steps along an axis.
const STRAIGHT: u8 = 0b0101_0101;

/// A number of items, raised to a multiple of the items in a vector, so that no rest is left for other code.
#[inline(always)]
pub(super) fn whole_vectors(count: usize) -> usize {
    (count + 3) & !3
}

/// At most [`CHUNK`] cells with curved paths.
#[derive(Debug)]
pub(super) struct Surroundings {
    count: usize,
    cell: [u32; CHUNK],
    near: [u32; CHUNK],
    /// The sets of legal steps.
    legal: [u32; CHUNK],
    /// The values of the neighbours, and what it costs to enter them, by step.
    cost: [[u32; CHUNK]; 8],
    entry: [[u32; CHUNK]; 8],
    /// The steps that may be useful, from cells by number.
    straight: [Move; 4 * CHUNK],
    diagonal: [Move; 4 * CHUNK],
    straight_count: usize,
    diagonal_count: usize,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            count: 0,
            cell: [0; CHUNK],
            near: [0; CHUNK],
            legal: [0; CHUNK],
            cost: [[0; CHUNK]; 8],
            entry: [[0; CHUNK]; 8],
            straight: [Move::default(); 4 * CHUNK],
            diagonal: [Move::default(); 4 * CHUNK],
            straight_count: 0,
            diagonal_count: 0,
        }
    }
}

impl Surroundings {
    /// Copies the values of some cells out of the map.
    #[inline(never)]
    pub(super) fn fill(&mut self, local: &LocalSolver<'_>, cost: &[u32], cells: &[u32]) {
        self.count = cells.len().min(CHUNK);
        for (at, &cell) in cells.iter().enumerate().take(CHUNK) {
            self.cell[at] = cell;
            let cell = cell as usize;
            self.near[at] = cost[cell];
            self.legal[at] = u32::from(local.legal(cell));
            let (around, entries) = (local.around(cost, cell), local.entries_around(cell));
            for step in 0..8 {
                self.cost[step][at] = around[step];
                self.entry[step][at] = u32::from(entries[step]);
            }
        }
    }

    /// Finds the steps that may be useful. The values of the cells are less than `below`.
    pub(super) fn find_steps(&mut self, scale: StepScale, below: u32) {
        let sets = self.useful_steps(scale, below);
        self.list_steps(&sets[..self.count.min(CHUNK)]);
    }

    #[inline(never)]
    fn useful_steps(&self, scale: StepScale, below: u32) -> [u32; CHUNK] {
        let rise = scale.straight * LEAST_RISE / 256;
        let beside = scale.straight * BESIDE / 256;
        // The product of numbers of 15 bits is a single instruction.
        let [rise, diagonal, beside] = [rise, scale.diagonal, beside].map(|cost| cost & 0x7FFF);
        let mut sets = [0; CHUNK];
        let compared = whole_vectors(self.count).min(CHUNK);
        for (at, found) in sets[..compared].iter_mut().enumerate() {
            let near = self.near[at];
            let mut set = 0;
            // Sums of open cells stay in the number range. Those of walls may wrap, and are not used.
            for step in [0, 2, 4, 6] {
                let known = self.cost[step][at];
                let least = near.wrapping_add(rise * (self.entry[step][at] & 0xFF));
                let is_useful = (known >= below) & (least <= known);
                set |= u32::from(is_useful) << step;
            }
            for step in [1, 3, 5, 7] {
                let (known, entry) = (self.cost[step][at], self.entry[step][at] & 0xFF);
                let cost = near.wrapping_add(diagonal * entry);
                let most = near.wrapping_add(beside * entry);
                let is_alone =
                    (self.cost[step - 1][at] > most) & (self.cost[(step + 1) % 8][at] > most);
                let is_useful = is_alone & (known >= below) & (cost <= known);
                set |= u32::from(is_useful) << step;
            }
            *found = set & self.legal[at];
        }
        sets
    }

    /// Lists the steps of the sets without unpredictable branches.
    #[inline(never)]
    fn list_steps(&mut self, sets: &[u32]) {
        let (mut straight, mut diagonal) = (0, 0);
        let append = |into: &mut [Move; 4 * CHUNK], count: &mut usize, number: u32, set: u8| {
            let set = usize::from(set);
            for (made, step) in into[*count..*count + 4].iter_mut().zip(STEP_LISTS[set]) {
                *made = Move::new(number, step);
            }
            *count += usize::from(STEP_COUNTS[set]);
        };
        for (number, &set) in (0..).zip(sets) {
            let set = set as u8;
            append(&mut self.straight, &mut straight, number, set & STRAIGHT);
            append(&mut self.diagonal, &mut diagonal, number, set & !STRAIGHT);
        }
        (self.straight_count, self.diagonal_count) = (straight, diagonal);
    }

    /// The steps along an axis that may be useful.
    pub(super) fn straight(&self) -> &[Move] {
        &self.straight[..self.straight_count]
    }

    /// Lists the candidates of diagonal steps that are not worse than the known values; returns their number.
    #[inline(never)]
    pub(super) fn step_diagonally(
        &self,
        local: &LocalSolver<'_>,
        known: &[u32],
        candidates: &mut [(u32, Candidate)],
    ) -> usize {
        let diagonal = local.scale().diagonal;
        let mut kept = 0;
        for made in &self.diagonal[..self.diagonal_count] {
            let (number, step) = (made.cell() % CHUNK, made.step());
            let (cell, near) = self.cell(number);
            let to = local.neighbour(cell, step);
            let cost = near + diagonal * self.neighbour(number, step).1;
            let root = Root::turning(Direction::from_step((step + 4) % 8));
            candidates[kept] = (to as u32, Candidate { cost, root });
            kept += usize::from(cost <= known[to]);
        }
        kept
    }

    /// A cell by its number, and its value.
    #[inline(always)]
    pub(super) fn cell(&self, number: usize) -> (usize, u32) {
        (self.cell[number] as usize, self.near[number])
    }

    /// The value of a neighbour of a cell, and what it costs to enter it.
    #[inline(always)]
    pub(super) fn neighbour(&self, number: usize, step: usize) -> (u32, u32) {
        (self.cost[step][number], self.entry[step][number])
    }
}
