//! The exact shortest-path solver over the eight-neighbour grid.
//!
//! Dijkstra's wavefront from all goal cells at once. A step of length 1 or √2
//! costs its length times the cost of the cell it leaves, seen from an agent
//! that walks to the goal.

use super::canonical_successors::find_bends;
use super::seeds::{GoalCell, Seed, open_seeds};
use super::wave::{Ground, Wave};
use super::{IntegrationField, Method, SCALES, StepScale, UNREACHED, cost_overflow};
use crate::error::Result;
use crate::movement::CostField;
use glam::IVec2;
use std::sync::Arc;

/// How many times as long a step on ground of several costs takes as one of a run.
const UNEVEN: usize = 3;

/// Solves integration fields and keeps its scratch memory between solves.
#[derive(Debug, Default)]
pub struct OctileSolver {
    wave: Wave,
    /// Where paths may bend because of differing costs; on maps of several costs only.
    bends: Vec<u8>,
    /// Memory for the next field.
    pub(super) spare: Vec<u32>,
}

impl OctileSolver {
    /// A solver without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The field of exact costs to the nearest of `targets`. Targets in walls or outside the
    /// grid are left out; without any other the field reaches nothing.
    ///
    /// O(cells + buckets): few cells are reached at one cost and later at a lower one.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when a path costs more than 3.5e8 units.
    pub fn solve(&mut self, costs: &CostField, targets: &[IVec2]) -> Result<IntegrationField> {
        self.solve_goals(costs, &GoalCell::free(targets))
    }

    /// [`Self::solve`] for goal cells with initial costs.
    ///
    /// # Errors
    /// As there.
    pub fn solve_goals(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<IntegrationField> {
        let mut field = IntegrationField {
            method: Method::Octile,
            width: costs.width(),
            stride: costs.stride(),
            scale: SCALES[0],
            cost: std::mem::take(&mut self.spare),
            goals: Vec::new(),
            roots: Arc::default(),
            highest: 0,
            tried: 0,
        };
        if costs.cheapest() != costs.dearest() {
            find_bends(costs, &mut self.bends);
        }
        for scale in SCALES {
            field.scale = scale;
            field.cost.clear();
            field.cost.resize(costs.costs().len(), UNREACHED);
            let seeds = open_seeds(costs, goals, scale);
            if self.spread(costs, &seeds, &mut field) {
                field.settle_goals(&seeds);
                return Ok(field);
            }
        }
        Err(cost_overflow())
    }

    /// Lets the wave run from `seeds` over a window of a map, in which `field` reaches nothing yet; false if
    /// costs came near the end of the number range.
    pub(super) fn run_in(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
    ) -> bool {
        if costs.cheapest() != costs.dearest() {
            find_bends(costs, &mut self.bends);
        }
        self.spread(costs, seeds, field)
    }

    /// Runs the wave at the field's scale, with bends found before where costs differ.
    fn spread(&mut self, costs: &CostField, seeds: &[Seed], field: &mut IntegrationField) -> bool {
        self.begin_wave(costs, seeds, field);
        self.go_on(costs, field, usize::MAX).is_some()
    }

    /// Begins a solve in parts, in which `field` reaches nothing yet.
    pub(super) fn begin_part(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
    ) {
        if costs.cheapest() != costs.dearest() {
            find_bends(costs, &mut self.bends);
        }
        self.begin_wave(costs, seeds, field);
    }

    fn begin_wave(&mut self, costs: &CostField, seeds: &[Seed], field: &mut IntegrationField) {
        if costs.cheapest() == costs.dearest() {
            let lengths = even_lengths(costs, field.scale);
            self.wave.begin_evenly(costs, lengths, seeds, field);
        } else {
            self.wave.begin(costs, seeds, field);
        }
    }

    /// Goes on with a solve in parts over about `most` cells; says whether that was the last part. `None` if costs
    /// came near the end of the number range.
    pub(super) fn go_on(
        &mut self,
        costs: &CostField,
        field: &mut IntegrationField,
        most: usize,
    ) -> Option<bool> {
        if costs.cheapest() == costs.dearest() {
            let lengths = even_lengths(costs, field.scale);
            return self.wave.go_on_evenly(costs, lengths, field, most);
        }
        let ground = Ground {
            lengths: lengths(field.scale),
            cost: costs.costs(),
            legal: costs.steps(),
            bends: &self.bends,
        };
        let before = field.tried;
        let is_done = self.wave.go_on(costs, &ground, field, most);
        field.tried += (UNEVEN - 1) * (field.tried - before);
        is_done
    }
}

/// What each step costs at a scale on ground of one cost.
fn even_lengths(costs: &CostField, scale: StepScale) -> [u32; 8] {
    lengths(scale).map(|length| length * u32::from(costs.cheapest()))
}

/// What each step costs at a scale, times the cost of the cell that it leaves.
pub(super) fn lengths(scale: StepScale) -> [u32; 8] {
    std::array::from_fn(|step| [scale.straight, scale.diagonal][step & 1])
}
