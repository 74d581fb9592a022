//! What the solves of zones share.

use crate::error::Result;
use crate::flow::{DirectionRule, FlowField};
use crate::integrate::{GoalCell, IntegrationField, Method, Root, Solvers, UNREACHED};
use crate::movement::{BLOCKED, CostField, MAX_COST};
use crate::workers::Workers;
use crate::world::version::Version;
use crate::world::zones::zone::UNITS;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// How much dearer the ground is beside a target than far from it.
const DANGER: f32 = 2.0;
/// The distance from a target, in cells, within which no path leads past it.
pub(super) const TOUCH: f32 = 1.0;
/// The cost of a cell beside a target, in units of a zone.
const BESIDE: u8 = 3 * UNITS;
/// The distance from a side, in cells, within which directions are coarse.
const BESIDE_SIDE: f32 = 3.0;
/// The least cosines between the direction of a solver and the exact one: near a side, 66 degrees, and elsewhere, 41.
const COARSE: f32 = 0.4;
const FINE: f32 = 0.75;
/// How much more it is worth to be a cell farther from a target than the cost of a cell, where no place is safe.
const WORTH: f32 = 1.5;

/// A solver with the method and the rule of a field.
pub(super) struct Solving<'a> {
    pub(super) method: Method,
    pub(super) rule: DirectionRule,
    pub(super) solvers: &'a mut Solvers,
}

impl<'a> Solving<'a> {
    pub(super) fn new(version: Version, solvers: &'a mut Solvers) -> Self {
        Self {
            method: version.method(),
            rule: version.rule,
            solvers,
        }
    }

    /// The costs and directions to `goals`.
    pub(super) fn field(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<(IntegrationField, FlowField)> {
        let (integration, record) = self.solvers.solve_goals(self.method, costs, goals)?;
        let workers = Workers::serial();
        let flow = match &record {
            Some(record) => {
                FlowField::from_predecessors(costs, &integration, record, &[], &workers)
            }
            None => FlowField::new(costs, &integration, &[], self.rule, &workers),
        };
        Ok((integration, flow))
    }

    /// Whether directions are those of paths at any angle.
    pub(super) fn has_any_angle(&self) -> bool {
        self.method == Method::Eikonal && self.rule == DirectionRule::Characteristic
    }

    /// The lengths of the paths from `starts`, around walls and by links, in cells; infinite where none leads. They are
    /// those of paths at any angle, whatever method the field has. With them come the roots of the paths, unspecified
    /// where there is none.
    pub(super) fn distances(
        &mut self,
        ground: &CostField,
        starts: &[IVec2],
    ) -> Result<(Vec<f32>, Arc<Vec<Root>>)> {
        // A solver finds paths to its goals, which are the paths from them if links are turned around.
        let level = ground.leveled().against_links();
        let goals = GoalCell::free(starts);
        let solved = self.solvers.solve_goals(Method::Eikonal, &level, &goals)?;
        let scale = solved.0.scale().straight as f32;
        let length = |&stored: &u32| match stored {
            UNREACHED => f32::INFINITY,
            stored => stored as f32 / scale,
        };
        let lengths = solved.0.stored().iter().map(length).collect();
        let roots = Arc::clone(solved.0.roots());
        self.solvers.recycle(solved.0);
        Ok((lengths, roots))
    }

    /// Turns directions straight from or to targets where they nearly are that already: across many cells of different
    /// costs solvers are off by some degrees, and lines to goal cells at the side of a curve end in the cells' middles.
    /// `straight` returns the exact direction for a cell given by stored index, and its distance from the nearest side
    /// of the ring of directions.
    pub(super) fn straighten(
        &self,
        flow: &mut FlowField,
        cells: usize,
        straight: impl Fn(usize) -> Option<(Vec2, f32)>,
    ) {
        if !self.has_any_angle() {
            return;
        }
        for index in 0..cells {
            if let Some((direction, distance)) = straight(index) {
                let least = if distance < BESIDE_SIDE { COARSE } else { FINE };
                flow.turn(index, direction, least);
            }
        }
    }

    /// Leads the open cells for which `is_part` holds, given by stored index, and that have no path: those beside
    /// targets out to a neighbour with a path, and the others to where the distance from the targets is greatest. No
    /// path leads past a target through the cells beside it.
    pub(super) fn lead_the_rest(
        &mut self,
        ground: &CostField,
        distances: &[f32],
        is_part: impl Fn(usize) -> bool,
        (integration, flow): (&mut IntegrationField, &mut FlowField),
    ) -> Result<()> {
        // A cell beside a target rather leads to cells that have paths than to those that are led away.
        self.lead_out(ground, distances, (integration, flow))?;
        for are_beside in [false, true] {
            let is_left = |index: usize| {
                let is_open = ground.costs()[index] != BLOCKED;
                is_open && (distances[index] <= TOUCH) == are_beside && is_part(index)
            };
            let cells = (0..distances.len()).filter(|&index| is_left(index));
            let cells = cells.filter(|&index| !integration.is_reached(index));
            let cells: Vec<usize> = cells.collect();
            if !cells.is_empty() {
                self.lead_away(ground, distances, &cells, (integration, flow))?;
                self.lead_out(ground, distances, (integration, flow))?;
            }
        }
        Ok(())
    }

    /// Leads the cells beside targets that have no path out to their neighbours that have one.
    fn lead_out(
        &mut self,
        ground: &CostField,
        distances: &[f32],
        (integration, flow): (&mut IntegrationField, &mut FlowField),
    ) -> Result<()> {
        let is_open = |index: usize| ground.costs()[index] != BLOCKED;
        let touches = |index: usize| distances[index] <= TOUCH && is_open(index);
        let touching = (0..distances.len()).filter(|&index| touches(index));
        let touching = touching.filter(|&index| !integration.is_reached(index));
        let touching: Vec<usize> = touching.collect();
        if touching.is_empty() {
            return Ok(());
        }
        let ends = touching.iter().flat_map(|&index| {
            let neighbours = ground.offsets().map(|by| index.wrapping_add_signed(by));
            let links = ground.links().from(index).iter().map(|edge| edge.to);
            neighbours.into_iter().chain(links)
        });
        let mut ends: Vec<usize> = ends
            .filter(|&index| !touches(index) && integration.is_reached(index))
            .collect();
        ends.sort_unstable();
        ends.dedup();
        let is_part = |index: usize| touches(index) || ends.binary_search(&index).is_ok();
        let around = ground.with_costs(|index| if is_part(index) { BESIDE } else { BLOCKED });
        let goal = |&index: &usize| {
            let cell = ground.cell(index);
            let cost = integration.cost_at(cell).unwrap_or_default() as f32;
            GoalCell { cell, cost }
        };
        let goals: Vec<GoalCell> = ends.iter().map(goal).collect();
        let (out, directions) = self.field(&around, &goals)?;
        let led = touching.iter().copied();
        let led: Vec<usize> = led.filter(|&index| out.is_reached(index)).collect();
        integration.take_values(&out, &led);
        flow.take_directions(&directions, &led);
        flow.follow_roots(integration, self.rule);
        Ok(())
    }

    /// Leads `cells`, given by stored index and ascending, to where the distance from the targets is greatest in their
    /// surroundings.
    fn lead_away(
        &mut self,
        ground: &CostField,
        distances: &[f32],
        cells: &[usize],
        (integration, flow): (&mut IntegrationField, &mut FlowField),
    ) -> Result<()> {
        let pockets = ground.with_costs(|index| match cells.binary_search(&index) {
            Ok(_) => UNITS,
            Err(_) => BLOCKED,
        });
        let farthest = cells
            .iter()
            .fold(0.0, |most: f32, &index| most.max(finite(distances[index])));
        let goal = |&index: &usize| GoalCell {
            cell: ground.cell(index),
            cost: (farthest - finite(distances[index])) * WORTH * f32::from(UNITS),
        };
        let goals: Vec<GoalCell> = cells.iter().map(goal).collect();
        let (away, directions) = self.field(&pockets, &goals)?;
        let is_led = |flow: &FlowField, index: usize| flow.mark_of(index).leaving_step().is_some();
        let beside = |&index: &usize| {
            let lacks_clearance = ground.costs()[index] == BLOCKED && !ground.is_wall_at(index);
            lacks_clearance && !is_led(flow, index) && is_led(&directions, index)
        };
        let mut beside: Vec<usize> = if ground.has_clearance() {
            (0..distances.len()).filter(beside).collect()
        } else {
            Vec::new()
        };
        integration.take_values(&away, cells);
        beside.extend(cells);
        beside.sort_unstable();
        flow.take_directions(&directions, &beside);
        flow.follow_roots(integration, self.rule);
        Ok(())
    }
}

fn finite(distance: f32) -> f32 {
    if distance.is_finite() { distance } else { 0.0 }
}

/// The map `ground` with costs in units of a zone, which rise towards the targets. Cells beside targets are closed.
/// `nearness` is the distance from the
/// targets in cells, and as a part of the distance at which they are no danger; `None` for cells that no path crosses.
pub(super) fn with_danger(
    ground: &CostField,
    nearness: impl Fn(usize) -> Option<(f32, f32)>,
) -> CostField {
    ground.with_costs(|index| {
        let plain = ground.costs()[index];
        let Some((distance, part)) = nearness(index).filter(|_| plain != BLOCKED) else {
            return BLOCKED;
        };
        if distance <= TOUCH {
            return BLOCKED;
        }
        let left = (1.0 - part).max(0.0);
        let factor = f32::from(UNITS) * (1.0 + DANGER * left * left);
        let cost = (f32::from(plain) * factor).round();
        cost.min(f32::from(MAX_COST)) as u8
    })
}
