//! How much is searched and built in a tick (Emerson, Game AI Pro, 23.15).

use super::Tiling;
use super::route_queue::Asker;
use crate::error::{Error, Result};
use crate::world::FlowWorld;
use std::mem::replace;

/// How many routes are searched in a tick at most unless another number is chosen: a few milliseconds' work.
pub const DEFAULT_ROUTE_LIMIT: usize = 64;

/// What counts as one route, in portals that a search goes on from: a tenth of a millisecond or so. Shorter ones
/// count for less, and longer ones for several.
const ROUTE: u64 = 256;
/// What a source and the table of its sector count for besides, in portals.
pub(super) const SOURCE: u64 = 32;
/// What beginning with a goal counts for, in portals, and how many sectors of the map count as one more.
const GOAL: u64 = 64;
const SECTORS: u64 = 64;

/// What has been searched and built since the last update began.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// In portals.
    work: u64,
    /// Only if the time is limited.
    pub(super) seconds: f64,
    /// Whether a search has been made for agents, for a moved goal and from the queue, however much has been spent.
    for_agents: bool,
    for_moved: bool,
    from_queue: bool,
}

impl Tiling {
    /// Whether somebody may have a route searched now.
    pub(super) fn may_search(&mut self, asker: Asker) -> bool {
        match asker {
            Asker::GameAtOnce => true,
            Asker::Agents if !replace(&mut self.spent.for_agents, true) => true,
            Asker::Queue if !replace(&mut self.spent.from_queue, true) => true,
            Asker::Mover if !replace(&mut self.spent.for_moved, true) => true,
            Asker::Agents | Asker::Renewal | Asker::Game => {
                !self.is_spent(1, 1.0) && !self.queue.is_before(asker)
            }
            // The rest of the time is for tiles.
            Asker::Queue => !self.is_spent(1, 0.5),
            // And half of this for the queue.
            Asker::Mover => !self.is_spent(2, 0.25),
        }
    }

    /// Whether the work of a tick divided by a number, or a share of its seconds, has been spent.
    fn is_spent(&self, part: u64, share: f64) -> bool {
        let most = (self.route_limit as u64).saturating_mul(ROUTE) / part;
        self.spent.work >= most || self.spent.seconds > share * self.seconds
    }

    pub(super) fn spend(&mut self, portals: u64) {
        self.spent.work += portals;
    }

    /// Of having begun with a goal on a map of so many sectors.
    pub(super) fn spend_on_goal(&mut self, sectors: usize) {
        self.spend(GOAL + sectors as u64 / SECTORS);
    }

    /// Begins a tick.
    pub(in crate::world) fn begin_tick(&mut self) {
        self.spent = Spent::default();
        self.tick += 1;
    }
}

impl FlowWorld {
    /// How many routes to tiled goals are searched from one update to the next, the update included; at least 1, and
    /// [`DEFAULT_ROUTE_LIMIT`] unless set. Long ones, on very large maps, count for several, and short ones for less
    /// than one. What is asked for beyond that waits, and updates search it in the order of requests, those for
    /// agents before others: [`super::super::QueryStatus::Queued`] until then.
    ///
    /// Of a group of agents that has nothing to follow at least one route is searched in each tick. What
    /// [`Self::cost_to_goal`] and [`Self::path_from`] need is always searched, and counts.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for 0.
    pub fn set_route_limit(&mut self, routes: usize) -> Result<()> {
        if routes == 0 {
            return Err(Error::OutOfRange {
                name: "route_limit",
                value: 0.0,
                min: 1.0,
                max: usize::MAX as f64,
            });
        }
        self.tiling.route_limit = routes;
        Ok(())
    }

    /// How many routes are searched from one update to the next.
    #[must_use]
    pub fn route_limit(&self) -> usize {
        self.tiling.route_limit
    }
}
