//! [`super::best_neighbour`] for rows whose steps are cheap enough for 8-bit comparisons.
//!
//! A legal step leads in both directions, so the costs at its ends differ by at most the cost of the step. Where this
//! is small enough, the lower halves of the costs give the sign and size of the difference, and a vector holds twice as
//! many halves.

use super::Direction;
use super::cell::PIECE;
use super::preference::choose;
use crate::grid::STEPS;
use crate::integrate::IntegrationField;
use crate::movement::CostField;

/// The number of cells of a block. It is constant, so no cells remain for a scalar loop.
const BLOCK: usize = 16;

/// Whether no step in a row of `count` cells costs more than half of the range of a half.
pub(super) fn fits(costs: &CostField, integration: &IntegrationField, count: usize) -> bool {
    let longest = u32::from(costs.dearest()) * integration.scale().diagonal;
    count >= BLOCK && longest <= i16::MAX as u32
}

/// [`super::best_neighbour::fill_row`] for rows that [`fits`] accepts.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
    lower: &mut [u8],
) {
    let (count, stride) = (out.len(), costs.stride());
    let scale = integration.scale();
    let lengths = [scale.straight as u16, scale.diagonal as u16];
    let mut rows = [[0; PIECE + 2]; 3];
    for (row, middle) in rows.iter_mut().zip([from - stride, from, from + stride]) {
        let stored = &integration.stored()[middle - 1..][..count + 2];
        for (half, &cost) in row.iter_mut().zip(stored) {
            *half = cost as u16;
        }
    }
    // The last block overlaps the one before.
    let last = count - BLOCK;
    for x in (0..last).step_by(BLOCK).chain([last]) {
        let around = STEPS.map(|step| {
            let row = &rows[(1 + step.y) as usize];
            &row[x + (1 + step.x) as usize..][..BLOCK]
        });
        let cells = Block {
            here: &rows[1][x + 1..][..BLOCK],
            around,
            entry: &costs.costs()[from + x..][..BLOCK],
            legal: &costs.steps()[from + x..][..BLOCK],
        };
        let (best, less) = cells.compare(lengths);
        lower[x..][..BLOCK].copy_from_slice(&less);
        choose(&best, cells.entry, &mut out[x..][..BLOCK]);
    }
}

/// The data from which a block's directions follow.
struct Block<'a> {
    here: &'a [u16],
    around: [&'a [u16]; 8],
    entry: &'a [u8],
    legal: &'a [u8],
}

impl Block<'_> {
    /// For each cell the set of legal steps from which its cost may result, and the set of legal steps to lower cost.
    #[inline]
    fn compare(&self, lengths: [u16; 2]) -> ([u8; BLOCK], [u8; BLOCK]) {
        let (mut best, mut lower) = ([0; BLOCK], [0; BLOCK]);
        for x in 0..BLOCK {
            let (here, cost) = (self.here[x], u16::from(self.entry[x]));
            let wanted = lengths.map(|length| here.wrapping_sub(length.wrapping_mul(cost)));
            // Both sets grow from the top of their half downwards, because the sign of a difference is then already the
            // upper set's bit.
            let mut sets = 0;
            for (step, around) in self.around.iter().enumerate() {
                sets >>= 1;
                sets |= around[x].wrapping_sub(here) & 0x8000;
                sets |= if around[x] == wanted[step & 1] {
                    0x80
                } else {
                    0
                };
            }
            best[x] = sets as u8 & self.legal[x];
            lower[x] = (sets >> 8) as u8 & self.legal[x];
        }
        (best, lower)
    }
}

#[cfg(test)]
mod tests {
    use super::super::best_neighbour::find_best;
    use super::*;
    use crate::grid::Grid;
    use crate::integrate::{GoalCell, OctileSolver};
    use crate::movement::{BLOCKED, MovementType};
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn halves_tell_what_whole_costs_do(
            (width, height) in (BLOCK as i32..=PIECE as i32, 1_i32..20),
            walls_percent in prop::sample::select(vec![0_u64, 15, 35]),
            dearest in 1_u64..=9,
            farther in 0.0_f32..100.0,
            seed in any::<u64>(),
        ) {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let mut terrain = Terrain::new(&grid);
            let draw = |at: u64, part: u64| crate::random::keyed(seed, at, part);
            for index in 0..grid.cell_count() {
                let wall = draw(index as u64, 0) % 100 < walls_percent;
                let cost = 1 + (draw(index as u64, 1) % dearest) as u8;
                let id = if wall { BLOCKED } else { cost };
                terrain.set(grid.cell(index), id).expect("inside");
            }
            let costs = CostField::new(&grid, &terrain, &MovementType::default());
            let somewhere = |part| grid.cell((draw(0, part) % grid.cell_count() as u64) as usize);
            let goals = [(somewhere(2), 0.0), (somewhere(3), farther)]
                .map(|(cell, cost)| GoalCell { cell, cost });
            let field = OctileSolver::new().solve_goals(&costs, &goals).expect("small");
            let count = width as usize;
            prop_assert!(fits(&costs, &field, count));
            for y in 0..height {
                let from = costs.index(IVec2::new(0, y));
                let mut found = ([Direction::WALL; PIECE], [0; PIECE]);
                fill_row(&costs, &field, from, &mut found.0[..count], &mut found.1[..count]);
                let (mut best, mut lower) = ([0; PIECE], [0; PIECE]);
                find_best(&costs, &field, from, &mut best[..count], &mut lower[..count]);
                let mut directions = [Direction::WALL; PIECE];
                choose(&best[..count], &costs.costs()[from..][..count], &mut directions[..count]);
                prop_assert_eq!(found, (directions, lower));
            }
        }
    }
}
