//! Goal cells, where the wavefront begins, with their initial costs.
//!
//! Targets can have different initial costs (zombies that chase several heroes, Emerson, Game AI Pro, 23.16): an
//! initial cost counts like a path beyond the target. A goal cell from which another goal cell is cheaper to reach is
//! no goal.

use super::field::IntegrationField;
use super::scale::StepScale;
use crate::bytes::saved;
use crate::movement::CostField;
use glam::IVec2;

/// The greatest initial cost, in cost units.
pub const MAX_INITIAL_COST: f32 = 1.0e6;

/// A cell of a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoalCell {
    /// The cell. Cells that are closed or outside the grid are ignored.
    pub cell: IVec2,
    /// The initial cost, in cost units, 0..=[`MAX_INITIAL_COST`].
    pub cost: f32,
}

saved!(GoalCell { cell, cost });

impl GoalCell {
    /// Goal cells that cost nothing.
    #[must_use]
    pub fn free(cells: &[IVec2]) -> Vec<Self> {
        let free = |&cell: &IVec2| Self { cell, cost: 0.0 };
        cells.iter().map(free).collect()
    }
}

/// A goal cell with its stored index and stored initial cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    pub(super) index: usize,
    pub(super) cost: u32,
}

/// The open cells among `goals` by ascending index, each once and with its least cost.
pub(super) fn open_seeds(costs: &CostField, goals: &[GoalCell], scale: StepScale) -> Vec<Seed> {
    let stored = |cost: f32| (f64::from(cost) * f64::from(scale.straight)).round() as u32;
    let mut seeds: Vec<Seed> = goals
        .iter()
        .filter(|goal| costs.is_open(goal.cell))
        .map(|goal| Seed {
            index: costs.index(goal.cell),
            cost: stored(goal.cost),
        })
        .collect();
    seeds.sort_unstable();
    seeds.dedup_by_key(|seed| seed.index);
    seeds
}

/// The initial cost of the cell at a stored index, if it is among `seeds`.
#[inline]
pub(super) fn initial_cost(seeds: &[Seed], index: usize) -> Option<u32> {
    let found = seeds.binary_search_by_key(&index, |seed| seed.index);
    found.ok().map(|at| seeds[at].cost)
}

impl IntegrationField {
    /// Sets the goals: the seeds from which no other seed is cheaper to reach.
    pub(super) fn settle_goals(&mut self, seeds: &[Seed]) {
        let settled = seeds
            .iter()
            .filter(|seed| self.cost[seed.index] == seed.cost);
        self.goals = settled.map(|seed| seed.index).collect();
    }
}
