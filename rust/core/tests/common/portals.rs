//! Shared code of the portal tests: maps with settings, and plain searches within a rectangle and over the graph.

use super::penalty_types;
use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;
use flow_swarm::grid::STEPS;
use flow_swarm::integrate::GoalCell;
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::{PortalGraph, PortalId, PortalSettings};
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind, open};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The cost of a straight and of a diagonal step over clear ground, in stored units.
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

/// Maps of several kinds and irregular sizes, with various settings.
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

/// The costs of walking to any of `ends` within a rectangle of cells, by relaxing until nothing changes.
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

/// A cost in stored units.
pub fn stored(cost: f32) -> u64 {
    (f64::from(cost) * STRAIGHT as f64).round() as u64
}

pub fn open_goals(costs: &CostField, goals: &[GoalCell]) -> Vec<(IVec2, u64)> {
    let open = goals.iter().filter(|goal| costs.is_open(goal.cell));
    open.map(|goal| (goal.cell, stored(goal.cost))).collect()
}

pub fn goals_in(graph: &PortalGraph, goals: &[(IVec2, u64)], sector: u32) -> Vec<(IVec2, u64)> {
    let inside = goals.iter().copied();
    inside
        .filter(|goal| graph.sectors().at(goal.0) == sector)
        .collect()
}

/// The cost from every portal to the goals, by a plain search of the graph through its public description.
pub fn costs_to_go(
    graph: &PortalGraph,
    costs: &CostField,
    goals: &[(IVec2, u64)],
) -> BTreeMap<PortalId, u64> {
    let sectors = graph.sectors();
    let mut found = BTreeMap::new();
    let mut pending = BinaryHeap::new();
    let mut ways_to: BTreeMap<PortalId, Vec<(PortalId, u64)>> = BTreeMap::new();
    for sector in 0..sectors.count() as u32 {
        for portal in graph.portals_of(sector) {
            for (end, units) in graph.links_from(portal) {
                ways_to.entry(end).or_default().push((portal, units));
            }
        }
        let goals = goals_in(graph, goals, sector);
        if goals.is_empty() {
            continue;
        }
        let within = costs_within(costs, sectors.rect(sector), &goals);
        for portal in graph.portals_of(sector) {
            if let Some(&cost) = within.get(&key(graph.middle(portal))) {
                pending.push(Reverse((cost, portal)));
            }
        }
    }
    while let Some(Reverse((cost, portal))) = pending.pop() {
        if found.contains_key(&portal) {
            continue;
        }
        found.insert(portal, cost);
        for other in graph.portals_of(portal.sector) {
            if let Some(edge) = graph.exact_cost_between(other, portal) {
                pending.push(Reverse((cost + u64::from(edge), other)));
            }
        }
        for &(first, units) in ways_to.get(&portal).into_iter().flatten() {
            pending.push(Reverse((cost + units, first)));
        }
        if !graph.is_link(portal) {
            let across = graph.across(portal);
            let step = STRAIGHT * u64::from(costs.cost_at(graph.middle(across)));
            pending.push(Reverse((cost + step, across)));
        }
    }
    found
}

/// The cost of the cheapest route from a cell over the graph, from the result of [`costs_to_go`].
pub fn route_cost(
    graph: &PortalGraph,
    costs: &CostField,
    goals: &[(IVec2, u64)],
    portals: &BTreeMap<PortalId, u64>,
    cell: IVec2,
) -> Option<u64> {
    let sector = graph.sectors().at(cell);
    let mut ends = goals_in(graph, goals, sector);
    let known = graph
        .portals_of(sector)
        .filter_map(|portal| Some((graph.middle(portal), *portals.get(&portal)?)));
    ends.extend(known);
    let within = costs_within(costs, graph.sectors().rect(sector), &ends);
    within.get(&key(cell)).copied()
}
