//! The exact shortest-path solver over the eight-neighbour grid.
//!
//! Dijkstra's wavefront from all goal cells at once. A step of length 1 or √2 costs its length times the cost of the
//! cell that an agent leaves on its path to the goal.
//!
//! Read `wave` (any costs), `canonical_successors` (which steps are relaxed), `even_wave` (ground of one cost), and
//! `rule` (repairs).

mod canonical_successors;
mod even_wave;
mod rule;
mod wave;

pub(crate) use canonical_successors::successors_on_even_ground;
pub(super) use rule::repair;

use crate::error::Result;
use crate::integrate::candidate::Start;
use crate::integrate::field::IntegrationField;
use crate::integrate::field::UNREACHED;
use crate::integrate::goal_cells::{GoalCell, Seed, open_seeds};
use crate::integrate::method::Method;
use crate::integrate::neighbour_sets::{correct_sets, find_sets};
use crate::integrate::root::Root;
use crate::integrate::scale::{SCALES, StepScale, cost_overflow};
use crate::integrate::solve::{Solve, SolveInParts, SolveWindow, Solved};
use crate::movement::CostField;
use crate::retired::make_room;
use canonical_successors::bends_between;
use glam::IVec2;
use std::ops::Range;
use std::sync::Arc;
use wave::{CostView, Wave};

/// The ratio of the time of a step on ground of several costs to that of a step of a run.
const UNEVEN: usize = 3;

/// Solves integration fields and keeps its scratch memory between solves.
#[derive(Debug, Default)]
pub struct OctileSolver {
    wave: Wave,
    /// For each cell how paths may bend because costs differ; only on maps of several costs.
    bends: Vec<u8>,
    /// The rows of the grid before which bends are known, in a solve in parts.
    bent: usize,
    /// Memory for the next field.
    spare: Vec<u32>,
    /// The seeds of a window.
    seeds: Vec<Seed>,
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
    /// O(cells + buckets), as few cells are reached at one cost and later at a lower one.
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
        let mut field = IntegrationField::unsolved(
            Method::Octile,
            costs,
            SCALES[0],
            std::mem::take(&mut self.spare),
        );
        if costs.cheapest() != costs.dearest() {
            find_sets(costs, 0..costs.height(), bends_between, &mut self.bends);
        }
        for scale in SCALES {
            field.scale = scale;
            field.cost.clear();
            field.cost.resize(costs.cell_count(), UNREACHED);
            let seeds = open_seeds(costs, goals, scale);
            if self.spread(costs, &seeds, &mut field) {
                field.settle_goals(&seeds);
                return Ok(field);
            }
        }
        Err(cost_overflow())
    }

    /// Runs the wavefront at the field's scale. Where costs differ, bends must be found before.
    fn spread(&mut self, costs: &CostField, seeds: &[Seed], field: &mut IntegrationField) -> bool {
        self.begin_wave(costs, seeds, field);
        self.go_on(costs, field, usize::MAX).is_some()
    }

    /// Finds the bends in the rows of the grid before `end`, on ground of several costs.
    fn find_more_bends(&mut self, costs: &CostField, end: usize) {
        if costs.cheapest() != costs.dearest() {
            let end = end.min(costs.height());
            find_sets(costs, self.bent..end, bends_between, &mut self.bends);
            self.bent = end;
            // Touching memory for the first time takes longer than the rest of the preparation.
            self.wave.touch(end * costs.stride());
        }
    }

    fn begin_wave(&mut self, costs: &CostField, seeds: &[Seed], field: &mut IntegrationField) {
        if costs.cheapest() == costs.dearest() {
            let lengths = even_lengths(costs, field.scale);
            self.wave.begin_evenly(costs, lengths, seeds, field);
        } else {
            self.wave.begin(costs, seeds, field);
        }
    }

    /// Advances the wavefront over about `most` cells; returns whether the whole map is solved, or `None` if costs came
    /// near the end of the number range.
    fn go_on(
        &mut self,
        costs: &CostField,
        field: &mut IntegrationField,
        most: usize,
    ) -> Option<bool> {
        if costs.cheapest() == costs.dearest() {
            let lengths = even_lengths(costs, field.scale);
            return self.wave.go_on_evenly(costs, lengths, field, most);
        }
        let view = CostView {
            lengths: lengths(field.scale),
            cost: costs.costs(),
            legal: costs.steps(),
            bends: &self.bends,
        };
        let before = field.tried;
        let is_done = self.wave.go_on(costs, &view, field, most);
        field.tried += (UNEVEN - 1) * (field.tried - before);
        is_done
    }
}

impl Solve for OctileSolver {
    fn solve(&mut self, costs: &CostField, goals: &[GoalCell]) -> Result<Solved> {
        Ok((self.solve_goals(costs, goals)?, None))
    }

    fn recycle(&mut self, field: IntegrationField) -> (Vec<u32>, Vec<Root>) {
        (std::mem::replace(&mut self.spare, field.cost), Vec::new())
    }

    fn in_parts(&mut self) -> Option<&mut dyn SolveInParts> {
        Some(self)
    }

    fn in_windows(&mut self) -> Option<&mut dyn SolveWindow> {
        Some(self)
    }
}

impl SolveInParts for OctileSolver {
    fn take_memory(&mut self, costs: &CostField) -> (Vec<u32>, Vec<Root>) {
        let mut cost = std::mem::take(&mut self.spare);
        make_room(&mut cost, costs.cell_count());
        make_room(&mut self.bends, costs.cell_count());
        self.wave.make_room(costs.cell_count());
        (cost, Vec::new())
    }

    fn clear_rows(&mut self, costs: &CostField, rows: Range<usize>, _roots: &mut Vec<Root>) {
        if rows.start == 0 {
            self.bent = 0;
        }
        // Stored rows include the border above.
        self.find_more_bends(costs, rows.end.saturating_sub(1));
    }

    fn correct_rows(&mut self, costs: &CostField, changed: &[u32], _cleared: usize) {
        for &index in changed {
            let (changed, bends) = (index as usize, &mut self.bends);
            correct_sets(costs, changed, self.bent, bends_between, bends);
        }
    }

    fn begin(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
        _roots: &mut [Root],
    ) {
        // An edit may have made the first cell of another cost after rows were cleared.
        self.find_more_bends(costs, costs.height());
        self.begin_wave(costs, seeds, field);
    }

    fn advance(
        &mut self,
        costs: &CostField,
        field: &mut IntegrationField,
        _roots: &mut [Root],
        most: usize,
    ) -> Option<bool> {
        self.go_on(costs, field, most)
    }
}

impl SolveWindow for OctileSolver {
    fn solve_window(
        &mut self,
        costs: &mut CostField,
        starts: &[Start],
        _fixed: &[bool],
        field: &mut IntegrationField,
    ) -> bool {
        field.roots = Arc::default();
        let mut seeds = std::mem::take(&mut self.seeds);
        seeds.clear();
        seeds.extend(starts.iter().map(|start| Seed {
            index: start.index,
            cost: start.value.cost,
        }));
        costs.close_way_out();
        if costs.cheapest() != costs.dearest() {
            find_sets(costs, 0..costs.height(), bends_between, &mut self.bends);
        }
        let solved = self.spread(costs, &seeds, field);
        costs.find_window_steps();
        self.seeds = seeds;
        solved
    }
}

/// The cost of each step at a scale, on ground of one cost.
fn even_lengths(costs: &CostField, scale: StepScale) -> [u32; 8] {
    lengths(scale).map(|length| length * u32::from(costs.cheapest()))
}

/// The cost of each step at a scale, to be multiplied by the cost of the cell that it leaves.
pub(super) fn lengths(scale: StepScale) -> [u32; 8] {
    std::array::from_fn(|step| [scale.straight, scale.diagonal][step & 1])
}
