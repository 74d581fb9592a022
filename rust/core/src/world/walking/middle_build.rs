//! Middle fields that are being built, part by part. Copies and rollbacks are those of [far fields](super::far_build).

use crate::grid::links::Links;
use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::later_work::LaterWork;
use crate::world::walking::near_field::NearField;
use crate::world::walking::part_build::PartBuild;
use crate::world::walking::window::{Window, windows};
use std::collections::VecDeque;
use std::sync::Arc;

/// The most cells of the windows of middle fields together.
const MOST_MIDDLE_CELLS: usize = 1_200_000;

/// The builds of middle fields.
#[derive(Debug, Default)]
pub(super) struct MiddleBuilds {
    /// The remaining ones, of which the first one is in progress.
    left: VecDeque<(Window, PartBuild)>,
    finished: Vec<Arc<NearField>>,
}

/// Middle fields that are being built.
#[derive(Debug)]
pub(super) struct MiddleBuild {
    /// The windows with their costs, and the work so far, as in [`super::far_build::Far::budgets`].
    pub(super) begun: Vec<(Window, Arc<CostField>)>,
    pub(super) budgets: Vec<usize>,
    /// `None` for a copy that has not gone on yet.
    builds: Option<MiddleBuilds>,
    pub(super) later: Option<Box<LaterWork<MiddleBuilds>>>,
    pub(super) destination: Arc<Destination>,
    pub(super) version: Version,
    pub(super) begun_at: u64,
    pub(super) links: Arc<Links>,
}

impl Clone for MiddleBuild {
    fn clone(&self) -> Self {
        Self {
            begun: self.begun.clone(),
            budgets: self.budgets.clone(),
            builds: None,
            later: None,
            destination: Arc::clone(&self.destination),
            version: self.version,
            begun_at: self.begun_at,
            links: Arc::clone(&self.links),
        }
    }
}

impl MiddleBuild {
    /// Fields that reach `reach` cells beyond each goal cell; `None` if their windows are too large.
    pub(super) fn begin(
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        reach: i32,
    ) -> Option<Self> {
        let costs = &context.layer.costs;
        let windows = windows(costs, &destination.cells, reach, MOST_MIDDLE_CELLS)?;
        let with_costs = |window: Window| {
            let own: Arc<CostField> = Arc::new(costs.cut_out(window.cells));
            (window, own)
        };
        Some(Self::begin_on(
            windows.into_iter().map(with_costs).collect(),
            Arc::clone(costs.shared_links()),
            destination,
            (context.version, context.tick),
        ))
    }

    pub(super) fn begin_on(
        begun: Vec<(Window, Arc<CostField>)>,
        links: Arc<Links>,
        destination: &Arc<Destination>,
        (version, tick): (Version, u64),
    ) -> Self {
        Self {
            begun,
            budgets: Vec::new(),
            builds: None,
            later: None,
            destination: Arc::clone(destination),
            version,
            begun_at: tick,
            links,
        }
    }

    /// Gives its memory back in parts.
    pub(super) fn retire(self, scratch: &Scratch) {
        let later = self.later.map(|later| later.into_parts().1);
        let builds = self.builds.into_iter().chain(later);
        for (_, build) in builds.flat_map(|builds| builds.left) {
            build.retire(scratch);
        }
    }

    /// The work of all builds together.
    pub(super) fn work(&self) -> usize {
        let work = self.begun.iter().map(|(_, own)| own.cell_count() * 7 / 6);
        work.sum()
    }

    /// As [`super::far_build::Far::catch_up`].
    pub(super) fn catch_up(&mut self, scratch: &Scratch) -> bool {
        if self.builds.is_some() {
            return true;
        }
        let budgets = std::mem::take(&mut self.budgets);
        let mut done = budgets.iter();
        let is_unfinished = done.all(|&budget| !self.advance(scratch, &mut budget.clone()));
        self.budgets = budgets;
        is_unfinished
    }

    /// Takes over the work of `known`, as [`super::far_build::Far::recognize`] does.
    pub(super) fn recognize(&mut self, known: Self, scratch: &Scratch) {
        let pairs = || self.begun.iter().zip(&known.begun);
        let is_same = self.begun.len() == known.begun.len()
            && pairs().all(|((_, own), (_, known))| Arc::ptr_eq(own, known))
            && self.destination == known.destination
            && self.version == known.version
            && self.begun_at == known.begun_at;
        if !is_same || self.builds.is_some() {
            return known.retire(scratch);
        }
        let work = match known.builds {
            Some(builds) => Some((known.budgets, builds)),
            None => known.later.map(|later| later.into_parts()),
        };
        if let Some((budgets, builds)) = work {
            self.later = LaterWork::beyond(&self.budgets, budgets, builds);
            self.builds = LaterWork::take_if_reached(&mut self.later, &self.budgets);
        }
    }

    /// Continues the builds for a `budget` of cells, which it notes. Returns the fields when all are finished.
    pub(super) fn continue_with(
        &mut self,
        budget: usize,
        scratch: &Scratch,
    ) -> Option<Vec<Arc<NearField>>> {
        let later = self.later.as_ref();
        if later.is_some_and(|later| later.goes_on_with(&self.budgets, budget)) {
            self.budgets.push(budget);
            self.builds = LaterWork::take_if_reached(&mut self.later, &self.budgets);
            return None;
        }
        self.later = None;
        self.catch_up(scratch);
        self.budgets.push(budget);
        let is_finished = self.advance(scratch, &mut budget.clone());
        let builds = self.builds.take_if(|_| is_finished)?;
        Some(builds.finished)
    }

    /// Returns whether all are finished.
    fn advance(&mut self, scratch: &Scratch, budget: &mut usize) -> bool {
        let Self {
            begun,
            destination,
            version,
            ..
        } = self;
        let build = |(window, own): &(Window, Arc<CostField>)| {
            let (goals, targets) = (window.own_goals(), window.own_targets(destination));
            let build = PartBuild::new(Arc::clone(own), goals, targets, *version, scratch);
            (window.clone(), build)
        };
        let builds = self.builds.get_or_insert_with(|| MiddleBuilds {
            left: begun.iter().map(build).collect(),
            finished: Vec::new(),
        });
        while let Some((window, build)) = builds.left.front_mut() {
            let Ok(built) = build.advance(budget, scratch) else {
                // Costs exceed the number range: this middle field is left out.
                builds.left.pop_front();
                continue;
            };
            let (Some((integration, flow)), Some(costs)) = (built, build.costs().cloned()) else {
                return false;
            };
            let field = NearField::new(window, costs, integration, flow);
            builds.finished.push(Arc::new(field));
            builds.left.pop_front();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::Grid;
    use crate::grid::links::Link;
    use crate::grid::travel::Travel;
    use crate::workers::Workers;
    use crate::world::{FlowWorld, GoalId};
    use glam::{IVec2, Vec2};

    /// The goal walks so many cells in each of some updates.
    fn walk(world: &mut FlowWorld, goal: GoalId, (pace, updates): (f32, usize)) {
        for _ in 0..updates {
            let at = world.goal_targets(goal).expect("known")[0];
            let next = at + Vec2::X * pace;
            world.move_goal(goal, &[next]).expect("inside");
            world.update();
        }
    }

    /// Copying the costs of two takes a millisecond on large maps.
    #[test]
    fn middle_fields_of_one_tier_begin_in_an_update() {
        let grid = Grid::new(IVec2::new(1500, 420), 1.0, Vec2::ZERO).expect("valid");
        // The inner ones of a fast goal are done in each update, where there is time for that.
        for (pace, cells) in [(0.4, 3_072), (2.5, 150_000)] {
            let mut world = FlowWorld::new(grid, Workers::serial());
            let goal = world.create_goal(&[Vec2::splat(20.5)]).expect("inside");
            world.require(goal, 0).expect("known");
            world.set_walking_cells(cells);
            let mut all = [0; 2];
            for _ in 0..120 {
                walk(&mut world, goal, (pace, 1));
                let slot = world.goals.by_id[&goal].fields[0].as_ref();
                let tiers = &slot.expect("required").walk.tiers;
                let begun = tiers.each_ref().map(|tier| {
                    // Some are finished at once.
                    let built = tier.middle.as_ref().map(|middle| middle.latest.begun_at);
                    let begun = tier.build.as_ref().map(|build| build.begun_at);
                    [built, begun].contains(&Some(world.tick()))
                });
                assert_ne!(begun, [true; 2], "tick {}", world.tick());
                for (all, begun) in all.iter_mut().zip(begun) {
                    *all += usize::from(begun);
                }
            }
            assert!(all.iter().all(|&begun| begun > 1), "{all:?}");
        }
    }

    /// Freeing them at once takes half a millisecond, in an update in which all near fields are found anew.
    #[test]
    fn middle_fields_that_links_make_useless_are_given_back_in_parts() {
        let waiting = |without_middle: bool| {
            let grid = Grid::new(IVec2::new(1500, 420), 1.0, Vec2::ZERO).expect("valid");
            let mut world = FlowWorld::new(grid, Workers::serial());
            let goal = world.create_goal(&[Vec2::splat(20.5)]).expect("inside");
            world.require(goal, 0).expect("known");
            walk(&mut world, goal, (0.4, 60));
            let goal = world.goals.by_id.get_mut(&goal).expect("known");
            let tiers = &mut goal.fields[0].as_mut().expect("required").walk.tiers;
            assert!(tiers.iter().any(|tier| tier.middle.is_some()));
            if without_middle {
                for tier in tiers {
                    tier.middle = None;
                }
            }
            let link = Link {
                from: IVec2::new(700, 90),
                to: IVec2::new(800, 90),
                cost: 2.0,
                both_ways: true,
                travel: Travel::Walk,
            };
            world.add_links(&[link]).expect("inside");
            world.update();
            world.builder.scratch.retired.lock().bytes()
        };
        let (all, others) = (waiting(false), waiting(true));
        assert!(all > others + 100_000, "{all} and {others} bytes");
    }
}
