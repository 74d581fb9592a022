//! Sets of steps that follow from the cost of a cell and those of its neighbours, a byte for each cell: solvers read
//! one byte in place of nine costs.

use crate::grid::STEPS;
use crate::movement::CostField;
use std::ops::Range;

/// Finds the sets of the cells in some rows of the grid. `set_of` makes one of the cost of a cell and those of its
/// neighbours, in the order of [`STEPS`]. `sets` grows as needed; those of the border are 0.
///
/// A loop without branches over whole rows, which the compiler turns into vector code if `set_of` has none.
pub(super) fn find_sets(
    costs: &CostField,
    rows: Range<usize>,
    set_of: impl Fn(u8, [u8; 8]) -> u8,
    sets: &mut Vec<u8>,
) {
    let stride = costs.stride();
    // Includes the border below. Touching memory for the first time takes longer than all other work.
    sets.resize(sets.len().max((rows.end + 2) * stride), 0);
    let mut copies = [const { Vec::new() }; 3];
    for y in rows {
        let rows = costs.rows_around(y, &mut copies);
        let part = |x: i32, y: i32| &rows[(y + 1) as usize][(x + 1) as usize..][..costs.width()];
        let own = part(0, 0);
        let around = STEPS.map(|step| part(step.x, step.y));
        let out = &mut sets[(y + 1) * stride + 1..][..costs.width()];
        for x in 0..out.len() {
            out[x] = set_of(own[x], around.map(|row| row[x]));
        }
    }
}

/// Finds again the sets of a cell that has changed, given by stored index, and of its neighbours, in the rows of the
/// grid before `end`.
pub(super) fn correct_sets(
    costs: &CostField,
    changed: usize,
    end: usize,
    set_of: impl Fn(u8, [u8; 8]) -> u8,
    sets: &mut [u8],
) {
    let changed = costs.cell(changed);
    let cells = STEPS.map(|step| changed + step);
    for cell in cells.into_iter().chain([changed]) {
        if costs.contains(cell) && cell.y < end as i32 {
            let around = STEPS.map(|step| costs.cost_at(cell + step));
            sets[costs.index(cell)] = set_of(costs.cost_at(cell), around);
        }
    }
}
