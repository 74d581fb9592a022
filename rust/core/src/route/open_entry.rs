//! An entry of the open list of the search over portals.

use super::graph::PortalId;
use crate::bytes::saved;
use std::cmp::Ordering;

/// A portal that the search has reached across a window or by a link, and that is to be expanded within its sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The estimated cost of a route through this portal.
    pub(super) through: u64,
    pub(super) to_go: u64,
    pub(super) sector: u32,
    pub(super) slot: u16,
}

saved!(Entry {
    through,
    to_go,
    sector,
    slot,
});

impl Entry {
    pub(super) fn new(portal: PortalId, to_go: u64, through: u64) -> Self {
        Self {
            through,
            to_go,
            sector: portal.sector,
            slot: portal.slot,
        }
    }
}

impl Ord for Entry {
    /// The greatest entry is expanded next: the least estimated cost, then the greatest cost to the goal, which is the
    /// portal nearest to the source.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |entry: &Self| (entry.through, u64::MAX - entry.to_go);
        let place = |entry: &Self| (entry.sector, entry.slot);
        let by_cost = key(other).cmp(&key(self));
        by_cost.then_with(|| place(other).cmp(&place(self)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
