//! An entry of the open list of the search over portals.

use super::graph::PortalId;
use crate::bytes::{Saved, Unpacker, Writer};
use crate::error::Result;
use glam::IVec2;
use std::cmp::Ordering;

/// A portal that the search has reached across a window or by a link, and that is to be expanded within its sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The estimated cost of a route through this portal.
    pub(super) through: u64,
    pub(super) to_go: u64,
    /// The middle of the portal. The search estimates thousands of entries anew when it is directed elsewhere, and the
    /// graph's memory is too large for the processor's cache.
    pub(super) cell: IVec2,
    pub(super) sector: u32,
    pub(super) slot: u16,
}

/// The cell is found again in the graph.
impl Saved for Entry {
    fn write(&self, out: &mut Writer) {
        (self.through, self.to_go).write(out);
        (self.sector, self.slot).write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let ((through, to_go), (sector, slot)) = Saved::read(input)?;
        let portal = PortalId { sector, slot };
        Ok(Self::new((portal, IVec2::ZERO), to_go, through))
    }
}

impl Entry {
    /// Makes an entry for a portal with its middle.
    pub(super) fn new((portal, cell): (PortalId, IVec2), to_go: u64, through: u64) -> Self {
        let PortalId { sector, slot } = portal;
        Self {
            through,
            to_go,
            cell,
            sector,
            slot,
        }
    }

    pub(super) fn portal(&self) -> PortalId {
        let Self { sector, slot, .. } = *self;
        PortalId { sector, slot }
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
