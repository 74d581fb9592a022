//! The cells that a single target sees on ground of one cost, found sixty-four at a time.
//!
//! By [`super::lines`], a line from a cell to the target is free if the target is handed on from cell to cell to it.
//! This can be done for a whole row at once, because every cell of a row gets the line from the row before: from the
//! cell straight behind it or, from some column on, from the cell diagonally behind it. So a row is a set of bits, and
//! the next row follows by a few shifts.
//!
//! The values of these cells are final before the front starts: every other path is at least as long, and each turn has
//! an extra cost ([`super::local_solver`]). The front starts from those of them that have a neighbour of another kind.

use super::lines::{THRESHOLD_BITS, length_by, threshold};
use super::local_solver::LocalSolver;
use crate::integrate::goal_cells::Seed;
use crate::integrate::root::{FARTHEST, PER_CELL, Root};
use crate::movement::{BLOCKED, CostField};
use glam::IVec2;

/// Cells per word.
const WORD: usize = u64::BITS as usize;
/// The largest distance of cells in rows. Up to this length the rounding errors of paths are smaller than the extra
/// cost of a turn.
///
/// A path with n turns has at most 2n + 1 lines. Rounded to whole units, each may be half a unit too short; in
/// `f32`, all together lose a share of 3.5 / 2^24 of their length, and the straight line gains as much. The
/// turns cost 4 + (n - 1) units: more than n + 1/2 for the lines, 1/2 for the straight one, and twice that
/// share of the length, as long as that is below 2 units: up to 4.7e6 units, or 1,400 rows and columns.
pub(super) const MOST_ROWS: usize = 1400;

const _: () = assert!(MOST_ROWS as i32 * PER_CELL <= FARTHEST);

/// Finds the cells that a single target sees; keeps its memory between solves.
#[derive(Debug, Default)]
pub(super) struct VisibleCells {
    /// Open ground, and the visible part of it, by rows and by columns.
    open: Bits,
    seen: Bits,
    open_across: Bits,
    seen_across: Bits,
    edge: Vec<(u32, u32)>,
}

/// The columns that receive the values.
pub(super) struct Values<'a> {
    pub(super) cost: &'a mut [u32],
    pub(super) roots: &'a mut [Root],
    /// Stored units per eighth of a cell.
    pub(super) unit: f32,
}

impl VisibleCells {
    /// The number of visible cells that take as long as one cell that the front settles.
    pub(super) const PER_SETTLED: usize = 10;

    /// Whether the visible cells of a single target can be found in this way: the ground has one cost, the scale is
    /// fine enough that turns cost more than rounding errors, and no cost can exceed `limit`.
    pub(super) fn applies(
        local: &LocalSolver<'_>,
        costs: &CostField,
        seed: Seed,
        limit: u64,
    ) -> bool {
        let farthest = local.cost_across(costs.width() + costs.height(), costs.cheapest());
        local.is_even() && local.is_fine() && u64::from(seed.cost) + farthest <= limit
    }

    /// Writes the values of all cells that see the target in the cell of `seed`. Returns the number of cells whose
    /// neighbours all see it too; the others are in [`Self::edge`].
    pub(super) fn fill(&mut self, costs: &CostField, seed: Seed, values: Values<'_>) -> usize {
        let stride = costs.stride();
        let (row, column) = (seed.index / stride - 1, seed.index % stride - 1);
        self.open.read(costs);
        self.open.transpose_into(&mut self.open_across);
        self.seen.clear_like(&self.open);
        self.seen_across.clear_like(&self.open_across);
        self.seen.look(&self.open, row, column);
        self.seen_across.look(&self.open_across, column, row);
        // No longer needed, so its memory is reused.
        let across = &mut self.open;
        self.seen_across.transpose_into(across);
        for (seen, across) in self.seen.words.iter_mut().zip(&across.words) {
            *seen |= across;
        }
        self.write(costs, seed, IVec2::new(column as i32, row as i32), values)
    }

    /// The costs and stored indices of the visible cells that have an invisible neighbour.
    pub(super) fn edge(&self) -> impl Iterator<Item = (u32, u32)> {
        self.edge.iter().copied()
    }

    fn write(&mut self, costs: &CostField, seed: Seed, target: IVec2, values: Values<'_>) -> usize {
        self.edge.clear();
        let mut inside = 0;
        for row in 0..self.seen.rows {
            for word in 0..self.seen.stride {
                let seen = self.seen.word(row, word);
                if seen == 0 {
                    continue;
                }
                let from = (row + 1) * costs.stride() + 1 + word * WORD;
                let to_root = IVec2::new(target.x - (word * WORD) as i32, target.y - row as i32);
                if seen == u64::MAX {
                    write_run(
                        to_root,
                        seed.cost,
                        values.unit,
                        &mut values.cost[from..][..WORD],
                        &mut values.roots[from..][..WORD],
                    );
                } else {
                    for bit in bits_of(seen) {
                        let at = from + bit..from + bit + 1;
                        write_run(
                            to_root - IVec2::X * bit as i32,
                            seed.cost,
                            values.unit,
                            &mut values.cost[at.clone()],
                            &mut values.roots[at],
                        );
                    }
                }
                let enclosed = self.seen.enclosed(row, word);
                inside += enclosed.count_ones() as usize;
                for bit in bits_of(seen & !enclosed) {
                    self.edge
                        .push((values.cost[from + bit], (from + bit) as u32));
                }
            }
        }
        inside
    }
}

/// Writes the values of consecutive cells, of which the first is `to_root` cells away from the target.
#[inline]
fn write_run(to_root: IVec2, base: u32, unit: f32, cost: &mut [u32], roots: &mut [Root]) {
    for (x, (cost, root)) in cost.iter_mut().zip(roots).enumerate() {
        let bend = PER_CELL * (to_root - IVec2::X * x as i32);
        *cost = base + length_by(bend, unit);
        *root = Root::at(bend);
    }
}

/// A map with a bit for each cell.
#[derive(Debug, Default)]
struct Bits {
    words: Vec<u64>,
    rows: usize,
    columns: usize,
    /// Words per row.
    stride: usize,
}

impl Bits {
    fn reset(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
        self.stride = columns.div_ceil(WORD);
        self.words.clear();
        self.words.resize(rows * self.stride, 0);
    }

    fn clear_like(&mut self, other: &Self) {
        self.reset(other.rows, other.columns);
    }

    /// Sets the bits of all cells that are not walls.
    fn read(&mut self, costs: &CostField) {
        self.reset(costs.height(), costs.width());
        for (row, words) in self.words.chunks_mut(self.stride).enumerate() {
            let from = (row + 1) * costs.stride() + 1;
            let cells = &costs.costs()[from..][..self.columns];
            for (word, cells) in words.iter_mut().zip(cells.chunks(WORD)) {
                *word = open_bits(cells);
            }
        }
    }

    /// Transposes the map.
    fn transpose_into(&self, into: &mut Self) {
        into.reset(self.columns, self.rows);
        for first_row in (0..self.rows).step_by(WORD) {
            for word in 0..self.stride {
                let mut block = [0; WORD];
                for (row, bits) in (first_row..self.rows).zip(&mut block) {
                    *bits = self.word(row, word);
                }
                if block == [0; WORD] {
                    continue;
                }
                transpose(&mut block);
                let columns = word * WORD..self.columns.min((word + 1) * WORD);
                for (column, bits) in columns.zip(block) {
                    into.words[column * into.stride + first_row / WORD] = bits;
                }
            }
        }
    }

    #[inline]
    fn word(&self, row: usize, word: usize) -> u64 {
        self.words[row * self.stride + word]
    }

    /// The word whose bits are one column farther left, and the one whose bits are one farther right.
    #[inline]
    fn beside(&self, row: usize, word: usize) -> (u64, u64) {
        let here = self.word(row, word);
        let before = if word > 0 {
            self.word(row, word - 1)
        } else {
            0
        };
        let after = if word + 1 < self.stride {
            self.word(row, word + 1)
        } else {
            0
        };
        (
            here << 1 | before >> (WORD - 1),
            here >> 1 | after << (WORD - 1),
        )
    }

    fn has(&self, row: usize, column: usize) -> bool {
        self.word(row, column / WORD) >> (column % WORD) & 1 == 1
    }

    /// The bits of a word whose eight neighbours are all set.
    fn enclosed(&self, row: usize, word: usize) -> u64 {
        if row == 0 || row + 1 == self.rows {
            return 0;
        }
        (row - 1..=row + 1).fold(u64::MAX, |all, row| {
            let (left, right) = self.beside(row, word);
            all & self.word(row, word) & left & right
        })
    }

    /// Marks the visible cells in the rows after and before a cell, at most as many columns away as rows.
    fn look(&mut self, open: &Self, row: usize, column: usize) {
        self.words[row * self.stride + column / WORD] |= 1 << (column % WORD);
        for sign in [1, -1] {
            let mut distance = 1;
            while distance <= MOST_ROWS
                && let Some(here) = row.checked_add_signed(sign * distance as isize)
                && here < self.rows
                && self.look_at(
                    open,
                    here.wrapping_add_signed(-sign),
                    here,
                    column,
                    distance,
                )
            {
                distance += 1;
            }
        }
    }

    /// Marks the visible cells of row `here`, `distance` rows away, from those of the row before it; returns whether
    /// there are any.
    fn look_at(
        &mut self,
        open: &Self,
        before: usize,
        here: usize,
        column: usize,
        distance: usize,
    ) -> bool {
        // The number of columns beside the target from which on lines come diagonally.
        let steep = distance * threshold(distance as u32) as usize;
        let turning = steep.div_ceil(1 << THRESHOLD_BITS).max(1);
        let last = (column + distance).min(self.columns - 1);
        let mut any = 0;
        for word in column.saturating_sub(distance) / WORD..=last / WORD {
            let straight = self.word(before, word);
            let (left, right) = self.beside(before, word);
            let from_left = mask_from(word, column + turning);
            let from_right = match (column + 1).checked_sub(turning) {
                Some(end) => !mask_from(word, end),
                None => 0,
            };
            // The line crosses the cell behind.
            let clipped = open.word(before, word);
            let lines = straight & !(from_left | from_right)
                | clipped & (left & from_left | right & from_right);
            let seen = lines & open.word(here, word);
            self.words[here * self.stride + word] = seen;
            any |= seen;
        }
        // On the diagonal it crosses the cells on both sides.
        if column + distance < self.columns && !open.has(here, column + distance - 1) {
            self.unset(here, column + distance);
        }
        if column >= distance && !open.has(here, column - distance + 1) {
            self.unset(here, column - distance);
        }
        any != 0
    }

    fn unset(&mut self, row: usize, column: usize) {
        self.words[row * self.stride + column / WORD] &= !(1 << (column % WORD));
    }
}

/// The bits of a word that belong to columns from `first` on.
#[inline]
fn mask_from(word: usize, first: usize) -> u64 {
    match first.saturating_sub(word * WORD) {
        shift @ 0..WORD => u64::MAX << shift,
        _ => 0,
    }
}

/// A bit for each of at most 64 cells, set for those that are not walls.
fn open_bits(cells: &[u8]) -> u64 {
    let mut flags = [0_u8; WORD];
    for (flag, &cell) in flags.iter_mut().zip(cells) {
        *flag = u8::from(cell != BLOCKED);
    }
    let mut word = 0;
    for (at, eight) in flags.as_chunks().0.iter().enumerate() {
        // The product's upper byte collects the lowest bits of all eight.
        let gathered = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= gathered << (8 * at);
    }
    word
}

fn bits_of(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}

/// Exchanges rows and columns of 64 by 64 bits: those of the four quarters, then of theirs, and so on
/// (Warren, Hacker's Delight, 7-3).
fn transpose(block: &mut [u64; WORD]) {
    let mut half = WORD / 2;
    let mut mask = u64::MAX >> half;
    while half > 0 {
        let mut row = 0;
        while row < WORD {
            let swapped = (block[row] >> half ^ block[row + half]) & mask;
            block[row] ^= swapped << half;
            block[row + half] ^= swapped;
            row = (row + half + 1) & !half;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::place_of;
    use super::super::local_solver::find_same;
    use super::*;
    use crate::grid::Grid;
    use crate::grid::STEPS;
    use crate::movement::MovementType;
    use crate::terrain::Terrain;
    use glam::Vec2;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The cells that the target reaches by being handed on from cell to cell.
    fn handed_on(costs: &CostField, target: usize) -> BTreeSet<usize> {
        let mut same = Vec::new();
        find_same(costs, &mut same);
        let mut seen = BTreeSet::from([target]);
        let mut open = vec![(target, IVec2::ZERO)];
        while let Some((cell, bend)) = open.pop() {
            let lines = place_of(bend).lines(same[cell]);
            for step in (0..8).filter(|step| lines >> step & 1 == 1) {
                let next = cell.wrapping_add_signed(costs.offsets()[step]);
                if seen.insert(next) {
                    open.push((next, bend - PER_CELL * STEPS[step]));
                }
            }
        }
        seen
    }

    fn map(width: i32, height: i32, walls_per_mille: u64, seed: u64) -> (Grid, CostField) {
        let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        for index in 0..grid.cell_count() {
            if crate::random::keyed(seed, index as u64, 0) % 1000 < walls_per_mille {
                terrain.set(grid.cell(index), BLOCKED).expect("inside");
            }
        }
        (
            grid,
            CostField::new(&grid, &terrain, &MovementType::default()),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn rows_of_bits_see_what_is_handed_on_from_cell_to_cell(
            (width, height) in (1_i32..300, 1_i32..200),
            walls_per_mille in prop::sample::select(vec![0_u64, 1, 5, 20, 100, 300]),
            seed in any::<u64>(),
        ) {
            let (grid, costs) = map(width, height, walls_per_mille, seed);
            let open: Vec<IVec2> =
                (0..grid.cell_count()).map(|index| grid.cell(index)).filter(|&cell| costs.is_open(cell)).collect();
            prop_assume!(!open.is_empty());
            let target = costs.index(open[(seed % open.len() as u64) as usize]);
            let (mut cost, mut roots) = (vec![u32::MAX; costs.cell_count()], vec![Root::HERE; costs.cell_count()]);
            let values = Values { cost: &mut cost, roots: &mut roots, unit: 297.25 };
            let mut visible_cells = VisibleCells::default();
            let inside = visible_cells.fill(&costs, Seed { index: target, cost: 7 }, values);

            let expected = handed_on(&costs, target);
            let found: BTreeSet<usize> = (0..cost.len()).filter(|&cell| cost[cell] != u32::MAX).collect();
            prop_assert_eq!(&found, &expected);
            let sees_all_around = |cell: usize| costs.offsets().iter().all(|&step| expected.contains(&cell.wrapping_add_signed(step)));
            let edge: BTreeSet<usize> = visible_cells.edge().map(|(_, cell)| cell as usize).collect();
            let expected_edge: BTreeSet<usize> = expected.iter().copied().filter(|&cell| !sees_all_around(cell)).collect();
            prop_assert_eq!(inside, expected.len() - edge.len());
            prop_assert_eq!(&edge, &expected_edge);
            for &cell in &expected {
                let stride = costs.stride();
                let offset = IVec2::new((target % stride) as i32 - (cell % stride) as i32, (target / stride) as i32 - (cell / stride) as i32);
                prop_assert_eq!(roots[cell], Root::at(PER_CELL * offset));
                prop_assert_eq!(cost[cell], 7 + length_by(PER_CELL * offset, 297.25));
            }
        }
    }
}
