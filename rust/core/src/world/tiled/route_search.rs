//! Searches routes for a request, a slice of portals at a time, as far as the budget of the tick allows.
//!
//! - A search that the budget cuts is *unfinished*. The next request for the same goal and movement type continues it
//!   first, wherever its agents are now, so that every search ends.
//! - Limits in portals cut a search at the same portal in every run. A limit in seconds cuts it after any slice.

use crate::error::Result;
use crate::movement::CostField;
use crate::route::{Found, PortalGraph, RouteStart, SectorSearch};
use crate::world::builder::{Clock, seconds_since};
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::scheduler::{RequestPriority, SOURCE, Scheduler};
use glam::IVec2;
use std::mem::replace;

/// The portals of a slice: about a fifth of a millisecond.
const SLICE: usize = 512;

/// The searches of a request, and the budget that they spend.
pub(super) struct RouteSearch<'a> {
    pub(super) graph: &'a PortalGraph,
    pub(super) costs: &'a CostField,
    pub(super) scheduler: &'a mut Scheduler,
    pub(super) sector_search: &'a mut SectorSearch,
    /// The number of routes that have been searched.
    pub(super) searched: &'a mut u64,
    pub(super) pursuit: &'a mut Pursuit,
    pub(super) priority: RequestPriority,
    /// Whether the next search may begin whatever is left of the budget.
    pub(super) may_begin: bool,
    pub(super) stopwatch: Stopwatch,
}

/// Measures the time of a request.
#[derive(Clone, Copy)]
pub(super) struct Stopwatch {
    pub(super) clock: Option<Clock>,
    pub(super) begin: Option<f64>,
    /// The seconds of the tick that had been used before.
    pub(super) before: f64,
}

impl Stopwatch {
    /// Has the scheduler know how much of the tick's time has been used.
    pub(super) fn stop(&self, scheduler: &mut Scheduler) {
        scheduler.used.seconds = self.before + seconds_since(self.begin, self.clock);
    }
}

/// What a request for a route from one cell has come to.
pub(super) enum Outcome {
    Found(Option<RouteStart>),
    /// The budget allows no more of the search.
    Waits,
    /// Agents are led on meanwhile, and request again.
    LedOn,
}

impl RouteSearch<'_> {
    /// Continues the unfinished search of a state, if there is one.
    pub(super) fn continue_begun(
        &mut self,
        state: &mut TiledGoalState,
        is_followed: bool,
    ) -> Result<()> {
        if let Some(source) = state.routes.unfinished_source(self.graph) {
            self.search(state, source, is_followed)?;
        }
        Ok(())
    }

    /// Finds the route from an open cell. `is_followed` is whether the state is the current one.
    pub(super) fn search(
        &mut self,
        state: &mut TiledGoalState,
        start: IVec2,
        is_followed: bool,
    ) -> Result<Outcome> {
        let may_wait = self.pursuit.can_wait(start, is_followed);
        if may_wait && !self.pursuit.may_request(is_followed) {
            return Ok(Outcome::LedOn);
        }
        if state.needs_search(self.graph, start) {
            self.stopwatch.stop(self.scheduler);
            let may_begin = may_wait || replace(&mut self.may_begin, false);
            if !may_begin && !self.scheduler.may_search(self.priority) {
                return Ok(Outcome::Waits);
            }
            self.spend(SOURCE, may_wait);
        }
        loop {
            let settled = state.routes.settled();
            let found =
                state.find_route(self.graph, self.costs, start, self.sector_search, SLICE)?;
            // An edit may have had the search begin again.
            let portals = state.routes.settled().saturating_sub(settled);
            self.spend(portals as u64, may_wait);
            if let Found::Route(start) = found {
                *self.searched += 1;
                return Ok(Outcome::Found(start));
            }
            if may_wait && !self.pursuit.may_request(is_followed) {
                return Ok(Outcome::LedOn);
            }
            self.stopwatch.stop(self.scheduler);
            if !may_wait && !self.scheduler.may_search(self.priority) {
                return Ok(Outcome::Waits);
            }
        }
    }

    /// Records work, by that of the goal if it walks and leads its agents on meanwhile.
    fn spend(&mut self, work: u64, may_wait: bool) {
        if may_wait && work > 0 {
            self.pursuit.spend(work);
        } else if !may_wait {
            self.scheduler.spend(work, self.priority);
        }
    }
}
