//! The work for tiled goals that waits, and how much of it is done in a tick (Emerson, Game AI Pro, 23.15).
//!
//! The work of routes is counted in portals that a search expands, and the work of tiles in tiles; a limit in seconds
//! holds for both. Requests for routes wait in a queue (`route_queue`). Goals with tiles to build, and goals that have
//! moved, wait for their turns (`turns`): of thousands of goals an update checks only these.
//!
//! - The first request of each kind in a tick is always searched, so no request waits for ever.
//! - An entry that waits may have no work left. It is removed when its turn comes.

mod route_queue;
mod turns;

pub(crate) use route_queue::RequestPriority;
pub(in crate::world::tiled) use route_queue::{Pair, RouteQueue};
pub(in crate::world::tiled) use turns::Turns;

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::world::goal_id::GoalId;
use std::collections::BTreeSet;
use std::mem::replace;

/// The default for the most routes searched in a tick: a few milliseconds of work.
pub const DEFAULT_ROUTE_LIMIT: usize = 64;

/// The default for the most tiles that an update builds: a few milliseconds of work.
pub const DEFAULT_TILE_LIMIT: usize = 256;

/// The work of a source and the table of its sector, in portals.
pub(in crate::world::tiled) const SOURCE: u64 = 32;

/// The work of one route, in portals that a search expands: about a tenth of a millisecond. Shorter routes count as
/// less, longer ones as several.
const ROUTE: u64 = 256;
/// The work of a new state of a goal, in portals, and the number of sectors of the map that count as one more portal.
const GOAL: u64 = 64;
const SECTORS: u64 = 64;

/// The work for tiled goals that waits, and the limits of a tick.
#[derive(Debug, Clone)]
pub(in crate::world) struct Scheduler {
    /// The most routes that are searched in a tick.
    pub(in crate::world::tiled) route_limit: usize,
    /// The most tiles that an update builds.
    pub(in crate::world::tiled) tile_limit: usize,
    /// The most seconds of a tick for slices of work, routes and tiles.
    pub(in crate::world) update_seconds: f64,
    pub(in crate::world::tiled) used: BudgetUsed,
    /// The number of updates.
    pub(in crate::world::tiled) tick: u64,
    /// Requests for routes that wait.
    pub(in crate::world::tiled) queue: RouteQueue,
    /// Goals and movement types whose tiles may wait.
    pub(in crate::world::tiled) tiles: Turns<Pair>,
    /// Goals and movement types whose first tiles may wait.
    pub(in crate::world::tiled) first_tiles: BTreeSet<Pair>,
    /// Goals and movement types with agents now or before the last update.
    pub(in crate::world::tiled) standing: BTreeSet<Pair>,
    /// Goals that may have been moved, or whose pending state is not followed yet.
    pub(in crate::world::tiled) moved: Turns<GoalId>,
    /// The number of updates in which each goal that moves has one turn for near fields.
    pub(in crate::world::tiled) near_field_turns: u64,
    /// The goal and movement type whose routes were renewed last.
    pub(in crate::world::tiled) last_renewed: Option<Pair>,
    /// The goal that was synchronised last, and the number of goals that may not have all edits.
    pub(in crate::world::tiled) last_synced: Option<GoalId>,
    pub(in crate::world::tiled) unsynced: usize,
}

impl Default for Scheduler {
    fn default() -> Self {
        Self {
            route_limit: DEFAULT_ROUTE_LIMIT,
            tile_limit: DEFAULT_TILE_LIMIT,
            update_seconds: f64::INFINITY,
            used: BudgetUsed::default(),
            tick: 0,
            queue: RouteQueue::default(),
            tiles: Turns::default(),
            first_tiles: BTreeSet::new(),
            standing: BTreeSet::new(),
            moved: Turns::default(),
            near_field_turns: 1,
            last_renewed: None,
            last_synced: None,
            unsynced: 0,
        }
    }
}

/// The work of searches and builds since the last update began.
#[derive(Debug, Clone, Default)]
pub(in crate::world) struct BudgetUsed {
    /// The work of searches, in portals.
    pub(in crate::world::tiled) work: u64,
    /// The time in seconds; 0 unless it is limited.
    pub(in crate::world::tiled) seconds: f64,
    /// The part of the work for renewals: routes that are searched again while tiles lead on.
    pub(in crate::world::tiled) on_renewals: u64,
    /// Whether a search has been made in this tick for each kind of request. The first one is made whatever the budget
    /// is.
    pub(in crate::world::tiled) for_agents: bool,
    pub(in crate::world::tiled) for_renewals: bool,
    pub(in crate::world::tiled) for_moved: bool,
    pub(in crate::world::tiled) from_queue: bool,
}

impl Saved for BudgetUsed {
    fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten. Runs that measure time do not repeat anyway.
        let Self {
            work,
            seconds: _,
            on_renewals,
            for_agents,
            for_renewals,
            for_moved,
            from_queue,
        } = self;
        (*work, *on_renewals).write(out);
        let marks = [for_agents, for_renewals, for_moved, from_queue];
        marks.iter().for_each(|mark| mark.write(out));
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Ok(Self {
            work: Saved::read(input)?,
            seconds: 0.0,
            on_renewals: Saved::read(input)?,
            for_agents: Saved::read(input)?,
            for_renewals: Saved::read(input)?,
            for_moved: Saved::read(input)?,
            from_queue: Saved::read(input)?,
        })
    }
}

/// The most of anything that is counted.
const MOST: u64 = 1 << 48;

impl Scheduler {
    /// Writes everything but the limits.
    pub(in crate::world::tiled) fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten.
        let Self {
            route_limit: _,
            tile_limit: _,
            update_seconds: _,
            used,
            tick,
            queue,
            tiles,
            first_tiles,
            standing,
            moved,
            near_field_turns,
            last_renewed,
            last_synced,
            unsynced,
        } = self;
        used.write(out);
        tick.write(out);
        queue.write(out);
        tiles.write(out);
        first_tiles.write(out);
        standing.write(out);
        moved.write(out);
        near_field_turns.write(out);
        last_renewed.write(out);
        last_synced.write(out);
        unsynced.write(out);
    }

    /// Reads what [`Self::write`] has written, for the limits of another one.
    pub(in crate::world::tiled) fn read(input: &mut Unpacker<'_>, limits: &Self) -> Result<Self> {
        let scheduler = Self {
            route_limit: limits.route_limit,
            tile_limit: limits.tile_limit,
            update_seconds: limits.update_seconds,
            used: Saved::read(input)?,
            tick: Saved::read(input)?,
            queue: Saved::read(input)?,
            tiles: Saved::read(input)?,
            first_tiles: Saved::read(input)?,
            standing: Saved::read(input)?,
            moved: Saved::read(input)?,
            near_field_turns: Saved::read(input)?,
            last_renewed: Saved::read(input)?,
            last_synced: Saved::read(input)?,
            unsynced: Saved::read(input)?,
        };
        let counts = [
            scheduler.used.work,
            scheduler.used.on_renewals,
            scheduler.tick,
            scheduler.near_field_turns,
            scheduler.unsynced as u64,
        ];
        if counts.iter().any(|&count| count > MOST) || scheduler.near_field_turns == 0 {
            return Err(input.bad("it has a schedule that makes no sense"));
        }
        Ok(scheduler)
    }

    /// Returns true if a request may be searched now. The first request of each kind in a tick always may, so no
    /// request waits for ever.
    pub(in crate::world::tiled) fn may_search(&mut self, priority: RequestPriority) -> bool {
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
            && self.used.seconds <= share * self.update_seconds
    }

    /// The budget of a tick, in portals.
    fn most_work(&self) -> u64 {
        (self.route_limit as u64).saturating_mul(ROUTE)
    }

    pub(in crate::world::tiled) fn spend(&mut self, portals: u64, priority: RequestPriority) {
        self.used.work += portals;
        if priority == RequestPriority::Renewal {
            self.used.on_renewals += portals;
        }
    }

    /// Records the work of a new state of a goal on a map of `sectors` sectors.
    pub(in crate::world::tiled) fn spend_on_goal(&mut self, sectors: usize) {
        self.used.work += GOAL + sectors as u64 / SECTORS;
    }

    /// Records that an update has taken `seconds` until now. Routes and tiles keep a quarter of the time, so that none
    /// waits for ever beside an update that takes all of it.
    pub(in crate::world) fn spend_seconds(&mut self, seconds: f64) {
        let most = 0.75 * self.update_seconds;
        self.used.seconds = self.used.seconds.max(seconds.min(most));
    }

    /// Begins a tick with a new budget.
    pub(in crate::world) fn begin_tick(&mut self) {
        self.used = BudgetUsed::default();
        self.tick += 1;
    }

    /// Adds a goal and movement type whose tiles may wait.
    pub(in crate::world::tiled) fn note_tiles(&mut self, pair: Pair) {
        self.tiles.insert(pair);
        self.first_tiles.insert(pair);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tick of four routes, in which the first search of each kind has been made.
    fn tick() -> Scheduler {
        let mut scheduler = Scheduler {
            route_limit: 4,
            ..Scheduler::default()
        };
        for priority in [
            RequestPriority::Agents,
            RequestPriority::Renewal,
            RequestPriority::Queue,
            RequestPriority::Mover,
        ] {
            assert!(scheduler.may_search(priority), "the first for {priority:?}");
        }
        scheduler
    }

    #[test]
    fn renewals_get_a_quarter_of_a_tick() {
        let mut scheduler = tick();
        scheduler.spend(ROUTE - 1, RequestPriority::Renewal);
        assert!(scheduler.may_search(RequestPriority::Renewal));
        scheduler.spend(1, RequestPriority::Renewal);
        assert!(!scheduler.may_search(RequestPriority::Renewal));
        assert!(scheduler.may_search(RequestPriority::Agents));
        scheduler.begin_tick();
        assert!(scheduler.may_search(RequestPriority::Renewal));
        assert!(scheduler.may_search(RequestPriority::Renewal));
    }

    #[test]
    fn beginning_with_goals_takes_from_a_tick() {
        let mut scheduler = tick();
        let mut goals = 0;
        while goals < 99 && scheduler.may_search(RequestPriority::Agents) {
            scheduler.spend_on_goal(64 * SECTORS as usize);
            goals += 1;
        }
        assert_eq!(goals, 4 * ROUTE / (GOAL + 64));
    }
}
