//! The length of the path that tiles with carried-over costs produce for a route: the cheapest path that crosses from
//! sector to sector through the windows of the route, at any of their cells.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;
use flow_swarm::grid::STEPS;
use flow_swarm::movement::CostField;
use flow_swarm::route::{PortalGraph, Route};

/// The cost from `source` along `route` to `goal`, in cost units.
pub fn corridor_cost(
    graph: &PortalGraph,
    costs: &CostField,
    route: &Route,
    source: IVec2,
    goal: IVec2,
) -> Option<f64> {
    let sectors = graph.sectors();
    let (&last, before) = route.sectors.split_last()?;
    let mut rect = sectors.rect(last);
    let mut to_go = spread(costs, rect, &[(goal, 0.0)]);
    for (&sector, &portal) in before.iter().zip(&route.portals).rev() {
        let (window, step) = (graph.cells(portal), graph.side(portal).step());
        let sideways = IVec2::new(step.y, step.x);
        let mut ends = Vec::new();
        for cell in cells(window) {
            for (aside, length) in [
                (IVec2::ZERO, 1.0),
                (sideways, std::f64::consts::SQRT_2),
                (-sideways, std::f64::consts::SQRT_2),
            ] {
                let across = cell + step + aside;
                if !is_in(rect, across)
                    || !costs.is_open(across)
                    || !costs.is_open(cell + aside)
                    || !costs.is_open(cell + step)
                {
                    continue;
                }
                let rest = to_go[place(rect, across)];
                ends.push((cell, rest + length * f64::from(costs.cost_at(cell))));
            }
        }
        rect = sectors.rect(sector);
        to_go = spread(costs, rect, &ends);
    }
    let cost = to_go[place(rect, source)];
    cost.is_finite().then_some(cost)
}

fn cells(rect: CellRect) -> impl Iterator<Item = IVec2> {
    let rows = rect.low.y..rect.high.y;
    rows.flat_map(move |y| (rect.low.x..rect.high.x).map(move |x| IVec2::new(x, y)))
}

fn is_in(rect: CellRect, cell: IVec2) -> bool {
    cell.cmpge(rect.low).all() && cell.cmplt(rect.high).all()
}

fn place(rect: CellRect, cell: IVec2) -> usize {
    let inside = cell - rect.low;
    (inside.y * (rect.high.x - rect.low.x) + inside.x) as usize
}

#[derive(PartialEq)]
struct Entry(f64, IVec2);

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Dijkstra's algorithm within a rectangle.
fn spread(costs: &CostField, rect: CellRect, ends: &[(IVec2, f64)]) -> Vec<f64> {
    let size = rect.high - rect.low;
    let mut to_go = vec![f64::INFINITY; (size.x * size.y) as usize];
    let mut open: BinaryHeap<Entry> = ends.iter().map(|&(cell, cost)| Entry(cost, cell)).collect();
    while let Some(Entry(cost, cell)) = open.pop() {
        let known = &mut to_go[place(rect, cell)];
        if cost >= *known {
            continue;
        }
        *known = cost;
        for (step, towards) in STEPS.into_iter().enumerate() {
            // A step is legal in both directions or in neither.
            let from = cell - towards;
            if !is_in(rect, from) || costs.steps_at(from) >> step & 1 == 0 {
                continue;
            }
            let length = [1.0, std::f64::consts::SQRT_2][step % 2];
            let cost = cost + length * f64::from(costs.cost_at(from));
            if cost < to_go[place(rect, from)] {
                open.push(Entry(cost, from));
            }
        }
    }
    to_go
}
