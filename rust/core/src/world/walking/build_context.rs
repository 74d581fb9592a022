//! The data with which fields of goals that walk are built.

use crate::integrate::Repairer;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::walking::near_field::NearField;
use crate::world::walking::parts::Part;
use glam::IVec2;
use parking_lot::Mutex;
use std::sync::Arc;

/// The default number of cells of far fields that an update solves.
pub const DEFAULT_WALKING_CELLS: usize = 3072;

/// The most cells of a goal that is followed by parts. Larger goals are solved whole in every move.
pub(in crate::world) const MOST_GOAL_CELLS: usize = 64;

/// The state that all goals that walk share.
#[derive(Debug)]
pub(in crate::world) struct Walking {
    /// See [`FlowWorld::set_walking_cells`](crate::world::FlowWorld::set_walking_cells).
    pub(in crate::world) cells: usize,
    /// The number of updates.
    pub(super) tick: u64,
}

impl Walking {
    /// The number of updates.
    pub(in crate::world) fn tick(&self) -> u64 {
        self.tick
    }

    pub(in crate::world) fn set_tick(&mut self, tick: u64) {
        self.tick = tick;
    }
}

impl Default for Walking {
    fn default() -> Self {
        Self {
            cells: DEFAULT_WALKING_CELLS,
            tick: 0,
        }
    }
}

impl Walking {
    /// Whether goals of `goal_cells` cells are followed by parts as they walk, on a map of `map_cells` cells.
    pub(in crate::world) fn is_for(&self, goal_cells: usize, map_cells: usize) -> bool {
        self.cells > 0 && map_cells > self.cells && goal_cells <= MOST_GOAL_CELLS
    }
}

/// The ages of the parts of a field: how many updates ago the goal was where they lead to.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Ages {
    /// The number of updates.
    pub(in crate::world) tick: u64,
    pub(in crate::world) far: u64,
}

impl Ages {
    pub(in crate::world) fn of(self, part: Part) -> u64 {
        match part {
            Part::Near => 0,
            Part::Middle { begun_at } => (self.tick - begun_at).max(1),
            Part::Far => self.far,
        }
    }
}

/// The data with which the fields of a slot are built.
pub(in crate::world) struct BuildContext<'a> {
    pub(super) layer: &'a MovementLayer,
    pub(super) scratch: &'a Scratch,
    pub(super) repairers: &'a Mutex<Vec<Repairer>>,
    /// The version that fields should have.
    pub(super) version: Version,
    pub(super) tick: u64,
    /// See [`FlowWorld::set_walking_cells`](crate::world::FlowWorld::set_walking_cells).
    pub(in crate::world) cells: usize,
}

impl<'a> BuildContext<'a> {
    /// The data for fields of the kind of `version`.
    pub(in crate::world) fn new(
        layer: &'a MovementLayer,
        builder: (&'a Scratch, &'a Mutex<Vec<Repairer>>),
        version: Version,
        walking: &Walking,
    ) -> Self {
        let (scratch, repairers) = builder;
        Self {
            layer,
            scratch,
            repairers,
            version,
            tick: walking.tick,
            cells: walking.cells,
        }
    }

    /// Solves a field again at once on the present costs. Returns whether that succeeded.
    pub(in crate::world) fn solve_again(
        &self,
        field: &mut Arc<NearField>,
        destination: &Destination,
    ) -> bool {
        let mut solvers = self.scratch.near_solvers.lock().pop().unwrap_or_default();
        let (costs, window) = (&self.layer.costs, field.window());
        let solved = NearField::solve(costs, window, destination, self.version, &mut solvers);
        self.scratch.near_solvers.lock().push(solvers);
        solved.is_ok_and(|solved| {
            *field = Arc::new(solved);
            true
        })
    }

    /// Whether a cell is open.
    pub(in crate::world) fn is_open(&self, cell: IVec2) -> bool {
        self.layer.costs.is_open(cell)
    }
}
