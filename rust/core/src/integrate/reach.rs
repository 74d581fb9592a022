//! The cells that can be reached from a cell within a budget: Dijkstra's algorithm along the steps, away from the
//! start.
//!
//! Fields are searched from the goal, against the steps. Here a step costs the same, its length times the cost of the
//! cell that it leaves, so that the cost to a cell is that of an octile field of a goal in this cell, at the start.

use super::scale::FINEST;
use crate::grid::STEPS;
use crate::movement::CostField;
use glam::IVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The greatest budget, in cost units.
pub const MAX_REACH: f64 = 1.0e6;

/// How much more than the budget a path may cost, as a part of it. A diagonal step is stored as 6e-8 longer than √2,
/// and games keep costs in `f32`; neither must exclude a cell whose cost is the budget.
const TOLERANCE: f64 = 2.5e-7;

/// Edge length of a page in cells.
const EDGE: i32 = 32;

const UNKNOWN: u32 = u32::MAX;

/// The cost of each cell that has been seen, in pages that are made when a search enters them.
struct Pages {
    /// Pages in a row of them.
    columns: i32,
    /// The number of each page, row-major; [`UNKNOWN`] for pages without memory.
    numbers: Vec<u32>,
    costs: Vec<[u32; (EDGE * EDGE) as usize]>,
}

impl Pages {
    fn new(costs: &CostField) -> Self {
        let pages = |cells: usize| cells.div_ceil(EDGE as usize);
        let (columns, rows) = (pages(costs.width()), pages(costs.height()));
        Self {
            columns: columns as i32,
            numbers: vec![UNKNOWN; columns * rows],
            costs: Vec::new(),
        }
    }

    /// The known cost of a cell of the grid; [`UNKNOWN`] at first.
    fn at(&mut self, cell: IVec2) -> &mut u32 {
        let page = (cell.y / EDGE) * self.columns + cell.x / EDGE;
        let number = &mut self.numbers[page as usize];
        if *number == UNKNOWN {
            *number = self.costs.len() as u32;
            self.costs.push([UNKNOWN; (EDGE * EDGE) as usize]);
        }
        let place = (cell.y % EDGE) * EDGE + cell.x % EDGE;
        &mut self.costs[*number as usize][place as usize]
    }
}

/// The cells that can be reached from a cell of the grid at a cost of up to `budget`, which is at most [`MAX_REACH`],
/// with these costs, the cheapest first, of equal ones the one with the least y, then x. The start is the first;
/// there are none if it is closed.
///
/// O(n log n) for n cells, and a byte for every 256 cells of the map.
pub(crate) fn reach(costs: &CostField, start: IVec2, budget: f64) -> Vec<(IVec2, f64)> {
    let mut found = Vec::new();
    if !costs.is_open(start) {
        return found;
    }
    let straight = f64::from(FINEST.straight);
    let limit = (budget * (1.0 + TOLERANCE) * straight) as u64;
    let mut known = Pages::new(costs);
    let mut waiting = BinaryHeap::new();
    let candidate = |known: &mut Pages, waiting: &mut BinaryHeap<_>, cost: u64, cell: IVec2| {
        let best = known.at(cell);
        // The limit is below `UNKNOWN`.
        if cost <= limit && cost < u64::from(*best) {
            *best = cost as u32;
            waiting.push(Reverse((cost as u32, cell.y, cell.x)));
        }
    };
    candidate(&mut known, &mut waiting, 0, start);
    while let Some(Reverse((cost, y, x))) = waiting.pop() {
        let cell = IVec2::new(x, y);
        if cost > *known.at(cell) {
            continue;
        }
        found.push((cell, f64::from(cost) / straight));
        let own = u64::from(costs.cost_at(cell));
        let lengths = [FINEST.straight, FINEST.diagonal];
        let lengths = lengths.map(|length| u64::from(cost) + own * u64::from(length));
        let legal = costs.steps_at(cell);
        for (number, &step) in STEPS.iter().enumerate() {
            if legal >> number & 1 == 1 {
                candidate(&mut known, &mut waiting, lengths[number % 2], cell + step);
            }
        }
        for link in costs.links().from(costs.index(cell)) {
            let end = costs.cell(link.to);
            if costs.is_open(end) {
                let cost = u64::from(cost) + u64::from(link.units(FINEST));
                candidate(&mut known, &mut waiting, cost, end);
            }
        }
    }
    found
}
