//! How a tiled goal that walks is pursued.
//!
//! Near fields lead to where it is now, and ways, by routes and tiles, to where it was when these were begun; on large
//! maps middle fields lie between the two (see [`crate::world::walking`]). When the goal has walked far, new ways are
//! made in small parts, in three stages.

use crate::route::PortalGraph;
use crate::route::tiles::Retired;
use crate::world::goal_id::Ends;
use crate::world::tiled::budget_used::SOURCE;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::walking::means::Means;
use crate::world::walking::near::FarVersions;
use crate::world::walking::parts::{Part, Parts};
use crate::world::walking::walk::Walk;
use glam::IVec2;
use std::mem::take;
use std::sync::Arc;

/// What of new ways an update does at least: portals that the search for routes goes on from, and tiles.
const LEAST_PORTALS: usize = 64;
const LEAST_TILES: usize = 4;
/// How many tiles an update builds of ways in service, if they lack some.
const SERVED_TILES: usize = 8;
/// How many tiles an update frees of ways that were in service before.
const FREED_TILES: usize = 128;
/// Each stage is finished before the goal has walked so many cells: together less than half of what middle fields
/// reach, as new ways are begun when it has left the others nearly half as far behind.
const SEARCH_WITHIN: f32 = 40.0;
const REQUEST_WITHIN: f32 = 8.0;
const BUILD_WITHIN: f32 = 55.0;

/// What is known of a tiled goal that walks, or may.
#[derive(Debug, Default)]
pub(super) struct Pursuit {
    /// What leads on near the goal; nothing as long as it has not walked.
    pub(super) parts: Parts,
    pub(super) walk: Walk,
    /// Whether the goal has just come into a wall.
    pub(super) waits_for_ground: bool,
    /// How far it has walked, in cells, since the last update and before that.
    pub(super) walked: f32,
    pub(super) total_walked: f64,
    pub(super) progress: Progress,
    pub(super) shares: Shares,
    /// Tiles of ways that were in service before.
    pub(super) retired: Option<Retired>,
}

/// How far new ways have come.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) stage: Stage,
    /// How far the goal had walked when they were begun, and how deep in the middle fields it had left the ways in service.
    pub(super) begun_after: f64,
    pub(super) begun_depth: f32,
}

/// What is done for new ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// The search over the portals spreads over the whole map.
    #[default]
    Search,
    /// Routes are found from where agents stand.
    Request,
    /// Tiles are built. Any that were built before would be built again, as routes bring better ways.
    Build,
}

/// How much may be done until the next update for a goal that walks.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// Tiles of the ways in service, and of new ones.
    pub(super) served: usize,
    pub(super) new: usize,
    /// Portals' work on routes that can wait.
    pub(super) portals: u64,
    /// Whether any of that has been done.
    pub(super) is_used: bool,
}

impl Pursuit {
    /// Of a goal that is where its ways lead.
    pub(super) fn new(ends: &Arc<Ends>, tick: u64) -> Self {
        let mut pursuit = Self::default();
        pursuit.walk.arrive(ends, tick);
        pursuit
    }

    /// Whether the goal has walked, and near fields lead to it.
    pub(super) fn walks(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Whether new ways need not be begun yet.
    pub(super) fn may_wait(&self, tick: u64) -> bool {
        self.waits_for_ground || self.walks() && self.walk.may_wait(tick)
    }

    /// Brings near fields up to date that hold where ways of these versions lead: to `far_goals`. Says whether any was
    /// solved or let go for that.
    pub(super) fn follow(
        &mut self,
        means: &Means<'_>,
        ends: &Arc<Ends>,
        far: (FarVersions, impl FnOnce() -> Vec<IVec2>),
    ) -> bool {
        let is_known = self.walk.is_up_to_date(means, ends, far.0);
        let is_changed = !is_known && self.walk.follow(means, ends, far, &mut self.parts);
        self.walk.note_haste();
        is_changed
    }

    /// Notes where the goal is at a tick, and brings middle fields up to date with the costs.
    pub(super) fn note(&mut self, means: &Means<'_>, ends: &Arc<Ends>, tick: u64) {
        self.walked += self.walk.note_walk(ends, tick);
        self.waits_for_ground = self.walk.waits_for_ground(means, ends);
        if self.walk.has_old_middle(means) {
            self.parts.let_go_of_middle();
            self.walk.repair_middle(means);
        }
    }

    /// Goes on with middle fields, and returns how far the goal has walked since the last update.
    pub(super) fn go_on(&mut self, means: &Means<'_>, ends: &Arc<Ends>) -> f32 {
        self.retired.take_if(|retired| retired.free(FREED_TILES));
        let walked = take(&mut self.walked);
        self.total_walked += f64::from(walked);
        self.walk.build_middle(means, ends, walked);
        walked
    }

    /// New ways have been begun.
    pub(super) fn begin(&mut self) {
        self.progress = Progress {
            stage: Stage::Search,
            begun_after: self.total_walked,
            begun_depth: self.walk.depth_of_ways(),
        };
    }

    /// The search begins again, after an edit. From then on it goes for one route after the other: edits might come so
    /// often that it never spread over the map.
    pub(super) fn search_again(&mut self) {
        if self.progress.stage == Stage::Search {
            self.progress.stage = Stage::Request;
        }
    }

    /// Others have come into service instead of these.
    pub(super) fn retire(&mut self, state: Arc<TiledGoalState>) {
        if self.walks() {
            self.retired = Arc::into_inner(state).map(|state| state.field.retire());
        }
    }

    /// Whether an agent in a cell is led on until other routes are found.
    pub(super) fn can_wait(&self, cell: IVec2, is_in_service: bool) -> bool {
        self.walks() && (!is_in_service || self.parts.kind_at(cell) != Part::Far)
    }

    /// Whether routes may be found for those that are led on.
    pub(super) fn may_request(&self, is_in_service: bool) -> bool {
        (is_in_service || self.progress.stage != Stage::Search) && self.shares.portals > 0
    }

    /// Notes what that has taken.
    pub(super) fn spend(&mut self, portals: u64) {
        self.shares.portals = self.shares.portals.saturating_sub(portals);
        self.shares.is_used = true;
    }

    /// Shares out what may be done until the next update, and goes on with the search of new ways.
    pub(super) fn share_out(
        &mut self,
        graph: &PortalGraph,
        next: Option<&mut Arc<TiledGoalState>>,
        stood: usize,
        walked: f32,
    ) {
        let since = self.total_walked - self.progress.begun_after;
        let roughness = self.walk.roughness(since as f32, self.progress.begun_depth);
        let walked = if next.is_some() {
            walked * roughness
        } else {
            walked
        };
        let share = |least, work, within| self.walk.share(least, work, (walked, within));
        let mut shares = Shares {
            served: SERVED_TILES,
            portals: share(LEAST_PORTALS, stood * SOURCE as usize, REQUEST_WITHIN) as u64,
            ..Shares::default()
        };
        if let Some(next) = next {
            match self.progress.stage {
                Stage::Search => {
                    let portals = share(LEAST_PORTALS, next.portals, SEARCH_WITHIN);
                    if Arc::make_mut(next).routes.spread(graph, portals) {
                        self.progress.stage = Stage::Request;
                        shares.is_used = true;
                    }
                }
                Stage::Request if !self.shares.is_used => self.progress.stage = Stage::Build,
                Stage::Request => {}
                Stage::Build => shares.new = share(LEAST_TILES, next.active_count(), BUILD_WITHIN),
            }
        }
        self.shares = shares;
    }
}
