//! What the portal graph holds of one sector.

use super::link_portals::{Crossing, LinkPortals};
use super::sectors::{DEFAULT_SECTOR_SIZE, Side};
use super::windows::Portal;
use glam::IVec2;
use std::sync::Arc;

/// How a portal graph is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortalSettings {
    /// Edge length of a sector in cells, [`super::MIN_SECTOR_SIZE`]..=[`super::MAX_SECTOR_SIZE`].
    pub sector_size: u32,
    /// Wider windows are split, 1..=[`MAX_WINDOW`](super::MAX_WINDOW) cells. Narrow ones make routes shorter and the
    /// search longer.
    pub widest_window: u32,
}

impl Default for PortalSettings {
    fn default() -> Self {
        Self {
            sector_size: DEFAULT_SECTOR_SIZE,
            widest_window: DEFAULT_SECTOR_SIZE,
        }
    }
}

/// What the graph holds of a sector. Searches come by thousands of sectors, each time from far away: a line of the
/// processor's cache each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(super) struct SectorPortals {
    /// By side, and along each side.
    pub(super) portals: Box<[Portal]>,
    /// Where the portals of each side begin, and the end.
    pub(super) sides: [u16; 5],
    /// Where links begin and end, with slots after those of all windows.
    pub(super) links: Option<Box<LinkPortals>>,
    /// For each portal a row with the costs of walking there from each portal; [`NO_EDGE`] where no
    /// path within the sector does.
    pub(super) edges: Arc<[u32]>,
}

/// The cost between portals that nothing joins within their sector.
pub(super) const NO_EDGE: u32 = u32::MAX;

impl SectorPortals {
    /// How many portals there are, those of links included.
    #[inline]
    pub(super) fn count(&self) -> usize {
        let links = self.links.as_ref();
        self.portals.len() + links.map_or(0, |links| links.cells.len())
    }

    /// The cell of a link's portal, from the first of the sector; `None` for one of a window.
    #[inline]
    pub(super) fn link_cell(&self, slot: u16) -> Option<IVec2> {
        let links = self.links.as_ref()?;
        let at = usize::from(slot).checked_sub(self.portals.len())?;
        links.cells.get(at).copied()
    }

    /// The ways along links that end in a portal.
    pub(super) fn arriving(&self, slot: u16) -> impl Iterator<Item = &Crossing> {
        let crossings = self.links.iter().flat_map(|links| &*links.arriving);
        crossings.filter(move |crossing| {
            usize::from(crossing.own) + self.portals.len() == usize::from(slot)
        })
    }

    /// The ways along links that begin in a portal.
    pub(super) fn leaving(&self, slot: u16) -> impl Iterator<Item = &Crossing> {
        let crossings = self.links.iter().flat_map(|links| &*links.leaving);
        crossings.filter(move |crossing| {
            usize::from(crossing.own) + self.portals.len() == usize::from(slot)
        })
    }

    /// The side on which a portal of a window lies.
    #[inline]
    pub(super) fn side_of(&self, slot: u16) -> Side {
        let ends = &self.sides[1..4];
        Side::ALL[ends.iter().filter(|&&end| slot >= end).count()]
    }

    /// The costs of walking to a portal from each of the sector's.
    #[inline]
    pub(super) fn costs_to(&self, slot: u16) -> &[u32] {
        let count = self.count();
        &self.edges[usize::from(slot) * count..][..count]
    }

    /// The portals on a side.
    #[inline]
    pub(super) fn slots_on(&self, side: Side) -> std::ops::Range<u16> {
        self.sides[side as usize]..self.sides[side as usize + 1]
    }
}
