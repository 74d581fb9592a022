//! Windows: the parts of a map around a goal's cells, and the bound up to which a solve of a window is exact.

use crate::grid::CellRect;
use crate::integrate::{GoalCell, IntegrationField, UNREACHED};
use crate::movement::CostField;
use crate::world::goal_id::Destination;
use glam::{IVec2, Vec2};

/// The number of rows and columns along a window's sides whose values depend on the ground beyond.
const RIM: i32 = 3;
/// The share of the distance between two goals that is certainly nearer to one of them: one half, less the error of
/// costs.
const NEARER: f32 = 0.45;

/// A part of a map that holds goal cells.
#[derive(Debug, Clone)]
pub(super) struct Window {
    pub(super) cells: CellRect,
    /// The goal cells in it, as cells of the grid.
    pub(super) goals: Vec<GoalCell>,
    /// The cells without the rim.
    pub(super) inner: CellRect,
    /// The least cost from another goal to one of these, in cost units; infinite if there is no other.
    pub(super) apart: f32,
    /// Whether a link may make that cost lower.
    pub(super) is_linked: bool,
    /// The last cells, in the window, of links from outside.
    pub(super) entries: Vec<IVec2>,
    /// The first cells, in the window, of links that lead out of it, with their costs.
    pub(super) exits: Vec<(IVec2, f32)>,
}

/// Windows that reach `reach` cells beyond each goal cell that is not in a wall. Windows do not overlap. `None` if they
/// have more than `most` cells.
pub(super) fn windows(
    costs: &CostField,
    goals: &[GoalCell],
    reach: i32,
    most: usize,
) -> Option<Vec<Window>> {
    let map = CellRect {
        low: IVec2::ZERO,
        high: IVec2::new(costs.width() as i32, costs.height() as i32),
    };
    let mut groups: Vec<(CellRect, Vec<GoalCell>)> = Vec::new();
    for &goal in goals.iter().filter(|goal| costs.is_open(goal.cell)) {
        let mut rect = CellRect::cell(goal.cell).grown(reach).intersection(&map);
        let mut members = vec![goal];
        // A merged window may overlap others.
        while let Some(at) = groups.iter().position(|(other, _)| overlap(other, &rect)) {
            let (other, others) = groups.swap_remove(at);
            rect = rect.union(&other);
            members.extend(others);
        }
        groups.push((rect, members));
    }
    let cells: usize = groups.iter().map(|(rect, _)| rect.cell_count()).sum();
    if cells > most {
        return None;
    }
    groups.sort_by_key(|(rect, _)| (rect.low.y, rect.low.x));
    for (_, members) in &mut groups {
        members.sort_by_key(|goal| (goal.cell.y, goal.cell.x));
    }
    let windows = (0..groups.len()).map(|at| Window::new(costs, &map, &groups, at));
    Some(windows.collect())
}

fn overlap(one: &CellRect, other: &CellRect) -> bool {
    !one.intersection(other).is_empty()
}

/// The cells of a window without the rim.
pub(super) fn inner(cells: CellRect, map: &CellRect) -> CellRect {
    // The sides of the map need no rim.
    let rim = |continues: bool| if continues { RIM } else { 0 };
    CellRect {
        low: IVec2::new(
            cells.low.x + rim(cells.low.x > map.low.x),
            cells.low.y + rim(cells.low.y > map.low.y),
        ),
        high: IVec2::new(
            cells.high.x - rim(cells.high.x < map.high.x),
            cells.high.y - rim(cells.high.y < map.high.y),
        ),
    }
}

impl Window {
    fn new(
        costs: &CostField,
        map: &CellRect,
        groups: &[(CellRect, Vec<GoalCell>)],
        at: usize,
    ) -> Self {
        let (cells, goals) = &groups[at];
        let others = groups.iter().enumerate().filter(|&(other, _)| other != at);
        let others = others.flat_map(|(_, (_, members))| members);
        let distances = others.flat_map(|other| {
            let to = |goal: &GoalCell| (goal.cell - other.cell).as_vec2().length();
            goals.iter().map(to)
        });
        let apart = distances.fold(f32::INFINITY, f32::min);
        let (mut entries, mut exits) = (Vec::new(), Vec::new());
        for edge in costs.links().edges() {
            let (from, to) = (costs.cell(edge.from), costs.cell(edge.to));
            match (cells.contains(from), cells.contains(to)) {
                (false, true) => entries.push(to),
                (true, false) => exits.push((from, edge.cost)),
                _ => {}
            }
        }
        Self {
            cells: *cells,
            goals: goals.clone(),
            inner: inner(*cells, map),
            apart: apart * f32::from(costs.cheapest()),
            is_linked: !costs.links().is_empty(),
            entries,
            exits,
        }
    }

    /// The goal cells in the coordinates of the window.
    pub(super) fn own_goals(&self) -> Vec<GoalCell> {
        let own = |goal: &GoalCell| GoalCell {
            cell: goal.cell - self.cells.low,
            cost: goal.cost,
        };
        self.goals.iter().map(own).collect()
    }

    /// The exact targets in the coordinates of the window.
    pub(super) fn own_targets(&self, destination: &Destination) -> Vec<Vec2> {
        let low = self.cells.low.as_vec2();
        destination
            .targets
            .iter()
            .map(|&target| target - low)
            .collect()
    }

    /// The stored cost below which a solve of the window has the values of a solve of the whole map.
    ///
    /// A value is made only from lower values. A path that leaves the window comes back over the rim or by a link from
    /// outside, so it does not affect cells that cost less than all of these. Nor does a path to a goal outside affect
    /// a cell from which a goal inside is nearer: let a path from x lead over a cell y of the rim. It is at least as
    /// long as the path from x to y, which is at least the cost of y minus the cost of x. So x is nearer to its own
    /// goal if it costs at most half as much as y.
    pub(super) fn bound(&self, integration: &IntegrationField) -> u32 {
        let stored = |cell: IVec2| integration.stored_at(cell - self.cells.low);
        let rim = self.rim().map(stored).fold(UNREACHED, u32::min);
        let entries = self.entries.iter().map(|&cell| stored(cell));
        let bound = entries.fold(rim, u32::min);
        if self.apart.is_infinite() {
            return bound;
        }
        let straight = integration.scale().straight as f32;
        let apart = if self.is_linked {
            0
        } else {
            (NEARER * self.apart * straight) as u32
        };
        let exits = self.exits.iter().map(|&(cell, cost)| {
            let length = (cost * straight) as u32;
            stored(cell).saturating_add(length) / 2
        });
        exits.fold(bound.min(apart.max(rim / 2)), u32::min)
    }

    /// The cells along the sides beyond which the map continues.
    fn rim(&self) -> impl Iterator<Item = IVec2> {
        let Self { cells, inner, .. } = *self;
        let row = move |y: i32, from: i32, to: i32| (from..to).map(move |x| IVec2::new(x, y));
        (cells.low.y..cells.high.y).flat_map(move |y| {
            let is_inside = (inner.low.y..inner.high.y).contains(&y);
            let left = if is_inside { inner.low.x } else { cells.high.x };
            let right = if is_inside {
                inner.high.x
            } else {
                cells.high.x
            };
            row(y, cells.low.x, left).chain(row(y, right, cells.high.x))
        })
    }
}
