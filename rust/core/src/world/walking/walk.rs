//! The middle and far fields of a goal that walks, of which a part is solved in each tick.

use crate::error::Result;
use crate::flow::FlowField;
use crate::integrate::IntegrationField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::walking::budget::{CALM, budget};
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::far_build::Far;
use crate::world::walking::middle::{TIER_KINDS, TIERS, Tier, TierKind, tiers_on};
use crate::world::walking::near::{GoalDepths, Near};
use crate::world::walking::part_build::PartBuild;
use glam::Vec2;
use std::sync::Arc;

/// The distance, in cells, within which the goal walks until a far field is finished if there is no tier of middle
/// fields: a third of the reach of the near field, because a field is in use until its successor is finished, and the
/// goal may leave it faster on rough ground.
const FAR_WITHIN: f32 = 10.0;
/// The greatest roughness that is taken into account ([`Walk::roughness`]).
const ROUGHEST: f32 = 8.0;
/// The least distance, in cells, over which roughness is measured.
const FIRST_STEPS: f32 = 8.0;
/// The depth from which on a tick does more work on new routes to a tiled goal with middle fields. They are begun
/// later.
const CALM_ROUTES: f32 = 0.85;
/// The longest distance, in cells, that counts as walking in a tick. Longer moves are jumps and do not increase the
/// work of ticks.
const FARTHEST_WALKED: f32 = 1.0;

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
    /// The middle fields, from the inner to the outer tier.
    pub(super) tiers: [Tier; TIERS],
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

    /// The outermost tier that there is, or that is being built.
    fn outermost(&self) -> Option<&'static TierKind> {
        let place = self.tiers.iter().rposition(|tier| !tier.is_empty())?;
        Some(&TIER_KINDS[place])
    }

    /// Whether the next far field may be delayed: the goal has walked recently, and not far. In the background the next
    /// one begins only when the goal has walked far enough; otherwise a core would always be busy.
    pub(in crate::world) fn may_wait(&self, tick: u64) -> bool {
        let has_walked_far = if self.depths.has_middle() {
            self.depths.far > FAR_ENOUGH.1
        } else {
            self.depths.far > FAR_ENOUGH.0 && self.outermost().is_none()
        };
        self.near.is_some()
            && !has_walked_far
            && self.depths.nearest() < 1.0
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

    /// Within which distance, in cells, the next far field or new routes are needed, and how deep the goal cells of the
    /// present ones are in the next nearer field, with the depth from which on this counts.
    fn far_pace(&self, calm_beyond_middle: f32) -> (f32, (f32, f32)) {
        let depth = self.depths.far;
        match self.outermost() {
            // While the first middle fields are being built, there is time.
            Some(tier) if !self.depths.has_middle() => (tier.far_within, (0.0, CALM)),
            Some(tier) => (tier.far_within, (depth, calm_beyond_middle)),
            None => (FAR_WITHIN, (depth, CALM)),
        }
    }

    /// How far, in cells of even ground, the goal is away from the goal cells of the present routes, which middle
    /// fields hold.
    pub(in crate::world) fn distance_of_routes(&self) -> f32 {
        let middle = self.depths.middle;
        let outermost = middle.iter().rposition(Option::is_some);
        outermost.map_or(0.0, |place| {
            self.depths.far * TIER_KINDS[place].reach as f32
        })
    }

    /// The roughness of the ground: the ratio of the speed at which the goal leaves the middle fields to that on even
    /// ground. `walked` is the distance since [`Self::distance_of_routes`] was `before`.
    pub(in crate::world) fn roughness(&self, walked: f32, before: f32) -> f32 {
        let left = self.distance_of_routes() - before;
        (left / walked.max(FIRST_STEPS)).clamp(1.0, ROUGHEST)
    }

    /// The share of `work` on new routes that a tick does, as in [`budget`]: all of it while the goal walks `part` of
    /// the distance within which new routes are needed.
    pub(in crate::world) fn share(
        &self,
        least: usize,
        work: usize,
        (walked, part): (f32, f32),
    ) -> usize {
        let (within, depth) = self.far_pace(CALM_ROUTES);
        budget(least, work, (walked, part * within), depth)
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
        let Some(near) = self.near.as_ref().filter(|near| !near.is_lost()) else {
            return;
        };
        for (tier, former) in self.tiers.iter_mut().zip(near.former) {
            if let Some(middle) = &mut tier.middle {
                middle.former.truncate(former);
            }
        }
    }

    /// The revision of the costs of the far field that is being built.
    pub(in crate::world) fn costs_of_far(&self) -> Option<u64> {
        self.far.as_ref().and_then(Far::revision)
    }

    /// Takes over the work of the unfinished fields of `known`, in whose place a rollback has put this copy.
    pub(in crate::world) fn recognize(&mut self, known: &mut Self, scratch: &Scratch) {
        if let (Some(far), Some(known)) = (&mut self.far, known.far.take()) {
            far.recognize(known, None, scratch);
        }
        for (tier, known) in self.tiers.iter_mut().zip(&mut known.tiers) {
            tier.recognize(known, scratch);
        }
    }

    /// Drops middle fields and all unfinished fields.
    pub(in crate::world) fn stop(&mut self, scratch: &Scratch) {
        if let Some(far) = self.far.take() {
            far.retire(scratch);
        }
        for tier in std::mem::take(&mut self.tiers) {
            tier.retire(scratch);
        }
    }

    /// The age of a far field whose goal has walked.
    pub(super) fn age_of_far(&self, tick: u64) -> u64 {
        (tick - self.left_at).max(1)
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

    /// Continues the middle fields. Those of one tier at most begin in an update, because their costs are copied then:
    /// of the outer one first, as the inner one may begin in each update if the goal is fast.
    pub(in crate::world) fn build_middle(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        walked: f32,
    ) {
        let depths = self.depths;
        let least = least_share(context);
        let tiers = tiers_on(context.layer.costs.cell_count());
        let mut may_begin = true;
        for (place, tier) in self.tiers[..tiers].iter_mut().enumerate().rev() {
            let with = (context, destination);
            let depth = depths.beyond_tier(place);
            may_begin &= !tier.go_on(
                &TIER_KINDS[place],
                with,
                (least, walked),
                (depth, may_begin),
            );
        }
    }

    /// Whether there are middle fields that were not made from the present costs.
    pub(in crate::world) fn has_old_middle(&self, context: &BuildContext<'_>) -> bool {
        self.tiers.iter().any(|tier| tier.is_old(context))
    }

    /// Repairs middle fields after a change of costs. Fields that something else holds are copied.
    pub(in crate::world) fn repair_middle(&mut self, context: &BuildContext<'_>) {
        for tier in &mut self.tiers {
            if tier.is_old(context) {
                tier.repair(context);
            }
        }
    }

    /// Continues the far field; returns it when it is finished.
    pub(super) fn build_far(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        walked: f32,
    ) -> Result<Option<(Far, (IntegrationField, FlowField))>> {
        let is_of_another_kind = |far: &Far| !far.version.is_of_one_kind(context.version);
        if let Some(far) = self.far.take_if(|far| is_of_another_kind(far)) {
            far.retire(context.scratch);
        }
        let (within, depth) = self.far_pace(CALM);
        let far = self
            .far
            .get_or_insert_with(|| Far::begin(destination, context.version, context.tick));
        let work = PartBuild::work(far.costs.as_ref().unwrap_or(&context.layer.costs));
        let mut budget = budget(least_share(context), work, (walked, within), depth);
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

/// The least work for a field in a tick, in cells. Middle and far fields share what a goal has.
fn least_share(context: &BuildContext<'_>) -> usize {
    let tiers = tiers_on(context.layer.costs.cell_count());
    context.cells.div_ceil(tiers + 1)
}
