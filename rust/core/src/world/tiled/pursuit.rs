//! The pursuit of a tiled goal that walks.
//!
//! Near fields lead to the goal's current position. A state's routes and tiles lead to where it was when the state was
//! begun. On large maps middle fields lie between the two (see [`crate::world::walking`]). When the goal has walked
//! far, a new state is made in small parts, in three stages ([`Stage`]).

use crate::bytes::{Saved, Source as _, Unpacker, Writer, saved};
use crate::error::Result;
use crate::retired::Retired;
use crate::route::PortalGraph;
use crate::route::tiles::TILE_RULE;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::scheduler::SOURCE;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::near::FarVersions;
use crate::world::walking::parts::{Part, Parts};
use crate::world::walking::saved::{FieldList, FieldNumbers, Present};
use crate::world::walking::walk::Walk;
use glam::IVec2;
use std::mem::take;
use std::sync::Arc;

/// The least that an update does for a pending state: portals that the search expands, and tiles.
const LEAST_PORTALS: usize = 64;
const LEAST_TILES: usize = 4;
/// The most tiles that an update builds for the current state.
const CURRENT_TILES: usize = 8;
/// The parts that the stages have of the distance within which new routes are needed. The sum is less than 1, as
/// they are begun when the goal has left the present routes far behind.
const SEARCH_PART: f32 = 0.31;
const REQUEST_PART: f32 = 0.06;
const BUILD_PART: f32 = 0.42;

/// The pursuit of a tiled goal that walks or may walk.
#[derive(Debug, Clone, Default)]
pub(super) struct Pursuit {
    /// The fields near the goal; empty until it has walked.
    pub(super) parts: Parts,
    pub(super) walk: Walk,
    /// Whether the goal has just moved into a wall.
    pub(super) waits_for_ground: bool,
    /// The distance in cells that the goal has walked since the last update, and in all before it.
    pub(super) walked: f32,
    pub(super) total_walked: f64,
    pub(super) progress: Progress,
    pub(super) shares: Shares,
    /// The tiles of replaced states.
    pub(super) retired: Retired,
}

/// The progress of a pending state.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    pub(super) stage: Stage,
    /// The distance that the goal had walked when the state was begun, and how far it had left the current state behind
    /// ([`Walk::distance_of_routes`]).
    pub(super) begun_after: f64,
    pub(super) begun_distance: f32,
}

/// The stages of a pending state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// The search over portals spreads over the whole map.
    #[default]
    Search,
    /// Routes are found from where agents stand.
    Request,
    /// Tiles are built. Tiles that are built earlier would have to be rebuilt, as later routes are better.
    Build,
}

/// The work that may be done for a goal that walks until the next update.
#[derive(Debug, Clone, Default)]
pub(super) struct Shares {
    /// The tiles of the current state, and of the pending one.
    pub(super) current: usize,
    pub(super) pending: usize,
    /// The work on routes that can wait, in portals.
    pub(super) portals: u64,
    /// Whether any of this work has been done.
    pub(super) is_used: bool,
}

saved!(Progress {
    stage,
    begun_after,
    begun_distance,
});
saved!(Shares {
    current,
    pending,
    portals,
    is_used,
});

impl Saved for Stage {
    fn write(&self, out: &mut Writer) {
        out.u8(*self as u8);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        match input.u8()? {
            0 => Ok(Self::Search),
            1 => Ok(Self::Request),
            2 => Ok(Self::Build),
            _ => Err(input.bad("it has routes in an unknown stage")),
        }
    }
}

impl Pursuit {
    /// Writes everything but the tiles of replaced states, which only wait to be freed.
    pub(super) fn write(
        &self,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        // Every field is named, so that none is forgotten.
        let Self {
            parts,
            walk,
            waits_for_ground,
            walked,
            total_walked,
            progress,
            shares,
            retired: _,
        } = self;
        parts.write(TILE_RULE, (present, fields), out);
        walk.write(true, (present, fields), out);
        walk.write_near((present, fields), out);
        waits_for_ground.write(out);
        walked.write(out);
        total_walked.write(out);
        progress.write(out);
        shares.write(out);
    }

    pub(super) fn read(
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
        scratch: &Scratch,
    ) -> Result<Self> {
        let parts = Parts::read(input, (present, fields))?;
        let mut walk = Walk::read(input, (present, fields), scratch)?;
        walk.read_near(input, (present, fields))?;
        Ok(Self {
            parts,
            walk,
            waits_for_ground: Saved::read(input)?,
            walked: Saved::read(input)?,
            total_walked: Saved::read(input)?,
            progress: Saved::read(input)?,
            shares: Saved::read(input)?,
            retired: Retired::default(),
        })
    }

    /// The pursuit of a goal that is where its state leads.
    pub(super) fn new(destination: &Arc<Destination>, tick: u64) -> Self {
        Self {
            walk: Walk::at(destination, tick),
            ..Self::default()
        }
    }

    /// Returns true if the goal has walked and near fields lead to it.
    pub(super) fn walks(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Returns true if a new state need not be begun yet.
    pub(super) fn may_wait(&self, tick: u64) -> bool {
        self.waits_for_ground || self.walks() && self.walk.may_wait(tick)
    }

    /// Updates near fields for states of these versions, which lead to `far_goals`. Returns true if a near field was
    /// solved or removed.
    pub(super) fn update_near_fields(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        far: (FarVersions, impl FnOnce() -> Vec<IVec2>),
    ) -> bool {
        let is_known = self.walk.is_up_to_date(context, destination, far.0);
        let is_changed = !is_known && self.walk.follow(context, destination, far, &mut self.parts);
        self.walk.note_depths();
        is_changed
    }

    /// Records the goal's position at a tick, and updates middle fields to the costs.
    pub(super) fn record_position(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        tick: u64,
    ) {
        self.walked += self.walk.note_walk(destination, tick);
        self.waits_for_ground = self.walk.waits_for_ground(context, destination);
        if self.walk.has_old_middle(context) {
            self.parts.let_go_of_middle();
            self.walk.repair_middle(context);
        }
    }

    /// Continues middle fields if the goal is away from the cells to which the current state leads. Returns the
    /// distance that it has walked since the last update.
    pub(super) fn continue_middle_fields(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        is_away: bool,
    ) -> f32 {
        self.retired.free_part();
        let walked = take(&mut self.walked);
        self.total_walked += f64::from(walked);
        if is_away {
            self.walk.build_middle(context, destination, walked);
        }
        walked
    }

    /// Records that a new state has been begun.
    pub(super) fn begin(&mut self) {
        self.progress = Progress {
            stage: Stage::Search,
            begun_after: self.total_walked,
            begun_distance: self.walk.distance_of_routes(),
        };
    }

    /// Records that an edit has restarted the search. From then on routes are searched one after the other: with
    /// frequent edits the search might never spread over the map.
    pub(super) fn search_again(&mut self) {
        if self.progress.stage == Stage::Search {
            self.progress.stage = Stage::Request;
        }
    }

    /// Takes the tiles of a state that has been replaced.
    pub(super) fn retire(&mut self, state: Arc<TiledGoalState>) {
        if self.walks()
            && let Some(state) = Arc::into_inner(state)
        {
            state.field.retire(&mut self.retired);
        }
    }

    /// Returns true if an agent in a cell is led on until other routes are found.
    pub(super) fn can_wait(&self, cell: IVec2, is_current_state: bool) -> bool {
        self.walks() && (!is_current_state || self.parts.kind_at(cell) != Part::Far)
    }

    /// Returns true if routes may be searched for agents that are led on.
    pub(super) fn may_request(&self, is_current_state: bool) -> bool {
        (is_current_state || self.progress.stage != Stage::Search) && self.shares.portals > 0
    }

    /// Records the work of such a search.
    pub(super) fn spend(&mut self, portals: u64) {
        self.shares.portals = self.shares.portals.saturating_sub(portals);
        self.shares.is_used = true;
    }

    /// Distributes the work until the next update, and continues the search of a pending state.
    pub(super) fn distribute_work(
        &mut self,
        graph: &PortalGraph,
        pending: Option<&mut Arc<TiledGoalState>>,
        stood: usize,
        walked: f32,
    ) {
        let since = self.total_walked - self.progress.begun_after;
        let roughness = self
            .walk
            .roughness(since as f32, self.progress.begun_distance);
        let walked = if pending.is_some() {
            walked * roughness
        } else {
            walked
        };
        let share = |least, work, part| self.walk.share(least, work, (walked, part));
        let mut shares = Shares {
            current: CURRENT_TILES,
            portals: share(LEAST_PORTALS, stood * SOURCE as usize, REQUEST_PART) as u64,
            ..Shares::default()
        };
        if let Some(pending) = pending {
            match self.progress.stage {
                Stage::Search => {
                    let portals = share(LEAST_PORTALS, pending.portals, SEARCH_PART);
                    if Arc::make_mut(pending).routes.spread(graph, portals) {
                        self.progress.stage = Stage::Request;
                        shares.is_used = true;
                    }
                }
                Stage::Request if !self.shares.is_used => self.progress.stage = Stage::Build,
                Stage::Request => {}
                Stage::Build => {
                    shares.pending = share(LEAST_TILES, pending.active_count(), BUILD_PART)
                }
            }
        }
        self.shares = shares;
    }
}
