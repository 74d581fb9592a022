//! Smoothed paths: of the cells of a path those that are left when it is pulled straight.

use crate::error::Result;
use crate::movement::CostField;
use crate::world::FlowWorld;
use crate::world::goal_id::GoalId;
use glam::{IVec2, Vec2};

/// How much more than the cells that it replaces a straight leg may cost, as a part of it: room for rounding.
const ROUNDING: f64 = 1.0e-9;

impl FlowWorld {
    /// [`Self::path_from`] without the cells that a straight line makes unnecessary. Each leg is a straight line over
    /// cells of one cost, or a step of that path where costs change, or a link. So agents of the movement type can
    /// walk along it, and it does not cost more than that path.
    ///
    /// O(n d) for a path of n cells with legs of up to d cells, besides the path.
    ///
    /// # Errors
    /// As for [`Self::path_from`].
    pub fn smooth_path_from(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<Vec<Vec2>> {
        let path = self.cells_from(goal, position, movement)?;
        let taut = taut(self.fresh_costs(movement), &path);
        let centres = taut.into_iter().map(|cell| self.grid.center_of(cell));
        Ok(centres.collect())
    }
}

/// The cells of a path between which it is straight.
fn taut(costs: &CostField, path: &[IVec2]) -> Vec<IVec2> {
    let mut kept: Vec<IVec2> = path.first().copied().into_iter().collect();
    // The last cell that is kept, and the cost from there along the path.
    let (mut from, mut spent) = (0, 0.0);
    for at in 1..path.len() {
        let (before, here) = (path[at - 1], path[at]);
        let Some(step) = step_cost(costs, before, here) else {
            // Both ends of a link are kept.
            if from + 1 < at {
                kept.push(before);
            }
            kept.push(here);
            (from, spent) = (at, 0.0);
            continue;
        };
        spent += step;
        if from + 1 < at && !is_worth(costs, path[from], here, spent) {
            kept.push(before);
            (from, spent) = (at - 1, step);
        }
    }
    if from + 1 < path.len() {
        kept.extend(path.last());
    }
    kept
}

/// The cost of a step between neighbours, its length times the cost of the cell that it leaves; `None` for a link.
fn step_cost(costs: &CostField, from: IVec2, to: IVec2) -> Option<f64> {
    let is_step = (to - from).abs().max_element() == 1;
    is_step.then(|| length(from, to) * f64::from(costs.cost_at(from)))
}

/// Whether a straight leg crosses cells of one cost, and costs no more than `spent`.
fn is_worth(costs: &CostField, from: IVec2, to: IVec2, spent: f64) -> bool {
    let [start, end] = [from, to].map(|cell| cell.as_vec2() + 0.5);
    let cost = length(from, to) * f64::from(costs.cost_at(from));
    cost <= spent * (1.0 + ROUNDING) && costs.is_even_between(start, end)
}

fn length(from: IVec2, to: IVec2) -> f64 {
    (to - from).as_dvec2().length()
}
