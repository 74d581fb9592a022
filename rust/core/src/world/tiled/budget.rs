//! The budget of routes and tiles in a tick (Emerson, Game AI Pro, 23.15).

use crate::error::{Result, in_range};
use crate::world::FlowWorld;
use crate::world::tiled::budget_used::BudgetUsed;
use crate::world::tiled::route_queue::RequestPriority;
use crate::world::tiled::tiling::Tiling;
use std::mem::replace;

/// The work of one route, in portals that a search expands: about a tenth of a millisecond. Shorter routes count as
/// less, longer ones as several.
const ROUTE: u64 = 256;
/// The work of a new state of a goal, in portals, and the number of sectors of the map that count as one more portal.
const GOAL: u64 = 64;
const SECTORS: u64 = 64;

impl Tiling {
    /// Returns true if a request may be searched now. The first request of each kind in a tick always may, so no
    /// request waits for ever.
    pub(super) fn may_search(&mut self, priority: RequestPriority) -> bool {
        let quarters = match priority {
            RequestPriority::GameAtOnce => return true,
            RequestPriority::Agents if !replace(&mut self.used.for_agents, true) => return true,
            RequestPriority::Queue if !replace(&mut self.used.from_queue, true) => return true,
            RequestPriority::Mover if !replace(&mut self.used.for_moved, true) => return true,
            RequestPriority::Renewal if !replace(&mut self.used.for_renewals, true) => {
                return true;
            }
            // Agents follow their tiles meanwhile.
            RequestPriority::Renewal if self.used.on_renewals >= self.most_work() / 4 => {
                return false;
            }
            RequestPriority::Agents | RequestPriority::Game if self.queue.is_before(priority) => {
                return false;
            }
            RequestPriority::Agents | RequestPriority::Game | RequestPriority::Renewal => 4,
            // The rest is for requests later in the tick, and the time for tiles.
            RequestPriority::Queue => 3,
            RequestPriority::Mover => 2,
        };
        let share = match priority {
            RequestPriority::Queue => 0.5,
            RequestPriority::Mover => 0.25,
            _ => 1.0,
        };
        self.used.work < self.most_work() / 4 * quarters
            && self.used.seconds <= share * self.tile_seconds
    }

    /// The budget of a tick, in portals.
    fn most_work(&self) -> u64 {
        (self.route_limit as u64).saturating_mul(ROUTE)
    }

    pub(super) fn spend(&mut self, portals: u64, priority: RequestPriority) {
        self.used.work += portals;
        if priority == RequestPriority::Renewal {
            self.used.on_renewals += portals;
        }
    }

    /// Records the work of a new state of a goal on a map of `sectors` sectors.
    pub(super) fn spend_on_goal(&mut self, sectors: usize) {
        self.used.work += GOAL + sectors as u64 / SECTORS;
    }

    /// Begins a tick with a new budget.
    pub(in crate::world) fn begin_tick(&mut self) {
        self.used = BudgetUsed::default();
        self.tick += 1;
    }
}

impl FlowWorld {
    /// Sets how many routes to tiled goals are searched from one update to the next, the update included; at least 1,
    /// by default [`DEFAULT_ROUTE_LIMIT`](super::DEFAULT_ROUTE_LIMIT). Long routes, on very large maps, count as
    /// several, and short ones as less than one. Requests beyond the limit wait, with the status
    /// [`super::super::QueryStatus::Queued`]. Updates search them in the order of requests, those for agents before
    /// others, up to three quarters of the limit.
    ///
    /// The first search for agents without a direction is always made, and so is the first search of an update. Queries
    /// search at once, and their searches do not count.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for 0.
    pub fn set_route_limit(&mut self, routes: usize) -> Result<()> {
        self.tiling.route_limit = in_range("route_limit", routes, 1, usize::MAX)?;
        Ok(())
    }

    /// The most routes that are searched from one update to the next.
    #[must_use]
    pub fn route_limit(&self) -> usize {
        self.tiling.route_limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tick of four routes, in which the first search of each kind has been made.
    fn tick() -> Tiling {
        let mut tiling = Tiling {
            route_limit: 4,
            ..Tiling::default()
        };
        for priority in [
            RequestPriority::Agents,
            RequestPriority::Renewal,
            RequestPriority::Queue,
            RequestPriority::Mover,
        ] {
            assert!(tiling.may_search(priority), "the first for {priority:?}");
        }
        tiling
    }

    #[test]
    fn renewals_get_a_quarter_of_a_tick() {
        let mut tiling = tick();
        tiling.spend(ROUTE - 1, RequestPriority::Renewal);
        assert!(tiling.may_search(RequestPriority::Renewal));
        tiling.spend(1, RequestPriority::Renewal);
        assert!(!tiling.may_search(RequestPriority::Renewal));
        assert!(tiling.may_search(RequestPriority::Agents));
        tiling.begin_tick();
        assert!(tiling.may_search(RequestPriority::Renewal));
        assert!(tiling.may_search(RequestPriority::Renewal));
    }

    #[test]
    fn beginning_with_goals_takes_from_a_tick() {
        let mut tiling = tick();
        let mut goals = 0;
        while goals < 99 && tiling.may_search(RequestPriority::Agents) {
            tiling.spend_on_goal(64 * SECTORS as usize);
            goals += 1;
        }
        assert_eq!(goals, 4 * ROUTE / (GOAL + 64));
    }
}
