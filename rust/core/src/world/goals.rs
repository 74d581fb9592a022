//! Goals: what fields lead to.

use super::fields::FieldSlot;
use super::tiled::TiledSlot;
use super::{FlowWorld, GoalMode};
use crate::error::{Error, Result, in_range};
use crate::grid::Grid;
use crate::integrate::{GoalCell, MAX_INITIAL_COST};
use crate::random::mix;
use glam::Vec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names a goal; never reused within a world, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub i64);

/// Where ways end, in cell space: the goal cells with their costs, and the exact targets. Where two targets are in one
/// cell, the cheaper comes first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Ends {
    pub(super) cells: Vec<GoalCell>,
    pub(super) targets: Arc<[Vec2]>,
}

/// Targets, and the fields that lead to them.
#[derive(Debug)]
pub(super) struct Goal {
    /// World positions inside the grid.
    pub(super) targets: Vec<Vec2>,
    /// The same in cells.
    pub(super) ends: Arc<Ends>,
    /// What ending at each target costs, in cost units.
    pub(super) initial_costs: Vec<f32>,
    /// Counts the moves.
    pub(super) revision: u64,
    /// When the last move was asked for, if there is a clock.
    pub(super) moved_at: Option<f64>,
    /// See [`FlowWorld::goal_signature`].
    signature: u64,
    /// By movement type; only those that something asked for.
    pub(super) fields: Vec<Option<FieldSlot>>,
    pub(super) mode: GoalMode,
    /// By movement type, if the mode is tiled; only those that something asked for.
    pub(super) tiled: Vec<Option<TiledSlot>>,
}

impl Goal {
    /// Forgets all fields, and the targets that are not in `grid`; says whether there were any.
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
        if lost {
            self.revision += 1;
            self.signature = signature(&self.targets, &self.initial_costs);
        }
        lost
    }
}

impl Goal {
    /// Finds where the targets are in a grid.
    fn place_targets(&mut self, grid: &Grid) {
        let (cells, targets) = in_cells(grid, &self.targets, &self.initial_costs);
        self.ends = Arc::new(Ends {
            cells,
            targets: targets.into(),
        });
    }
}

/// The cells of `targets`, and their places in cell space; where two are in one cell, the cheaper comes
/// first.
pub(super) fn in_cells(
    grid: &Grid,
    targets: &[Vec2],
    initial_costs: &[f32],
) -> (Vec<GoalCell>, Vec<Vec2>) {
    let costs = initial_costs.iter().copied();
    let mut targets: Vec<(f32, Vec2)> = costs.zip(targets.iter().copied()).collect();
    targets.sort_by(|one, other| one.0.total_cmp(&other.0));
    let cell = |&(cost, target): &(f32, Vec2)| GoalCell {
        cell: grid.cell_at(target),
        cost,
    };
    let cells = targets.iter().map(cell).collect();
    let place = |&(_, target): &(f32, Vec2)| grid.to_cell_space(target);
    (cells, targets.iter().map(place).collect())
}

/// Targets that cost nothing have the signature of their positions alone.
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
#[derive(Debug, Default)]
pub(super) struct Goals {
    pub(super) by_id: BTreeMap<GoalId, Goal>,
    last: i64,
}

impl FlowWorld {
    fn check_targets(&self, targets: &[Vec2]) -> Result<()> {
        if targets.is_empty() {
            return Err(Error::TooShort {
                name: "targets",
                least: 1,
                actual: 0,
            });
        }
        for &target in targets {
            self.grid.check_position("target", target)?;
        }
        Ok(())
    }

    fn check_initial_costs(targets: &[Vec2], costs: &[f32]) -> Result<()> {
        if costs.len() != targets.len() {
            return Err(Error::Length {
                name: "initial_costs",
                expected: targets.len(),
                actual: costs.len(),
            });
        }
        for &cost in costs {
            in_range("initial cost", cost, 0.0, MAX_INITIAL_COST)?;
        }
        Ok(())
    }

    /// A goal at one or more world positions. Agents go to whichever is cheapest to reach.
    ///
    /// Targets in walls are allowed, and ignored as long as they are in walls. No field is built
    /// before one is needed.
    ///
    /// # Errors
    /// No target, or one that is not finite and in the grid.
    pub fn create_goal(&mut self, targets: &[Vec2]) -> Result<GoalId> {
        self.create_goal_with_costs(targets, &vec![0.0; targets.len()])
    }

    /// [`Self::create_goal`] with an initial cost for each target: what it costs to end there, in cost
    /// units, 0..=[`MAX_INITIAL_COST`]. Agents go to the target whose cost and way are least together, and
    /// pass a target from which another is cheaper.
    ///
    /// # Errors
    /// As there, and costs that are not one for each target and in range.
    pub fn create_goal_with_costs(&mut self, targets: &[Vec2], costs: &[f32]) -> Result<GoalId> {
        self.create_goal_with_mode(targets, costs, GoalMode::Full)
    }

    /// [`Self::create_goal_with_costs`] with a mode, which says how directions to the goal are found. For a
    /// tiled goal nothing is built but what routes need that something asks for: see
    /// [`Self::request_route`].
    ///
    /// # Errors
    /// As there.
    pub fn create_goal_with_mode(
        &mut self,
        targets: &[Vec2],
        costs: &[f32],
        mode: GoalMode,
    ) -> Result<GoalId> {
        self.check_targets(targets)?;
        Self::check_initial_costs(targets, costs)?;
        self.goals.last += 1;
        let id = GoalId(self.goals.last);
        let mut goal = Goal {
            targets: targets.to_vec(),
            ends: Arc::default(),
            initial_costs: costs.to_vec(),
            revision: 0,
            moved_at: None,
            signature: signature(targets, costs),
            fields: Vec::new(),
            mode,
            tiled: Vec::new(),
        };
        goal.place_targets(&self.grid);
        self.goals.by_id.insert(id, goal);
        Ok(id)
    }

    /// Moves a goal. Its targets cost nothing then.
    ///
    /// # Errors
    /// [`Error::UnknownId`], no target, or one that is not finite and in the grid.
    pub fn move_goal(&mut self, id: GoalId, targets: &[Vec2]) -> Result<()> {
        self.move_goal_with_costs(id, targets, &vec![0.0; targets.len()])
    }

    /// Moves a goal to targets with initial costs: see [`Self::create_goal_with_costs`].
    ///
    /// # Errors
    /// As there, and [`Error::UnknownId`].
    pub fn move_goal_with_costs(
        &mut self,
        id: GoalId,
        targets: &[Vec2],
        costs: &[f32],
    ) -> Result<()> {
        self.check_targets(targets)?;
        Self::check_initial_costs(targets, costs)?;
        let now = self.builder.now();
        let goal = self.goals.get_mut(id)?;
        if goal.targets != targets || goal.initial_costs != costs {
            goal.moved_at = now;
            goal.targets = targets.to_vec();
            goal.initial_costs = costs.to_vec();
            goal.place_targets(&self.grid);
            goal.revision += 1;
            goal.signature = signature(targets, costs);
            self.note_moved(id);
        }
        Ok(())
    }

    /// Removes a goal with its fields.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn release_goal(&mut self, id: GoalId) -> Result<()> {
        self.goals.get(id)?;
        let goal = self.goals.by_id.remove(&id);
        self.tiling.forget_goal(id);
        let slots = goal.into_iter().flat_map(|goal| goal.fields).flatten();
        for field in slots.filter_map(|slot| slot.field) {
            self.builder.scratch.keep(field);
        }
        Ok(())
    }

    /// How directions to a goal are found.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_mode(&self, id: GoalId) -> Result<GoalMode> {
        Ok(self.goals.get(id)?.mode)
    }

    /// Whether a goal exists.
    #[must_use]
    pub fn has_goal(&self, id: GoalId) -> bool {
        self.goals.by_id.contains_key(&id)
    }

    /// All goals, oldest first.
    pub fn goal_ids(&self) -> impl Iterator<Item = GoalId> {
        self.goals.by_id.keys().copied()
    }

    /// A goal's targets in world units.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_targets(&self, id: GoalId) -> Result<&[Vec2]> {
        Ok(&self.goals.get(id)?.targets)
    }

    /// What ending at each of a goal's targets costs, in cost units.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn goal_initial_costs(&self, id: GoalId) -> Result<&[f32]> {
        Ok(&self.goals.get(id)?.initial_costs)
    }

    /// A number that tells a goal's targets from others, in this world and in any other; `None` if
    /// there is no such goal.
    #[must_use]
    pub fn goal_signature(&self, id: GoalId) -> Option<u64> {
        self.goals.by_id.get(&id).map(|goal| goal.signature)
    }
}

impl Goals {
    pub(super) fn get(&self, id: GoalId) -> Result<&Goal> {
        self.by_id.get(&id).ok_or(Error::UnknownId {
            name: "goal",
            id: id.0,
        })
    }

    pub(super) fn get_mut(&mut self, id: GoalId) -> Result<&mut Goal> {
        self.by_id.get_mut(&id).ok_or(Error::UnknownId {
            name: "goal",
            id: id.0,
        })
    }
}
