//! Plain tiles: to an exit of a sector, whatever lies behind it.
//!
//! The plain variant of Emerson, Game AI Pro, 23.6.1: every cell of the portal window costs nothing, so the
//! tile depends on no goal and is shared by all routes that leave the sector there. Agents enter the next
//! sector anywhere along the window instead of where it is best: what is saved in building is paid in
//! walking.

use super::super::sectors::Sectors;
use super::border;
use super::cache::{Store, TileCache};
use super::solve::TileSolver;
use super::tile::{Content, Place, TileView};
use crate::error::{Error, Result};
use crate::flow::sample;
use crate::grid::{CellRect, floor_to_cell};
use crate::integrate::{Candidate, GoalCell, Root, SCALES, Solver, UNREACHED, cost_overflow};
use crate::movement::{CostField, STEPS};
use glam::{IVec2, Vec2};
use std::ops::Range;

/// A window in a sector's border, to be left by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// The straight step that leads out of the sector: 0, 2, 4 or 6 of [`STEPS`].
    pub side: usize,
    /// The cells of the window along that side, from the sector's lower corner on.
    pub cells: Range<u32>,
}

/// Directions in one sector to one of its exits, or to goal cells in it.
#[derive(Debug, Clone)]
pub struct PlainTile {
    rect: CellRect,
    content: Content,
    /// The cells outside that cost nothing.
    outside: Option<CellRect>,
    targets: Vec<(IVec2, Vec2)>,
}

impl PlainTile {
    /// The tile of `sector` to an exit. Only cells of the sector count, and those just outside the window.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is no such window; [`Error::CostOverflow`].
    pub fn to_exit(
        layout: &Sectors,
        sector: u32,
        exit: &Exit,
        method: Solver,
        costs: &CostField,
        (solver, cache): (&mut TileSolver, &mut TileCache),
    ) -> Result<Self> {
        let rect = check_sector(layout, sector)?;
        let size = rect.high - rect.low;
        if !exit.side.is_multiple_of(2) || layout.neighbour(sector, exit.side).is_none() {
            return Err(out_of_range("exit.side", exit.side as f64, 6.0));
        }
        let length = border::length(size, exit.side).cast_unsigned();
        if exit.cells.is_empty() || exit.cells.end > length {
            let most = f64::from(length);
            return Err(out_of_range("exit.cells", f64::from(exit.cells.end), most));
        }
        let cell = |at: u32| border::cell(size, exit.side, at.cast_signed()) + STEPS[exit.side];
        let outside = CellRect {
            low: cell(exit.cells.start),
            high: cell(exit.cells.end - 1) + 1,
        };
        solver.begin(costs, rect, !(1 << exit.side));
        for at in exit.cells.clone() {
            let root = Root::HERE;
            solver.start(cell(at), Candidate { cost: 0, root });
        }
        let content = finish(method, solver, cache)?;
        Ok(Self {
            rect,
            content,
            outside: Some(outside),
            targets: Vec::new(),
        })
    }

    /// The tile of `sector` to goal cells in it, with their exact points in cell space: the last one of a
    /// route. Only cells of the sector count.
    ///
    /// # Errors
    /// [`Error::UnknownId`] for a sector that does not exist; [`Error::CostOverflow`].
    pub fn to_goals(
        layout: &Sectors,
        sector: u32,
        goals: &[(GoalCell, Vec2)],
        method: Solver,
        costs: &CostField,
        (solver, cache): (&mut TileSolver, &mut TileCache),
    ) -> Result<Self> {
        let rect = check_sector(layout, sector)?;
        solver.begin(costs, rect, 0xFF);
        let mut inside: Vec<(GoalCell, Vec2)> = goals.to_vec();
        inside.retain(|(goal, _)| {
            let is_inside = goal.cell.cmpge(rect.low).all() && goal.cell.cmplt(rect.high).all();
            is_inside && costs.is_open(goal.cell)
        });
        inside.sort_by(|(one, _), (other, _)| {
            let place = |goal: &GoalCell| (goal.cell.y, goal.cell.x);
            place(one)
                .cmp(&place(other))
                .then(one.cost.total_cmp(&other.cost))
        });
        inside.dedup_by_key(|(goal, _)| goal.cell);
        for (goal, _) in &inside {
            let cost = f64::from(goal.cost) * f64::from(SCALES[0].straight);
            solver.start_goal(goal.cell - rect.low, cost.round() as u32);
        }
        let content = finish(method, solver, cache)?;
        let targets = inside
            .into_iter()
            .map(|(goal, target)| (goal.cell - rect.low, target - rect.low.as_vec2()));
        Ok(Self {
            rect,
            targets: targets.filter(|&(cell, _)| content.is_goal(cell)).collect(),
            content,
            outside: None,
        })
    }

    /// The unit direction at a point in cell space, for the middle of a body of some radius in cells; zero at
    /// a goal and where the exit cannot be reached. `None` outside the sector.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Option<Vec2> {
        let cell = floor_to_cell(point);
        if cell.cmplt(self.rect.low).any() || cell.cmpge(self.rect.high).any() {
            return None;
        }
        let Content::Cells(tile, _) = &self.content else {
            return Some(Vec2::ZERO);
        };
        let view = TileView { tile, place: self };
        Some(sample(&view, point - self.rect.low.as_vec2(), radius))
    }
}

impl Place for &PlainTile {
    fn size(&self) -> IVec2 {
        self.rect.high - self.rect.low
    }

    fn target(&self, cell: IVec2) -> Option<Vec2> {
        let found = self.targets.iter().find(|(goal, _)| *goal == cell);
        found.map(|&(_, target)| target)
    }

    fn cost(&self, cell: IVec2) -> u32 {
        let size = self.rect.high - self.rect.low;
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all() {
            return self.content.border_cost(size, cell);
        }
        let is_exit = self
            .outside
            .is_some_and(|outside| cell.cmpge(outside.low).all() && cell.cmplt(outside.high).all());
        if is_exit { 0 } else { UNREACHED }
    }
}

fn finish(method: Solver, solver: &mut TileSolver, cache: &mut TileCache) -> Result<Content> {
    SCALES
        .first()
        .and_then(|&scale| solver.finish(method.into(), scale, Some(cache)))
        .map(|solved| solved.take_in(&mut Store::Own(cache)))
        .ok_or_else(cost_overflow)
}

fn check_sector(layout: &Sectors, sector: u32) -> Result<CellRect> {
    if sector as usize >= layout.count() {
        return Err(Error::UnknownId {
            name: "sector",
            id: i64::from(sector),
        });
    }
    Ok(layout.rect(sector))
}

fn out_of_range(name: &'static str, value: f64, max: f64) -> Error {
    Error::OutOfRange {
        name,
        value: value.into(),
        min: 0.into(),
        max: max.into(),
    }
}
