//! Goals, with their targets and fields.

use crate::error::{Error, Result};
use crate::grid::Grid;
use crate::random::mix;
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::{Destination, GoalId, in_cells};
use crate::world::goal_kind::GoalKind;
use crate::world::goal_mode::GoalMode;
use crate::world::tiled::tiling::TiledSlot;
use glam::Vec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Targets, and the fields that lead to them.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    /// World positions inside the grid.
    pub(super) targets: Vec<Vec2>,
    /// The targets in cell space, with the goal cells.
    pub(super) destination: Arc<Destination>,
    /// The initial cost of each target, in cost units.
    pub(super) initial_costs: Vec<f32>,
    /// Counts the holds on a temporary goal, itself included; `None` for a goal that stays until it is released.
    pub(super) holds: Option<Arc<()>>,
    /// Keeps a temporary goal that was loaded until the next update, before which swarms are loaded that hold it.
    pub(super) kept: Option<Arc<()>>,
    /// The number of moves.
    pub(super) revision: u64,
    /// The time of the last move, if there is a clock.
    pub(super) moved_at: Option<f64>,
    /// See [`FlowWorld::goal_signature`](crate::world::FlowWorld::goal_signature).
    pub(super) signature: u64,
    /// The field slots by movement type; only those that were required or queried.
    pub(super) fields: Vec<Option<FieldSlot>>,
    pub(super) mode: GoalMode,
    pub(super) kind: GoalKind,
    /// The tiled slots by movement type; only for tiled goals, and only those that were required or requested.
    pub(super) tiled: Vec<Option<TiledSlot>>,
}

impl Goal {
    /// Drops all fields, and the targets that are not in `grid`. Returns whether any targets were dropped.
    pub(super) fn lay_out(&mut self, old: &Grid, grid: &Grid) -> bool {
        if old.layers() != grid.layers() {
            for target in &mut self.targets {
                *target = grid.layers().kept(old.layers(), *target);
            }
        }
        let before = self.targets.len();
        let stays = |target: Vec2| grid.is_on_layer(grid.cell_at(target));
        let mut targets = self.targets.iter();
        self.initial_costs
            .retain(|_| targets.next().is_some_and(|&target| stays(target)));
        self.targets.retain(|&target| stays(target));
        for slot in self.fields.iter_mut().flatten() {
            *slot = FieldSlot {
                is_followed: slot.is_followed,
                ..FieldSlot::default()
            };
        }
        self.place_targets(grid);
        let lost = self.targets.len() < before;
        self.revision += u64::from(lost);
        // Targets on upper layers have other coordinates in a grid with other rows.
        self.sign();
        lost
    }
}

impl Goal {
    /// Finds the signature of the present targets. Goals of other kinds than SEEK have the same signature for all:
    /// agents have arrived where their zone says so, and need not be told of moves.
    pub(super) fn sign(&mut self) {
        self.signature = match self.kind {
            GoalKind::Seek => signature(&self.targets, &self.initial_costs),
            GoalKind::Flee { .. } | GoalKind::Range { .. } => mix(self.targets.is_empty().into()),
        };
    }

    /// Finds the cells of the targets in a grid.
    pub(super) fn place_targets(&mut self, grid: &Grid) {
        let (cells, targets) = in_cells(grid, &self.targets, &self.initial_costs);
        self.destination = Arc::new(Destination {
            cells,
            targets: targets.into(),
        });
    }
}

/// The signature of targets without initial costs depends only on their positions.
fn signature(targets: &[Vec2], initial_costs: &[f32]) -> u64 {
    let start = mix(targets.len() as u64);
    let places = targets.iter().fold(start, |hash, target| {
        let (x, y) = (target.x.to_bits(), target.y.to_bits());
        mix(hash.wrapping_add(u64::from(x) << 32 | u64::from(y)))
    });
    if initial_costs.iter().all(|&cost| cost == 0.0) {
        return places;
    }
    let add = |hash: u64, cost: &f32| mix(hash.wrapping_add(u64::from(cost.to_bits())));
    initial_costs.iter().fold(places, add)
}

/// All goals by id, in order of creation.
#[derive(Debug, Clone, Default)]
pub(super) struct Goals {
    pub(super) by_id: BTreeMap<GoalId, Goal>,
    pub(super) last: i64,
    /// Whether the world was loaded or went back after the last update: swarms then hold again what they held.
    pub(super) are_loaded: bool,
}

impl Goals {
    pub(super) fn get(&self, id: GoalId) -> Result<&Goal> {
        self.by_id.get(&id).ok_or(Error::UnknownId {
            name: "goal",
            id: id.0,
        })
    }

    /// What leads to a tiled goal for a movement type.
    pub(super) fn slot(&self, (goal, movement): (GoalId, usize)) -> Option<&TiledSlot> {
        self.by_id.get(&goal)?.tiled.get(movement)?.as_ref()
    }

    pub(super) fn slot_mut(&mut self, (goal, movement): (GoalId, usize)) -> Option<&mut TiledSlot> {
        let goal = self.by_id.get_mut(&goal)?;
        goal.tiled.get_mut(movement)?.as_mut()
    }

    pub(super) fn get_mut(&mut self, id: GoalId) -> Result<&mut Goal> {
        self.by_id.get_mut(&id).ok_or(Error::UnknownId {
            name: "goal",
            id: id.0,
        })
    }
}
