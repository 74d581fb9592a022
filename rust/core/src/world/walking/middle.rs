//! The middle fields of a goal that walks, in tiers: those of an inner tier are small and often renewed, those of an
//! outer one reach farther and lead to where the goal was longer ago.

use crate::grid::links::Links;
use crate::integrate::Repairer;
use crate::movement::CostField;
use crate::retired::Retired;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::walking::budget::{CALM, budget};
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::middle_build::MiddleBuild;
use crate::world::walking::near_field::NearField;
use glam::IVec2;
use std::sync::Arc;

/// What middle fields of a tier are like. Distances are in cells.
pub(super) struct TierKind {
    /// The reach beyond a goal cell.
    pub(super) reach: i32,
    /// The distance within which the goal walks until they are finished, on even ground.
    within: f32,
    /// The same for the far field, or for new routes to a tiled goal, if no tier is farther out.
    pub(super) far_within: f32,
    /// Maps of more cells have this tier.
    least_map: usize,
}

/// The number of tiers.
pub(super) const TIERS: usize = 2;
/// The tiers, from the inner to the outer one. A field is in use until its successor is finished, and the goal may
/// leave it faster on rough ground. So the next farther field is finished within half of the reach. The inner
/// one is renewed sooner, because agents within its reach would lose time on the way to where the goal was.
pub(super) const TIER_KINDS: [TierKind; TIERS] = [
    TierKind {
        reach: 96,
        within: 1.5,
        far_within: 36.0,
        least_map: 150_000,
    },
    TierKind {
        reach: 256,
        within: 24.0,
        far_within: 130.0,
        least_map: 600_000,
    },
];

/// The most former middle fields of a tier that are kept.
const MOST_FORMER: usize = 4;

/// The number of tiers on a map of `map_cells` cells.
pub(super) fn tiers_on(map_cells: usize) -> usize {
    let kinds = TIER_KINDS.iter();
    kinds.filter(|kind| map_cells > kind.least_map).count()
}

/// A tier of middle fields: those in use, and those that are being built.
#[derive(Debug, Clone, Default)]
pub(super) struct Tier {
    pub(super) build: Option<MiddleBuild>,
    pub(super) middle: Option<Middle>,
}

/// Middle fields in use.
#[derive(Debug, Clone)]
pub(super) struct Middle {
    pub(super) latest: Level,
    /// Those before, from the latest to the first, which are kept as long as only they hold the goal cells of the next
    /// farther field. On rough ground a goal may leave these cells before that field's successor is finished.
    pub(super) former: Vec<Level>,
    /// The version from which they were made.
    pub(super) version: Version,
    pub(super) links: Arc<Links>,
}

/// Middle fields that lead to one position of the goal.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) fields: Vec<Arc<NearField>>,
    pub(super) destination: Arc<Destination>,
    /// The update in which the goal was there.
    pub(super) begun_at: u64,
}

impl Level {
    pub(super) fn goal_cells(&self) -> impl Iterator<Item = IVec2> + Clone {
        self.fields.iter().flat_map(|field| field.goal_cells())
    }
}

impl Middle {
    /// The latest fields, and then some of the former ones.
    pub(super) fn levels(&self, former: usize) -> impl Iterator<Item = &Level> {
        std::iter::once(&self.latest).chain(&self.former[..former])
    }

    fn levels_mut(&mut self) -> impl Iterator<Item = &mut Level> {
        std::iter::once(&mut self.latest).chain(&mut self.former)
    }

    /// Has the memory given back in parts of fields that nothing else holds.
    fn retire(self, retired: &mut Retired) {
        let levels = std::iter::once(self.latest).chain(self.former);
        let fields = levels.flat_map(|level| level.fields);
        for field in fields.filter_map(Arc::into_inner) {
            field.retire(retired);
        }
    }

    /// Repairs the fields after a change of costs, or solves them again. Returns whether that succeeded.
    fn repair(&mut self, context: &BuildContext<'_>, repairer: &mut Repairer) -> bool {
        let MovementLayer { costs, newest, .. } = context.layer;
        let changed = newest.log.cells_since(self.version.costs);
        let rule = context.version.rule;
        self.levels_mut().all(|level| {
            let destination = &level.destination;
            level.fields.iter_mut().all(|field| {
                let is_repaired = changed.as_ref().is_some_and(|changed| {
                    let field = Arc::make_mut(field);
                    field.repair(costs, changed, destination, rule, repairer)
                });
                is_repaired || context.solve_again(field, destination)
            })
        })
    }
}

impl Tier {
    pub(super) fn is_empty(&self) -> bool {
        self.build.is_none() && self.middle.is_none()
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, scratch: &Scratch) {
        if let Some(build) = self.build {
            build.retire(scratch);
        }
        if let Some(middle) = self.middle {
            middle.retire(&mut scratch.retired.lock());
        }
    }

    /// The fields in use, if they have the present costs.
    pub(super) fn current(&self, context: &BuildContext<'_>) -> Option<&Middle> {
        let is_current = |middle: &&Middle| middle.version.is_made_as(context.version);
        self.middle.as_ref().filter(is_current)
    }

    /// Whether there are fields that were not made from the present costs.
    pub(super) fn is_old(&self, context: &BuildContext<'_>) -> bool {
        self.middle.is_some() && self.current(context).is_none()
    }

    /// Builds a part of the fields to the goal's position, and begins if it may and none are being built. `depth` is
    /// how deep the goal is that the next farther field leads to, or that these fields lead to, in the next nearer
    /// one. Returns whether it has begun.
    pub(super) fn go_on(
        &mut self,
        kind: &TierKind,
        (context, destination): (&BuildContext<'_>, &Arc<Destination>),
        (least, walked): (usize, f32),
        (depth, may_begin): (f32, bool),
    ) -> bool {
        let costs: &CostField = &context.layer.costs;
        let is_useless = |build: &mut MiddleBuild| {
            !build.version.is_of_one_kind(context.version)
                || !Arc::ptr_eq(&build.links, costs.shared_links())
        };
        if let Some(build) = self.build.take_if(is_useless) {
            build.retire(context.scratch);
        }
        let was_empty = self.build.is_none();
        if was_empty {
            let is_there = |middle: &Middle| middle.latest.destination.cells == destination.cells;
            if !may_begin || self.middle.as_ref().is_some_and(is_there) {
                return false;
            }
            self.build = MiddleBuild::begin(context, destination, kind.reach);
        }
        let has_begun = was_empty && self.build.is_some();
        let Some(build) = &mut self.build else {
            return false;
        };
        let budget = budget(least, build.work(), (walked, kind.within), (depth, CALM));
        if let Some(fields) = build.continue_with(budget, context.scratch)
            && let Some(build) = self.build.take()
        {
            self.put_in_use(fields, build, context.version);
        }
        has_begun
    }

    /// Puts finished fields into use.
    fn put_in_use(&mut self, fields: Vec<Arc<NearField>>, build: MiddleBuild, present: Version) {
        let is_useful = |middle: &Middle| {
            middle.version.is_made_as(present) && build.version.is_made_as(present)
        };
        let before = self.middle.take().filter(is_useful);
        let former = before.map_or_else(Vec::new, |before| {
            let levels = std::iter::once(before.latest).chain(before.former);
            levels.take(MOST_FORMER).collect()
        });
        self.middle = Some(Middle {
            latest: Level {
                fields,
                destination: build.destination,
                begun_at: build.begun_at,
            },
            former,
            version: build.version,
            links: build.links,
        });
    }

    /// Repairs the fields in use after a change of costs. Those that something else holds are copied.
    pub(super) fn repair(&mut self, context: &BuildContext<'_>) {
        let links = context.layer.costs.shared_links();
        let is_repairable = |middle: &Middle| {
            middle.version.is_of_one_kind(context.version) && Arc::ptr_eq(&middle.links, links)
        };
        let Some(mut middle) = self.middle.take() else {
            return;
        };
        if !is_repairable(&middle) {
            middle.retire(&mut context.scratch.retired.lock());
            return;
        }
        let mut repairer = context.repairers.lock().pop().unwrap_or_default();
        let is_current = middle.repair(context, &mut repairer);
        context.repairers.lock().push(repairer);
        middle.version.costs = context.version.costs;
        self.middle = Some(middle).filter(|_| is_current);
    }

    /// Takes over the work of the unfinished fields of `known`, in whose place a rollback has put this copy.
    pub(super) fn recognize(&mut self, known: &mut Self, scratch: &Scratch) {
        if let (Some(build), Some(known)) = (&mut self.build, known.build.take()) {
            build.recognize(known, scratch);
        }
    }
}
