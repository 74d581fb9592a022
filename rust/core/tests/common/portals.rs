//! What the tests of portals share: maps with settings, and plain searches within a rectangle.

use super::penalty_types;
use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{CostField, MovementType, STEPS};
use flow_swarm::route::{PortalGraph, PortalSettings};
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind, open};
use std::collections::BTreeMap;

/// Stored units of a straight and of a diagonal step over clear ground.
pub const STRAIGHT: u64 = 2378;
pub const DIAGONAL: u64 = 3363;

pub fn settings(sector_size: u32, widest_window: u32) -> PortalSettings {
    PortalSettings {
        sector_size,
        widest_window,
    }
}

pub fn graph_of(costs: &CostField, settings: PortalSettings) -> PortalGraph {
    PortalGraph::new(costs, settings, &Workers::serial()).expect("valid settings")
}

/// Maps of several kinds and awkward sizes, with settings of all sorts.
pub fn cases(seed: u64) -> Vec<(String, CostMap, MovementType, PortalSettings)> {
    let mut random = SplitMix64::new(seed);
    let mut maps: Vec<(String, CostMap)> = Vec::new();
    for (width, height) in [(37, 29), (64, 20), (90, 85)] {
        let kinds = every_kind(width, height, seed);
        maps.extend(kinds.into_iter().map(|(name, map)| (name.to_owned(), map)));
    }
    for (width, height) in [(1, 1), (1, 23), (23, 1), (2, 2), (5, 3), (9, 64)] {
        maps.push((format!("open {width}x{height}"), open(width, height)));
    }
    let kinds = penalty_types();
    maps.into_iter()
        .map(|(name, map)| {
            let size = [4, 5, 7, 8, 10, 16, 31, 64][random.below(8)];
            let widest = [1, 2, 3, 5, 8, 64][random.below(6)];
            let kind = kinds[random.below(3)].clone();
            (name, map, kind, settings(size, widest))
        })
        .collect()
}

pub fn cells_in(rect: CellRect) -> Vec<IVec2> {
    let columns = rect.low.x..rect.high.x;
    let rows = rect.low.y..rect.high.y;
    rows.flat_map(|y| columns.clone().map(move |x| IVec2::new(x, y)))
        .collect()
}

/// Costs of walking to any of `ends` within a rectangle of cells, by relaxing until nothing changes.
pub fn costs_within(
    costs: &CostField,
    rect: CellRect,
    ends: &[(IVec2, u64)],
) -> BTreeMap<(i32, i32), u64> {
    let inside = |cell: IVec2| {
        cell.cmpge(rect.low).all() && cell.cmplt(rect.high).all() && costs.is_open(cell)
    };
    let mut found: BTreeMap<(i32, i32), u64> = BTreeMap::new();
    for &(cell, cost) in ends {
        let known = found.entry((cell.x, cell.y)).or_insert(u64::MAX);
        *known = cost.min(*known);
    }
    loop {
        let mut changed = false;
        for cell in cells_in(rect) {
            if !inside(cell) {
                continue;
            }
            for (step, &towards) in STEPS.iter().enumerate() {
                let next = cell + towards;
                let beside = [
                    cell + IVec2::new(towards.x, 0),
                    cell + IVec2::new(0, towards.y),
                ];
                if !inside(next) || !beside.into_iter().all(inside) {
                    continue;
                }
                let Some(&onward) = found.get(&(next.x, next.y)) else {
                    continue;
                };
                let length = if step % 2 == 0 { STRAIGHT } else { DIAGONAL };
                let cost = onward + length * u64::from(costs.cost_at(cell));
                let known = found.entry((cell.x, cell.y)).or_insert(u64::MAX);
                if cost < *known {
                    *known = cost;
                    changed = true;
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

pub fn key(cell: IVec2) -> (i32, i32) {
    (cell.x, cell.y)
}
