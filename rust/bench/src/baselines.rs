//! Methods with which the core is compared.
//!
//! All of them keep their memory between runs, so that a comparison measures solving and not allocating.
//!
//! Order of reading: `binary_heap` (the reference of most ratios), `fifo` (system A), `plain_flow` and
//! `predecessor_tree` (system C), then `path_search` and `potential`, which work per agent.

pub mod binary_heap;
pub mod fifo;
pub mod path_search;
pub mod plain_flow;
pub mod potential;
pub mod predecessor_tree;

use crate::maps::{CostMap, WALL};

/// Calls `visit(neighbour, index into STEPS)` for every legal step out of a cell, straight ones first.
#[inline(always)]
fn for_each_step(map: &CostMap, cell: usize, mut visit: impl FnMut(usize, u8)) {
    let width = map.width;
    let (x, y) = (cell % width, cell / width);
    let passable = |other: usize| map.cost[other] != WALL;
    let right = x + 1 < width && passable(cell + 1);
    let left = x > 0 && passable(cell - 1);
    let below = y + 1 < map.height && passable(cell + width);
    let above = y > 0 && passable(cell - width);
    if right {
        visit(cell + 1, 0);
    }
    if left {
        visit(cell - 1, 1);
    }
    if below {
        visit(cell + width, 2);
    }
    if above {
        visit(cell - width, 3);
    }
    if right && below && passable(cell + width + 1) {
        visit(cell + width + 1, 4);
    }
    if left && below && passable(cell + width - 1) {
        visit(cell + width - 1, 5);
    }
    if right && above && passable(cell - width + 1) {
        visit(cell - width + 1, 6);
    }
    if left && above && passable(cell - width - 1) {
        visit(cell - width - 1, 7);
    }
}
