//! Far fields that are being built, part by part.
//!
//! A copy has only what its field is made from, and the work so far. It does that work again when it goes on. So a
//! snapshot of a world takes neither time nor memory for unfinished fields. A copy that a rollback has put in the place
//! of the field that it was made from takes over that one's work ([`super::later_work`]).

use crate::error::Result;
use crate::flow::FlowField;
use crate::integrate::IntegrationField;
use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::walking::later_work::LaterWork;
use crate::world::walking::part_build::PartBuild;
use std::sync::Arc;

/// A far field that is being built.
#[derive(Debug)]
pub(in crate::world) struct Far {
    /// The costs from which it is made; `None` while they are copied from those in use, whose edits it follows until
    /// then. It has its own copy, so that an edit does not have to copy the costs of the map.
    pub(super) costs: Option<Arc<CostField>>,
    /// `None` for a copy that has not gone on yet.
    build: Option<PartBuild>,
    /// After how many updates of work the costs were copied; 0 before.
    copied_after: usize,
    later: Option<Box<LaterWork<(PartBuild, usize)>>>,
    pub(in crate::world) destination: Arc<Destination>,
    pub(in crate::world) version: Version,
    pub(in crate::world) begun_at: u64,
    /// The work so far, from update to update: with the same work a new build comes to the same state.
    pub(super) budgets: Vec<usize>,
}

impl Clone for Far {
    fn clone(&self) -> Self {
        Self {
            costs: self.costs.clone(),
            build: None,
            copied_after: self.copied_after,
            later: None,
            destination: Arc::clone(&self.destination),
            version: self.version,
            begun_at: self.begun_at,
            budgets: self.budgets.clone(),
        }
    }
}

impl Far {
    /// A field to a destination, begun at a tick.
    pub(in crate::world) fn begin(
        destination: &Arc<Destination>,
        version: Version,
        tick: u64,
    ) -> Self {
        Self {
            costs: None,
            build: None,
            copied_after: 0,
            later: None,
            destination: Arc::clone(destination),
            version,
            begun_at: tick,
            budgets: Vec::new(),
        }
    }

    /// The revision of the costs for which it is. `None` while these are copied: it does not need what edits overwrite
    /// then.
    pub(in crate::world) fn revision(&self) -> Option<u64> {
        self.costs.as_ref().map(|_| self.version.costs)
    }

    /// The costs for which it is; `None` before they are copied.
    pub(in crate::world) fn into_costs(self) -> Option<Arc<CostField>> {
        self.costs
    }

    /// Gives its memory back in parts.
    pub(in crate::world) fn retire(self, scratch: &Scratch) {
        let later = self.later.map(|later| later.into_parts().1.0);
        for build in self.build.into_iter().chain(later) {
            build.retire(scratch);
        }
        if let Some(costs) = self.costs {
            scratch.retire_costs(costs);
        }
    }

    /// Does the work so far again, if it is a copy. `present` are the costs in use. Returns whether the field is still
    /// unfinished, as it was.
    pub(super) fn catch_up(&mut self, present: &Arc<CostField>, scratch: &Scratch) -> bool {
        if self.build.is_some() {
            return true;
        }
        let budgets = std::mem::take(&mut self.budgets);
        budgets.into_iter().all(|mut budget| {
            let built = self.advance(present, scratch, &mut budget);
            matches!(built, Ok(None))
        })
    }

    /// Goes on from all of the work that was done before a rollback, if there is any. Without the rollback the state
    /// would be another one.
    pub(in crate::world) fn keep_later_work(&mut self, layer: &MovementLayer) {
        self.follow_edits(layer);
        let Some(later) = self.later.take() else {
            return;
        };
        let (budgets, (build, copied_after)) = later.into_parts();
        if self.costs.is_none() {
            self.costs = build.costs().cloned();
            self.copied_after = copied_after;
        }
        self.budgets = budgets;
        self.build = Some(build);
    }

    /// Continues for a `budget` of cells, which it notes and reduces. Returns the field when it is finished.
    pub(in crate::world) fn continue_with(
        &mut self,
        budget: &mut usize,
        layer: &MovementLayer,
        scratch: &Scratch,
    ) -> Result<Option<(IntegrationField, FlowField)>> {
        self.follow_edits(layer);
        let later = self.later.as_ref();
        if later.is_some_and(|later| later.goes_on_with(&self.budgets, *budget)) {
            self.budgets.push(std::mem::take(budget));
            self.take_over_later_work();
            return Ok(None);
        }
        self.later = None;
        self.catch_up(&layer.costs, scratch);
        self.advance(&layer.costs, scratch, budget)
    }

    /// Takes over the work of `known`, the field that was in the place of this copy, if it is the same one. The memory
    /// of others is given back. `edited` are the costs in use, if both are still copying them, and the cells in which
    /// they may differ from those that `known` has copied.
    pub(in crate::world) fn recognize(
        &mut self,
        mut known: Self,
        edited: Option<(&CostField, &[u32])>,
        scratch: &Scratch,
    ) {
        // Costs of one revision are the same, but those that were loaded may have none of their own.
        let has_same_costs = match (&self.costs, &known.costs) {
            (Some(own), Some(known)) => Arc::ptr_eq(own, known),
            (own, _) => own.is_none(),
        };
        let is_of_one_kind = self.version.is_of_one_kind(known.version)
            && self.version.goal == known.version.goal
            && self.destination == known.destination
            && self.begun_at == known.begun_at
            && self.build.is_none();
        let has_same_costs = has_same_costs && self.version.costs == known.version.costs;
        let is_same =
            is_of_one_kind && (has_same_costs || self.costs.is_none() && known.correct(edited));
        if !is_same {
            return known.retire(scratch);
        }
        let work = match known.build {
            Some(build) => Some((known.budgets, (build, known.copied_after))),
            None => known.later.map(|later| later.into_parts()),
        };
        if let Some((budgets, build)) = work {
            self.later = LaterWork::beyond(&self.budgets, budgets, build);
            self.take_over_later_work();
        }
    }

    /// Has the copy of costs follow `edited` ones, as long as it is not complete. Returns whether it is not.
    fn correct(&mut self, edited: Option<(&CostField, &[u32])>) -> bool {
        let later = self
            .later
            .as_deref_mut()
            .map(|later| &mut later.build_mut().0);
        let build = self.build.as_mut().or(later);
        let copying = build.filter(|build| build.costs().is_none());
        if let (Some(build), Some((costs, changed))) = (copying, edited) {
            build.correct(costs, Some(changed));
            return true;
        }
        false
    }

    /// Takes what the later work had come to after as many updates.
    fn take_over_later_work(&mut self) {
        let (so_far, costs) = (self.budgets.len(), &mut self.costs);
        if let Some((build, copied_after)) = self.later.as_ref().map(|later| later.build())
            && costs.is_none()
            && *copied_after == so_far
        {
            *costs = build.costs().cloned();
            self.copied_after = so_far;
        }
        let reached = LaterWork::take_if_reached(&mut self.later, &self.budgets);
        self.build = reached.map(|(build, _)| build);
    }

    /// Has the field be one for the present costs, as long as these are copied.
    fn follow_edits(&mut self, layer: &MovementLayer) {
        let revision = layer.newest.revision;
        if self.costs.is_some() || self.version.costs == revision {
            return;
        }
        let changed = layer.newest.cells_since(self.version.costs);
        let edited = changed.as_deref().map(|changed| (&*layer.costs, changed));
        if let Some(build) = &mut self.build {
            build.correct(&layer.costs, changed.as_deref());
        } else if !self.correct(edited) {
            self.later = None;
        }
        self.version.costs = revision;
    }

    /// Does more work, and notes it.
    fn advance(
        &mut self,
        present: &Arc<CostField>,
        scratch: &Scratch,
        budget: &mut usize,
    ) -> Result<Option<(IntegrationField, FlowField)>> {
        let Self {
            costs,
            destination,
            version,
            ..
        } = self;
        let build = self.build.get_or_insert_with(|| {
            let (goals, targets) = (destination.cells.clone(), destination.targets.to_vec());
            match costs {
                Some(costs) => PartBuild::new(Arc::clone(costs), goals, targets, *version, scratch),
                None => PartBuild::copying(present, goals, targets, *version, scratch),
            }
        });
        self.budgets.push(*budget);
        if costs.is_none() {
            build.copy(present, budget);
            *costs = build.costs().cloned();
            self.copied_after = costs.as_ref().map_or(0, |_| self.budgets.len());
        }
        build.advance(budget, scratch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::workers::Workers;
    use crate::world::{FlowWorld, GoalId};
    use glam::{IVec2, Vec2};

    /// Otherwise an edit would copy the costs of the map: 8 ms on 2048×2048 cells.
    #[test]
    fn a_field_that_is_built_shares_no_costs_with_those_in_use() {
        let grid = Grid::new(IVec2::splat(150), 1.0, Vec2::ZERO).expect("valid");
        for is_first in [false, true] {
            let mut world = FlowWorld::new(grid, Workers::serial());
            let mut at = Vec2::splat(20.5);
            let goal = world.create_goal(&[at]).expect("inside");
            world.set_walking_cells(700);
            world.update();
            world.set_update_cells(if is_first { 700 } else { 0 });
            world.require(goal, 0).expect("known");
            let (mut copying, mut copied) = (0, 0);
            for step in 0..130 {
                at.x += 0.3;
                if !is_first {
                    world.move_goal(goal, &[at]).expect("inside");
                }
                world.update();
                let slot = world.goals.by_id[&goal].fields[0]
                    .as_ref()
                    .expect("required");
                let first = world.slices.first_field.as_ref().map(|first| &first.build);
                let far = slot.walk.far.as_ref().or(first);
                copying += usize::from(far.is_some_and(|far| far.costs.is_none()));
                copied += usize::from(far.is_some_and(|far| far.costs.is_some()));
                assert_eq!(Arc::strong_count(&world.layers[0].costs), 1, "{step}");
                let wall = IVec2::new(30 + step % 90, 30 + step);
                world
                    .set_terrain(wall.min(IVec2::splat(149)), 255)
                    .expect("inside");
            }
            assert!(copying > 1 && copied > 20, "{copying} and {copied} updates");
        }
    }
    /// A world in which a goal walks so many hundredths of a cell in each of some updates.
    pub(in crate::world::walking) fn play(
        world: &mut FlowWorld,
        goal: GoalId,
        steps: impl Iterator<Item = u8>,
    ) {
        for step in steps {
            let at = world.goal_targets(goal).expect("known")[0];
            let next = at + Vec2::new(0.01 * f32::from(step), 0.0);
            world.move_goal(goal, &[next]).expect("inside");
            world.update();
        }
    }

    fn far(world: &FlowWorld, goal: GoalId) -> &Far {
        let slot = world.goals.by_id[&goal].fields[0].as_ref();
        slot.and_then(|slot| slot.walk.far.as_ref())
            .expect("being built")
    }

    /// The middle fields are of large maps alone.
    #[test]
    fn after_a_rollback_work_is_not_done_again_as_long_as_it_is_the_same() {
        let grid = Grid::new(IVec2::new(1500, 420), 1.0, Vec2::ZERO).expect("valid");
        let begin = |ticks: usize| {
            let mut world = FlowWorld::new(grid, Workers::serial());
            let goal = world.create_goal(&[Vec2::splat(20.5)]).expect("inside");
            world.require(goal, 0).expect("known");
            play(&mut world, goal, std::iter::repeat_n(30, ticks));
            (world, goal)
        };
        // Back to where the costs of the far field are being copied, and to where they are.
        for (before, after) in [(8, 22), (28, 8)] {
            let (mut world, goal) = begin(before);
            assert_eq!(far(&world, goal).costs.is_none(), before == 8);
            let back = world.snapshot();
            let tick = |world: &mut FlowWorld| {
                play(world, goal, std::iter::once(30));
                world.world_hash()
            };
            let expected: Vec<_> = (0..after).map(|_| tick(&mut world)).collect();
            let middle = |world: &FlowWorld| {
                let slot = world.goals.by_id[&goal].fields[0].as_ref();
                slot.and_then(|slot| Some(slot.walk.tiers[1].build.as_ref()?.later.is_some()))
            };
            let first = after - 3;
            for _ in 0..2 {
                world.restore(&back).expect("the same settings");
                assert!(far(&world, goal).later.is_some());
                for expected in &expected[..first] {
                    assert_eq!(middle(&world), Some(true));
                    assert!(far(&world, goal).build.is_none(), "nothing is done again");
                    assert_eq!(tick(&mut world), *expected);
                }
            }
            for expected in &expected[first..] {
                assert_eq!(tick(&mut world), *expected);
            }
            assert!(far(&world, goal).build.is_some() && far(&world, goal).later.is_none());
            assert_eq!(middle(&world), Some(false));
            // Other work is done anew, and so is work on other costs.
            for has_wall in [false, true] {
                let (mut twin, same) = begin(before);
                world.restore(&back).expect("the same settings");
                for (world, goal) in [(&mut world, goal), (&mut twin, same)] {
                    if has_wall {
                        let wall = world.set_terrain(IVec2::new(700, 90), 255);
                        wall.expect("inside");
                    }
                    play(world, goal, [30, 30, 90, 30, 30, 30].into_iter());
                }
                assert!(far(&world, goal).later.is_none());
                assert_eq!(world.world_hash(), twin.world_hash());
            }
        }
    }

    /// It is of as many updates and of costs with the same revision, but these have another wall.
    #[test]
    fn an_unfinished_field_of_another_world_is_not_taken_over() {
        let grid = Grid::new(IVec2::new(1500, 420), 1.0, Vec2::ZERO).expect("valid");
        let [mut own, mut other] = [100, 300].map(|x| {
            let mut world = FlowWorld::new(grid, Workers::serial());
            let wall = IVec2::new(x, 9);
            world.set_terrain(wall, 255).expect("inside");
            let goal = world.create_goal(&[Vec2::splat(20.5)]).expect("inside");
            world.require(goal, 0).expect("known");
            play(&mut world, goal, std::iter::repeat_n(30, 8));
            assert!(far(&world, goal).costs.is_none(), "they are copied");
            (world, goal)
        });
        let kept = own.0.snapshot();
        for ((world, goal), is_own) in [(&mut own, true), (&mut other, false)] {
            play(world, *goal, std::iter::repeat_n(30, 3));
            world.restore(&kept).expect("the same settings");
            assert_eq!(far(world, *goal).later.is_some(), is_own);
        }
    }

    /// A world of 400 by 400 cells that builds the first field of a goal, and has done so for some updates. It copies
    /// costs for 15 updates.
    fn first_field_after(updates: usize) -> FlowWorld {
        let grid = Grid::new(IVec2::splat(400), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_update_cells(700);
        world.update();
        let goal = world.create_goal(&[Vec2::splat(20.5)]).expect("inside");
        world.require(goal, 0).expect("known");
        (0..updates).for_each(|_| drop(world.update()));
        world
    }

    fn first_field(world: &FlowWorld) -> &Far {
        &world.slices.first_field.as_ref().expect("begun").build
    }

    /// Builds walls along a line, one in each update.
    fn build_walls(world: &mut FlowWorld, line: i32, count: i32) {
        for x in 0..count {
            // Rows that are copied early, and others late.
            let y = if x % 2 == 0 { line } else { 399 - line };
            let wall = IVec2::new(30 + x, y);
            world.set_terrain(wall, 255).expect("inside");
            world.update();
        }
    }

    #[test]
    fn costs_that_are_copied_are_corrected_over_rollbacks() {
        for (after, is_kept) in [(6, true), (12, false)] {
            let (mut world, mut twin) = (first_field_after(5), first_field_after(5));
            let back = world.snapshot();
            build_walls(&mut world, 12, after);
            assert_eq!(first_field(&world).costs.is_none(), is_kept);
            world.restore(&back).expect("the same settings");
            assert_eq!(first_field(&world).later.is_some(), is_kept);
            for (number, line) in [7, 8, 9].into_iter().enumerate() {
                // Another course, with as much work.
                for world in [&mut world, &mut twin] {
                    build_walls(world, line, 2);
                }
                let build = &first_field(&world).build;
                assert_eq!(build.is_none(), is_kept && number < 2, "{number}");
                assert_eq!(world.world_hash(), twin.world_hash());
            }
            let both = || (world.has_slices_left(), twin.has_slices_left());
            assert_eq!(both(), (true, true));
            while world.has_slices_left() {
                world.update();
                twin.update();
            }
            assert_eq!(world.world_hash(), twin.world_hash());
            let goal = *world.goals.by_id.keys().next().expect("one");
            let [own, others] = [&world, &twin].map(|world| world.field(goal, 0).expect("built"));
            assert!(own.to_costs() == others.to_costs() && own.to_vectors() == others.to_vectors());
        }
    }

    #[test]
    fn where_time_is_limited_no_work_is_done_again() {
        for updates in [5, 40] {
            let mut world = first_field_after(updates);
            world.set_clock(|| 0.0);
            world.set_update_seconds(1.0).expect("in range");
            let back = world.snapshot();
            let hash = world.world_hash();
            (0..20).for_each(|_| drop(world.update()));
            world.restore(&back).expect("the same settings");
            assert_eq!(world.world_hash(), hash);
            world.set_update_cells(600);
            world.update();
            let first = first_field(&world);
            assert_eq!(first.budgets.len(), updates + 20 + 1);
            assert!(first.build.is_some() && first.costs.is_some());
            assert!(first.copied_after > 5 && first.copied_after < 25);
        }
    }
}
