//! The routes that queries have searched.

use crate::route::{PortalGraph, SectorSearch};
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::scheduler::Pair;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most goals and movement types for which routes are kept: those of the last queries. On a map of 4096 by 4096
/// cells each takes about a megabyte.
pub(in crate::world) const MOST: usize = 16;

/// The data that only queries read and write.
#[derive(Debug)]
pub(in crate::world) struct Previews {
    /// The graph of each movement type, with the revision of its costs; only where the simulation has no graph that is
    /// up to date.
    pub(super) graphs: Vec<Option<(u64, Arc<PortalGraph>)>>,
    pub(super) routes: BTreeMap<Pair, Preview>,
    pub(super) search: SectorSearch,
    /// The number of queries.
    pub(super) uses: u64,
}

impl Default for Previews {
    fn default() -> Self {
        Self {
            graphs: Vec::new(),
            routes: BTreeMap::new(),
            search: SectorSearch::new(),
            uses: 0,
        }
    }
}

#[derive(Debug)]
pub(in crate::world) struct Preview {
    pub(super) state: Arc<TiledGoalState>,
    pub(super) source: Source,
    /// The number of the last query that used it.
    pub(super) used: u64,
}

/// What routes are made from. They are valid only as long as none of it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) struct Source {
    pub(super) costs: u64,
    pub(super) graph: u64,
    pub(super) made_for: GoalVersion,
    pub(super) variant: TileVariant,
}

impl Previews {
    /// Moves the graph of a movement type to the simulation, which would build the same one. A game may have a query
    /// build it before the first order.
    pub(in crate::world) fn take_graph(
        &mut self,
        movement: usize,
    ) -> Option<(u64, Arc<PortalGraph>)> {
        self.graphs.get_mut(movement)?.take()
    }

    /// Removes the data of all but the first `count` movement types.
    pub(in crate::world) fn truncate(&mut self, count: usize) {
        self.graphs.truncate(count);
        self.routes.retain(|&(_, movement), _| movement < count);
    }

    pub(in crate::world) fn forget_goal(&mut self, goal: GoalId) {
        self.routes.retain(|&(known, _), _| known != goal);
    }

    pub(in crate::world) fn forget_the_oldest(&mut self) {
        while self.routes.len() > MOST {
            let oldest = self.routes.iter().min_by_key(|(_, known)| known.used);
            let Some((&pair, _)) = oldest else { return };
            self.routes.remove(&pair);
        }
    }
}
