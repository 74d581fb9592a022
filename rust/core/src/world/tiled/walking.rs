//! Tiled goals that walk: their part of an update, and their near fields for queries.

use crate::integrate::Solver;
use crate::route::tiles::TILE_RULE;
use crate::world::FlowWorld;
use crate::world::builder::Builder;
use crate::world::goal::Goal;
use crate::world::goal_id::GoalId;
use crate::world::movement_layer::MovementLayer;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::tiling::TiledSlot;
use crate::world::version::Version;
use crate::world::walking::build_context::{BuildContext, Walking};
use crate::world::walking::parts::Parts;

/// The approximate number of goals whose near fields are updated in a tick. More goals take turns, and agents then
/// follow fields to where a goal was a few ticks ago.
const MOST_FOLLOWED: usize = 32;

/// The inputs of fields to a goal for a movement type.
fn context<'a>(
    layer: &'a MovementLayer,
    builder: &'a Builder,
    walking: &Walking,
    (goal, solver): (u64, Solver),
) -> BuildContext<'a> {
    let version = Version {
        costs: layer.newest.revision,
        goal,
        solver,
        rule: TILE_RULE,
    };
    let Builder {
        scratch, repairers, ..
    } = builder;
    BuildContext::new(layer, (scratch, repairers), version, walking)
}

impl FlowWorld {
    /// The near fields to a tiled goal, if they have the goal's position and all edits. A query does not make them:
    /// unlike those of whole fields they may have to wait for their turn.
    pub(super) fn near_fields(&self, id: GoalId, movement: usize) -> Option<&Parts> {
        let goal = self.goals.by_id.get(&id)?;
        let slot = goal.tiled.get(movement)?.as_ref()?;
        let (layer, goal_and_solver) = (&self.layers[movement], (goal.revision, self.solver));
        let context = context(layer, &self.builder, &self.walking, goal_and_solver);
        slot.near_fields(&context, &goal.destination)
    }

    /// Updates the near fields to a tiled goal that has moved.
    pub(super) fn update_near_fields(&mut self, id: GoalId) {
        if !self.tiling.scheduler.moved.contains(id) {
            return;
        }
        let Some(goal) = self.goals.by_id.get_mut(&id) else {
            return;
        };
        let tick = self.walking.tick();
        let number = tick + id.0.unsigned_abs();
        let is_its_turn = number.is_multiple_of(self.tiling.scheduler.near_field_turns);
        let map_cells = self.grid.cell_count();
        let is_pursued = self.walking.is_for(goal.destination.cells.len(), map_cells);
        let Goal {
            destination,
            revision,
            tiled,
            ..
        } = goal;
        for (slot, layer) in tiled.iter_mut().zip(&self.layers) {
            let Some(slot) = slot else { continue };
            if !is_pursued {
                slot.pursuit = Pursuit::new(destination, tick);
                continue;
            }
            let goal_and_solver = (*revision, self.solver);
            let context = context(layer, &self.builder, &self.walking, goal_and_solver);
            slot.pursuit.record_position(&context, destination, tick);
            if is_its_turn && slot.update_near_fields(&context, destination) {
                self.builder.stats.near_solves += 1;
            }
        }
    }

    /// The number of tiled goals that walk.
    pub(in crate::world) fn walking_tiled_goals(&self) -> usize {
        let goals = &self.goals.by_id;
        let moved = self
            .tiling
            .scheduler
            .moved
            .iter()
            .filter_map(|id| goals.get(&id));
        let slots = moved.flat_map(|goal| goal.tiled.iter().flatten());
        slots.filter(|slot| slot.pursuit.walks()).count()
    }

    /// Continues the fields and states of tiled goals that walk: once in an update, with `cells` cells of middle fields
    /// for each goal.
    pub(in crate::world) fn walk_on_with_tiled_goals(&mut self, cells: usize) {
        let moved: Vec<GoalId> = self.tiling.scheduler.moved.iter().collect();
        self.tiling.scheduler.near_field_turns = moved.len().div_ceil(MOST_FOLLOWED).max(1) as u64;
        for id in moved {
            self.walk_on_with_tiled_goal(id, cells);
            self.update_near_fields(id);
        }
    }

    fn walk_on_with_tiled_goal(&mut self, id: GoalId, cells: usize) {
        let Some(goal) = self.goals.by_id.get_mut(&id) else {
            return;
        };
        let walks = |slot: &&mut TiledSlot| slot.pursuit.walks();
        let slots = goal.tiled.iter_mut().zip(&self.layers).enumerate();
        for (movement, (slot, layer)) in slots {
            let Some(slot) = slot.as_mut().filter(walks) else {
                continue;
            };
            let goal_and_solver = (goal.revision, self.solver);
            let mut context = context(layer, &self.builder, &self.walking, goal_and_solver);
            context.cells = cells;
            let is_away = slot.is_away(&goal.destination);
            let walked = slot
                .pursuit
                .continue_middle_fields(&context, &goal.destination, is_away);
            if let Some(Some(graph)) = self.tiling.graphs.get(movement) {
                slot.distribute_work(&graph.graph, walked);
                self.tiling.scheduler.note_tiles((id, movement));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::Grid;
    use crate::workers::Workers;
    use crate::world::walking::parts::Part;
    use crate::world::{FlowWorld, GoalMode};
    use glam::{IVec2, Vec2};

    /// Tiles lead to its cell, and near fields to its place in it. Middle fields would take most of the time of a move.
    #[test]
    fn a_goal_that_stays_in_its_cell_needs_no_middle_fields() {
        let grid = Grid::new(IVec2::splat(800), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_walking_cells(60_000);
        let mut at = Vec2::new(400.1, 400.5);
        let goal = world
            .create_goal_with_mode(&[at], &[0.0], GoalMode::Tiled)
            .expect("inside");
        world
            .request_route(goal, 0, Vec2::splat(20.5))
            .expect("inside");
        world.update();
        let mut part_after_moves = |each: f32| {
            for _ in 0..40 {
                at.x += each;
                world.move_goal(goal, &[at]).expect("inside");
                world.update();
            }
            let slot = world.goals.slot((goal, 0)).expect("requested");
            slot.pursuit.parts.kind_at(IVec2::new(300, 400))
        };
        assert_eq!(part_after_moves(0.02), Part::Far);
        assert!(matches!(part_after_moves(0.05), Part::Middle { .. }));
    }
}
