//! The middle and far fields of a goal that walks, of which a part is solved in each tick.

use crate::error::Result;
use crate::flow::FlowField;
use crate::grid::links::Links;
use crate::integrate::IntegrationField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::walking::build_context::{Ages, BuildContext};
use crate::world::walking::near::{GoalDepths, Near};
use crate::world::walking::near_field::NearField;
use crate::world::walking::part_build::PartBuild;
use crate::world::walking::unfinished::{Far, MIDDLE, MiddleBuild};
use glam::Vec2;
use std::sync::Arc;

/// Maps of more cells have middle fields.
const LARGE_MAP: usize = 600_000;
/// The distances, in cells, within which the goal walks until a middle field is finished, and until a far field is
/// finished without and with middle fields. They are a third to two fifths of the reach of the next nearer field,
/// because a field is in use until its successor is finished, and the goal may leave it faster on rough ground.
const MIDDLE_WITHIN: f32 = 10.0;
const FAR_WITHIN: (f32, f32) = (10.0, 110.0);
/// The depth ([`GoalDepths`]) from which on a tick does more work, up to `HURRY` times as much, as after a jump.
const CALM: f32 = 0.5;
/// The greatest roughness that is taken into account ([`Walk::roughness`]).
const ROUGHEST: f32 = 8.0;
/// The least distance, in cells, over which roughness is measured.
const FIRST_STEPS: f32 = 8.0;
/// The same depth for new routes to a tiled goal with middle fields, which are begun later.
const CALM_ROUTES: f32 = 0.85;
const HURRY: usize = 4;
/// The longest distance, in cells, that counts as walking in a tick. Longer moves are jumps and do not increase the
/// work of ticks.
const FARTHEST_WALKED: f32 = 1.0;

/// The most former middle fields that are kept.
const MOST_FORMER: usize = 4;

/// The number of updates after which a goal in walls is treated as such, and after which a goal that does not walk
/// counts as standing.
const MOST_IDLE_TICKS: u64 = 30;
/// The depth ([`GoalDepths`]) from which on the next far field is built in the background, or new routes to a tiled
/// goal are searched; without and with middle fields.
const FAR_ENOUGH: (f32, f32) = (0.25, 0.45);

/// The state of following a goal that has left the cells to which its far field leads.
#[derive(Debug, Clone, Default)]
pub(in crate::world) struct Walk {
    pub(super) far: Option<Far>,
    pub(super) middle_build: Option<MiddleBuild>,
    pub(super) middle: Option<Middle>,
    pub(super) near: Option<Near>,
    /// The value from the last update. Queries may have found near fields since.
    pub(super) depths: GoalDepths,
    /// The update since which all cells of the goal have been closed.
    pub(super) closed_since: Option<u64>,
    /// The goal's cells and targets in the last update.
    pub(super) seen: Arc<Destination>,
    /// The last update in which the goal was where the far field leads to.
    pub(super) left_at: u64,
    /// The last update in which it walked.
    pub(super) walked_at: u64,
}

/// Middle fields in use.
#[derive(Debug, Clone)]
pub(super) struct Middle {
    pub(super) latest: Level,
    /// Those before, from the latest to the first, which are kept as long as only they hold the goal cells of the far
    /// field. On rough ground a goal may leave these cells before the next far field is finished.
    pub(super) former: Vec<Level>,
    /// The version from which they were made.
    pub(super) version: Version,
    pub(super) begun_at: u64,
    pub(super) links: Arc<Links>,
}

/// Middle fields that lead to one position of the goal.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) fields: Vec<Arc<NearField>>,
    pub(super) destination: Arc<Destination>,
}

impl Middle {
    fn levels(&mut self) -> impl Iterator<Item = &mut Level> {
        std::iter::once(&mut self.latest).chain(&mut self.former)
    }
}

/// The work for a field in a tick, in cells: at least `least`, and enough that `work` is done when the goal has walked
/// `within`. It increases as the depth `depths` exceeds `calm`, when rough ground has brought the goal near the bound
/// of the next field.
fn budget(
    least: usize,
    work: usize,
    (walked, within): (f32, f32),
    (depths, calm): (f32, f32),
) -> usize {
    let cells = least.max((work as f32 * walked / within) as usize);
    let hurry = ((depths - calm) / (1.0 - calm)).max(0.0) * (HURRY as f32 - 1.0);
    cells + (cells as f32 * hurry) as usize
}

impl Walk {
    /// The state of a goal that is where its far field leads to.
    pub(in crate::world) fn at(destination: &Arc<Destination>, tick: u64) -> Self {
        Self {
            seen: Arc::clone(destination),
            left_at: tick,
            ..Self::default()
        }
    }

    /// Resets the state for a goal that is where its far field leads to.
    pub(super) fn arrive(&mut self, destination: &Arc<Destination>, context: &BuildContext<'_>) {
        self.stop(context.scratch);
        self.seen = Arc::clone(destination);
        self.left_at = context.tick;
    }

    /// Notes that the far field leads to the goal's position at a tick.
    pub(in crate::world) fn leave_from_here(&mut self, tick: u64) {
        self.left_at = tick;
    }

    /// Whether the next far field may be delayed: the goal has walked recently, and not far. In the background the next
    /// one begins only when the goal has walked far enough; otherwise a core would always be busy.
    pub(in crate::world) fn may_wait(&self, tick: u64) -> bool {
        let has_walked_far = match self.depths.far {
            Some(far) => far > FAR_ENOUGH.1,
            None => self.depths.next > FAR_ENOUGH.0 && self.middle_build.is_none(),
        };
        self.near.is_some()
            && !has_walked_far
            && self.depths.next < 1.0
            && tick - self.walked_at < MOST_IDLE_TICKS
    }

    /// Drops unfinished fields, because fields are built in the background.
    pub(super) fn walk_in_background(
        &mut self,
        destination: &Arc<Destination>,
        context: &BuildContext<'_>,
    ) {
        self.stop(context.scratch);
        self.note_walk(destination, context.tick);
    }

    /// Notes the goal's position. Returns the distance that it has walked since the last call, in cells.
    pub(in crate::world) fn note_walk(&mut self, destination: &Arc<Destination>, tick: u64) -> f32 {
        let walked = self.note(destination);
        if walked > 0.0 {
            self.walked_at = tick;
        }
        walked
    }

    /// The depth of the goal cells of the present routes in the middle fields, as in [`GoalDepths`].
    pub(in crate::world) fn depth_of_routes(&self) -> f32 {
        self.depths.far.unwrap_or_default()
    }

    /// The roughness of the ground: the ratio of the speed at which the goal leaves the middle fields to that on even
    /// ground. `walked` is the distance since [`Self::depth_of_routes`] was `depth`.
    pub(in crate::world) fn roughness(&self, walked: f32, depth: f32) -> f32 {
        let left = (self.depth_of_routes() - depth) * MIDDLE as f32;
        (left / walked.max(FIRST_STEPS)).clamp(1.0, ROUGHEST)
    }

    /// The share of `work` on new routes that a tick does, as in [`budget`]: all of it while the goal walks `within`
    /// cells if there are middle fields, and sooner otherwise.
    pub(in crate::world) fn share(
        &self,
        least: usize,
        work: usize,
        (walked, within): (f32, f32),
    ) -> usize {
        match self.depths.far {
            Some(far) => budget(least, work, (walked, within), (far, CALM_ROUTES)),
            // Middle fields are being built.
            None if self.middle_build.is_some() => {
                budget(least, work, (walked, within), (0.0, CALM_ROUTES))
            }
            None => {
                let within = within * FAR_WITHIN.0 / FAR_WITHIN.1;
                budget(least, work, (walked, within), (self.depths.next, CALM))
            }
        }
    }

    /// Whether all cells of the goal are closed, but only recently. Its last position is used in the meantime.
    pub(in crate::world) fn waits_for_ground(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Destination,
    ) -> bool {
        if destination
            .cells
            .iter()
            .any(|goal| context.is_open(goal.cell))
        {
            self.closed_since = None;
            return false;
        }
        context.tick - *self.closed_since.get_or_insert(context.tick) < MOST_IDLE_TICKS
    }

    /// Stores the depths of the near fields for the next update, and drops former middle fields that are not needed.
    pub(in crate::world) fn note_depths(&mut self) {
        self.depths = self
            .near
            .as_ref()
            .map_or_else(GoalDepths::default, Near::depths);
        if let (Some(near), Some(middle)) = (&self.near, &mut self.middle)
            && !near.is_lost()
        {
            middle.former.truncate(near.former);
        }
    }

    /// The revision of the costs of the far field that is being built.
    pub(in crate::world) fn costs_of_far(&self) -> Option<u64> {
        self.far.as_ref().and_then(Far::revision)
    }

    /// Takes over the work of the unfinished fields of `known`, in whose place a rollback has put this copy.
    pub(in crate::world) fn recognize(&mut self, known: &mut Self) {
        if let (Some(far), Some(known)) = (&mut self.far, known.far.take()) {
            far.recognize(known);
        }
        if let (Some(build), Some(known)) = (&mut self.middle_build, known.middle_build.take()) {
            build.recognize(known);
        }
    }

    /// Drops middle fields and all unfinished fields.
    pub(in crate::world) fn stop(&mut self, scratch: &Scratch) {
        if let Some(far) = self.far.take() {
            far.retire(scratch);
        }
        self.middle_build = None;
        self.middle = None;
    }

    /// The ages of the parts of a field whose goal has walked.
    pub(super) fn ages(&self, tick: u64) -> Ages {
        self.ages_with((tick - self.left_at).max(1), tick)
    }

    /// [`Self::ages`] with another age of the far field, or of the routes and tiles in its place.
    pub(in crate::world) fn ages_with(&self, far: u64, tick: u64) -> Ages {
        let middle = self.middle.as_ref().map_or(tick, |middle| middle.begun_at);
        Ages {
            middle: (tick - middle).max(1),
            far,
        }
    }

    /// The distance that the goal has walked since the last update, in cells.
    pub(super) fn note(&mut self, destination: &Arc<Destination>) -> f32 {
        let seen = std::mem::replace(&mut self.seen, Arc::clone(destination));
        let pairs = seen.targets.iter().zip(&*destination.targets);
        let distances = pairs.map(|(before, now): (&Vec2, &Vec2)| before.distance(*now));
        distances
            .filter(|&distance| distance <= FARTHEST_WALKED)
            .fold(0.0, f32::max)
    }

    pub(in crate::world) fn build_middle(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        walked: f32,
    ) {
        let costs = &context.layer.costs;
        if costs.cell_count() <= LARGE_MAP {
            return;
        }
        let is_of_another_kind = |version: &Version| !version.is_of_one_kind(context.version);
        let is_useless = |build: &mut MiddleBuild| {
            is_of_another_kind(&build.version) || !Arc::ptr_eq(&build.links, costs.shared_links())
        };
        drop(self.middle_build.take_if(is_useless));
        if self.middle_build.is_none() {
            let is_there = |middle: &Middle| middle.latest.destination.cells == destination.cells;
            if self.middle.as_ref().is_some_and(is_there) {
                return;
            }
            self.middle_build = MiddleBuild::begin(context, destination);
        }
        if let Some(build) = &mut self.middle_build {
            let least = context.cells.div_ceil(3);
            let budget = budget(
                least,
                build.work(),
                (walked, MIDDLE_WITHIN),
                (self.depths.next, CALM),
            );
            if let Some(fields) = build.continue_with(budget, context.scratch)
                && let Some(build) = self.middle_build.take()
            {
                let is_useful = |middle: &Middle| {
                    middle.version.is_made_as(context.version)
                        && build.version.is_made_as(context.version)
                };
                let before = self.middle.take().filter(is_useful);
                self.middle = Some(Middle {
                    latest: Level {
                        fields,
                        destination: build.destination,
                    },
                    former: before.map_or_else(Vec::new, |before| {
                        let levels = std::iter::once(before.latest).chain(before.former);
                        levels.take(MOST_FORMER).collect()
                    }),
                    version: build.version,
                    begun_at: build.begun_at,
                    links: build.links,
                });
            }
        }
    }

    /// Whether there are middle fields that were not made from the present costs.
    pub(in crate::world) fn has_old_middle(&self, context: &BuildContext<'_>) -> bool {
        let middle = self.middle.as_ref();
        middle.is_some_and(|middle| !middle.version.is_made_as(context.version))
    }

    /// Repairs middle fields after a change of costs. Fields that something else holds are copied.
    pub(in crate::world) fn repair_middle(&mut self, context: &BuildContext<'_>) {
        let Some(mut middle) = self.middle.take() else {
            return;
        };
        let MovementLayer { costs, newest, .. } = context.layer;
        let has_same_links = Arc::ptr_eq(&middle.links, costs.shared_links());
        if !middle.version.is_of_one_kind(context.version) || !has_same_links {
            return;
        }
        let changed = newest.log.since(middle.version.costs);
        let mut repairer = context.repairers.lock().pop().unwrap_or_default();
        let rule = context.version.rule;
        let are_current = middle.levels().all(|level| {
            let destination = &level.destination;
            level.fields.iter_mut().all(|field| {
                let is_repaired = changed.as_ref().is_some_and(|changed| {
                    let field = Arc::make_mut(field);
                    field.repair(costs, changed, destination, rule, &mut repairer)
                });
                is_repaired || context.solve_again(field, destination)
            })
        });
        context.repairers.lock().push(repairer);
        middle.version.costs = context.version.costs;
        self.middle = Some(middle).filter(|_| are_current);
    }

    /// Continues the far field; returns it when it is finished.
    pub(super) fn build_far(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        walked: f32,
        depths: GoalDepths,
    ) -> Result<Option<(Far, (IntegrationField, FlowField))>> {
        let is_of_another_kind = |far: &Far| !far.version.is_of_one_kind(context.version);
        if let Some(far) = self.far.take_if(|far| is_of_another_kind(far)) {
            far.retire(context.scratch);
        }
        let far = self
            .far
            .get_or_insert_with(|| Far::begin(destination, context.version, context.tick));
        let is_large = self.middle.is_some() || self.middle_build.is_some();
        let (least, within, depths) = if is_large {
            let depths = depths.far.unwrap_or_default();
            (context.cells - context.cells / 3, FAR_WITHIN.1, depths)
        } else {
            (context.cells, FAR_WITHIN.0, depths.next)
        };
        let work = PartBuild::work(far.costs.as_ref().unwrap_or(&context.layer.costs));
        let mut budget = budget(least, work, (walked, within), (depths, CALM));
        let built = far.continue_with(&mut budget, context.layer, context.scratch);
        match built.transpose() {
            None => Ok(None),
            Some(built) => {
                let far = self.far.take();
                Ok(far.zip(Some(built?)))
            }
        }
    }
}
